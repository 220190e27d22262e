#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

void patter_pin(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

static uint64_t nanoseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

uint64_t patter_processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

uint64_t patter_peak_memory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_maxrss;
}

int patter_meeting_open(void) {
  int fd = memfd_create("patter-bench", MFD_CLOEXEC);
  if (fd < 0) return -errno;
  if (ftruncate(fd, sizeof(patter_meeting)) != 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

void patter_meeting_close(int fd) { close(fd); }

patter_meeting *patter_meeting_map(int fd) {
  void *memory = mmap(NULL, sizeof(patter_meeting), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

uint64_t floor_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void patter_sleep_until(uint64_t instant) {
  struct timespec time = {(time_t)(instant / 1000000000u), (long)(instant % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
  }
}

int floor_wait_ready(patter_meeting *meeting) {
  uint64_t end = floor_now() + 10000000000u;
  while (!atomic_load(&meeting->ready)) {
    if (floor_now() > end) return -ETIMEDOUT;
    patter_sleep_until(floor_now() + 1000000u);
  }
  // The other end is about to enter its loop.
  patter_sleep_until(floor_now() + 20000000u);
  return 0;
}

void stopwatch_start(
    stopwatch *watch, const patter_floor_case *floor, patter_floor_end *result) {
  memset(result, 0, sizeof *result);
  uint64_t now = floor_now();
  *watch = (stopwatch){
      .begin = now + floor->warm_up,
      .end = now + floor->warm_up + floor->duration,
      .result = result};
}

bool stopwatch_look(stopwatch *watch, uint64_t count) {
  uint64_t now = floor_now();
  if (watch->base_time == 0) {
    if (now < watch->begin) return false;
    watch->base_time = now;
    watch->base = count;
    watch->base_processor_time = patter_processor_time();
    return false;
  }
  if (now < watch->end) return false;
  watch->result->messages = count - watch->base;
  watch->result->elapsed = now - watch->base_time;
  watch->result->processor_time = patter_processor_time() - watch->base_processor_time;
  return true;
}
