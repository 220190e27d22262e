#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

struct in6_addr patter_to_in6(const patter_address *address) {
  struct in6_addr result;
  for (int i = 0; i < 8; i++) {
    result.s6_addr[i] = (uint8_t)(address->high >> (56 - 8 * i));
    result.s6_addr[8 + i] = (uint8_t)(address->low >> (56 - 8 * i));
  }
  return result;
}

patter_address patter_from_in(struct in_addr address) {
  return (patter_address){.family = 4, .low = ntohl(address.s_addr)};
}

patter_address patter_from_in6(const struct in6_addr *address) {
  patter_address result = {.family = 6};
  for (int i = 0; i < 8; i++) {
    result.high = result.high << 8 | address->s6_addr[i];
    result.low = result.low << 8 | address->s6_addr[8 + i];
  }
  return result;
}

socklen_t patter_to_sockaddr(const patter_address *address, union patter_sockaddr *result) {
  memset(result, 0, sizeof *result);
  switch (address->family) {
    case 4:
      result->v4.sin_family = AF_INET;
      result->v4.sin_port = htons(address->port);
      result->v4.sin_addr.s_addr = htonl((uint32_t)address->low);
      return sizeof result->v4;
    case 6:
      result->v6.sin6_family = AF_INET6;
      result->v6.sin6_port = htons(address->port);
      result->v6.sin6_addr = patter_to_in6(address);
      result->v6.sin6_scope_id = address->scope;
      return sizeof result->v6;
    default:
      return 0;
  }
}

patter_address patter_from_sockaddr(const struct sockaddr *address) {
  patter_address result = {0};
  if (address->sa_family == AF_INET) {
    struct sockaddr_in v4;
    memcpy(&v4, address, sizeof v4);
    result = patter_from_in(v4.sin_addr);
    result.port = ntohs(v4.sin_port);
  } else if (address->sa_family == AF_INET6) {
    struct sockaddr_in6 v6;
    memcpy(&v6, address, sizeof v6);
    result = patter_from_in6(&v6.sin6_addr);
    result.port = ntohs(v6.sin6_port);
    result.scope = v6.sin6_scope_id;
  }
  return result;
}

bool patter_is_group(const patter_address *address) {
  return address->family == 4 ? address->low >> 28 == 0xE : address->high >> 56 == 0xFF;
}

int patter_resolve(
    const char *host, patter_address *addresses, int capacity, char *reason, size_t reason_size) {
  // One kind of socket, or each address would come once a kind. No AI_ADDRCONFIG: on a host that
  // has nothing but loopback it would hide even `localhost`.
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
  struct addrinfo *found = NULL;
  int result = getaddrinfo(host, NULL, &hints, &found);
  if (result != 0) {
    snprintf(reason, reason_size, "%s", gai_strerror(result));
    if (result == EAI_AGAIN) return PATTER_RESOLVE_TEMPORARY;
    bool unknown = result == EAI_NONAME;
#ifdef EAI_NODATA
    unknown = unknown || result == EAI_NODATA;
#endif
    return unknown ? PATTER_RESOLVE_NOT_FOUND : PATTER_RESOLVE_FAILED;
  }
  int count = 0;
  for (struct addrinfo *entry = found; entry != NULL && count < capacity; entry = entry->ai_next) {
    patter_address address = patter_from_sockaddr(entry->ai_addr);
    if (address.family != 0) addresses[count++] = address;
  }
  freeaddrinfo(found);
  return count;
}
