#ifndef PATTER_CBENCHMARKS_INTERNAL_H
#define PATTER_CBENCHMARKS_INTERNAL_H

#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "CBenchmarks.h"

struct patter_meeting {
  _Atomic uint32_t port;
  _Atomic uint32_t ready;
  _Atomic uint32_t stop;
  // Written once a batch by the receiver and read by the sender, so in a cache line of its own.
  _Alignas(64) _Atomic uint64_t received;
};

enum { FLOOR_BUFFER = 65536, FLOOR_SOCKET_BUFFER = 8 << 20, LENGTH_SIZE = 4 };

uint64_t floor_now(void);
struct sockaddr_in floor_address(const char *ip, uint16_t port);
int floor_udp_socket(struct sockaddr_in *bound);
int floor_tcp_socket(const char *congestion);
int floor_wait_ready(patter_meeting *meeting);
int floor_write_all(int fd, const uint8_t *bytes, size_t count);

int flood_udp_receive(patter_meeting *, const patter_floor_case *, patter_floor_end *);
int flood_udp_send(patter_meeting *, const patter_floor_case *, patter_floor_end *);
int flood_tcp_receive(patter_meeting *, const patter_floor_case *, patter_floor_end *);
int flood_tcp_send(patter_meeting *, const patter_floor_case *, patter_floor_end *);

/// What an end counts within its own time: it starts with the first message, lets `warm_up` pass,
/// and is over after `duration` more.
typedef struct {
  uint64_t begin, end, base, base_time, base_processor_time;
  patter_floor_end *result;
} stopwatch;

void stopwatch_start(stopwatch *, const patter_floor_case *, patter_floor_end *);
/// Looks at the clock with `count` messages so far; returns whether the time is over.
bool stopwatch_look(stopwatch *, uint64_t count);

#endif
