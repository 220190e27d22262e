#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/// Room for packet information, hop limit, segment size and loss count of either family.
#define CONTROL_SIZE 128

typedef union {
  struct cmsghdr alignment;
  char bytes[CONTROL_SIZE];
} control_buffer;

/// What belongs to one datagram lies together: after a sleep each page is a miss of its own.
typedef struct {
  union patter_sockaddr name;
  struct iovec vector;
  control_buffer control;
} place;

static int least(int count) { return count < PATTER_BATCH_LIMIT ? count : PATTER_BATCH_LIMIT; }

static void read_control(struct msghdr *message, patter_datagram *datagram) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, CMSG_DATA(c), sizeof info);
      datagram->local = patter_from_in(info.ipi_addr);
      datagram->interface = (uint32_t)info.ipi_ifindex;
    } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, CMSG_DATA(c), sizeof info);
      datagram->local = patter_from_in6(&info.ipi6_addr);
      datagram->interface = (uint32_t)info.ipi6_ifindex;
    } else if (
        (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TTL)
        || (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_HOPLIMIT)) {
      memcpy(&datagram->hop_limit, CMSG_DATA(c), sizeof datagram->hop_limit);
    } else if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
      int size;
      memcpy(&size, CMSG_DATA(c), sizeof size);
      datagram->segment_size = (uint32_t)size;
    } else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL) {
      memcpy(&datagram->lost, CMSG_DATA(c), sizeof datagram->lost);
    }
  }
}

struct patter_receiver {
  int count;
  /// How many places the last call filled: their headers have to be made good again.
  int used;
  uint8_t *bytes;
  struct mmsghdr messages[PATTER_BATCH_LIMIT];
  place places[PATTER_BATCH_LIMIT];
  patter_datagram datagrams[PATTER_BATCH_LIMIT];
};

patter_receiver *patter_receiver_new(int count, size_t capacity) {
  patter_receiver *receiver = calloc(1, sizeof *receiver);
  if (receiver == NULL) abort();
  receiver->count = receiver->used = least(count);
  // Places that are a power of two apart would all compete for the same few cache lines.
  size_t stride = capacity + 192;
  receiver->bytes = malloc((size_t)receiver->count * stride);
  if (receiver->bytes == NULL) abort();
  for (int i = 0; i < receiver->count; i++) {
    patter_datagram *datagram = &receiver->datagrams[i];
    datagram->bytes = receiver->bytes + (size_t)i * stride;
    datagram->capacity = capacity;
    receiver->places[i].vector =
        (struct iovec){.iov_base = datagram->bytes, .iov_len = capacity};
    receiver->messages[i].msg_hdr = (struct msghdr){
        .msg_name = &receiver->places[i].name,
        .msg_iov = &receiver->places[i].vector, .msg_iovlen = 1,
        .msg_control = &receiver->places[i].control};
  }
  return receiver;
}

void patter_receiver_free(patter_receiver *receiver) {
  free(receiver->bytes);
  free(receiver);
}

patter_datagram *patter_receiver_datagrams(patter_receiver *receiver) {
  return receiver->datagrams;
}

static void read_message(patter_receiver *receiver, int i) {
  struct msghdr *header = &receiver->messages[i].msg_hdr;
  patter_datagram *datagram = &receiver->datagrams[i];
  datagram->count = receiver->messages[i].msg_len;
  datagram->remote = patter_from_sockaddr(&receiver->places[i].name.base);
  datagram->local = (patter_address){0};
  datagram->interface = 0;
  datagram->hop_limit = -1;
  datagram->segment_size = 0;
  datagram->lost = 0;
  datagram->truncated = (header->msg_flags & MSG_TRUNC) != 0;
  read_control(header, datagram);
}

