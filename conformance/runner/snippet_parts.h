// SPDX-License-Identifier: Apache-2.0
//
// What do the reproductions of all operations share? Arrays and descriptors as C spells them.

#ifndef HURRAY_CONFORMANCE_SNIPPET_PARTS_H
#define HURRAY_CONFORMANCE_SNIPPET_PARTS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "conformance/runner/oracle.h"
#include "conformance/runner/snippet.h"

namespace hurray::conformance {

// What is shown of an array: two vectors of 512 bits, in bytes. Of a descriptor, whose last bytes
// matter as much, all of those that people look at.
inline constexpr std::size_t kMostElements = 128;
inline constexpr std::size_t kMostOfDescriptor = 256;
// Stands where an array is cut.
inline constexpr const char* kCutMark = " /* and ";

// `static const unsigned char name[4] = {0x00, …};`, with its whole length although it may be cut.
std::string byte_array(const std::string& name, std::span<const std::uint8_t> bytes, Arrays arrays,
                       std::size_t most = kMostElements);
// The same of the little-endian numbers in `bytes`, as `type`.
std::string number_array(const std::string& name, const std::string& type, std::size_t width,
                         std::span<const std::uint8_t> bytes, Arrays arrays);

// `{.scheme_tag = 3, …}` of the keys that go with the scheme; `scale` is a variable then.
std::string descriptor_of(const ReadRequest& request);
// The variable, for scheme 01.
std::string scale_of(const ReadRequest& request);
std::string zero_point_of(const ReadRequest& request);

// pack, unpack, packed_bytes, widen
std::string element_snippet(const ReadRequest& request, Arrays arrays);
// decode_tensor, encode_tensor, dequantize_tensor
std::string tensor_snippet(const ReadRequest& request, Arrays arrays);
// convert
std::string conversion_snippet(const ReadRequest& request, Arrays arrays);

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_SNIPPET_PARTS_H
