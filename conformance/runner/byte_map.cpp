// SPDX-License-Identifier: Apache-2.0
//
// The walk over the bytes, see byte_map.h. Each field moves one cursor; from the first one that is
// cut on, sections have a single missing field, because where more would lie is not known.

#include "conformance/runner/byte_map.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "conformance/runner/field_words.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/tensor.h"

namespace hurray::conformance {
namespace {

constexpr std::array<std::string_view, kSectionCount> kSectionNames = {
    "header",           "shape",          "layout",     "buffer table",
    "quantization",     "shard",          "statistics", "extension type",
    "composite member", "trailing bytes", "not read",   "behind the descriptor"};

using Words = std::function<std::string(const std::uint8_t*)>;

std::string no_words(const std::uint8_t*) { return {}; }
Words reserved_words(std::size_t bytes) {
  return [bytes](const std::uint8_t* from) {
    const bool is_zero = std::all_of(from, from + bytes, [](std::uint8_t b) { return b == 0; });
    return std::string(is_zero ? "" : "not zero");
  };
}
std::string number8(const std::uint8_t* from) { return fmt::format("{}", *from); }
std::string number32(const std::uint8_t* from) { return fmt::format("{}", load_le32(from)); }
std::string number64(const std::uint8_t* from) { return fmt::format("{}", load_le64(from)); }
std::string bytes64(const std::uint8_t* from) { return byte_count_words(load_le64(from)); }
std::string dimension(const std::uint8_t* from) { return dimension_words(load_le64(from)); }
std::string index32(const std::uint8_t* from) { return buffer_index_words(load_le32(from)); }
std::string type_name(const std::uint8_t* from) { return std::string(element_type_name(*from)); }

class Walk {
 public:
  Walk(std::span<const std::uint8_t> bytes, ByteMap& map) : bytes_(bytes), map_(map) {}

  bool is_cut() const { return is_cut_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }

  // The bytes of the field if it is all there, else null.
  const std::uint8_t* field(Section section, std::string name, std::size_t bytes,
                            const Words& words) {
    const std::size_t present = std::min(bytes, left());
    const std::uint8_t* const from = bytes_.data() + at_;
    const bool is_whole = present == bytes;
    map_.fields.push_back(
        {section, at_, bytes, present, std::move(name), is_whole ? words(from) : std::string()});
    at_ += present;
    is_cut_ = is_cut_ || !is_whole;
    return is_whole ? from : nullptr;
  }

  // A field of each of `count` numbers, up to the first that is cut.
  void numbers(Section section, std::string_view name, std::uint32_t count, const Words& words) {
    for (std::uint32_t i = 0; i < count && !is_cut_; ++i) {
      field(section, fmt::format("{}[{}]", name, i), 8, words);
    }
  }

  // What is left, if anything, as one field.
  void rest(Section section, std::string name, std::string value = {}) {
    if (left() == 0) return;
    field(section, std::move(name), left(), [&](const std::uint8_t*) { return value; });
  }

