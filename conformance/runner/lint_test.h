// SPDX-License-Identifier: Apache-2.0
//
// Tensor files for the tests of `lint`: laid out part by part, and planes quantized from Gaussian
// weights as toolchains do it.

#ifndef HURRAY_CONFORMANCE_LINT_TEST_H
#define HURRAY_CONFORMANCE_LINT_TEST_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "conformance/runner/lint.h"
#include "conformance/runner/wire.h"
#include "reference/byte_order.h"
#include "reference/element_type.h"
#include "reference/tensor.h"

namespace hurray::conformance {

// A tensor and its buffers, whose sizes go into the table by themselves.
struct LintedTensor {
  Tensor tensor;
  std::vector<Bytes> buffers;

  Bytes file() const {
    Tensor written = tensor;
    written.buffer_count = static_cast<std::uint32_t>(buffers.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      written.buffers[i].byte_size = buffers[i].size();
    }
    Bytes bytes(1024);
    std::size_t length = 0;
    EXPECT_EQ(encode_tensor(written, bytes, length), Status::kOk);
    bytes.resize(length);
    for (const Bytes& buffer : buffers) {
      bytes.resize((bytes.size() + 63) / 64 * 64);
      bytes.insert(bytes.end(), buffer.begin(), buffer.end());
    }
    return bytes;
  }
};

inline Bytes packed(std::uint8_t type_tag, const std::vector<std::int64_t>& codes) {
  Bytes bytes(element_bytes(type_tag, codes.size()).value());
  EXPECT_EQ(pack_elements(type_tag, codes, bytes), Status::kOk);
  return bytes;
}
inline Bytes floats(const std::vector<float>& values) {
  Bytes bytes(4 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) store_binary32(&bytes[4 * i], values[i]);
  return bytes;
}
inline Bytes int32s(const std::vector<std::int32_t>& values) {
  Bytes bytes(4 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_le32(&bytes[4 * i], static_cast<std::uint32_t>(values[i]));
  }
  return bytes;
}

// The same on every machine, unlike std::normal_distribution.
class Gaussian {
 public:
  explicit Gaussian(std::uint64_t seed) : engine_(seed) {}
  double operator()() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }

 private:
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  std::mt19937_64 engine_;
};

enum class Plane { kSymmetric, kAsymmetric };

// Blocks of Gaussian weights, rounded to the nearest code. `stored_offset` is added to each zero
// point when it is stored: 0 as it has to be, -1 as in a file of the GPTQ family.
struct PlaneSettings {
  Plane plane = Plane::kSymmetric;
  unsigned bits = 4;
  std::size_t blocks = 64;
  std::size_t group = 32;
  std::int32_t stored_offset = 0;
  std::uint8_t type_tag = 0x49;
};
struct PlaneOf {
  std::vector<std::int64_t> codes;
  std::vector<float> scales;
  std::vector<std::int32_t> zero_points;
};
inline PlaneOf quantized_plane(const PlaneSettings& settings, Gaussian& gaussian) {
  PlaneOf plane;
  const double most = static_cast<double>((1u << settings.bits) - 1);
  std::vector<double> weights(settings.group);
  for (std::size_t block = 0; block < settings.blocks; ++block) {
    for (double& weight : weights) weight = 0.02 * gaussian();
    const auto [low, high] = std::ranges::minmax(weights);
    double scale, zero_point;
    if (settings.plane == Plane::kSymmetric) {
      scale = 2 * std::max(-low, high) / most;
      zero_point = (most + 1) / 2;
    } else {
      scale = (std::max(high, 0.0) - std::min(low, 0.0)) / most;
      zero_point = std::round(-std::min(low, 0.0) / scale);
    }
    for (const double weight : weights) {
      plane.codes.push_back(static_cast<std::int64_t>(
          std::clamp(std::round(weight / scale) + zero_point, 0.0, most)));
    }
    plane.scales.push_back(static_cast<float>(scale));
    plane.zero_points.push_back(static_cast<std::int32_t>(zero_point) + settings.stored_offset);
  }
  return plane;
}

// One row of the weights, blocks along it.
inline LintedTensor per_block_parts(const PlaneSettings& settings, const PlaneOf& plane) {
  LintedTensor parts;
  parts.tensor.type_tag = settings.type_tag;
  parts.tensor.flags = kHasQuantization;
  parts.tensor.rank = 2;
  parts.tensor.shape = {1, settings.blocks * settings.group};
  parts.tensor.quantization.scheme_tag = kSchemePerBlockAffine;
  parts.tensor.quantization.per_block_affine = {0, 1, static_cast<std::uint32_t>(settings.group),
                                                1, 2, 3};
  parts.buffers = {packed(settings.type_tag, plane.codes), floats(plane.scales),
                   int32s(plane.zero_points)};
  return parts;
}
inline LintedTensor per_block_parts(const PlaneSettings& settings, std::uint64_t seed = 1) {
  Gaussian gaussian(seed);
  return per_block_parts(settings, quantized_plane(settings, gaussian));
}

// Ids of what was found, in order; `nothing` if there is none.
inline std::string ids_of(const LintReport& report) {
  std::string ids;
  for (const LintFinding& each : report.findings) ids += (ids.empty() ? "" : " ") + each.id;
  if (!report.problem.empty()) return "problem: " + report.problem;
  return ids.empty() ? "nothing" : ids;
}
inline std::string ids_of(const LintedTensor& parts) { return ids_of(lint(parts.file())); }

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_LINT_TEST_H
