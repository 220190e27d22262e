#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

struct sockaddr_in floor_address(const char *ip, uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = inet_addr(ip);
  return address;
}

static void enlarge(int fd) {
  int size = FLOOR_SOCKET_BUFFER;
  // Beyond the system's limit only where we may.
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) != 0)
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

int floor_udp_socket(struct sockaddr_in *bound) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  enlarge(fd);
  socklen_t size = sizeof *bound;
  if (bind(fd, (struct sockaddr *)bound, size) != 0 ||
      getsockname(fd, (struct sockaddr *)bound, &size) != 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int floor_tcp_socket(const char *congestion) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (congestion != NULL &&
      setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, congestion, (socklen_t)strlen(congestion)) != 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int patter_stream_congestion(int fd, char *name, size_t size) {
  memset(name, 0, size);
  socklen_t length = (socklen_t)size - 1;
  return getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &length) == 0 ? 0 : -errno;
}

int floor_write_all(int fd, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = send(fd, bytes, count, MSG_NOSIGNAL);
    if (written >= 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (errno != EINTR) {
      return -errno;
    }
  }
  return 0;
}
