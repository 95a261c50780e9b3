// SPDX-License-Identifier: Apache-2.0
//
// Which of the kit's hooks does a hosted system fill, whatever carries the stream?
//
// The contexts are ignored. Meanings are those of the members of struct hurray_kit_host.

#ifndef HURRAY_KIT_POSIX_CALLS_H
#define HURRAY_KIT_POSIX_CALLS_H

#include "hurray_kit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Before the first request: notes the environment that leave_fenv returns to.
void hurray_kit_posix_keep_fenv(void);
int hurray_kit_posix_enter_fenv(void* context, int mode);
int hurray_kit_posix_leave_fenv(void* context);
int hurray_kit_posix_run_threads(void* context, unsigned threads, hurray_kit_turn turn,
                                 void* argument);

#ifdef __cplusplus
}
#endif

#endif  // HURRAY_KIT_POSIX_CALLS_H
