// SPDX-License-Identifier: Apache-2.0
//
// The mistakes that the classifier tries. Each row recomputes one output element the wrong way.

#ifndef HURRAY_CONFORMANCE_HYPOTHESES_H
#define HURRAY_CONFORMANCE_HYPOTHESES_H

#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/runner/oracle.h"
#include "reference/element_type.h"

namespace hurray::conformance {

// One element of a dequantizing request.
struct DequantizeInput {
  const ReadRequest& request;
  const StorageTypeInfo& info;
  std::size_t index;
  std::int64_t q;
};
struct DequantizeMistake {
  std::string_view name;
  float (*output)(const DequantizeInput&);
};
std::span<const DequantizeMistake> dequantize_mistakes();

// One element of a quantizing request.
struct QuantizeInput {
  const StorageTypeInfo& info;
  float x;
  float scale;
  std::int32_t zero_point;
};
struct QuantizeMistake {
  std::string_view name;
  std::int64_t (*output)(const QuantizeInput&);
};
std::span<const QuantizeMistake> quantize_mistakes();

// One field of a foreign zero-point plane.
struct NormalizeInput {
  const ReadRequest& request;
  std::size_t index;
};
struct NormalizeMistake {
  std::string_view name;
  std::int64_t (*output)(const NormalizeInput&);
};
std::span<const NormalizeMistake> normalize_mistakes();

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_HYPOTHESES_H
