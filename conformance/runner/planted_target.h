// SPDX-License-Identifier: Apache-2.0
//
// The target of tests that compare exhaustively: the reference behind the kit, with the faults that
// a test plants. It is the test itself started anew; its main is in planted_target.cpp.

#ifndef HURRAY_CONFORMANCE_PLANTED_TARGET_H
#define HURRAY_CONFORMANCE_PLANTED_TARGET_H

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/runner/attachment.h"
#include "conformance/runner/sweep.h"

namespace hurray::conformance {

// It claims both contracts, and all types in both directions. Faults are words:
//   BITS:+1           another result for this input, or this code
//   BITS:crash, leave, hang, reject, unsupported
//                     what happens instead of a result
//   flush:BITS, exact:BITS, wrap:BITS, reinterpret:BITS
//                     from this input or code on, another legal reading than before
//   positive-zeros    zeros of dequantize have no sign: another legal reading
//   BITS:+1-of-8      as +1, but only in calls of 8 elements or more, as in a vector body
//   tail              the last byte of calls of more than 512 elements is wrong
//   padding           the last unused bit of narrow codes is set
// A word that is none of them ends the target before it answers, with a message.
Attachment with_planted(const std::vector<std::string>& faults);

// No limit of memory: the sanitizers reserve more than any.
inline constexpr Limits kPatient{60'000, 0};

// What it is mostly asked: the quantizer of the format.
inline SweepFunction quantizer_of(StorageType type, float scale, std::int32_t zero_point) {
  return {"", static_cast<std::uint8_t>(type), scale, zero_point};
}
inline const SweepFunction kInt8 = quantizer_of(StorageType::kInt8, 0.1f, 3);
// Three blocks from 1 on.
inline constexpr SweepRange kFromOne{0x3f800000, 150'000};

// The first two inputs from 2 on of which the two quotients make different codes.
inline std::vector<std::uint32_t> where_quotients_part(const SweepFunction& function) {
  const std::vector<SweepReading> readings = readings_of(function);
  std::vector<std::uint32_t> apart;
  for (std::uint32_t input = 0x40000000; apart.size() < 2; ++input) {
    if (expected_output(function, readings[0], input) !=
        expected_output(function, readings[1], input)) {
      apart.push_back(input);
    }
  }
  return apart;
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_PLANTED_TARGET_H
