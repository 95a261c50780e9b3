// SPDX-License-Identifier: Apache-2.0
//
// What do the files of the reference target share? Descriptors as the table has them and as the
// reference has them, and the functions that the table names. Only arguments are carried over;
// every rule is in reference/.

#ifndef HURRAY_TARGETS_REFERENCE_REFERENCE_TARGET_H
#define HURRAY_TARGETS_REFERENCE_REFERENCE_TARGET_H

#include <cstddef>
#include <cstdint>

#include "hurray_target.h"
#include "reference/choices.h"
#include "reference/findings.h"
#include "reference/quantization.h"
#include "reference/status.h"

namespace hurray::as_target {

inline hurray_status status_of(Status status) {
  return status == Status::kOk ? HURRAY_OK : HURRAY_REJECTED;
}

// A reader: what should be refused is refused, and what is open is accepted.
inline hurray_status status_of(const Findings& findings) {
  return findings.has_at_least(Severity::kSoft) ? HURRAY_REJECTED : HURRAY_OK;
}

inline Mode mode_of(std::uint32_t mode) {
  return mode == HURRAY_MODE_PERMISSIVE ? Mode::kPermissive : Mode::kStrict;
}

// --- reference_schemes.cpp

hurray_descriptor to_table(const Quantization& quantization);
// Fields that the scheme does not have are lost.
Quantization from_table(const hurray_descriptor& descriptor);
// Whether none is lost that is not zero.
bool has_own_fields_only(const hurray_descriptor& descriptor);

hurray_status decode(std::uint8_t type_tag, const std::uint8_t* bytes, std::size_t length,
                     hurray_descriptor* out);
hurray_status encode(std::uint8_t type_tag, const hurray_descriptor* descriptor, std::uint8_t* out,
                     std::size_t capacity, std::size_t* written);

// --- reference_elements.cpp

hurray_status pack(std::uint8_t type_tag, const std::int64_t* values, std::size_t count,
                   std::uint8_t* out);
hurray_status unpack(std::uint8_t type_tag, const std::uint8_t* packed, std::size_t count,
                     std::int64_t* values);
hurray_status packed_bytes(std::uint8_t type_tag, std::uint64_t count, std::uint64_t* bytes);
hurray_status widen(std::uint8_t type_tag, const std::uint8_t* packed, std::size_t count,
                    float* out);

// --- reference_tensors.cpp

hurray_status decode_tensor(std::uint32_t mode, const std::uint8_t* bytes, std::size_t length,
                            hurray_tensor* out);
hurray_status encode_tensor(const hurray_tensor* tensor, std::uint8_t* out, std::size_t capacity,
                            std::size_t* written);
hurray_status dequantize_tensor(std::uint32_t mode, const hurray_tensor* tensor,
                                const hurray_tensor_buffers* buffers, float* out,
                                std::size_t count);

// --- reference_conversion.cpp

hurray_status normalize(const hurray_zero_point_format* format, const std::uint8_t* packed,
                        std::size_t packed_bytes, std::size_t count, std::int32_t* out);
hurray_status convert(const hurray_foreign_tensor* foreign, hurray_converted_tensor* out);

}  // namespace hurray::as_target

#endif  // HURRAY_TARGETS_REFERENCE_REFERENCE_TARGET_H
