// SPDX-License-Identifier: Apache-2.0
//
// How far apart are two floats, counted in floats?

#ifndef HURRAY_CONFORMANCE_ULPS_H
#define HURRAY_CONFORMANCE_ULPS_H

#include <cstdint>

namespace hurray::conformance {

// Place on the line of all floats, on which -0 and +0 are neighbours.
inline std::int64_t place_of(std::uint32_t bits) {
  const std::int64_t magnitude = bits & 0x7fffffffu;
  return bits >> 31 ? -magnitude - 1 : magnitude;
}

inline std::int64_t ulps_between(std::uint32_t expected, std::uint32_t got) {
  return place_of(got) - place_of(expected);
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ULPS_H
