// SPDX-License-Identifier: Apache-2.0
//
// Changed requests, see mutate.h.

#include "conformance/runner/mutate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "conformance/runner/elements.h"
#include "conformance/runner/oracle.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"

namespace hurray::conformance {
namespace {

constexpr std::size_t kLongestLearned = 24;
constexpr std::size_t kMostElements = 600;

template <typename Range>
const auto& one_of(Random& random, const Range& values) {
  return values[static_cast<std::size_t>(random.below(std::size(values)))];
}

bool is_in(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// Bytes in which any number may stand.
bool is_array(std::string_view key) {
  return is_in(key,
               {"shape", "strides", "buffers", "parent_shape", "shard_offset", "statistics",
                "extension_type", "weights", "scales", "plane", "group_index", "super_scales"}) ||
         (key.size() == 2 && key[0] == 'b');
}

bool is_call_key(std::string_view key) {
  return is_in(
      key, {"fill", "guard", "in_off", "out_off", "fenv", "null", "threads", "repeat", "capacity"});
}

std::uint8_t tag_of(const EditableRequest& request) {
  const std::string* type = request.find("type");
  return static_cast<std::uint8_t>(type ? parse_hex_number(*type, 2).value_or(0) : 0);
}

const StorageTypeInfo& storage_of(const EditableRequest& request) {
  if (request.is_ra8()) {
    return info_of(request.find("fn")->ends_with("_i8") ? StorageType::kInt8 : StorageType::kUint8);
  }
  const StorageTypeInfo* info = find_storage_type(tag_of(request));
  return info ? *info : info_of(StorageType::kInt8);
}

// The array of a kernel or of packed elements.
std::string_view array_of(const EditableRequest& request) {
  if (request.verb == "dequantize") return "q";
  if (request.verb == "pack") return "values";
  if (is_in(request.verb, {"unpack", "widen", "normalize"})) return "packed";
  return "in";
}

std::size_t other_count(Random& random, std::size_t count) {
  constexpr std::array<std::size_t, 24> kCounts = {
      0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 255, 257};
  switch (random.below(4)) {
    case 0:
      return count + 1 + static_cast<std::size_t>(random.below(3));
    case 1:
      return count - std::min<std::size_t>(count, 1 + static_cast<std::size_t>(random.below(3)));
    case 2:
      return static_cast<std::size_t>(random.below(140));
    default:
      return one_of(random, kCounts);
  }
}

// The array again and again, to `bytes`.
Bytes repeated(const Bytes& array, std::size_t bytes) {
  Bytes longer(bytes);
  for (std::size_t i = 0; i < bytes && !array.empty(); ++i) longer[i] = array[i % array.size()];
  return longer;
}

// Where a count decides how long an array is, or an array how large the count.
void settle_lengths(EditableRequest& request) {
  if (!request.has("count") || !request.has(array_of(request))) return;
  Bytes array = request.bytes(array_of(request));
  const auto count = static_cast<std::uint64_t>(
      std::max<std::int64_t>(parse_decimal(*request.find("count")).value_or(0), 0));
  if (request.quantizes() || request.verb == "pack") {
    const std::size_t width = request.verb == "pack" ? 8 : 4;
    array = repeated(
        array, static_cast<std::size_t>(std::min<std::uint64_t>(count, kMostElements)) * width);
    request.set("count", fmt::format("{}", array.size() / width));
  } else if (request.dequantizes() || is_in(request.verb, {"unpack", "widen"})) {
    const bool is_kernel = request.dequantizes();
    const std::uint8_t tag =
        is_kernel ? static_cast<std::uint8_t>(storage_of(request).type) : tag_of(request);
    const std::uint64_t most = std::min<std::uint64_t>(count, kMostElements);
    const std::optional<std::uint64_t> bytes = element_bytes(tag, most);
    if (!bytes) return;
    array = repeated(array, static_cast<std::size_t>(*bytes));
    request.set("count", fmt::format("{}", most));
    const unsigned used = static_cast<unsigned>(most * storage_of(request).bits % 8);
    if (is_kernel && used != 0) array.back() &= static_cast<std::uint8_t>((1u << used) - 1);
  } else {
    return;
  }
  request.set(array_of(request), to_hex(array));
}

float scale_of(const EditableRequest& request) {
  const std::string* scale = request.find("scale");
  return std::bit_cast<float>(scale ? parse_hex_number(*scale, 8).value_or(0) : 0x3f800000u);
}

std::int64_t zero_point_of(const EditableRequest& request) {
  const std::string* zero_point = request.find("zero_point");
  return zero_point ? parse_decimal(*zero_point).value_or(0) : 0;
}

// One element of a kernel's array, some, all of them, or their order.
void change_elements(Random& random, EditableRequest& request) {
  const std::string_view key = array_of(request);
  Bytes array = request.bytes(key);
  if (array.empty()) return;
  const bool are_floats = request.quantizes();
  const std::size_t width = are_floats ? 4 : request.verb == "pack" ? 8 : 1;
  const std::uint64_t what = random.below(8);
  if (what == 0) {
    std::rotate(array.begin(), array.begin() + static_cast<std::ptrdiff_t>(width), array.end());
  } else {
    const std::size_t count = array.size() / width;
    const std::size_t changes = what < 4   ? 1
                                : what < 6 ? 1 + static_cast<std::size_t>(random.below(count))
                                           : count;
    for (std::size_t i = 0; i < changes; ++i) {
      const std::size_t at =
          (changes == count ? i : static_cast<std::size_t>(random.below(count))) * width;
      if (are_floats) {
        const StorageTypeInfo& info = storage_of(request);
        const float x =
            odd_input(random, scale_of(request), zero_point_of(request), info.min, info.max);
        store_le32(&array[at], std::bit_cast<std::uint32_t>(x));
      } else if (width == 8) {
        store_le64(&array[at], static_cast<std::uint64_t>(odd_integer(random)));
      } else {
        constexpr std::array<std::uint8_t, 8> kOdd = {0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x88, 0x77};
        array[at] =
            random.below(2) == 0 ? one_of(random, kOdd) : static_cast<std::uint8_t>(random.next());
      }
    }
  }
  request.set(key, to_hex(array));
}

// Offsets that a float or an int32 can have; others only where bytes lie.
std::string other_offset(Random& random, const EditableRequest& request, std::string_view key) {
  const bool are_bytes = key == "in_off" ? !request.quantizes() : request.quantizes();
  return fmt::format("{}", are_bytes && is_in(request.verb, {"quantize", "dequantize", "ra8"})
                               ? random.below(64)
                               : 4 * random.below(16));
}

}  // namespace

void Mutator::learn(const Case& item) {
  for (const Step& step : item.steps) {
    const Request request = *parse_request(step.request);
    for (const auto& [key, value] : request.fields.all()) {
      std::vector<std::string>& values = values_[request.verb][key];
      if (value.size() > kLongestLearned) continue;
      const auto place = std::ranges::lower_bound(values, value);
      if (place == values.end() || *place != value) values.insert(place, value);
    }
  }
}

bool Mutator::take_value(Random& random, EditableRequest& request, const std::string& key) const {
  const auto verb = values_.find(request.verb);
  if (verb == values_.end()) return false;
  const auto values = verb->second.find(key);
  if (values == verb->second.end() || values->second.empty()) return false;
  request.set(key, one_of(random, values->second));
  return true;
}

void Mutator::change_type(Random& random, EditableRequest& request) const {
  take_value(random, request, "type");
  // What every code of a type is, and what a zero point may be, follows it.
  if (request.dequantizes()) {
    const StorageTypeInfo& info = storage_of(request);
    const std::int64_t most =
        std::min<std::int64_t>(info.max, std::numeric_limits<std::int32_t>::max());
    request.set("zero_point",
                fmt::format("{}", std::clamp(zero_point_of(request), info.min, most)));
  }
}

void Mutator::change_kernel(Random& random, EditableRequest& request) const {
  const bool is_bound = request.dequantizes() && !request.is_ra8();
  const bool has_length = !request.has("repeat") && !request.has("threads");
  switch (random.below(has_length ? 10 : 8)) {
    case 0:
      if (request.is_ra8()) {
        std::string& function = *request.find("fn");
        function.replace(function.size() - 2, 2, function.ends_with("i8") ? "u8" : "i8");
      } else {
        change_type(random, request);
      }
      break;
    case 1:
    case 2: {
      std::uint32_t scale = odd_float(random);
      const float value = std::bit_cast<float>(scale);
      if (is_bound && (!std::isfinite(value) || value == 0))
        scale = one_of(random, positive_scales());
      request.set("scale", fmt::format("{:08x}", scale));
      break;
    }
    case 3:
    case 4: {
      const StorageTypeInfo& info = storage_of(request);
      const std::vector<std::int32_t> legal = legal_zero_points(info);
      std::int64_t zero_point = one_of(random, legal);
      if (random.below(2) == 0) {
        const auto span = static_cast<std::uint64_t>(info.max - info.min) + 1;
        zero_point = info.min + static_cast<std::int64_t>(random.below(span));
      }
      if (!is_bound && random.below(4) == 0) zero_point = odd_integer(random);
      zero_point = std::clamp<std::int64_t>(zero_point, std::numeric_limits<std::int32_t>::min(),
                                            std::numeric_limits<std::int32_t>::max());
      request.set("zero_point", fmt::format("{}", zero_point));
      break;
    }
    case 5:
    case 6:
    case 7:
      change_elements(random, request);
      break;
    default: {
      const auto count =
          static_cast<std::size_t>(parse_decimal(*request.find("count")).value_or(0));
      if (request.bytes(array_of(request)).empty()) request.set(array_of(request), "0000003f");
      if (request.is_ra8() && request.dequantizes()) {
        request.set("in", to_hex(repeated(request.bytes("in"),
                                          std::min(other_count(random, count), kMostElements))));
        request.set("count", fmt::format("{}", request.bytes("in").size()));
      } else {
        request.set("count", fmt::format("{}", other_count(random, count)));
      }
    }
  }
}

void Mutator::change_key(Random& random, EditableRequest& request, const std::string& key) const {
  const auto number = parse_decimal(*request.find(key));
  const bool is_signed = is_in(key, {"zero_point", "bias"});
  const bool is_wide =
      is_in(key, {"byte_offset"}) || (key == "count" && request.verb == "packed_bytes");
  const bool is_number = is_signed || is_wide ||
                         is_in(key, {"axis", "block_size", "scale_buffer_index",
                                     "zero_point_buffer_index", "group_size"});
  if (number && is_number && random.below(8) == 0) {
    const std::int64_t more = *number + static_cast<std::int64_t>(beyond_a_width(random));
    if (is_wide || more <= (is_signed ? INT64_C(0x7fffffff) : INT64_C(0xffffffff))) {
      request.set(key, fmt::format("{}", more));
    }
    return;
  }
  if (key == "bytes" && request.verb != "packed_bytes") {
    Bytes bytes = request.bytes(key);
    change_descriptor(random, bytes, request.verb != "decode");
    request.set(key, to_hex(bytes));
  } else if (key == "type") {
    change_type(random, request);
  } else if (key == "in_off" || key == "out_off") {
    request.set(key, other_offset(random, request, key));
  } else if (key == "scale") {
    request.set(key, fmt::format("{:08x}", odd_float(random)));
  } else if (key == "zero_point" || key == "bias") {
    request.set(
        key, fmt::format("{}", std::clamp<std::int64_t>(odd_integer(random),
                                                        std::numeric_limits<std::int32_t>::min(),
                                                        std::numeric_limits<std::int32_t>::max())));
  } else if (key == "count") {
    if (request.verb == "packed_bytes") {
      request.set(key, fmt::format("{}", static_cast<std::uint64_t>(odd_integer(random))));
    } else if (request.verb != "dequantize_tensor") {
      const auto count = static_cast<std::size_t>(parse_decimal(*request.find(key)).value_or(0));
      request.set(key, fmt::format("{}", other_count(random, count)));
    }
  } else if (is_in(key, {"packed", "values", "in", "q"})) {
    change_elements(random, request);
  } else if (key == "fill") {
    request.set(key, fmt::format("{:02x}", random.below(256)));
  } else if (is_in(key, {"axis", "block_size", "scale_buffer_index", "zero_point_buffer_index"}) &&
             random.below(2) == 0) {
    request.set(key, fmt::format("{}", static_cast<std::uint32_t>(odd_integer(random))));
  } else if (key == "byte_offset" && random.below(2) == 0) {
    request.set(key, fmt::format("{}", static_cast<std::uint64_t>(odd_integer(random))));
  } else if (is_array(key) && !request.find(key)->starts_with("n")) {
    Bytes bytes = request.bytes(key);
    change_number(random, bytes);
    request.set(key, to_hex(bytes));
  } else {
    take_value(random, request, key);
  }
}

void Mutator::add_call_key(Random& random, EditableRequest& request) const {
  const auto verb = values_.find(request.verb);
  if (verb == values_.end()) return;
  std::vector<std::string> keys;
  for (const auto& [key, values] : verb->second) {
    const bool is_dear = is_in(key, {"threads", "repeat", "null", "capacity"});
    if (is_call_key(key) && !is_dear && !request.has(key)) keys.push_back(key);
  }
  if (keys.empty()) return;
  const std::string& key = one_of(random, keys);
  take_value(random, request, key);
  if (key.ends_with("_off")) request.set(key, other_offset(random, request, key));
}

void Mutator::change(Random& random, EditableRequest& request) const {
  if (random.below(12) == 0) {
    add_call_key(random, request);
  } else if ((request.quantizes() || request.dequantizes()) && random.below(8) != 0) {
    change_kernel(random, request);
  } else if (request.verb.ends_with("_tensor") && request.has("bytes") && random.below(3) != 0) {
    change_key(random, request, "bytes");
  } else {
    const std::string key = one_of(random, request.keys).first;
    change_key(random, request, key);
  }
}

std::string Mutator::mutate(Random& random, const std::string& line, unsigned changes) const {
  EditableRequest request(line);
  if (request.keys.empty()) return line;
  for (unsigned i = 0; i < changes; ++i) {
    change(random, request);
    settle_lengths(request);
  }
  return request.line();
}

}  // namespace hurray::conformance
