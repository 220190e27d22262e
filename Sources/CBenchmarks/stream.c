#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

int patter_stream_listen(bool stream, const char *ip, uint16_t port, const char *congestion) {
  struct sockaddr_in address = floor_address(ip, port);
  if (!stream) return floor_udp_socket(&address);
  int fd = floor_tcp_socket(congestion);
  if (fd < 0) return fd;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 1024) != 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int patter_stream_connect(bool stream, const char *ip, uint16_t port, const char *congestion) {
  struct sockaddr_in own = floor_address("0.0.0.0", 0);
  struct sockaddr_in remote = floor_address(ip, port);
  uint64_t end = floor_now() + 10000000000u;
  while (true) {
    int fd = stream ? floor_tcp_socket(congestion) : floor_udp_socket(&own);
    if (fd < 0) return fd;
    if (stream) {
      // One thread writes to all connections, and one whose packets are lost must not hold up the
      // others: with the buffer that a connection begins with it would, after half a second.
      int size = 4 << 20;
      if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0) {
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
      }
    }
    if (connect(fd, (struct sockaddr *)&remote, sizeof remote) == 0) return fd;
    int code = errno;
    close(fd);
    // The other end may not be up yet.
    if (code != ECONNREFUSED || floor_now() > end) return -code;
    patter_sleep_until(floor_now() + 50000000u);
  }
}

int patter_stream_write(int fd, bool stream, const uint8_t *bytes, size_t count) {
  if (!stream) {
    // Nobody there yet, or no room: lost, as any datagram may be.
    send(fd, bytes, count, MSG_NOSIGNAL);
    return 0;
  }
  uint8_t framed[FLOOR_BUFFER];
  if (count > sizeof framed - LENGTH_SIZE) return -EMSGSIZE;
  uint32_t length = (uint32_t)count;
  memcpy(framed, &length, LENGTH_SIZE);
  memcpy(framed + LENGTH_SIZE, bytes, count);
  return floor_write_all(fd, framed, LENGTH_SIZE + count);
}

typedef struct {
  patter_stream_take take;
  void *context;
  bool is_enough;
} listener;

static void drain_datagrams(int fd, listener *self) {
  uint8_t bytes[FLOOR_BUFFER];
  while (!self->is_enough) {
    ssize_t size = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0) return;
    self->is_enough = self->take(self->context, bytes, (size_t)size);
  }
}

typedef struct connection {
  struct connection *next;
  int fd;
  size_t have;
  uint8_t bytes[FLOOR_BUFFER];
} connection;

/// Hands over the whole messages that a connection has; false where it has ended.
static bool drain_connection(connection *from, listener *self) {
  ssize_t size =
      recv(from->fd, from->bytes + from->have, sizeof from->bytes - from->have, MSG_DONTWAIT);
  if (size <= 0) return size < 0 && (errno == EAGAIN || errno == EINTR);
  from->have += (size_t)size;
  size_t offset = 0;
  while (!self->is_enough && from->have - offset >= LENGTH_SIZE) {
    uint32_t length;
    memcpy(&length, from->bytes + offset, LENGTH_SIZE);
    if (length > sizeof from->bytes - LENGTH_SIZE) return false;
    if (from->have - offset < LENGTH_SIZE + (size_t)length) break;
    self->is_enough = self->take(self->context, from->bytes + offset + LENGTH_SIZE, length);
    offset += LENGTH_SIZE + (size_t)length;
  }
  memmove(from->bytes, from->bytes + offset, from->have - offset);
  from->have -= offset;
  return true;
}

static int accept_one(int fd, int poller, connection **all) {
  int accepted = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (accepted < 0) return errno == EAGAIN || errno == ECONNABORTED ? 0 : -errno;
  connection *from = calloc(1, sizeof *from);
  if (from == NULL) return -ENOMEM;
  *from = (connection){.next = *all, .fd = accepted};
  *all = from;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = from};
  return epoll_ctl(poller, EPOLL_CTL_ADD, accepted, &event) == 0 ? 0 : -errno;
}

static int serve_connections(int fd, uint64_t until, listener *self) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  if (poller < 0) return -errno;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0) return -errno;
  connection *all = NULL;
  int result = 0;
  while (result == 0 && !self->is_enough && floor_now() < until) {
    struct epoll_event events[64];
    int count = epoll_wait(poller, events, 64, 100);
    for (int i = 0; i < count && result == 0; i++) {
      connection *from = events[i].data.ptr;
      if (from == NULL) {
        result = accept_one(fd, poller, &all);
      } else if (!drain_connection(from, self)) {
        epoll_ctl(poller, EPOLL_CTL_DEL, from->fd, NULL);
      }
    }
  }
  while (all != NULL) {
    connection *next = all->next;
    close(all->fd);
    free(all);
    all = next;
  }
  close(poller);
  return result;
}

int patter_stream_serve(
    int fd, bool stream, uint64_t until, patter_stream_take take, void *context) {
  listener self = {.take = take, .context = context};
  if (stream) return serve_connections(fd, until, &self);
  while (!self.is_enough && floor_now() < until) {
    struct pollfd request = {fd, POLLIN, 0};
    if (poll(&request, 1, 100) > 0) drain_datagrams(fd, &self);
  }
  return 0;
}