int patter_receive(patter_receiver *receiver, int count, int fd, int attempts) {
  if (count > receiver->count) count = receiver->count;
  for (int i = 0; i < receiver->used; i++) {
    struct msghdr *header = &receiver->messages[i].msg_hdr;
    receiver->places[i].name.base.sa_family = AF_UNSPEC;
    header->msg_namelen = sizeof receiver->places[i].name;
    header->msg_controllen = sizeof receiver->places[i].control;
  }
  receiver->used = 0;
  int received;
  do {
    received = recvmmsg(fd, receiver->messages, (unsigned)count, MSG_DONTWAIT, NULL);
  } while (received < 0 && (errno == EINTR || (errno == EAGAIN && --attempts > 0)));
  if (received < 0) {
    int error = errno;
    // The kernel may have begun to fill in the first one.
    receiver->used = 1;
    return -error;
  }
  receiver->used = received;
  for (int i = 0; i < received; i++) read_message(receiver, i);
  return received;
}

/// Appends one control message; the buffer is known to have room for the two there may be.
static void add_control(
    struct msghdr *message, int level, int type, const void *data, size_t size) {
  struct cmsghdr *c = (struct cmsghdr *)((char *)message->msg_control + message->msg_controllen);
  c->cmsg_level = level;
  c->cmsg_type = type;
  c->cmsg_len = CMSG_LEN(size);
  memcpy(CMSG_DATA(c), data, size);
  message->msg_controllen += CMSG_SPACE(size);
}

static void write_control(const patter_datagram *datagram, struct msghdr *message) {
  bool has_source =
      datagram->local.family == datagram->remote.family && !patter_is_group(&datagram->local);
  if (has_source || datagram->interface != 0) {
    if (datagram->remote.family == 4) {
      struct in_pktinfo info = {.ipi_ifindex = (int)datagram->interface};
      if (has_source) info.ipi_spec_dst.s_addr = htonl((uint32_t)datagram->local.low);
      add_control(message, IPPROTO_IP, IP_PKTINFO, &info, sizeof info);
    } else {
      struct in6_pktinfo info = {.ipi6_ifindex = datagram->interface};
      if (has_source) info.ipi6_addr = patter_to_in6(&datagram->local);
      add_control(message, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof info);
    }
  }
  if (datagram->segment_size != 0) {
    uint16_t size = (uint16_t)datagram->segment_size;
    add_control(message, SOL_UDP, UDP_SEGMENT, &size, sizeof size);
  }
}

/// Whether the kernel may have meant the run as such, and would take its datagrams one by one.
static bool is_refusal_to_cut(int error) {
  switch (error) {
    case EIO:  // The interface computes no checksums.
    case EINVAL:
    case EMSGSIZE:
    case ENOPROTOOPT:
    case EOPNOTSUPP:
      return true;
    default:
      return false;
  }
}

int patter_send_batch(int fd, patter_datagram *datagrams, int count) {
  struct mmsghdr messages[PATTER_BATCH_LIMIT];
  place places[PATTER_BATCH_LIMIT];
  count = least(count);
  for (int i = 0; i < count; i++) {
    datagrams[i].error = 0;
    places[i].vector =
        (struct iovec){.iov_base = datagrams[i].bytes, .iov_len = datagrams[i].count};
    messages[i].msg_len = 0;
    messages[i].msg_hdr = (struct msghdr){
        .msg_name = &places[i].name,
        .msg_namelen = patter_to_sockaddr(&datagrams[i].remote, &places[i].name),
        .msg_iov = &places[i].vector, .msg_iovlen = 1, .msg_control = &places[i].control};
    write_control(&datagrams[i], &messages[i].msg_hdr);
    if (messages[i].msg_hdr.msg_controllen == 0) messages[i].msg_hdr.msg_control = NULL;
  }

  int handled = 0;
  int excused = -1;
  while (handled < count) {
    int sent = sendmmsg(fd, &messages[handled], (unsigned)(count - handled), MSG_DONTWAIT);
    if (sent > 0) {
      handled += sent;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno == EINTR) {
      continue;
    } else if (errno == ECONNREFUSED && excused != handled) {
      // It speaks of an earlier datagram, whose answer was an ICMP message; telling it has cleared
      // it, and this datagram has not been tried yet.
      excused = handled;
    } else {
      datagrams[handled].error = errno;
      if (datagrams[handled].segment_size != 0 && is_refusal_to_cut(errno)) break;
      handled++;
    }
  }
  return handled;
}
