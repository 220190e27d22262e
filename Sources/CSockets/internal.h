// Shared by the .c files alone: conversions between flat addresses and those of the system.
#ifndef PATTER_INTERNAL_H
#define PATTER_INTERNAL_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "CSockets.h"

union patter_sockaddr {
  struct sockaddr base;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

/// Returns the length, or 0 where `address` has no family.
socklen_t patter_to_sockaddr(const patter_address *address, union patter_sockaddr *result);

/// Family 0 for what is neither IPv4 nor IPv6.
patter_address patter_from_sockaddr(const struct sockaddr *address);

struct in6_addr patter_to_in6(const patter_address *address);
patter_address patter_from_in(struct in_addr address);
patter_address patter_from_in6(const struct in6_addr *address);

/// Whether it is a group, which can be sent to but not from.
bool patter_is_group(const patter_address *address);

#endif
