// SPDX-License-Identifier: Apache-2.0
//
// What may be answered to a request? Asks the reference once for every combination of the options
// that the rulings leave open (oracle/README.md lists them) and merges equal answers.

#ifndef HURRAY_CONFORMANCE_ORACLE_H
#define HURRAY_CONFORMANCE_ORACLE_H

#include <optional>
#include <string>
#include <vector>

#include "conformance/runner/case.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

// Of dequantize_tensor: b0 to b9.
inline constexpr unsigned kMostBuffersSent = 10;

// A request with its values read, as oracle, judge and classifier use it. Absent keys are zero.
struct ReadRequest {
  std::string verb;
  std::string function;  // fn= of ra8
  std::uint8_t type = 0;
  std::uint32_t scheme = 0;
  float scale = 0;
  std::int32_t zero_point = 0;
  std::size_t count = 0;
  unsigned bits = 0;
  std::int32_t bias = 0;
  bool high_field_first = false;
  Bytes bytes;    // bytes=, q= or packed=, and in= of dequantizing ra8 functions
  Floats floats;  // in= of quantizing requests
  bool has_fill = false;
  std::uint8_t fill = 0;
  bool null_in = false, null_out = false;
  std::string fenv;                     // empty: not sent
  std::optional<std::size_t> capacity;  // of encode
  Fields fields;                        // all of it; the only place of what only tensors have

  bool quantizes() const;    // quantize, ra8 quantize_*
  bool dequantizes() const;  // dequantize, ra8 dequantize_*
  bool is_ra8() const { return verb == "ra8"; }
  // pack, unpack, packed_bytes, widen
  bool is_about_elements() const;
  // decode_tensor, encode_tensor, dequantize_tensor
  bool is_about_tensors() const { return verb.ends_with("_tensor"); }
  // Text of a key that has to be there. Throws SuiteError.
  const std::string& text_of(std::string_view key) const;
  // Bytes of an array; none if the key is absent.
  Bytes array_of(std::string_view key) const;
  // A decimal number below 2^64; throws SuiteError if the key is absent or something else.
  std::uint64_t number_of(std::string_view key) const;
  // A number of exactly `digits` hexadecimal digits, likewise.
  std::uint32_t pattern_of(std::string_view key, std::size_t digits) const;
  bool is_ra8_signed() const { return function.ends_with("_i8"); }
};

// Throws SuiteError if the request is not one that the suite may send.
ReadRequest read_request(std::string_view text);

// Alternatives sorted by answer. Throws SuiteError as above.
std::vector<Alternative> expected_answers(const ReadRequest& request);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_ORACLE_H
