// SPDX-License-Identifier: Apache-2.0
//
// How does a word of a command that people are to copy survive their shell?

#ifndef HURRAY_CONFORMANCE_SHELL_H
#define HURRAY_CONFORMANCE_SHELL_H

#include <string>
#include <string_view>

namespace hurray::conformance {

// As it is if it has nothing but what means itself in every shell, else in single quotes.
inline std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SHELL_H
