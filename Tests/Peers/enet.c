// ENet at the ends of what `patter bench` measures: the same payloads, clocks and processors.
//
//   enet flood  --size 64 --secs 2          messages as fast as they go, reliable, two processes
//   enet echo   --count 20000 [--busy 1]    there and back
//   enet stream-server|stream-client --flows 40 --hz 60 --secs 18 --warm 6 --ip A --port P
#define _GNU_SOURCE
#include <enet/enet.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers.h"

enum { CHANNELS = 1, BURST = 64, OUTSTANDING = 4096, PATIENCE = 5000 };

static uint64_t freed;

static void note_freed(ENetPacket *packet) {
  (void)packet;
  freed++;
}

static ENetHost *host_at(const char *ip, uint16_t port, size_t peers) {
  ENetAddress address = {.host = ENET_HOST_ANY, .port = port};
  if (ip != NULL) enet_address_set_host(&address, ip);
  ENetHost *host = enet_host_create(ip != NULL ? &address : NULL, peers, CHANNELS, 0, 0);
  if (host == NULL) fail("enet: no host");
  enet_socket_set_option(host->socket, ENET_SOCKOPT_RCVBUF, FLOOR_SOCKET_BUFFER);
  enet_socket_set_option(host->socket, ENET_SOCKOPT_SNDBUF, FLOOR_SOCKET_BUFFER);
  return host;
}

static ENetPeer *dial(ENetHost *host, const char *ip, uint16_t port) {
  ENetAddress address = {.port = port};
  enet_address_set_host(&address, ip);
  ENetPeer *peer = enet_host_connect(host, &address, CHANNELS, 0);
  if (peer == NULL) fail("enet: no peer");
  return peer;
}

static void wait_connected(ENetHost *host, size_t count) {
  uint64_t end = floor_now() + 10000000000u;
  while (count > 0) {
    ENetEvent event;
    if (enet_host_service(host, &event, 5) > 0 && event.type == ENET_EVENT_TYPE_CONNECT) count--;
    if (floor_now() > end) fail("enet: no connection");
  }
}

static void say(ENetPeer *peer, const void *bytes, size_t size, ENetPacketFreeCallback told) {
  ENetPacket *packet = enet_packet_create(bytes, size, ENET_PACKET_FLAG_RELIABLE);
  if (packet == NULL) fail("enet: out of memory");
  packet->freeCallback = told;
  if (enet_peer_send(peer, 0, packet) < 0) enet_packet_destroy(packet);
}

static void print_end(const char *role, const patter_floor_end *end) {
  double seconds = (double)end->elapsed / 1e9;
  printf(
      "{\"t\":\"flood\",\"role\":\"%s\",\"messages\":%lu,\"seconds\":%.3f,\"rate\":%.0f,"
      "\"cpu_ns_msg\":%.1f,\"rss_kb\":%lu}\n",
      role, (unsigned long)end->messages, seconds, (double)end->messages / seconds,
      (double)end->processor_time / (double)end->messages, (unsigned long)patter_peak_memory());
  fflush(stdout);
}

static void flood_receive(uint16_t port, const patter_floor_case *floor, patter_meeting *meeting) {
  patter_pin(1);
  ENetHost *host = host_at("127.0.0.1", port, 4);
  atomic_store(&meeting->ready, 1);
  stopwatch watch;
  patter_floor_end end;
  uint64_t count = 0, rounds = 0;
  bool is_over = false;
  while (!atomic_load(&meeting->stop)) {
    ENetEvent event;
    while (enet_host_service(host, &event, 0) > 0) {
      if (event.type != ENET_EVENT_TYPE_RECEIVE) continue;
      if (count++ == 0) stopwatch_start(&watch, floor, &end);
      enet_packet_destroy(event.packet);
      if (!is_over && (++rounds & 255) == 0) is_over = stopwatch_look(&watch, count);
    }
  }
  if (!is_over) fail("enet: the flood ended before its time");
  print_end("server", &end);
  _exit(0);
}

static int flood(int count, char **words) {
  patter_floor_case floor = {
      .size = (uint32_t)number(count, words, "size", 64),
      .duration = (uint64_t)(number(count, words, "secs", 2) * 1e9)};
  floor.warm_up = floor.duration / 6;
  uint16_t port = (uint16_t)number(count, words, "port", 21000);
  patter_meeting *meeting = patter_meeting_map(patter_meeting_open());
  pid_t child = fork();
  if (child == 0) flood_receive(port, &floor, meeting);
  patter_pin(0);
  if (floor_wait_ready(meeting) < 0) fail("enet: no server");
  ENetHost *host = host_at(NULL, 0, 1);
  ENetPeer *peer = dial(host, "127.0.0.1", port);
  wait_connected(host, 1);
  uint8_t *payload = calloc(1, floor.size);
  stopwatch watch;
  patter_floor_end end;
  stopwatch_start(&watch, &floor, &end);
  uint64_t sent = 0, tail = floor_now() + floor.warm_up + floor.duration + 200000000u;
  bool is_over = false;
  while (floor_now() < tail) {
    for (int i = 0; i < BURST && sent - freed < OUTSTANDING; i++, sent++) {
      say(peer, payload, floor.size, note_freed);
    }
    ENetEvent event;
    while (enet_host_service(host, &event, 0) > 0) {
      if (event.type == ENET_EVENT_TYPE_DISCONNECT) fail("enet: disconnected");
    }
    if (!is_over) is_over = stopwatch_look(&watch, sent);
  }
  atomic_store(&meeting->stop, 1);
  waitpid(child, NULL, 0);
  print_end("client", &end);
  return 0;
}

