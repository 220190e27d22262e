#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "CSockets.h"

enum { EVENT_LIMIT = 64 };

static int control(int poller, int operation, int fd, uint32_t interest, uint64_t token) {
  struct epoll_event event = {.data.u64 = token};
  if (interest & PATTER_READABLE) event.events |= EPOLLIN;
  if (interest & PATTER_WRITABLE) event.events |= EPOLLOUT;
  return epoll_ctl(poller, operation, fd, &event) == 0 ? 0 : -errno;
}

int patter_poller_open(void) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  return poller >= 0 ? poller : -errno;
}

int patter_poller_add(int poller, int fd, uint32_t interest, uint64_t token) {
  return control(poller, EPOLL_CTL_ADD, fd, interest, token);
}

int patter_poller_modify(int poller, int fd, uint32_t interest, uint64_t token) {
  return control(poller, EPOLL_CTL_MOD, fd, interest, token);
}

int patter_poller_remove(int poller, int fd) {
  return control(poller, EPOLL_CTL_DEL, fd, 0, 0);
}

/// Whole milliseconds, rounded up: woken too early, the caller would spin until its time has come.
static int milliseconds(int64_t nanoseconds) {
  if (nanoseconds < 0) return -1;
  int64_t rounded = nanoseconds / 1000000 + (nanoseconds % 1000000 != 0);
  return rounded > INT_MAX ? INT_MAX : (int)rounded;
}

static int wait_for_events(int poller, struct epoll_event *events, int capacity, int64_t timeout) {
#ifdef SYS_epoll_pwait2
  // Called by number, since the C library may be older than the kernel; and the kernel, or a
  // sandbox around it, may not know it either.
  static atomic_bool is_missing;
  if (!atomic_load_explicit(&is_missing, memory_order_relaxed)) {
    struct timespec limit = {.tv_sec = timeout / 1000000000, .tv_nsec = timeout % 1000000000};
    long count = syscall(
        SYS_epoll_pwait2, poller, events, capacity, timeout < 0 ? NULL : &limit, NULL, 0);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)count;
    atomic_store_explicit(&is_missing, true, memory_order_relaxed);
  }
#endif
  return epoll_wait(poller, events, capacity, milliseconds(timeout));
}

int patter_poller_wait(int poller, patter_event *events, int capacity, int64_t timeout) {
  struct epoll_event found[EVENT_LIMIT];
  int limit = capacity < EVENT_LIMIT ? capacity : EVENT_LIMIT;
  int count = wait_for_events(poller, found, limit, timeout);
  // Stopped and continued, or interrupted: time may have passed, and what arrived in it has to be
  // seen before timers are.
  if (count < 0 && errno == EINTR) count = wait_for_events(poller, found, limit, 0);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    uint32_t readiness = 0;
    if (found[i].events & EPOLLIN) readiness |= PATTER_READABLE;
    if (found[i].events & EPOLLOUT) readiness |= PATTER_WRITABLE;
    if (found[i].events & (EPOLLHUP | EPOLLERR)) readiness |= PATTER_CLOSED;
    events[i] = (patter_event){.token = found[i].data.u64, .readiness = readiness};
  }
  return count;
}

int patter_waker_open(void) {
  int waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return waker >= 0 ? waker : -errno;
}

void patter_waker_wake(int waker) {
  // It can only fail where the counter is full, and then the sleeper is awake anyway.
  (void)eventfd_write(waker, 1);
}

int patter_poller_add_waker(int poller, int waker, uint64_t token) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = token};
  return epoll_ctl(poller, EPOLL_CTL_ADD, waker, &event) == 0 ? 0 : -errno;
}

int patter_timer_open(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  return timer >= 0 ? timer : -errno;
}

int patter_timer_set(int timer, int64_t time) {
  struct itimerspec setting = {
      .it_value = {.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000}};
  return timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, NULL) == 0 ? 0 : -errno;
}
