// SPDX-License-Identifier: Apache-2.0
//
// `liar KIND`: a program under judgement that breaks the line protocol on purpose. The runner must
// never hang, crash or believe it. Serves the scalar target by the kit, which is given one request
// at a time, so that each answer passes through the lie.

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "kit/hurray_kit.h"
#include "lies.h"

// No liar outlives a runner that forgot it.
enum { kLifetimeSeconds = 600, kBufferBytes = 1 << 22 };

extern const struct hurray_target hurray_target_scalar;

struct conversation {
  const struct lie* lie;
  char* request;
  size_t room;
  char answer[kBufferBytes + 1];
  size_t answered;
  unsigned long number;
};

void say(const char* bytes, size_t length) {
  while (length > 0) {
    const ssize_t wrote = write(STDOUT_FILENO, bytes, length);
    if (wrote <= 0) exit(0);
    bytes += wrote;
    length -= (size_t)wrote;
  }
}

static long read_line(void* context, uint8_t* bytes, size_t capacity) {
  struct conversation* talk = context;
  const ssize_t length = getline(&talk->request, &talk->room, stdin);
  if (length <= 0) return 0;
  if ((size_t)length > capacity) return -1;
  memcpy(bytes, talk->request, (size_t)length);
  ++talk->number;
  return length;
}

static int lie_instead(void* context, const uint8_t* bytes, size_t length) {
  struct conversation* talk = context;
  if (length > kBufferBytes - talk->answered) return -1;
  memcpy(talk->answer + talk->answered, bytes, length);
  talk->answered += length;
  if (length == 0 || bytes[length - 1] != '\n') return 0;
  talk->answer[talk->answered] = '\0';
  const struct exchange exchange = {talk->request, talk->answer, talk->answered, talk->number};
  if (talk->lie->answer != NULL) {
    talk->lie->answer(&exchange);
  } else {
    say(talk->answer, talk->answered);
  }
  talk->answered = 0;
  return 0;
}

static int usage(void) {
  fprintf(stderr, "usage: liar KIND, for example liar hangs\nkinds:\n");
  for (size_t i = 0; i < lie_count; ++i) {
    fprintf(stderr, "  %-18s %s\n", lies[i].kind, lies[i].what);
  }
  return 2;
}

int main(int argc, char** argv) {
  size_t which = 0;
  while (argc == 2 && which < lie_count && strcmp(argv[1], lies[which].kind) != 0) ++which;
  if (argc != 2 || which == lie_count) return usage();

  alarm(kLifetimeSeconds);
  if (lies[which].at_start != NULL) lies[which].at_start();
  static uint8_t line[kBufferBytes], answer[kBufferBytes], input[kBufferBytes],
      output[kBufferBytes];
  static struct conversation talk;
  talk.lie = &lies[which];
  const struct hurray_kit_host host = {
      .context = &talk,
      .read = read_line,
      .write = lie_instead,
      .line = {line, sizeof line},
      .answer = {answer, sizeof answer},
      .input = {input, sizeof input},
      .output = {output, sizeof output},
  };
  return hurray_kit_serve(&hurray_target_scalar, &host) == HURRAY_KIT_OK ? 0 : 1;
}
