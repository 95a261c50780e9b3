// SPDX-License-Identifier: Apache-2.0
//
// Who ends a target when nobody else can? The guardian: a process between runner and target that
// limits the target, and ends it and all its descendants when it ends, the runner asks, or the
// runner dies. It is this same program started anew, so that it shares no memory with the runner.

#ifndef HURRAY_CONFORMANCE_GUARDIAN_H
#define HURRAY_CONFORMANCE_GUARDIAN_H

#include <string>
#include <vector>

namespace hurray::conformance {

struct Limits;

// Every program that makes a Process calls this first in main. Does not return when the program was
// started as a guardian.
void guard_if_asked(int argc, char** argv);

// The descriptor on which the guardian writes the target's wait status; 0, 1 and 2 are handed on to
// the target.
inline constexpr int kGuardianStatus = 3;

// What to start the guardian of `argv` with. Its SIGTERM means: end all. `fifo_folder`, if not
// empty, is where the target is started, and is removed with its two FIFOs.
std::vector<std::string> guardian_command(const std::vector<std::string>& argv,
                                          const Limits& limits, const std::string& fifo_folder);

// How long the guardian tries to end what the target left, and how long the runner waits for that.
// The runner has to be the more patient one: a guardian that is killed leaves descendants behind.
inline constexpr int kGuardianMilliseconds = 2000;
inline constexpr int kRunnerMilliseconds = 3000;
void pause_a_millisecond();

// The FIFOs of a folder; removing it is done by runner and guardian, whoever is left.
std::string request_fifo(const std::string& folder);
std::string answer_fifo(const std::string& folder);
void remove_fifo_folder(const std::string& folder);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_GUARDIAN_H
