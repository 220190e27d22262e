/// What Swift cannot say itself: ancillary data, batches of datagrams, readiness, signals.
///
/// Every structure here is flat and holds no type of the system's, so that whoever imports this
/// header sees the same thing whatever feature macros it was compiled with. Functions that can
/// fail return a negative errno; none touches `errno` for its caller.
#ifndef PATTER_CSOCKETS_H
#define PATTER_CSOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Addresses

/// An address with its port. All numbers are in host order: for IPv4 `low` holds the 32 bits, for
/// IPv6 `high` and `low` the two halves.
typedef struct patter_address {
  uint8_t family;  ///< 4 or 6; 0 where there is no address.
  uint16_t port;
  uint32_t scope;  ///< The interface a link-local IPv6 address belongs to, or 0.
  uint64_t high;
  uint64_t low;
} patter_address;

enum {
  PATTER_RESOLVE_NOT_FOUND = -1,
  PATTER_RESOLVE_TEMPORARY = -2,
  PATTER_RESOLVE_FAILED = -3,
};

/// Looks `host` up (blocking), and returns how many addresses were written, at most `capacity`, or
/// one of the numbers above with the resolver's own words in `reason`.
int patter_resolve(
    const char *host, patter_address *addresses, int capacity, char *reason, size_t reason_size);

// MARK: Datagrams

/// The most datagrams that one call receives or sends.
#define PATTER_BATCH_LIMIT 64

/// A datagram and where it came from or goes to.
typedef struct patter_datagram {
  uint8_t *bytes;
  size_t capacity;        ///< Receiving: how many bytes there is room for.
  size_t count;           ///< How many bytes it has; may be 0.
  patter_address remote;
  patter_address local;   ///< Received: where it was sent to, a group perhaps. Its port is 0.
                          ///< Sending: our address to send from; family 0 or a group for any.
  uint32_t interface;     ///< The interface's index; 0 lets the system choose.
  int hop_limit;          ///< Received: time to live or hop limit; -1 where unknown.
  uint32_t segment_size;  ///< Where `bytes` are several datagrams, the size of each; else 0.
  uint32_t lost;          ///< Received: how many the socket has lost so far for want of room in
                          ///< its buffer; 0 also where that was not told.
  int error;              ///< Sending: the errno of this datagram, or 0.
  bool truncated;         ///< Received: it was larger than `capacity`.
} patter_datagram;

/// Places for received datagrams, and all that the kernel needs to be told about them, prepared
/// once.
typedef struct patter_receiver patter_receiver;

/// Room for `count` datagrams (at most PATTER_BATCH_LIMIT) of up to `capacity` bytes. Its memory is
/// only taken up as far as datagrams come.
patter_receiver *patter_receiver_new(int count, size_t capacity);
void patter_receiver_free(patter_receiver *receiver);

/// The places, as many as there are; the first ones hold what was received last.
patter_datagram *patter_receiver_datagrams(patter_receiver *receiver);

/// Receives without waiting what is there and has a place, of which the first `count` are used.
/// Returns how many, or a negative errno, -EAGAIN where none is there after so many attempts.
int patter_receive(patter_receiver *receiver, int count, int fd, int attempts);

/// Sends up to `count` datagrams without waiting. What is wrong with one is noted in its `error`,
/// and the others go on. Returns how many were dealt with; fewer than asked where the socket's
/// buffer is full, and before a run of several datagrams that the kernel will not cut: then the
/// `error` of that one says so, which is 0 in the other case.
int patter_send_batch(int fd, patter_datagram *datagrams, int count);

// MARK: UDP sockets

/// Opens a socket of the family 4 or 6 that never blocks and tells where each datagram was sent to
/// and with which hop limit. It hears only the groups it joins itself, multicast stays on the link
/// and loops back to this host. No datagram is fragmented: one that is larger than the interface
/// takes is an error (EMSGSIZE), and path MTU messages from the network change nothing. A shared
/// one may be bound to a port that other shared ones use. A buffer size of 0 leaves the system's.
int patter_udp_open(uint8_t family, bool shared, int receive_buffer, int send_buffer);

int patter_bind(int fd, const patter_address *address);

/// The address that the socket is bound to.
int patter_bound_address(int fd, patter_address *address);

/// Joins or leaves a group on one interface; an IPv4 `address` of that interface may be given too.
int patter_membership(
    int fd, bool join, const patter_address *group, uint32_t interface,
    const patter_address *address);

/// Whether one call may send many datagrams of one size (UDP_SEGMENT).
bool patter_can_segment(int fd);

/// Has the kernel hand over several datagrams of one size and origin as one (UDP_GRO). Returns
/// whether it will.
bool patter_coalesce(int fd);

/// How large the kernel has made its buffer, in its own count; 0 where it does not tell.
int patter_receive_buffer(int fd);
int patter_send_buffer(int fd);

// MARK: Readiness

enum {
  PATTER_READABLE = 1,
  PATTER_WRITABLE = 2,
  PATTER_CLOSED = 4,  ///< Hung up or failed: reading tells how. Told whether asked for or not.
};