static void echo(uint16_t port, uint32_t wait, patter_meeting *meeting) {
  patter_pin(1);
  ENetHost *host = host_at("127.0.0.1", port, 4);
  atomic_store(&meeting->ready, 1);
  while (!atomic_load(&meeting->stop)) {
    ENetEvent event;
    if (enet_host_service(host, &event, wait) <= 0) continue;
    if (event.type != ENET_EVENT_TYPE_RECEIVE) continue;
    say(event.peer, event.packet->data, event.packet->dataLength, NULL);
    enet_host_flush(host);
    enet_packet_destroy(event.packet);
  }
  _exit(0);
}

static int converse(int count, char **words) {
  size_t trips = (size_t)number(count, words, "count", 20000), warm_up = trips / 10;
  uint16_t port = (uint16_t)number(count, words, "port", 21001);
  uint32_t wait = number(count, words, "busy", 0) > 0 ? 0 : 100;
  patter_meeting *meeting = patter_meeting_map(patter_meeting_open());
  pid_t child = fork();
  if (child == 0) echo(port, wait, meeting);
  patter_pin(0);
  if (floor_wait_ready(meeting) < 0) fail("enet: no server");
  ENetHost *host = host_at(NULL, 0, 1);
  ENetPeer *peer = dial(host, "127.0.0.1", port);
  wait_connected(host, 1);
  uint64_t *samples = calloc(trips, sizeof *samples);
  uint8_t payload[64] = {0};
  for (size_t i = 0; i < warm_up + trips; i++) {
    uint64_t start = floor_now();
    say(peer, payload, sizeof payload, NULL);
    enet_host_flush(host);
    ENetEvent event;
    do {
      if (floor_now() - start > 5000000000u) fail("enet: no answer");
    } while (enet_host_service(host, &event, wait) <= 0 || event.type != ENET_EVENT_TYPE_RECEIVE);
    enet_packet_destroy(event.packet);
    if (i >= warm_up) samples[i - warm_up] = floor_now() - start;
  }
  atomic_store(&meeting->stop, 1);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  qsort(samples, trips, sizeof *samples, ascending);
  printf(
      "{\"t\":\"pp\",\"role\":\"client\",\"count\":%zu,\"p50_us\":%.2f,\"p99_us\":%.2f,"
      "\"p999_us\":%.2f,\"rss_kb\":%lu}\n",
      trips, percentile(samples, trips, 50) / 1e3, percentile(samples, trips, 99) / 1e3,
      percentile(samples, trips, 99.9) / 1e3, (unsigned long)patter_peak_memory());
  return 0;
}

static int stream_serve(int count, char **words) {
  stream_plan plan = plan_of(count, words);
  recorder books = recorder_new(plan);
  uint16_t port = (uint16_t)number(count, words, "port", 9000);
  ENetHost *host = host_at(option(count, words, "ip", "127.0.0.1"), port, plan.flows + 4);
  double length = plan.per_flow / plan.rate + number(count, words, "grace", 20);
  uint64_t end = floor_now() + (uint64_t)(length * 1e9);
  while (!recorder_is_complete(&books) && floor_now() < end) {
    ENetEvent event;
    while (enet_host_service(host, &event, 1) > 0) {
      if (event.type != ENET_EVENT_TYPE_RECEIVE) continue;
      recorder_take(&books, event.packet->data, event.packet->dataLength);
      enet_packet_destroy(event.packet);
    }
  }
  recorder_print(&books, "enet-reliable");
  return 0;
}

static int stream_send(int count, char **words) {
  stream_plan plan = plan_of(count, words);
  uint16_t port = (uint16_t)number(count, words, "port", 9000);
  const char *ip = option(count, words, "ip", "127.0.0.1");
  size_t size = (size_t)number(count, words, "size", 64);
  patter_sleep_until(floor_now() + 200000000u);
  ENetHost *host = host_at(NULL, 0, plan.flows);
  ENetPeer **peers = calloc(plan.flows, sizeof *peers);
  uint8_t *payload = calloc(1, size);
  if (peers == NULL || payload == NULL) fail("out of memory");
  for (uint32_t flow = 0; flow < plan.flows; flow++) peers[flow] = dial(host, ip, port);
  wait_connected(host, plan.flows);
  uint64_t start = floor_now() + 50000000u, next = 0, total = (uint64_t)plan.flows * plan.per_flow;
  uint64_t end = 0;
  while (end == 0 || floor_now() < end) {
    bool any = false;
    while (next < total) {
      stream_message message = {
          (uint32_t)(next % plan.flows), (uint32_t)(next / plan.flows),
          due(&plan, start, (uint32_t)(next % plan.flows), (uint32_t)(next / plan.flows))};
      if (floor_now() < message.scheduled) break;
      memcpy(payload, &message, sizeof message);
      say(peers[message.flow], payload, size, NULL);
      any = true;
      next++;
    }
    if (any) enet_host_flush(host);
    ENetEvent event;
    while (enet_host_service(host, &event, any ? 0 : 1) > 0) {
    }
    if (next == total && end == 0) end = floor_now() + PATIENCE * 6 * 1000000ull;
  }
  return 0;
}

int main(int count, char **words) {
  if (count < 2) fail("enet flood|echo|stream-server|stream-client [--OPTION VALUE]...");
  if (enet_initialize() != 0) fail("enet: cannot be used");
  if (strcmp(words[1], "flood") == 0) return flood(count, words);
  if (strcmp(words[1], "echo") == 0) return converse(count, words);
  if (strcmp(words[1], "stream-server") == 0) return stream_serve(count, words);
  if (strcmp(words[1], "stream-client") == 0) return stream_send(count, words);
  fail("enet: no such command");
}
