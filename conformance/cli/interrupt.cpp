// SPDX-License-Identifier: Apache-2.0
//
// SIGINT and SIGTERM, see interrupt.h.

#include "conformance/cli/interrupt.h"

#include <array>
#include <atomic>
#include <csignal>

namespace hurray::conformance {
namespace {

std::atomic<bool> noted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may take no lock");

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};

void note(int) {
  noted = true;
  // The next one, whichever it is, does what it always does; what is ignored stays so.
  for (const int each : kSignals) {
    struct sigaction now {};
    if (sigaction(each, nullptr, &now) == 0 && now.sa_handler == note) std::signal(each, SIG_DFL);
  }
}

}  // namespace

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int each : kSignals) {
    struct sigaction before {};
    // Who is started with a signal ignored, as by nohup, is meant to ignore it.
    if (sigaction(each, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(each, &action, nullptr);
  }
}

bool is_interrupted() { return noted; }

}  // namespace hurray::conformance
