// SPDX-License-Identifier: Apache-2.0
//
// Which lies are there? Each kind is the scalar target, served line by line, with a hook that
// departs from the line protocol in one way.

#ifndef HURRAY_LIARS_LIES_H
#define HURRAY_LIARS_LIES_H

#include <stddef.h>

// One request and the honest answer to it. Both end in '\n' and then '\0'.
struct exchange {
  const char* request;
  const char* answer;
  size_t answer_length;
  unsigned long number;  // of this request in this process, from 1
};

struct lie {
  const char* kind;
  const char* what;                          // one line
  void (*at_start)(void);                    // before anything is read; NULL: nothing
  void (*answer)(const struct exchange* e);  // in place of every answer; NULL: honest
};

extern const struct lie lies[];
extern const size_t lie_count;

// Writes to standard output at once.
void say(const char* bytes, size_t length);

#endif  // HURRAY_LIARS_LIES_H
