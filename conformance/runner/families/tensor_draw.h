// SPDX-License-Identifier: Apache-2.0
//
// Tensors drawn from a seed over all schemes, types, layouts, ranks and sections together, for the
// families of tensor_survey.cpp.
//
// The reference says which draws are valid and how large their buffers are. What has to come out of
// them is computed afterwards, as of every case, and by the second oracle as well.

#ifndef HURRAY_CONFORMANCE_FAMILIES_TENSOR_DRAW_H
#define HURRAY_CONFORMANCE_FAMILIES_TENSOR_DRAW_H

#include <array>

#include "conformance/runner/families/tensors.h"
#include "reference/tensor.h"

namespace hurray::conformance {

struct Drawn {
  TensorParts parts;
  std::string scheme_keys;  // as encode_tensor is asked; empty without quantization
  Tensor tensor;            // the same, as the reference reads it
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  // One that no reader has a reason to refuse.
  Drawn valid();
  // Contents that every reader takes: finite scales, zero points of the type, no unused bits.
  std::vector<Bytes> buffers_of(const Drawn& drawn);

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

 private:
  template <typename T, std::size_t count>
  T one_of(const std::array<T, count>& values) {
    return values[below(count)];
  }

  std::uint8_t type();
  void draw_shape(TensorParts& parts);
  // Strides of some order of the dimensions, with gaps, backwards, and repeating.
  void draw_layout(TensorParts& parts);
  void draw_scheme(Drawn& drawn);
  void draw_sections(TensorParts& parts);
  // Sizes of all buffers. False if the draw has come to nothing.
  bool settle(Drawn& drawn);
  void fill_scales(const Tensor& tensor, std::vector<Bytes>& buffers);
  void fill_zero_points(const Tensor& tensor, std::vector<Bytes>& buffers);
  // The last byte, or group of three, of the elements is cleared if bits behind them are set.
  static void clear_unused_bits(const Tensor& tensor, std::vector<Bytes>& buffers);

  Random random_;
  std::uint8_t scheme_ = 0;
  std::uint32_t axis_ = 0;
  std::uint32_t block_size_ = 0;
};

// Some watch what is written beside the output, some what is read behind the descriptor.
inline std::string_view watch(std::uint64_t seed) {
  constexpr std::array<std::string_view, 4> kWatched = {"", " fill=a5", " guard=after",
                                                        " fill=5a guard=before"};
  return kWatched[seed % kWatched.size()];
}

}  // namespace hurray::conformance

#endif  // HURRAY_CONFORMANCE_FAMILIES_TENSOR_DRAW_H
