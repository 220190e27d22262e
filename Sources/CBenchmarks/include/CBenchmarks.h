/// The floors of the benchmarks: what plain sockets do, without any protocol of ours.
///
/// Each case has two ends in two processes. They meet in shared memory, so that no traffic of the
/// measurement itself is on the wire, and each measures itself. Functions that can fail return a
/// negative errno. Numbers are in host order; times are nanoseconds of the monotonic clock.
#ifndef PATTER_CBENCHMARKS_H
#define PATTER_CBENCHMARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The process

/// Binds the calling thread to one processor; without effect where there is no such processor.
void patter_pin(int processor);

/// Processor time of this process, user and system.
uint64_t patter_processor_time(void);

/// The largest resident memory that this process had, in KiB.
uint64_t patter_peak_memory(void);

// MARK: Meeting

/// What both ends see; all of it starts at zero.
typedef struct patter_meeting patter_meeting;

/// Opens shared memory for a pair of ends; the descriptor is handed to both.
int patter_meeting_open(void);

void patter_meeting_close(int fd);

/// Maps it; `NULL` where that fails.
patter_meeting *patter_meeting_map(int fd);

// MARK: Floods and echoes

/// How an end behaves. Both ends of a case are given the same.
typedef struct patter_floor_case {
  bool stream;         ///< TCP in place of UDP.
  bool busy;           ///< Echoes: poll without sleeping.
  uint32_t size;       ///< Payload of a message, in bytes.
  uint32_t together;   ///< Messages in a datagram, or in a write.
  uint32_t segments;   ///< Datagrams in one send (UDP_SEGMENT), or 0; the receiver uses UDP_GRO.
  uint32_t batch;      ///< System calls of so many datagrams (sendmmsg); 1 for plain calls.
  uint32_t window;     ///< Datagrams, or such sends, that may be under way at once.
  uint64_t warm_up;    ///< Not measured, at the start.
  uint64_t duration;   ///< Measured.
} patter_floor_case;

/// What an end has measured, within its own time.
typedef struct patter_floor_end {
  uint64_t messages;
  uint64_t elapsed;
  uint64_t processor_time;
  uint64_t lost;             ///< Sender: messages that found the receiver's queue full.
  char congestion[16];       ///< TCP: the congestion control in use.
} patter_floor_end;

int patter_flood_receive(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end);
int patter_flood_send(
    patter_meeting *meeting, const patter_floor_case *floor, patter_floor_end *end);

/// Sends back what comes, until the other end stops.
int patter_echo(patter_meeting *meeting, const patter_floor_case *floor);

/// Measures `count` round trips one after the other, after a tenth as many that do not count.
int patter_ping(
    patter_meeting *meeting, const patter_floor_case *floor, uint64_t *samples, size_t count);

// MARK: Streams

/// Opens the receiving end at an IPv4 address: a bound UDP socket, or a TCP socket that listens.
/// `congestion` names a congestion control, or is `NULL` for the system's.
int patter_stream_listen(bool stream, const char *ip, uint16_t port, const char *congestion);

/// Opens one flow to such an end, connected; waits for a TCP connection up to ten seconds.
int patter_stream_connect(bool stream, const char *ip, uint16_t port, const char *congestion);

/// The congestion control of a TCP socket.
int patter_stream_congestion(int fd, char *name, size_t size);

/// Writes one message; over TCP behind its length in four bytes, waiting where it must.
int patter_stream_write(int fd, bool stream, const uint8_t *bytes, size_t count);

/// Told of every message; returns whether that was enough.
typedef bool (*patter_stream_take)(void *context, const uint8_t *bytes, size_t count);

/// Takes messages until one was enough or `until` has come.
int patter_stream_serve(
    int fd, bool stream, uint64_t until, patter_stream_take take, void *context);

/// Sleeps; returns at once where the time has passed.
void patter_sleep_until(uint64_t instant);

#endif
