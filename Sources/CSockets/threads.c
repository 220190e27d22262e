#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "CSockets.h"

typedef struct {
  void (*body)(void *);
  void *context;
  char name[16];  // The kernel's limit, with the final zero.
} start;

static void *run(void *argument) {
  start copy = *(start *)argument;
  free(argument);
#ifdef __linux__
  pthread_setname_np(pthread_self(), copy.name);
#endif
  copy.body(copy.context);
  return NULL;
}

int patter_thread_start(const char *name, void (*body)(void *), void *context) {
  start *argument = malloc(sizeof *argument);
  if (argument == NULL) abort();
  argument->body = body;
  argument->context = context;
  snprintf(argument->name, sizeof argument->name, "%s", name);
  pthread_t thread;
  int result = pthread_create(&thread, NULL, run, argument);
  if (result != 0) {
    free(argument);
    return -result;
  }
  pthread_detach(thread);
  return 0;
}

uint64_t patter_thread_identifier(void) { return (uint64_t)(uintptr_t)pthread_self(); }

void patter_set_timer_slack(uint64_t nanoseconds) {
#ifdef __linux__
  prctl(PR_SET_TIMERSLACK, (unsigned long)nanoseconds, 0, 0, 0);
#else
  (void)nanoseconds;
#endif
}