  // From here on as if there were only these bytes, which begin where all of them do.
  void set_bytes(std::span<const std::uint8_t> bytes) {
    bytes_ = bytes;
    is_cut_ = false;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  ByteMap& map_;
  std::size_t at_ = 0;
  bool is_cut_ = false;
};

struct SchemeField {
  std::string_view name;
  std::size_t bytes;
  Words words;
};

// What follows the four bytes of the header.
std::vector<SchemeField> fields_of_scheme(std::uint8_t scheme_tag) {
  const SchemeField axis = {"axis", 4, number32};
  const SchemeField block_size = {"block_size", 4, number32};
  const SchemeField scales = {"scale_buffer_index", 4, index32};
  const SchemeField zero_points = {"zero_point_buffer_index", 4, index32};
  const SchemeField scale_type = {"scale_type_tag", 1, type_name};
  const SchemeField reserved = {"_reserved", 3, reserved_words(3)};
  switch (scheme_tag) {
    case kSchemePerTensorAffine:
      return {
          {"scale", 4, [](const std::uint8_t* from) { return scale_words(load_binary32(from)); }},
          {"zero_point", 4,
           [](const std::uint8_t* from) {
             return fmt::format("{}", static_cast<std::int32_t>(load_le32(from)));
           }},
          {"_reserved", 4, reserved_words(4)}};
    case kSchemePerChannelAffine:
      return {axis, scales, zero_points, scale_type, reserved};
    case kSchemePerBlockAffine:
      return {axis, block_size, scales, zero_points, scale_type, reserved};
    case kSchemeNf4:
    case kSchemeMxfp:
      return {axis, block_size, scales};
    default:
      return {};
  }
}

void walk_scheme(Walk& walk) {
  constexpr Section kHere = Section::kQuantization;
  std::uint8_t scheme_tag = 0;
  walk.field(kHere, "scheme_tag", 1, [&](const std::uint8_t* from) {
    scheme_tag = *from;
    return std::string(scheme_name(*from));
  });
  walk.field(kHere, "scheme_version", 1, number8);
  walk.field(kHere, "flags", 2, [&](const std::uint8_t* from) {
    return scheme_flags_words(scheme_tag, load_le16(from));
  });
  for (const SchemeField& each : fields_of_scheme(scheme_tag)) {
    walk.field(kHere, std::string(each.name), each.bytes, each.words);
  }
  const std::string skipped =
      fmt::format("{}, skipped or refused (ruling A12)", byte_count_words(walk.left()));
  const bool is_known = is_known_scheme(scheme_tag);
  walk.rest(kHere, is_known ? "behind the fields" : "fields of an unknown scheme",
            is_known ? skipped : std::string());
}

// Whether rank and layout are such that the fields behind them have known places.
bool walk_header(Walk& walk, std::size_t all_bytes, Tensor& header) {
  constexpr Section kHere = Section::kHeader;
  walk.field(kHere, "magic", 4, [](const std::uint8_t* from) {
    return std::string(load_le32(from) == 0x59525248 ? "HRRY" : "not HRRY");
  });
  const auto* const major = walk.field(kHere, "version_major", 1, number8);
  walk.field(kHere, "version_minor", 1, number8);
  const auto* const length =
      walk.field(kHere, "descriptor_length", 4, [&](const std::uint8_t* from) {
        return fmt::format("{}, of {} that are there", byte_count_words(load_le32(from)),
                           all_bytes);
      });
  const auto* const flags = walk.field(kHere, "flags", 4, [](const std::uint8_t* from) {
    return tensor_flags_words(load_le32(from));
  });
  walk.field(kHere, "type_tag", 1, type_name);
  const auto* const layout = walk.field(kHere, "layout_tag", 1, [](const std::uint8_t* from) {
    return std::string(layout_name(*from));
  });
  const auto* const rank = walk.field(kHere, "rank", 4, number32);
  if (rank == nullptr) return false;
  header.descriptor_length = load_le32(length);
  header.flags = load_le32(flags);
  header.layout_tag = *layout;
  header.rank = load_le32(rank);
  return *major <= 1 && header.rank <= kMostRank && header.layout_tag >= kLayoutRowMajor &&
         header.layout_tag <= kLayoutStrided;
}

void walk_buffer_table(Walk& walk) {
  constexpr Section kHere = Section::kBufferTable;
  const auto* const count = walk.field(kHere, "buffer_count", 1, number8);
  if (count == nullptr) return;
  for (unsigned i = 0; i < *count && !walk.is_cut(); ++i) {
    const auto name = [&](std::string_view member) {
      return fmt::format("buffers[{}].{}", i, member);
    };
    walk.field(kHere, name("byte_size"), 8, bytes64);
    walk.field(kHere, name("alignment"), 4, number32);
    walk.field(kHere, name("device_tag"), 1,
               [](const std::uint8_t* from) { return std::string(device_name(*from)); });
    walk.field(kHere, name("sync_mode"), 1, number8);
    walk.field(kHere, name("memory_class"), 1, number8);
    walk.field(kHere, name("_reserved"), 1, reserved_words(1));
  }
}

void walk_quantization(Walk& walk, std::span<const std::uint8_t> all) {
  const auto* const length =
      walk.field(Section::kQuantization, "quantization_length", 4,
                 [](const std::uint8_t* from) { return byte_count_words(load_le32(from)); });
  if (length == nullptr) return;
  const std::size_t bytes = load_le32(length);
  if (bytes > walk.left()) {  // its end is not there, and its fields may be
    walk_scheme(walk);
    walk.field(Section::kQuantization, "end of the section", 1, no_words);
    return;
  }
  // A section may be too short for its fields; what follows it belongs to the next one.
  walk.set_bytes(all.first(walk.at() + bytes));
  walk_scheme(walk);
  walk.set_bytes(all);
}

}  // namespace

std::string_view name_of(Section section) {
  return kSectionNames[static_cast<std::size_t>(section)];
}

std::optional<std::size_t> ByteMap::find(Section section, std::string_view name) const {
  const auto found = std::ranges::find_if(fields, [&](const MapField& field) {
    return field.section == section && field.name == name;
  });
  if (found == fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields.begin());
}

std::optional<std::size_t> ByteMap::first_cut() const {
  // A quantization section that is too short for its fields is followed by others that are there.
  std::optional<std::size_t> cut;
  for (std::size_t i = fields.size(); i-- > 0;) {
    if (fields[i].section == Section::kBehind) continue;
    if (fields[i].is_whole()) break;
    cut = i;
  }
  return cut;
}

ByteMap map_quantization(std::span<const std::uint8_t> bytes) {
  ByteMap map;
  Walk walk(bytes, map);
  walk_scheme(walk);
  return map;
}

ByteMap map_tensor(std::span<const std::uint8_t> bytes) {
  ByteMap map;
  Walk walk(bytes, map);
  Tensor header;
  const bool goes_on = walk_header(walk, bytes.size(), header);
  // A length that does not even cover the header says nothing.
  const std::span<const std::uint8_t> own =
      header.descriptor_length < kTensorHeaderBytes || header.descriptor_length > bytes.size()
          ? bytes
          : bytes.first(header.descriptor_length);
  if (walk.is_cut()) return map;
  walk.set_bytes(own);

  if (!goes_on) {
    walk.rest(Section::kUnread, "not read", "what is in front of it is not understood");
  } else {
    walk.numbers(Section::kShape, "shape", header.rank, dimension);
    if (!walk.is_cut()) walk.field(Section::kShape, "byte_offset", 8, bytes64);
    if (header.layout_tag == kLayoutStrided) {
      walk.numbers(Section::kLayout, "strides", header.rank, [](const std::uint8_t* from) {
        const auto stride = static_cast<std::int64_t>(load_le64(from));
        return fmt::format("{} element{}", stride, stride == 1 ? "" : "s");
      });
    }
    if (!walk.is_cut()) walk_buffer_table(walk);
    const auto has = [&](std::uint32_t flag) { return (header.flags & flag) != 0; };
    if (has(kHasQuantization)) walk_quantization(walk, own);
    // Behind a cut there is nothing left, so each of these is missing once.
    if (has(kHasShard)) {
      if (header.rank > 0 && walk.left() == 0) {
        walk.field(Section::kShard, "parent_shape[0]", 8, dimension);
      } else {
        walk.numbers(Section::kShard, "parent_shape", header.rank, dimension);
        walk.numbers(Section::kShard, "shard_offset", header.rank, number64);
      }
    }
    if (has(kHasStatistics)) {
      walk.field(Section::kStatistics, "mask", 4,
                 [](const std::uint8_t* from) { return statistics_mask_words(load_le32(from)); });
      walk.field(Section::kStatistics, "values", kStatisticsBytes - 4, no_words);
    }
    if (has(kHasExtensionType)) {
      walk.field(Section::kExtensionType, "extension type", kExtensionTypeBytes, no_words);
    }
    if (has(kHasCompositeMember)) {
      walk.field(Section::kCompositeMember, "member_role", 1,
                 [](const std::uint8_t* from) { return member_role_words(*from); });
      walk.field(Section::kCompositeMember, "_reserved", kCompositeMemberBytes - 1,
                 reserved_words(kCompositeMemberBytes - 1));
    }
    walk.rest(Section::kTrailing, "trailing bytes", "announced by no flag");
  }
  walk.set_bytes(bytes);
  walk.rest(Section::kBehind, "behind the descriptor", "not looked at");
  return map;
}

}  // namespace hurray::conformance
