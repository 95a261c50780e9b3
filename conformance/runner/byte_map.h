// SPDX-License-Identifier: Apache-2.0
//
// What is each byte of a descriptor, for a person? Fields with their offsets, names and values in
// words, section by section, as far as the lengths that the bytes state can be followed. Any bytes
// have a map. Judges nothing: the reference does, and inspect.h brings both together.

#ifndef HURRAY_CONFORMANCE_BYTE_MAP_H
#define HURRAY_CONFORMANCE_BYTE_MAP_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hurray::conformance {

// In the order of the bytes.
enum class Section : std::uint8_t {
  kHeader,
  kShape,
  kLayout,
  kBufferTable,
  kQuantization,
  kShard,
  kStatistics,
  kExtensionType,
  kCompositeMember,
  kTrailing,  // behind the last section, before descriptor_length
  kUnread,    // nobody can say, because what comes before is not understood
  kBehind,    // behind descriptor_length
};
inline constexpr std::size_t kSectionCount = 12;
std::string_view name_of(Section section);

struct MapField {
  Section section{};
  std::size_t offset = 0;
  std::size_t bytes = 0;    // that the format gives it
  std::size_t present = 0;  // of those, how many are there
  std::string name;         // as the specification spells it: `buffers[1].alignment`
  std::string value;        // in words; may be empty

  bool is_whole() const { return present == bytes; }
};

struct ByteMap {
  std::vector<MapField> fields;  // those that are there cover every byte once, in order

  // Index of the field with this name.
  std::optional<std::size_t> find(Section section, std::string_view name) const;
  // The first field that lies behind the end of the descriptor, with all or some of its bytes.
  std::optional<std::size_t> first_cut() const;
};

// The descriptor at the start of `bytes`, with or without the magic.
ByteMap map_tensor(std::span<const std::uint8_t> bytes);

// A quantization descriptor alone. Fields behind the end are there as missing ones.
ByteMap map_quantization(std::span<const std::uint8_t> bytes);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_BYTE_MAP_H
