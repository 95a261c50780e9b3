// SPDX-License-Identifier: Apache-2.0
//
// Tensors for families: a descriptor that is put together from its parts, valid bases for every
// scheme, and the requests about them. Every negative case is a base with one edit.

#ifndef HURRAY_CONFORMANCE_FAMILIES_TENSORS_H
#define HURRAY_CONFORMANCE_FAMILIES_TENSORS_H

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/runner/families/families.h"
#include "conformance/runner/wire.h"

namespace hurray::conformance {

// What loops over tags, versions and other bytes run through.
using Octets = std::initializer_list<std::uint8_t>;

inline constexpr std::uint32_t kNoIndex = 0xffffffff;
inline constexpr std::uint64_t kDynamic = ~std::uint64_t{0};

// One entry of the buffer table.
struct Handle {
  std::uint64_t byte_size = 0;
  std::uint32_t alignment = 64;
  std::uint8_t device_tag = 0, sync_mode = 0, memory_class = 0, reserved = 0;
};

// A quantization descriptor of a scheme with an axis, under the names of the wire format.
struct SchemeSection {
  std::uint8_t scheme_tag = 2;
  std::uint8_t scheme_version = 1;
  std::uint16_t flags = 0;
  std::uint32_t axis = 0;
  std::uint32_t block_size = 8;
  std::uint32_t scale_buffer_index = 1;
  std::uint32_t zero_point_buffer_index = 2;
  std::uint8_t scale_type_tag = 3;

  Bytes bytes() const;
  // `scheme=… flags=… axis=…`, as encode and encode_tensor are asked.
  std::string keys() const;
};

struct TensorParts {
  std::uint8_t version_major = 1, version_minor = 0;
  std::uint8_t type = 0x10;
  std::uint8_t layout = 1;
  std::vector<std::uint64_t> shape;
  std::vector<std::int64_t> strides;
  std::uint64_t byte_offset = 0;
  std::vector<Handle> buffers;
  std::optional<Bytes> quantization;
  std::vector<std::uint64_t> parent_shape, shard_offset;  // both or none
  std::optional<Bytes> statistics, extension_type, member;
  Bytes trailing;                               // behind the last section, counted in the length
  std::uint32_t more_flags = 0;                 // set beside those that the sections ask for
  std::optional<std::uint32_t> length;          // instead of the right one
  std::optional<std::uint32_t> section_length;  // of the quantization section, likewise

  Bytes bytes() const;
};

// Valid tensors with small shapes, one of each scheme.
TensorParts plain_tensor();        // float32 [3, 4], not quantized
TensorParts per_tensor_tensor();   // int8 [2, 4]
TensorParts per_channel_tensor();  // int8 [3, 4], axis 1
TensorParts per_block_tensor();    // the recipe's: int8 [2, 16], axis 1, blocks of 8
TensorParts nf4_tensor();          // uint4 [2, 16], axis 1, blocks of 8
TensorParts mxfp_tensor();         // float8_e4m3 [2, 32], axis 1, blocks of 16
// Their descriptors, for edits.
SchemeSection per_channel_section();
SchemeSection per_block_section();
SchemeSection nf4_section();
SchemeSection mxfp_section();

struct SchemeBase {
  std::string_view name;  // "pca", "pba", "nf4", "mxfp"
  TensorParts (*tensor)();
  SchemeSection (*section)();
};
std::span<const SchemeBase> scheme_bases();

std::string decode_tensor_request(const TensorParts& parts);
std::string decode_tensor_request(std::span<const std::uint8_t> bytes);
// The scheme's keys as SchemeSection::keys gives them, or those of per-tensor affine, or none.
std::string encode_tensor_request(const TensorParts& parts, const std::string& scheme_keys);
std::string dequantize_tensor_request(const TensorParts& parts, std::size_t count,
                                      std::span<const Bytes> buffers);

// Bytes of packed elements.
inline std::size_t bytes_of(const ElementTypeInfo& type, std::size_t count) {
  return static_cast<std::size_t>(element_bytes(type.tag, count).value());
}
// Every pattern of a type of up to 8 bits, in order.
Bytes every_code(const ElementTypeInfo& type);

// Seeded bytes.
Bytes noise(std::size_t bytes, std::uint64_t seed);

// The families of one scheme have its base: of<2, make> is about per-channel affine.
using MakeOfScheme = std::vector<Draft> (*)(const SchemeBase&);
template <std::size_t scheme_tag, MakeOfScheme make>
std::vector<Draft> of() {
  return make(scheme_bases()[scheme_tag - 2]);
}

// A descriptor as it stands, and one from a base with one edit.
Draft of_bytes(const std::string& name, std::span<const std::uint8_t> bytes);
Draft of_tensor(const std::string& name, const TensorParts& parts);
using Edit = std::function<void(TensorParts&)>;
Draft edited(const std::string& name, const TensorParts& base, const Edit& edit);

// Arrays as bytes, little-endian.
Bytes le64(std::span<const std::uint64_t> values);
Bytes le32(std::span<const std::uint32_t> values);

std::span<const Family> scheme_families();
std::span<const Family> element_families();
std::span<const Family> tensor_header_families();
std::span<const Family> tensor_buffer_families();
std::span<const Family> tensor_section_families();
std::span<const Family> tensor_scheme_families();
std::span<const Family> tensor_value_families();
std::span<const Family> block_value_families();
std::span<const Family> tensor_writer_families();
std::span<const Family> tensor_call_families();
std::span<const Family> tensor_shape_families();
std::span<const Family> tensor_survey_families();
std::span<const Family> edited_tensor_survey_families();
std::span<const Family> conversion_families();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FAMILIES_TENSORS_H
