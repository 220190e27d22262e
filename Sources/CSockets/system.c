#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "CSockets.h"

int patter_signals_open(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) {
    // What the parent had ignored, as `nohup` does with SIGHUP, stays so: a blocked signal would be
    // told of all the same.
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) != 0) return -errno;
    if (action.sa_handler != SIG_IGN) sigaddset(&set, signals[i]);
  }
  int result = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (result != 0) return -result;
  int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return fd >= 0 ? fd : -errno;
}

int patter_signals_next(int fd) {
  struct signalfd_siginfo info;
  ssize_t count;
  do {
    count = read(fd, &info, sizeof info);
  } while (count < 0 && errno == EINTR);
  if (count == (ssize_t)sizeof info) return (int)info.ssi_signo;
  return count < 0 && errno != EAGAIN ? -errno : 0;
}

int patter_random(void *bytes, size_t count) {
  size_t filled = 0;
  while (filled < count) {
    ssize_t result = getrandom((char *)bytes + filled, count - filled, 0);
    if (result > 0) {
      filled += (size_t)result;
    } else if (result < 0 && errno != EINTR) {
      return -errno;
    }
  }
  return 0;
}

void patter_error_text(int code, char *text, size_t size) {
  if (size == 0) return;
  // With _GNU_SOURCE it returns the text, which need not be in the buffer it was given.
  char buffer[128];
  snprintf(text, size, "%s", strerror_r(code, buffer, sizeof buffer));
}
