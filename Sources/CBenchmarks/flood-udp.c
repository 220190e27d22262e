#define _GNU_SOURCE
#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "internal.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { PREFIX = 2, CONTROL = 64, BATCH_LIMIT = 64 };

/// Walks the length prefixes of what a datagram, or several put together by the kernel, holds.
static uint64_t count_messages(const uint8_t *bytes, size_t size) {
  uint64_t count = 0;
  size_t offset = 0;
  while (offset + PREFIX <= size) {
    uint16_t length;
    memcpy(&length, bytes + offset, PREFIX);
    offset += PREFIX + (size_t)length;
    count++;
  }
  return count;
}

typedef struct {
  struct mmsghdr headers[BATCH_LIMIT];
  struct iovec parts[BATCH_LIMIT];
  uint8_t *bytes;
} batch;

static int batch_init(batch *self, size_t size) {
  memset(self, 0, sizeof *self);
  self->bytes = calloc(BATCH_LIMIT, FLOOR_BUFFER);
  if (self->bytes == NULL) return -ENOMEM;
  for (int i = 0; i < BATCH_LIMIT; i++) {
    self->parts[i] = (struct iovec){self->bytes + (size_t)i * FLOOR_BUFFER, size};
    self->headers[i].msg_hdr.msg_iov = &self->parts[i];
    self->headers[i].msg_hdr.msg_iovlen = 1;
  }
  return 0;
}

static uint64_t count_in(const patter_floor_case *floor, const uint8_t *bytes, size_t size) {
  return floor->together > 1 ? count_messages(bytes, size) : (size + floor->size - 1) / floor->size;
}

/// Receives what is there once; returns how many messages that was.
static uint64_t receive_once(int fd, const patter_floor_case *floor, batch *input) {
  if (floor->batch <= 1 && floor->segments == 0) {
    ssize_t size = recv(fd, input->bytes, FLOOR_BUFFER, 0);
    return size > 0 ? count_in(floor, input->bytes, (size_t)size) : 0;
  }
  uint8_t control[BATCH_LIMIT][CONTROL];
  unsigned capacity = floor->segments > 0 ? 16 : BATCH_LIMIT;
  for (unsigned i = 0; i < capacity; i++) {
    // The size of the segments is read, as any receiver would have to.
    input->headers[i].msg_hdr.msg_control = control[i];
    input->headers[i].msg_hdr.msg_controllen = CONTROL;
  }
  int received = recvmmsg(fd, input->headers, capacity, MSG_WAITFORONE, NULL);
  uint64_t count = 0;
  for (int i = 0; i < received; i++) {
    count += count_in(floor, input->parts[i].iov_base, input->headers[i].msg_len);
  }
  return count;
}

