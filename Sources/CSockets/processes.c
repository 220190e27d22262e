#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CSockets.h"

#ifdef __linux__

/// Runs in the child, between fork and exec, where only async-signal-safe functions may be called.
static void become(const patter_spawn_request *request, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // It may have died before that was in force.
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (request->network >= 0 && setns(request->network, CLONE_NEWNET) != 0) _exit(126);
  if (request->output >= 0 && dup2(request->output, 1) < 0) _exit(126);
  if (request->shared >= 0) {
    // A descriptor that is in its place already would keep its close-on-exec mark.
    int result = request->shared == PATTER_SHARED_DESCRIPTOR
                     ? fcntl(request->shared, F_SETFD, 0)
                     : dup2(request->shared, PATTER_SHARED_DESCRIPTOR);
    if (result < 0) _exit(126);
  }
  execvp(request->arguments[0], request->arguments);
  _exit(127);
}

int patter_spawn(const patter_spawn_request *request) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child == 0) become(request, parent);
  return child;
}

int patter_process_ended(int process, int *code) {
  int status;
  pid_t result;
  do {
    result = waitpid(process, &status, WNOHANG);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -errno;
  if (result == 0) return 0;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 1;
}

void patter_process_kill(int process) { kill(process, SIGKILL); }

int patter_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

uint64_t patter_processor_time_of_all(void) {
  uint64_t total = 0;
  int who[2] = {RUSAGE_SELF, RUSAGE_CHILDREN};
  for (int i = 0; i < 2; i++) {
    struct rusage usage;
    if (getrusage(who[i], &usage) != 0) continue;
    total += (uint64_t)usage.ru_utime.tv_sec * 1000000000u + (uint64_t)usage.ru_utime.tv_usec * 1000u;
    total += (uint64_t)usage.ru_stime.tv_sec * 1000000000u + (uint64_t)usage.ru_stime.tv_usec * 1000u;
  }
  return total;
}

#else

int patter_spawn(const patter_spawn_request *request) {
  (void)request;
  return -ENOSYS;
}

int patter_process_ended(int process, int *code) {
  (void)process;
  (void)code;
  return -ENOSYS;
}

void patter_process_kill(int process) { (void)process; }

int patter_pipe(int ends[2]) {
  (void)ends;
  return -ENOSYS;
}

uint64_t patter_processor_time_of_all(void) { return 0; }

#endif
