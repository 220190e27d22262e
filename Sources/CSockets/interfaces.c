#define _GNU_SOURCE
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static uint8_t prefix_length(const struct sockaddr *mask, uint8_t family) {
  if (mask == NULL) return family == 4 ? 32 : 128;
  // The system may leave the mask's family out; it is that of the address.
  union patter_sockaddr copy = {0};
  size_t size = family == 4 ? sizeof copy.v4 : sizeof copy.v6;
  memcpy(&copy, mask, size);
  copy.base.sa_family = family == 4 ? AF_INET : AF_INET6;
  patter_address bits = patter_from_sockaddr(&copy.base);
  return (uint8_t)(__builtin_popcountll(bits.high) + __builtin_popcountll(bits.low));
}

static uint32_t flags(unsigned system) {
  uint32_t result = 0;
  if ((system & IFF_UP) && (system & IFF_RUNNING)) result |= PATTER_INTERFACE_UP;
  if (system & IFF_LOOPBACK) result |= PATTER_INTERFACE_LOOPBACK;
  if (system & IFF_POINTOPOINT) result |= PATTER_INTERFACE_POINT_TO_POINT;
  if (system & IFF_MULTICAST) result |= PATTER_INTERFACE_MULTICAST;
  return result;
}

int patter_interfaces(patter_interface *entries, int capacity) {
  struct ifaddrs *list;
  if (getifaddrs(&list) != 0) return -errno;
  int count = 0;
  for (struct ifaddrs *item = list; item != NULL; item = item->ifa_next) {
    patter_interface entry = {.flags = flags(item->ifa_flags)};
    // A second IPv4 address may carry a label, `eth0:1`; the interface is what stands before it.
    size_t length = strcspn(item->ifa_name, ":");
    if (length >= sizeof entry.name) length = sizeof entry.name - 1;
    memcpy(entry.name, item->ifa_name, length);
    entry.index = if_nametoindex(entry.name);
    if (entry.index == 0) continue;  // It has gone away meanwhile.
    if (item->ifa_addr != NULL) entry.address = patter_from_sockaddr(item->ifa_addr);
    if (entry.address.family != 0) {
      entry.prefix_length = prefix_length(item->ifa_netmask, entry.address.family);
    }
    if (count < capacity) entries[count] = entry;
    count++;
  }
  freeifaddrs(list);
  return count;
}

int patter_interface_monitor_open(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl name = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  if (bind(fd, (struct sockaddr *)&name, sizeof name) == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

int patter_interface_monitor_drain(int fd) {
  char bytes[8192];
  int changed = 0;
  // Bounded, so that a storm of changes does not hold the caller; the rest comes next time.
  for (int i = 0; i < 64; i++) {
    ssize_t count = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count > 0) {
      changed = 1;
    } else if (count < 0 && errno == ENOBUFS) {
      changed = 1;  // More than fitted: what they were does not matter, that they were does.
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      return count < 0 && errno != EAGAIN ? -errno : changed;
    }
  }
  return changed;
}