int flood_udp_receive(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end) {
  struct sockaddr_in address = floor_address("127.0.0.1", 0);
  int fd = floor_udp_socket(&address);
  if (fd < 0) return fd;
  int one = 1;
  if (floor->segments > 0 && setsockopt(fd, SOL_UDP, UDP_GRO, &one, sizeof one) != 0) {
    return -errno;
  }
  struct timeval patience = {0, 100000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  batch input;
  int result = batch_init(&input, FLOOR_BUFFER);
  if (result < 0) return result;
  atomic_store(&meeting->port, ntohs(address.sin_port));
  atomic_store(&meeting->ready, 1);
  uint64_t count = 0;
  uint64_t rounds = 0;
  uint64_t patience_end = floor_now() + 10000000000u;
  while (count == 0) {
    if (floor_now() > patience_end) return -ETIMEDOUT;
    count = receive_once(fd, floor, &input);
  }
  stopwatch watch;
  stopwatch_start(&watch, floor, end);
  bool is_over = false;
  while (!atomic_load_explicit(&meeting->stop, memory_order_relaxed)) {
    atomic_store_explicit(&meeting->received, count, memory_order_release);
    uint64_t news = receive_once(fd, floor, &input);
    count += news;
    if (!is_over && ((rounds++ & 15) == 0 || news == 0)) is_over = stopwatch_look(&watch, count);
  }
  close(fd);
  free(input.bytes);
  return is_over ? 0 : -ETIMEDOUT;
}

typedef struct {
  int fd;
  const patter_floor_case *floor;
  batch output;
  uint64_t per_send;
  uint64_t sent, lost;
} sender;

/// Writes the messages anew for every send, as an application would.
static void fill(sender *self) {
  static uint8_t payload[FLOOR_BUFFER];
  const patter_floor_case *floor = self->floor;
  uint32_t segments = floor->segments > 0 ? floor->segments : 1;
  for (uint32_t i = 0; i < floor->batch; i++) {
    uint8_t *bytes = self->output.parts[i].iov_base;
    for (uint32_t k = 0; k < floor->together * segments; k++) {
      if (floor->together > 1) {
        uint16_t length = (uint16_t)floor->size;
        memcpy(bytes, &length, PREFIX);
        bytes += PREFIX;
      }
      memcpy(bytes, payload, floor->size);
      bytes += floor->size;
    }
  }
}

static int send_once(sender *self) {
  fill(self);
  if (self->floor->batch <= 1) {
    struct iovec part = self->output.parts[0];
    ssize_t size = send(self->fd, part.iov_base, part.iov_len, 0);
    if (size == (ssize_t)part.iov_len) self->sent += self->per_send;
    return size >= 0 || errno == ENOBUFS || errno == EAGAIN ? 0 : -errno;
  }
  int count = sendmmsg(self->fd, self->output.headers, self->floor->batch, 0);
  if (count > 0) self->sent += (uint64_t)count * self->per_send;
  return count >= 0 || errno == ENOBUFS || errno == EAGAIN ? 0 : -errno;
}

/// Waits until the window has room. What does not come within 20 ms is lost.
static void wait_for_room(sender *self, patter_meeting *meeting) {
  uint64_t window = (uint64_t)self->floor->window * self->per_send;
  uint64_t patience = 0;
  for (uint32_t spins = 0;; spins++) {
    uint64_t received = atomic_load_explicit(&meeting->received, memory_order_acquire);
    if (self->sent - self->lost < received + window) return;
    if ((spins & 255) != 255) continue;
    uint64_t now = floor_now();
    if (patience == 0) patience = now + 20000000u;
    if (now > patience) self->lost = self->sent - received;
  }
}

int flood_udp_send(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end) {
  int result = floor_wait_ready(meeting);
  if (result < 0) return result;
  struct sockaddr_in own = floor_address("127.0.0.1", 0);
  sender self = {.fd = floor_udp_socket(&own), .floor = floor};
  if (self.fd < 0) return self.fd;
  struct sockaddr_in remote = floor_address("127.0.0.1", (uint16_t)atomic_load(&meeting->port));
  if (connect(self.fd, (struct sockaddr *)&remote, sizeof remote) != 0) return -errno;
  uint32_t segments = floor->segments > 0 ? floor->segments : 1;
  size_t datagram = floor->together * (floor->size + (floor->together > 1 ? PREFIX : 0));
  int segment = (int)datagram;
  if (floor->segments > 0 &&
      setsockopt(self.fd, SOL_UDP, UDP_SEGMENT, &segment, sizeof segment) != 0) {
    return -errno;
  }
  result = batch_init(&self.output, datagram * segments);
  if (result < 0) return result;
  self.per_send = (uint64_t)floor->together * segments;
  stopwatch watch;
  stopwatch_start(&watch, floor, end);
  // The receiver's time starts later than ours: it must not run dry before its end.
  bool is_over = false;
  uint64_t tail = floor_now() + floor->warm_up + floor->duration + 200000000u;
  for (uint64_t rounds = 0;; rounds++) {
    if ((rounds & 15) == 0) {
      if (!is_over) is_over = stopwatch_look(&watch, self.sent);
      if (floor_now() > tail) break;
    }
    wait_for_room(&self, meeting);
    result = send_once(&self);
    if (result < 0) break;
  }
  atomic_store(&meeting->stop, 1);
  end->lost = self.lost;
  close(self.fd);
  free(self.output.bytes);
  return result;
}
