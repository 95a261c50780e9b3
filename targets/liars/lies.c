// SPDX-License-Identifier: Apache-2.0
//
// The lies, see lies.h.

#define _POSIX_C_SOURCE 200809L

#include "lies.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// --- What a request is about

static const char* verb_of(const char* request) { return strchr(request, ' ') + 1; }

static bool asks(const struct exchange* e, const char* verb) {
  const size_t length = strlen(verb);
  const char* at = verb_of(e->request);
  return strncmp(at, verb, length) == 0 && (at[length] == ' ' || at[length] == '\n');
}

// Neither hello nor one of the two probes.
static bool is_case(const struct exchange* e) {
  return e->number > 1 && strstr(e->request, "never") == NULL;
}

static void tell_truth(const struct exchange* e) { say(e->answer, e->answer_length); }

static void say_text(const char* text) { say(text, strlen(text)); }

// The honest answer with the last digit of its array changed, if it has one.
static void tell_almost_truth(const struct exchange* e) {
  static const char key[] = " out=";
  char* copy = strdup(e->answer);
  char* array = strstr(copy, key);
  const size_t digits = array != NULL ? strcspn(array + strlen(key), " \n") : 0;
  if (digits > 0) {
    char* last = array + strlen(key) + digits - 1;
    *last = *last == '0' ? '1' : '0';
  }
  say(copy, e->answer_length);
  free(copy);
}

// --- Ends

static void die(void) { exit(1); }

static void die_midway(const struct exchange* e) {
  if (e->number == 700) exit(1);
  tell_truth(e);
}

static void hang(const struct exchange* e) {
  while (is_case(e)) pause();
  tell_truth(e);
}

static void drip(const struct exchange* e) {
  for (size_t i = 0; i < e->answer_length; ++i) {
    if (is_case(e)) sleep(1);
    say(e->answer + i, 1);
  }
}

static void fork_and_exit(void) {
  if (fork() != 0) _exit(0);
  setsid();
  sleep(1);
}

static void close_input(const struct exchange* e) {
  tell_truth(e);
  if (!is_case(e)) return;
  close(STDIN_FILENO);
  for (;;) pause();
}

// --- Ids and numbers of answers

static void answer_next_id(const struct exchange* e) {
  if (!is_case(e)) {
    tell_truth(e);
    return;
  }
  char id[24];
  const int length = snprintf(id, sizeof id, "%lu", strtoul(e->request, NULL, 10) + 1);
  say(id, (size_t)length);
  say_text(strchr(e->answer, ' '));
}

static void answer_twice(const struct exchange* e) {
  tell_truth(e);
  if (e->number % 100 == 0) tell_truth(e);
}

static void skip_an_answer(const struct exchange* e) {
  if (e->number % 100 != 0) tell_truth(e);
}

// --- What is no answer

static void write_noise(const struct exchange* e) {
  if (e->number == 1) {
    tell_truth(e);
    return;
  }
  // Bytes of every value, then a newline, so that each request gets at least one line.
  char noise[4097];
  uint32_t state = 0x9e3779b9u ^ (uint32_t)e->number;
  for (size_t i = 0; i < sizeof noise; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    noise[i] = (char)(state >> 24);
  }
  noise[sizeof noise - 1] = '\n';
  say(noise, sizeof noise);
}

static void write_without_end(const struct exchange* e) {
  tell_truth(e);
  char zeros[4096];
  memset(zeros, '0', sizeof zeros);
  say_text("2 ok bytes=");
  for (;;) say(zeros, sizeof zeros);
}

static void print_banner(void) { say_text("Acme quantizer adapter 1.0, ready\n"); }

static void print_among_answers(const struct exchange* e) {
  if (e->number % 100 == 0) say_text("libacme: falling back to the portable kernel\n");
  tell_truth(e);
}

static void fill_stderr(const struct exchange* e) {
  static char lines[4096];
  memset(lines, '!', sizeof lines);
  lines[sizeof lines - 1] = '\n';
  if (write(STDERR_FILENO, lines, sizeof lines) < 0) exit(1);
  tell_truth(e);
}

// --- Claims

static void claim_too_much(const struct exchange* e) {
  if (!asks(e, "quantize")) {
    tell_truth(e);
    return;
  }
  char line[64];
  say(line,
      (size_t)snprintf(line, sizeof line, "%lu unsupported\n", strtoul(e->request, NULL, 10)));
}

