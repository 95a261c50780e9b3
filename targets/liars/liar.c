// SPDX-License-Identifier: Apache-2.0
//
// `liar KIND`: a program under judgement that breaks the line protocol on purpose. The runner has
// to report each kind as broken and must never hang, crash or believe it. Speaks by hand just as
// much of conformance/PROTOCOL.md as a lie needs to be heard; the probes are answered honestly.

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// No liar outlives a runner that forgot it.
enum { kLifetimeSeconds = 600 };

typedef void (*lie)(unsigned long id);

static void die(unsigned long id) {
  (void)id;
  exit(1);
}

static void stay_silent(unsigned long id) {
  (void)id;
  for (;;) pause();
}

static void answer_next_id(unsigned long id) {
  printf("%lu ok scheme=1 scale=3f000000 zero_point=3\n", id + 1);
}

// 4096 bytes of every value, then a newline, so that each request gets at least one line.
static void write_noise(unsigned long id) {
  uint32_t state = 0x9e3779b9u ^ (uint32_t)id;
  for (int i = 0; i < 4096; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    putchar((int)(state >> 24));
  }
  putchar('\n');
}

static void write_without_end(unsigned long id) {
  printf("%lu ok bytes=", id);
  for (;;) {
    if (putchar('0') == EOF) exit(0);
  }
}

// Where each kind departs from the protocol; NULL is honest there.
static const struct {
  const char* kind;
  const char* what;
  lie at_start;   // before anything is read
  lie at_hello;   // once hello is answered, without waiting for a request
  lie at_any;     // in place of the answer to any later request
  lie at_decode;  // in place of the answer to a well-formed decode
} kLiars[] = {
    {"dies", "exits before it answers hello", .at_start = die},
    {"hangs", "answers hello and the probes, then nothing", .at_decode = stay_silent},
    {"garbage", "answers hello, then binary noise", .at_any = write_noise},
    {"wrong-id", "answers a decode under the next id", .at_decode = answer_next_id},
    {"endless-line", "answers hello, then a line without end", .at_hello = write_without_end},
};
enum { kLiarCount = sizeof kLiars / sizeof kLiars[0] };

static int usage(void) {
  fprintf(stderr, "usage: liar KIND, for example liar hangs\nkinds:\n");
  for (int i = 0; i < kLiarCount; ++i) {
    fprintf(stderr, "  %-14s %s\n", kLiars[i].kind, kLiars[i].what);
  }
  return 2;
}

// Whether the rest of a decode request has no key but its own two.
static int has_only_decode_keys(char* keys) {
  for (char* key = strtok(keys, " "); key != NULL; key = strtok(NULL, " ")) {
    if (strncmp(key, "type=", 5) != 0 && strncmp(key, "bytes=", 6) != 0) return 0;
  }
  return 1;
}

static void answer(int liar, char* line) {
  char* rest = NULL;
  const unsigned long id = strtoul(line, &rest, 10);
  rest += strspn(rest, " ");
  const size_t verb_bytes = strcspn(rest, " ");
  char* keys = rest + verb_bytes;

  if (verb_bytes == 5 && strncmp(rest, "hello", 5) == 0) {
    printf("%lu ok version=1 name=liar-%s contract=hurray schemes=1 types.decode=10,11\n", id,
           kLiars[liar].kind);
    fflush(stdout);
    if (kLiars[liar].at_hello != NULL) kLiars[liar].at_hello(id + 1);
  } else if (kLiars[liar].at_any != NULL) {
    kLiars[liar].at_any(id);
  } else if (verb_bytes == 6 && strncmp(rest, "decode", 6) == 0 && has_only_decode_keys(keys) &&
             kLiars[liar].at_decode != NULL) {
    kLiars[liar].at_decode(id);
  } else {
    printf("%lu unsupported\n", id);
  }
  fflush(stdout);
}

int main(int argc, char** argv) {
  int liar = 0;
  while (argc == 2 && liar < kLiarCount && strcmp(argv[1], kLiars[liar].kind) != 0) ++liar;
  if (argc != 2 || liar == kLiarCount) return usage();

  alarm(kLifetimeSeconds);
  if (kLiars[liar].at_start != NULL) kLiars[liar].at_start(0);
  char* line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 0) {
    line[strcspn(line, "\r\n")] = '\0';
    answer(liar, line);
  }
  free(line);
  return 0;
}
