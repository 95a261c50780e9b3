// SPDX-License-Identifier: Apache-2.0
//
// Reports of fuzzers, see entry.h.

#include "fuzz/entry.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace hurray::fuzz {

void report(std::string_view claim, const Mismatch& mismatch, std::span<const std::uint8_t> input) {
  std::string hex;
  for (const std::uint8_t byte : input) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  std::fprintf(stderr, "%.*s does not hold: %s: %.*s %s\ninput %s\n",
               static_cast<int>(claim.size()), claim.data(), mismatch.target.c_str(),
               static_cast<int>(mismatch.kind.size()), mismatch.kind.data(),
               mismatch.detail.c_str(), hex.c_str());
  std::abort();
}

}  // namespace hurray::fuzz
