#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

/// One end of a conversation in which a message of a fixed size goes there and back.
typedef struct {
  int fd, poller;
  bool busy, stream;
  size_t size;
} partner;

/// Receives one message; the size, 0 at the end of the conversation, or a negative errno.
static ssize_t take(partner *self, uint8_t *bytes) {
  size_t have = 0;
  uint32_t spins = 0;
  uint64_t patience = 0;
  while (have < self->size) {
    ssize_t size = recv(self->fd, bytes + have, self->size - have, MSG_DONTWAIT);
    if (size == 0) return 0;
    if (size > 0) {
      have += (size_t)size;
      // A datagram of another size ends the conversation over UDP.
      if (!self->stream && have == 1) return 0;
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return errno == ECONNREFUSED ? 0 : -errno;
    if (self->busy) {
      if ((++spins & 4095) != 0) continue;
      uint64_t now = floor_now();
      if (patience == 0) patience = now + 5000000000u;
      if (now > patience) return -ETIMEDOUT;
      continue;
    }
    struct epoll_event event;
    if (epoll_wait(self->poller, &event, 1, 5000) == 0) return -ETIMEDOUT;
  }
  return (ssize_t)have;
}

static int start(partner *self, int fd, const patter_floor_case *floor) {
  self->fd = fd;
  self->busy = floor->busy;
  self->stream = floor->stream;
  self->size = floor->size + (floor->stream ? LENGTH_SIZE : 0);
  self->poller = epoll_create1(EPOLL_CLOEXEC);
  if (self->poller < 0) return -errno;
  struct epoll_event event = {.events = EPOLLIN};
  return epoll_ctl(self->poller, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : -errno;
}

/// Opens the side that answers, and waits for the other.
static int answer(patter_meeting *meeting, bool stream) {
  struct sockaddr_in address = floor_address("127.0.0.1", 0);
  socklen_t size = sizeof address;
  int fd = stream ? floor_tcp_socket(NULL) : floor_udp_socket(&address);
  if (fd < 0) return fd;
  if (stream && (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 1) != 0 ||
                 getsockname(fd, (struct sockaddr *)&address, &size) != 0)) {
    return -errno;
  }
  atomic_store(&meeting->port, ntohs(address.sin_port));
  atomic_store(&meeting->ready, 1);
  if (!stream) {
    // Connected to the first who sends, as the other side is to us.
    uint8_t byte;
    size = sizeof address;
    if (recvfrom(fd, &byte, 1, MSG_PEEK, (struct sockaddr *)&address, &size) < 0) return -errno;
    return connect(fd, (struct sockaddr *)&address, size) == 0 ? fd : -errno;
  }
  int connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
  int code = errno;
  close(fd);
  if (connection < 0) return -code;
  return connection;
}

int patter_echo(patter_meeting *meeting, const patter_floor_case *floor) {
  int fd = answer(meeting, floor->stream);
  if (fd < 0) return fd;
  partner self;
  int result = start(&self, fd, floor);
  uint8_t bytes[FLOOR_BUFFER];
  while (result == 0) {
    ssize_t size = take(&self, bytes);
    if (size <= 0) return (int)size;
    result = floor_write_all(fd, bytes, (size_t)size);
  }
  return result;
}

int patter_ping(
    patter_meeting *meeting, const patter_floor_case *floor, uint64_t *samples, size_t count) {
  int result = floor_wait_ready(meeting);
  if (result < 0) return result;
  struct sockaddr_in own = floor_address("127.0.0.1", 0);
  int fd = floor->stream ? floor_tcp_socket(NULL) : floor_udp_socket(&own);
  if (fd < 0) return fd;
  struct sockaddr_in remote = floor_address("127.0.0.1", (uint16_t)atomic_load(&meeting->port));
  if (connect(fd, (struct sockaddr *)&remote, sizeof remote) != 0) return -errno;
  partner self;
  result = start(&self, fd, floor);
  if (result < 0) return result;
  uint8_t bytes[FLOOR_BUFFER] = {0};
  memcpy(bytes, &floor->size, LENGTH_SIZE);
  size_t warm_up = count / 10;
  for (size_t i = 0; i < warm_up + count; i++) {
    uint64_t start_time = floor_now();
    result = floor_write_all(fd, bytes, self.size);
    if (result < 0) return result;
    ssize_t size = take(&self, bytes);
    if (size <= 0) return size < 0 ? (int)size : -ECONNRESET;
    if (i >= warm_up) samples[i - warm_up] = floor_now() - start_time;
  }
  if (!floor->stream) floor_write_all(fd, bytes, 1);
  close(fd);
  return 0;
}
