// SPDX-License-Identifier: Apache-2.0
//
// Did somebody ask for the end? Commands that work for long stop at the first SIGINT or SIGTERM and
// say what they have; the second ends the program as if nobody had listened.

#ifndef HURRAY_CONFORMANCE_INTERRUPT_H
#define HURRAY_CONFORMANCE_INTERRUPT_H

namespace hurray::conformance {

// From now on the first of each is only noted. Targets do not get it: they are process groups of
// their own.
void note_interrupts();
bool is_interrupted();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_INTERRUPT_H
