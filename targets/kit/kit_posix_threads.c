// SPDX-License-Identifier: Apache-2.0
//
// How do many threads call at once?
//
// All wait for each other before the first turn, and none ends before all have had their turns:
// with short calls, threads that merely start together would run one after the other.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "kit_posix_calls.h"

enum { kTurns = 64 };

struct crew {
  hurray_kit_turn turn;
  void* argument;
  unsigned threads;
  atomic_uint arrived;
  atomic_uint finished;
  atomic_bool stop;
};

struct member {
  struct crew* crew;
  unsigned index;
};

static void* run(void* argument) {
  const struct member* member = argument;
  struct crew* crew = member->crew;
  atomic_fetch_add(&crew->arrived, 1);
  while (atomic_load(&crew->arrived) < crew->threads && !atomic_load(&crew->stop)) sched_yield();
  for (unsigned turns = 1; !atomic_load(&crew->stop); ++turns) {
    if (crew->turn(crew->argument, member->index) != 0) atomic_store(&crew->stop, true);
    if (turns == kTurns) atomic_fetch_add(&crew->finished, 1);
    if (atomic_load(&crew->finished) == crew->threads) break;
    // More threads than cores: whoever is done makes room.
    if (turns >= kTurns) sched_yield();
  }
  return NULL;
}

int hurray_kit_posix_run_threads(void* context, unsigned threads, hurray_kit_turn turn,
                                 void* argument) {
  (void)context;
  struct crew crew = {.turn = turn, .argument = argument, .threads = threads};
  struct member members[HURRAY_KIT_MOST_THREADS];
  pthread_t ids[HURRAY_KIT_MOST_THREADS];
  if (threads > HURRAY_KIT_MOST_THREADS) return -1;
  atomic_init(&crew.arrived, 0);
  atomic_init(&crew.finished, 0);
  atomic_init(&crew.stop, false);
  unsigned started = 0;
  for (; started < threads; ++started) {
    members[started] = (struct member){&crew, started};
    if (pthread_create(&ids[started], NULL, run, &members[started]) != 0) break;
  }
  if (started < threads) atomic_store(&crew.stop, true);
  for (unsigned i = 0; i < started; ++i) pthread_join(ids[i], NULL);
  return started == threads ? 0 : -1;
}
