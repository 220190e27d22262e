#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

enum { INPUT = 1 << 20 };

/// Walks whole messages behind their lengths; returns how many bytes they take.
static size_t walk(const uint8_t *bytes, size_t size, uint64_t *count) {
  size_t offset = 0;
  while (size - offset >= LENGTH_SIZE) {
    uint32_t length;
    memcpy(&length, bytes + offset, LENGTH_SIZE);
    if (size - offset < LENGTH_SIZE + (size_t)length) break;
    offset += LENGTH_SIZE + (size_t)length;
    (*count)++;
  }
  return offset;
}

static int listen_here(patter_meeting *meeting) {
  int fd = floor_tcp_socket(NULL);
  if (fd < 0) return fd;
  struct sockaddr_in address = floor_address("127.0.0.1", 0);
  socklen_t size = sizeof address;
  if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 1) != 0 ||
      getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
    return -errno;
  }
  atomic_store(&meeting->port, ntohs(address.sin_port));
  atomic_store(&meeting->ready, 1);
  int connection = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
  int code = errno;
  close(fd);
  return connection >= 0 ? connection : -code;
}

int flood_tcp_receive(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end) {
  int fd = listen_here(meeting);
  if (fd < 0) return fd;
  uint8_t *input = malloc(INPUT);
  if (input == NULL) return -ENOMEM;
  stopwatch watch;
  stopwatch_start(&watch, floor, end);
  patter_stream_congestion(fd, end->congestion, sizeof end->congestion);
  bool is_over = false;
  uint64_t count = 0;
  size_t have = 0;
  for (uint64_t rounds = 0;; rounds++) {
    ssize_t size = recv(fd, input + have, INPUT - have, 0);
    if (size <= 0) break;
    have += (size_t)size;
    size_t used = walk(input, have, &count);
    memmove(input, input + used, have - used);
    have -= used;
    if (!is_over && (rounds & 15) == 0) is_over = stopwatch_look(&watch, count);
  }
  close(fd);
  free(input);
  return is_over ? 0 : -ETIMEDOUT;
}

int flood_tcp_send(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end) {
  int result = floor_wait_ready(meeting);
  if (result < 0) return result;
  int fd = floor_tcp_socket(NULL);
  if (fd < 0) return fd;
  struct sockaddr_in remote = floor_address("127.0.0.1", (uint16_t)atomic_load(&meeting->port));
  if (connect(fd, (struct sockaddr *)&remote, sizeof remote) != 0) return -errno;
  size_t unit = LENGTH_SIZE + floor->size;
  uint8_t *output = calloc(floor->together, unit);
  uint8_t *payload = calloc(1, floor->size);
  if (output == NULL || payload == NULL) return -ENOMEM;
  uint64_t sent = 0;
  stopwatch watch;
  stopwatch_start(&watch, floor, end);
  patter_stream_congestion(fd, end->congestion, sizeof end->congestion);
  bool is_over = false;
  uint64_t tail = floor_now() + floor->warm_up + floor->duration + 200000000u;
  for (uint64_t rounds = 0;; rounds++) {
    if ((rounds & 15) == 0) {
      if (!is_over) is_over = stopwatch_look(&watch, sent);
      if (floor_now() > tail) break;
    }
    // Written anew for every send, as an application would.
    for (uint32_t k = 0; k < floor->together; k++) {
      uint32_t length = floor->size;
      memcpy(output + k * unit, &length, LENGTH_SIZE);
      memcpy(output + k * unit + LENGTH_SIZE, payload, floor->size);
    }
    result = floor_write_all(fd, output, floor->together * unit);
    if (result < 0) break;
    sent += floor->together;
  }
  close(fd);
  free(output);
  free(payload);
  return result;
}

int patter_flood_receive(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end) {
  return floor->stream ? flood_tcp_receive(meeting, floor, end)
                       : flood_udp_receive(meeting, floor, end);
}

int patter_flood_send(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end) {
  return floor->stream ? flood_tcp_send(meeting, floor, end) : flood_udp_send(meeting, floor, end);
}
