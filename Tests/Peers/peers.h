// What the programs of this folder share: options, and the books of a stream. Time, processors and
// the stopwatch are those of the floors (Sources/CBenchmarks), so that all measure alike.
#ifndef PATTER_PEERS_H
#define PATTER_PEERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/// The value behind `--name`, or `otherwise`.
static inline const char *option(int count, char **words, const char *name, const char *otherwise) {
  for (int i = 2; i + 1 < count; i++) {
    if (strncmp(words[i], "--", 2) == 0 && strcmp(words[i] + 2, name) == 0) return words[i + 1];
  }
  return otherwise;
}

static inline double number(int count, char **words, const char *name, double otherwise) {
  const char *text = option(count, words, name, NULL);
  return text != NULL ? atof(text) : otherwise;
}

static inline _Noreturn void fail(const char *words) {
  fprintf(stderr, "%s\n", words);
  exit(1);
}

static inline int ascending(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

/// Interpolated between the two nearest ranks, as Patter does it.
static inline double percentile(const uint64_t *sorted, size_t count, double percent) {
  if (count == 0) return 0;
  double rank = percent / 100 * (double)(count - 1);
  size_t index = (size_t)rank;
  if (index + 1 >= count) return (double)sorted[count - 1];
  double fraction = rank - (double)index;
  return (double)sorted[index] * (1 - fraction) + (double)sorted[index + 1] * fraction;
}

/// Messages of a stream: which, and when it was to be sent.
typedef struct {
  uint32_t flow, sequence;
  uint64_t scheduled;
} stream_message;

typedef struct {
  uint32_t flows, per_flow, first_measured;
  double rate;
} stream_plan;

static inline stream_plan plan_of(int count, char **words) {
  double rate = number(count, words, "hz", 60);
  stream_plan plan = {
      .flows = (uint32_t)number(count, words, "flows", 40),
      .per_flow = (uint32_t)(rate * number(count, words, "secs", 20)),
      .first_measured = (uint32_t)(rate * number(count, words, "warm", 2)),
      .rate = rate};
  return plan;
}

static inline uint64_t due(const stream_plan *plan, uint64_t start, uint32_t flow, uint32_t tick) {
  double period = 1e9 / plan->rate;
  return start + (uint64_t)(tick * period + flow * period / plan->flows);
}

typedef struct {
  stream_plan plan;
  uint8_t *seen;
  uint32_t *expected;
  uint64_t *latencies;
  size_t count, received, duplicates, out_of_order;
} recorder;

static inline recorder recorder_new(stream_plan plan) {
  size_t total = (size_t)plan.flows * plan.per_flow;
  recorder self = {.plan = plan};
  self.seen = calloc(total, 1);
  self.expected = calloc(plan.flows, sizeof *self.expected);
  self.latencies = calloc(total, sizeof *self.latencies);
  if (!self.seen || !self.expected || !self.latencies) fail("out of memory");
  return self;
}

static inline void recorder_take(recorder *self, const void *bytes, size_t size) {
  stream_message message;
  if (size < sizeof message) return;
  memcpy(&message, bytes, sizeof message);
  if (message.flow >= self->plan.flows || message.sequence >= self->plan.per_flow) return;
  size_t index = (size_t)message.flow * self->plan.per_flow + message.sequence;
  if (self->seen[index]) {
    self->duplicates++;
    return;
  }
  self->seen[index] = 1;
  self->received++;
  uint32_t *next = &self->expected[message.flow];
  if (message.sequence != *next) self->out_of_order++;
  if (message.sequence >= *next) *next = message.sequence + 1;
  if (message.sequence >= self->plan.first_measured) {
    self->latencies[self->count++] = floor_now() - message.scheduled;
  }
}

static inline int recorder_is_complete(const recorder *self) {
  return self->received == (size_t)self->plan.flows * self->plan.per_flow;
}

static inline void recorder_print(recorder *self, const char *name) {
  qsort(self->latencies, self->count, sizeof *self->latencies, ascending);
  double mean = 0;
  for (size_t i = 0; i < self->count; i++) mean += (double)self->latencies[i];
  if (self->count > 0) mean /= (double)self->count;
  double p[5], percents[5] = {50, 90, 95, 99, 99.9};
  for (int i = 0; i < 5; i++) p[i] = percentile(self->latencies, self->count, percents[i]) / 1e6;
  printf(
      "{\"proto\":\"%s\",\"role\":\"server\",\"flows\":%u,\"expected\":%lu,\"got\":%zu,\"dup\":%zu,"
      "\"ooo\":%zu,\"mean\":%.2f,\"p50\":%.2f,\"p90\":%.2f,\"p95\":%.2f,\"p99\":%.2f,"
      "\"p999\":%.2f,\"max\":%.2f,\"cpu_s\":%.3f,\"rss_kb\":%lu}\n",
      name, self->plan.flows,
      (unsigned long)self->plan.flows * (self->plan.per_flow - self->plan.first_measured),
      self->count, self->duplicates, self->out_of_order, mean / 1e6, p[0], p[1], p[2], p[3], p[4],
      self->count > 0 ? (double)self->latencies[self->count - 1] / 1e6 : 0,
      (double)patter_processor_time() / 1e9, (unsigned long)patter_peak_memory());
}

#endif
