// SPDX-License-Identifier: Apache-2.0
//
// Arrays in answers, see elements.h.

#include "conformance/runner/elements.h"

#include <algorithm>

#include "reference/byte_order.h"

namespace hurray::conformance {
namespace {

bool is_zero_pattern(std::uint32_t bits) { return is_zero(std::bit_cast<float>(bits)); }

// What a quantizer wrote.
std::optional<Elements> read_codes(const ReadRequest& request, const Bytes& bytes) {
  const StorageTypeInfo* info = storage_type_of(request);
  if (!info || bytes.size() != packed_bytes(info->type, request.count)) return std::nullopt;
  Elements elements;
  elements.integers.resize(request.count);
  for (std::size_t i = 0; i < request.count; ++i) {
    elements.integers[i] = read_element(info->type, bytes.data(), i);
  }
  const std::size_t used_bits = request.count * info->bits % 8;
  if (used_bits != 0) elements.padding = {static_cast<std::uint8_t>(bytes.back() >> used_bits)};
  return elements;
}

}  // namespace

const StorageTypeInfo* storage_type_of(const ReadRequest& request) {
  if (request.is_ra8()) {
    return &info_of(request.is_ra8_signed() ? StorageType::kInt8 : StorageType::kUint8);
  }
  return find_storage_type(request.type);
}

std::string_view array_key(const ReadRequest& request) {
  if (request.verb == "quantize") return "q";
  if (request.verb == "normalize") return "zero_points";
  if (request.verb == "encode" || request.verb == "encode_tensor") return "bytes";
  if (request.verb == "decode" || request.verb == "decode_tensor" ||
      request.verb == "packed_bytes") {
    return {};
  }
  if (request.verb == "pack") return "packed";
  if (request.verb == "unpack") return "values";
  if (request.verb == "convert") return "b2";
  return "out";
}

Match match_element(const Elements& expected, const Elements& got, std::size_t i,
                    bool zero_sign_counts) {
  if (!expected.are_floats)
    return expected.integers[i] == got.integers[i] ? Match::kYes : Match::kNo;
  const std::uint32_t want = expected.floats[i];
  const std::uint32_t have = got.floats[i];
  if (want == have || (is_nan_pattern(want) && is_nan_pattern(have))) return Match::kYes;
  if (!zero_sign_counts && is_zero_pattern(want) && is_zero_pattern(have))
    return Match::kWithOtherZeroSign;
  return Match::kNo;
}

Match match_elements(const Elements& expected, const Elements& got,
                     const std::vector<std::size_t>& free, bool zero_sign_counts) {
  if (expected.size() != got.size() || expected.padding != got.padding) return Match::kNo;
  Match worst = Match::kYes;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::binary_search(free.begin(), free.end(), i)) continue;
    worst = std::min(worst, match_element(expected, got, i, zero_sign_counts));
    if (worst == Match::kNo) return worst;
  }
  return worst;
}

std::optional<Elements> read_elements(const ReadRequest& request, const Answer& answer) {
  const std::string_view key = array_key(request);
  const std::string* hex = key.empty() ? nullptr : answer.fields.find(key);
  if (!hex) return std::nullopt;
  const std::optional<Bytes> bytes = parse_hex(*hex);
  if (!bytes) return std::nullopt;

  Elements elements;
  if (key == "bytes" || key == "packed") {
    elements.integers.assign(bytes->begin(), bytes->end());
    return elements;
  }
  if (key == "values") {
    if (bytes->size() != request.count * 8) return std::nullopt;
    for (std::size_t i = 0; i < request.count; ++i) {
      elements.integers.push_back(static_cast<std::int64_t>(load_le64(&(*bytes)[8 * i])));
    }
    return elements;
  }
  if (key == "out" || key == "zero_points" || key == "b2") {
    if (request.quantizes() && request.is_ra8()) return read_codes(request, *bytes);
    const std::size_t count = key == "b2" ? bytes->size() / 4 : request.count;
    if (bytes->size() != count * 4) return std::nullopt;
    elements.are_floats = key == "out";
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t word = load_le32(&(*bytes)[4 * i]);
      if (elements.are_floats)
        elements.floats.push_back(word);
      else
        elements.integers.push_back(static_cast<std::int32_t>(word));
    }
    return elements;
  }
  return read_codes(request, *bytes);
}

}  // namespace hurray::conformance
