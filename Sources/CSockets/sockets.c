#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <unistd.h>

#include "internal.h"

#ifndef IPV6_MULTICAST_ALL
#define IPV6_MULTICAST_ALL 29
#endif

typedef struct {
  int level, name, value;
} option;

/// Each has to hold; a socket that silently lacks one would fail later, far from the cause.
static int set_options(int fd, const option *options, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const option *o = &options[i];
    if (setsockopt(fd, o->level, o->name, &o->value, sizeof o->value) != 0) return -errno;
  }
  return 0;
}

static int set_ipv4_options(int fd) {
  const option options[] = {
      {IPPROTO_IP, IP_PKTINFO, 1},
      {IPPROTO_IP, IP_RECVTTL, 1},
      {IPPROTO_IP, IP_MULTICAST_ALL, 0},
      {IPPROTO_IP, IP_MULTICAST_LOOP, 1},
      {IPPROTO_IP, IP_MULTICAST_TTL, 1},
  };
  return set_options(fd, options, sizeof options / sizeof options[0]);
}

static int set_ipv6_options(int fd) {
  const option options[] = {
      {IPPROTO_IPV6, IPV6_V6ONLY, 1},
      {IPPROTO_IPV6, IPV6_RECVPKTINFO, 1},
      {IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1},
      {IPPROTO_IPV6, IPV6_MULTICAST_LOOP, 1},
      {IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 255},
      {IPPROTO_IPV6, IPV6_UNICAST_HOPS, 255},
  };
  int result = set_options(fd, options, sizeof options / sizeof options[0]);
  if (result != 0) return result;
  // Linux before 4.20 does not know it, and then delivers groups that others joined as well.
  const option own_groups = {IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0};
  result = set_options(fd, &own_groups, 1);
  return result == -ENOPROTOOPT ? 0 : result;
}

/// The privileged form first, which is not cut at the system's limits.
static int set_buffer(int fd, int forced, int polite, int size) {
  if (size <= 0) return 0;
  if (setsockopt(fd, SOL_SOCKET, forced, &size, sizeof size) == 0) return 0;
  return setsockopt(fd, SOL_SOCKET, polite, &size, sizeof size) == 0 ? 0 : -errno;
}

static int set_common_options(int fd, bool shared, int receive_buffer, int send_buffer) {
  // All who share a port have to set both: one of them alone gives EADDRINUSE to the next.
  const option sharing[] = {{SOL_SOCKET, SO_REUSEADDR, 1}, {SOL_SOCKET, SO_REUSEPORT, 1}};
  int result = shared ? set_options(fd, sharing, 2) : 0;
  if (result == 0) result = set_buffer(fd, SO_RCVBUFFORCE, SO_RCVBUF, receive_buffer);
  if (result == 0) result = set_buffer(fd, SO_SNDBUFFORCE, SO_SNDBUF, send_buffer);
  return result;
}

/// What one can do without.
static void set_wishes(int fd, uint8_t family) {
  const option counting = {SOL_SOCKET, SO_RXQ_OVFL, 1};
  (void)set_options(fd, &counting, 1);
  // Probing leaves the size of a datagram to us (RFC 8899): it is not fragmented, and what routers
  // say about the path MTU, which anybody can forge, is not believed.
  const option ipv4[] = {{IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE}};
  const option ipv6[] = {{IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE}};
  const option weaker_ipv4[] = {{IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO}};
  const option weaker_ipv6[] = {{IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO}};
  if (set_options(fd, family == 4 ? ipv4 : ipv6, 1) != 0)
    (void)set_options(fd, family == 4 ? weaker_ipv4 : weaker_ipv6, 1);
}

int patter_udp_open(uint8_t family, bool shared, int receive_buffer, int send_buffer) {
  int domain = family == 4 ? AF_INET : AF_INET6;
  int fd = socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP);
  if (fd < 0) return -errno;
  int result = set_common_options(fd, shared, receive_buffer, send_buffer);
  if (result == 0) result = family == 4 ? set_ipv4_options(fd) : set_ipv6_options(fd);
  if (result != 0) {
    close(fd);
    return result;
  }
  set_wishes(fd, family);
  return fd;
}

int patter_bind(int fd, const patter_address *address) {
  union patter_sockaddr name;
  socklen_t length = patter_to_sockaddr(address, &name);
  return bind(fd, &name.base, length) == 0 ? 0 : -errno;
}

int patter_bound_address(int fd, patter_address *address) {
  union patter_sockaddr name;
  socklen_t length = sizeof name;
  if (getsockname(fd, &name.base, &length) != 0) return -errno;
  *address = patter_from_sockaddr(&name.base);
  return 0;
}

int patter_membership(
    int fd, bool join, const patter_address *group, uint32_t interface,
    const patter_address *address) {
  int result;
  if (group->family == 4) {
    struct ip_mreqn request = {
        .imr_multiaddr.s_addr = htonl((uint32_t)group->low),
        .imr_address.s_addr = address->family == 4 ? htonl((uint32_t)address->low) : 0,
        .imr_ifindex = (int)interface};
    int name = join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP;
    result = setsockopt(fd, IPPROTO_IP, name, &request, sizeof request);
  } else {
    struct ipv6_mreq request = {
        .ipv6mr_multiaddr = patter_to_in6(group), .ipv6mr_interface = interface};
    int name = join ? IPV6_JOIN_GROUP : IPV6_LEAVE_GROUP;
    result = setsockopt(fd, IPPROTO_IPV6, name, &request, sizeof request);
  }
  return result == 0 ? 0 : -errno;
}

bool patter_can_segment(int fd) {
  int size = 0;
  socklen_t length = sizeof size;
  return getsockopt(fd, SOL_UDP, UDP_SEGMENT, &size, &length) == 0;
}

bool patter_coalesce(int fd) {
  int on = 1;
  return setsockopt(fd, SOL_UDP, UDP_GRO, &on, sizeof on) == 0;
}

static int buffer_size(int fd, int name) {
  int size = 0;
  socklen_t length = sizeof size;
  return getsockopt(fd, SOL_SOCKET, name, &size, &length) == 0 ? size : 0;
}

int patter_receive_buffer(int fd) { return buffer_size(fd, SO_RCVBUF); }

int patter_send_buffer(int fd) { return buffer_size(fd, SO_SNDBUF); }
