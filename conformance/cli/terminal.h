// SPDX-License-Identifier: Apache-2.0
//
// Is somebody looking? Colour and progress are for terminals only.

#ifndef HURRAY_CONFORMANCE_TERMINAL_H
#define HURRAY_CONFORMANCE_TERMINAL_H

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "conformance/runner/report.h"

namespace hurray::conformance {

inline bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

// https://no-color.org: any non-empty value switches colour off.
inline TextStyle style_for(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  return {is_terminal(descriptor) && !(no_color && *no_color)};
}

// A line that overwrites itself, on a terminal only.
class Progress {
 public:
  Progress() : active_(is_terminal(STDERR_FILENO)) {}
  ~Progress() { clear(); }

  void show(std::uint64_t done, std::uint64_t all, std::string_view what) {
    const auto now = std::chrono::steady_clock::now();
    if (!active_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    drawn_ = true;
    constexpr std::uint64_t kBarColumns = 20;
    const std::uint64_t filled = all == 0 ? 0 : std::min(done, all) * kBarColumns / all;
    fmt::print(stderr, "\r\x1b[K[{:<{}}] {} of {} {}", std::string(filled, '#'), kBarColumns, done,
               all, what);
    std::fflush(stderr);
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }

 private:
  bool active_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_TERMINAL_H