typedef struct patter_event {
  uint64_t token;
  uint32_t readiness;
} patter_event;

int patter_poller_open(void);
int patter_poller_add(int poller, int fd, uint32_t interest, uint64_t token);
int patter_poller_modify(int poller, int fd, uint32_t interest, uint64_t token);
int patter_poller_remove(int poller, int fd);

/// Waits until something is ready or `timeout` nanoseconds have passed; for ever where it is
/// negative. Returns how many events there are; 0 also after a signal.
int patter_poller_wait(int poller, patter_event *events, int capacity, int64_t timeout);

/// A descriptor that wakes whoever waits for it when `patter_waker_wake` is called, from any
/// thread.
int patter_waker_open(void);
void patter_waker_wake(int waker);

/// Waits for a waker as well. Each wake is told once, so that nothing has to be read from it.
int patter_poller_add_waker(int poller, int waker, uint64_t token);

/// A descriptor that becomes readable at the time it was set to, on the monotonic clock, in
/// nanoseconds. It is waited for like a waker, and stays set when one wakes before.
int patter_timer_open(void);
int patter_timer_set(int timer, int64_t time);

// MARK: Threads

/// Starts a detached thread.
int patter_thread_start(const char *name, void (*body)(void *), void *context);

/// A number that no other living thread has.
uint64_t patter_thread_identifier(void);

/// How late the calling thread's timers may be, in nanoseconds; without effect where the system
/// has no such setting.
void patter_set_timer_slack(uint64_t nanoseconds);

// MARK: Interfaces

enum {
  PATTER_INTERFACE_UP = 1,  ///< Up, and with a carrier.
  PATTER_INTERFACE_LOOPBACK = 2,
  PATTER_INTERFACE_POINT_TO_POINT = 4,
  PATTER_INTERFACE_MULTICAST = 8,
};

/// One address of an interface, or an interface as such where the address has family 0.
typedef struct patter_interface {
  uint32_t index;
  uint32_t flags;
  char name[32];
  patter_address address;
  uint8_t prefix_length;
} patter_interface;

/// Writes up to `capacity` entries and returns how many there are, which may be more.
int patter_interfaces(patter_interface *entries, int capacity);

/// A descriptor that becomes readable when interfaces or their addresses change.
int patter_interface_monitor_open(void);

/// Takes in all that the monitor has to tell. Returns 1 where something changed, 0 where not.
int patter_interface_monitor_drain(int fd);

// MARK: Signals, randomness, errors

/// Blocks the signals in the calling thread and those it starts, and returns a descriptor that
/// becomes readable when one of them comes. Those that the process ignores are left out.
int patter_signals_open(const int *signals, int count);

/// The next signal that came, or 0 where none did.
int patter_signals_next(int fd);

/// Fills `bytes` with unpredictable ones.
int patter_random(void *bytes, size_t count);

/// Writes the system's words for an errno.
void patter_error_text(int code, char *text, size_t size);

// MARK: Processes

enum {
  PATTER_SHARED_DESCRIPTOR = 3,  ///< Under this number a child finds what it was handed.
};

typedef struct patter_spawn_request {
  char *const *arguments;  ///< Ended by `NULL`; the first is the program, searched in PATH.
  int output;              ///< What becomes its standard output, or -1 for ours.
  int shared;              ///< What becomes PATTER_SHARED_DESCRIPTOR, or -1.
  int network;             ///< The network namespace it starts in, or -1 for ours.
} patter_spawn_request;

/// Starts a child that dies with the calling thread, and returns its number. It ends with 127
/// where there is no such program and with 126 where its network cannot be entered.
int patter_spawn(const patter_spawn_request *request);

/// Returns 1 and its exit code, 128 and more after a signal, where a child has ended; 0 where not.
int patter_process_ended(int process, int *code);

void patter_process_kill(int process);

/// Opens a pipe: the end to read, and the end to write. Neither is handed to children by itself.
int patter_pipe(int ends[2]);

/// Processor time of this process and of its children that have ended, in nanoseconds.
uint64_t patter_processor_time_of_all(void);

// MARK: Networks of one's own

/// Goes into a new user namespace, in which the caller may do everything. Only before there is a
/// second thread. The maps of users and groups are for the caller to write.
int patter_leave_user_namespace(void);

/// Goes into a new network namespace; what was opened before stays where it is.
int patter_leave_network(void);

/// A descriptor for the network namespace of the calling thread.
int patter_own_network(void);

int patter_enter_network(int network);

/// Makes a TUN device in the network of the calling thread, with an IPv4 address in host order,
/// and sets it and the loopback interface up. Returns the descriptor that carries its packets,
/// which never blocks and may be used from any network.
int patter_tunnel_open(const char *name, uint32_t address, int prefix, int mtu);

/// Reads or writes one IP packet. Returns its size, or a negative errno.
int patter_packet_read(int fd, uint8_t *bytes, size_t capacity);
int patter_packet_write(int fd, const uint8_t *bytes, size_t count);

#endif
