#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "CSockets.h"
#include "internal.h"

#ifdef __linux__

#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

int patter_leave_user_namespace(void) { return unshare(CLONE_NEWUSER) == 0 ? 0 : -errno; }

int patter_leave_network(void) { return unshare(CLONE_NEWNET) == 0 ? 0 : -errno; }

int patter_own_network(void) {
  int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  return fd >= 0 ? fd : -errno;
}

int patter_enter_network(int network) {
  return setns(network, CLONE_NEWNET) == 0 ? 0 : -errno;
}

static void set_address(struct sockaddr *to, uint32_t address) {
  struct sockaddr_in value = {.sin_family = AF_INET};
  value.sin_addr.s_addr = htonl(address);
  memcpy(to, &value, sizeof value);
}

/// Gives an interface its address and netmask where there is one, and sets it up.
static int bring_up(const char *name, uint32_t address, int prefix, int mtu) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  struct ifreq request = {0};
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  int result = 0;
  if (address != 0) {
    set_address(&request.ifr_addr, address);
    result = ioctl(fd, SIOCSIFADDR, &request);
    if (result == 0) {
      set_address(&request.ifr_netmask, prefix > 0 ? UINT32_MAX << (32 - prefix) : 0);
      result = ioctl(fd, SIOCSIFNETMASK, &request);
    }
    if (result == 0) {
      request.ifr_mtu = mtu;
      result = ioctl(fd, SIOCSIFMTU, &request);
    }
  }
  if (result == 0) {
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    if (address != 0) request.ifr_flags |= IFF_MULTICAST;
    result = ioctl(fd, SIOCSIFFLAGS, &request);
  }
  int code = errno;
  close(fd);
  return result == 0 ? 0 : -code;
}

int patter_tunnel_open(const char *name, uint32_t address, int prefix, int mtu) {
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -errno;
  struct ifreq request = {0};
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  int result = ioctl(fd, TUNSETIFF, &request) == 0 ? 0 : -errno;
  if (result == 0) result = bring_up("lo", 0, 0, 0);
  if (result == 0) result = bring_up(name, address, prefix, mtu);
  if (result == 0) return fd;
  close(fd);
  return result;
}

int patter_packet_read(int fd, uint8_t *bytes, size_t capacity) {
  ssize_t count;
  do {
    count = read(fd, bytes, capacity);
  } while (count < 0 && errno == EINTR);
  return count >= 0 ? (int)count : -errno;
}

int patter_packet_write(int fd, const uint8_t *bytes, size_t count) {
  ssize_t written;
  do {
    written = write(fd, bytes, count);
  } while (written < 0 && errno == EINTR);
  return written >= 0 ? (int)written : -errno;
}

#else

int patter_leave_user_namespace(void) { return -ENOSYS; }
int patter_leave_network(void) { return -ENOSYS; }
int patter_own_network(void) { return -ENOSYS; }

int patter_enter_network(int network) {
  (void)network;
  return -ENOSYS;
}

int patter_tunnel_open(const char *name, uint32_t address, int prefix, int mtu) {
  (void)name;
  (void)address;
  (void)prefix;
  (void)mtu;
  return -ENOSYS;
}

int patter_packet_read(int fd, uint8_t *bytes, size_t capacity) {
  (void)fd;
  (void)bytes;
  (void)capacity;
  return -ENOSYS;
}

int patter_packet_write(int fd, const uint8_t *bytes, size_t count) {
  (void)fd;
  (void)bytes;
  (void)count;
  return -ENOSYS;
}

#endif