static void claim_too_little(const struct exchange* e) {
  static const char key[] = " types.decode=";
  const char* types = e->number == 1 ? strstr(e->answer, key) : NULL;
  if (types == NULL) {
    tell_truth(e);
    return;
  }
  say(e->answer, (size_t)(types - e->answer));
  say_text(" types.decode=10,11,12,13,14,15");
  say_text(strchr(types + 1, ' '));
}

static void overlook_unknown_keys(const struct exchange* e) {
  if (strstr(e->request, "never_defined") == NULL) {
    tell_truth(e);
    return;
  }
  char line[64];
  say(line, (size_t)snprintf(line, sizeof line, "%lu ok scheme=1 scale=3f000000 zero_point=0\n",
                             strtoul(e->request, NULL, 10)));
}

// --- Answers that are not a function of the request

static void lie_by_chance(const struct exchange* e) {
  static bool is_seeded;
  if (!is_seeded) srand((unsigned)(time(NULL) ^ getpid()));
  is_seeded = true;
  if (asks(e, "dequantize") && rand() % 20 == 0) {
    tell_almost_truth(e);
  } else {
    tell_truth(e);
  }
}

static void lie_by_turn(const struct exchange* e) {
  if (asks(e, "dequantize") && e->number % 50 == 0) {
    tell_almost_truth(e);
  } else {
    tell_truth(e);
  }
}

static void repeat_the_last(const struct exchange* e) {
  static char* last;
  const char* body = strchr(e->answer, ' ');
  if (asks(e, "dequantize") && last != NULL && strlen(last) == strlen(body)) {
    say(e->answer, (size_t)(body - e->answer));
    say_text(last);
  } else {
    tell_truth(e);
  }
  if (!asks(e, "dequantize")) return;
  free(last);
  last = strdup(body);
}

static void answer_too_much(const struct exchange* e) {
  if (!asks(e, "dequantize")) {
    tell_truth(e);
    return;
  }
  say(e->answer, e->answer_length - 1);
  char zeros[4096];
  memset(zeros, '0', sizeof zeros);
  for (int i = 0; i < 32; ++i) say(zeros, sizeof zeros);
  say_text("\n");
}

static void answer_huge_numbers(const struct exchange* e) {
  const char* key = " zero_point=";
  const char* at = asks(e, "decode") ? strstr(e->answer, key) : NULL;
  if (at == NULL) {
    tell_truth(e);
    return;
  }
  say(e->answer, (size_t)(at - e->answer) + strlen(key));
  say_text("99999999999999999999999999999999999999\n");
}

const struct lie lies[] = {
    {"dies", "exits before it answers hello", die, NULL},
    {"dies-midway", "exits at its 700th request", NULL, die_midway},
    {"hangs", "answers hello and the probes, then nothing", NULL, hang},
    {"drips", "answers hello and the probes, then a byte a second", NULL, drip},
    {"forks-and-exits", "leaves the work to a child in a session of its own", fork_and_exit, NULL},
    {"closes-input", "closes its standard input after the first case, and stays", NULL,
     close_input},
    {"wrong-id", "answers under the next id", NULL, answer_next_id},
    {"answers-twice", "answers every 100th request twice", NULL, answer_twice},
    {"skips-answers", "does not answer every 100th request", NULL, skip_an_answer},
    {"garbage", "answers hello, then binary noise", NULL, write_noise},
    {"endless-line", "answers hello, then a line without end", NULL, write_without_end},
    {"banner", "prints its name and version before anything else", print_banner, NULL},
    {"prints", "a library prints to standard output at every 100th request", NULL,
     print_among_answers},
    {"fills-stderr", "writes 4 KiB to standard error at every request, and answers well", NULL,
     fill_stderr},
    {"claims-too-much", "claims to quantize, and answers unsupported", NULL, claim_too_much},
    {"claims-too-little", "decodes packed types that it does not claim", NULL, claim_too_little},
    {"overlooks-keys", "answers a request as if an unknown key were not there", NULL,
     overlook_unknown_keys},
    {"by-chance", "one dequantized array in twenty is wrong, by chance", NULL, lie_by_chance},
    {"by-turn", "an answer depends on how many requests came before", NULL, lie_by_turn},
    {"repeats", "a dequantized array is that of the call before, if as long", NULL,
     repeat_the_last},
    {"answers-too-much", "a dequantized array has 64 KiB more than asked", NULL, answer_too_much},
    {"huge-numbers", "a zero point of 38 digits", NULL, answer_huge_numbers},
};
const size_t lie_count = sizeof lies / sizeof lies[0];
