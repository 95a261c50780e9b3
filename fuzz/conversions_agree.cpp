// SPDX-License-Identifier: Apache-2.0
//
// Do all targets convert foreign tensors as the reference does, and refuse what it refuses?
//
//   offset  0     1           2     3           3 + r
//   field   type  scale type  rank  r sizes     axis, group size, odd, bits, bias, flags, lengths
//
// Each byte chooses from a table, or is a number modulo another; of odd, 240 and more are the group
// size itself. What follows fills weights, scales and plane, one after the other; when it is used
// up it begins anew. Bit 5 of flags: arrays begin behind a page that cannot be touched, else they
// end in front of one.
//
// Not compared: groups that are shorter than the others (A28), and a refusal by `unsupported` of
// planes whose high field comes first (A27).

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "conformance/runner/wire.h"
#include "fuzz/bytes.h"
#include "fuzz/claims.h"
#include "fuzz/guarded.h"
#include "reference/convert.h"
#include "reference/element_type.h"
#include "reference/tensor.h"
#include "reference/tensor_layout.h"

extern "C" const struct hurray_target hurray_target_reference;

namespace hurray::fuzz {
namespace {

constexpr std::uint64_t kMostBlocks = 1024;
constexpr std::uint64_t kMostWeightBytes = 8192;
constexpr std::size_t kMostArray = kMostWeightBytes + 1;
constexpr std::size_t kDescriptorRoom = 1024;

// Bytes from the front; zeros when there are none left.
class Taken {
 public:
  explicit Taken(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  template <typename T, std::size_t count>
  T one_of(const std::array<T, count>& values) {
    return values[byte() % count];
  }
  // The next `count` bytes of what is left, again and again; no byte can be taken afterwards.
  conformance::Bytes bytes(std::size_t count) {
    conformance::Bytes taken(count);
    for (std::size_t i = 0; i < count && !bytes_.empty(); ++i) {
      taken[i] = bytes_[at_++ % bytes_.size()];
    }
    return taken;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// An array of a foreign tensor, and where targets find it.
struct Array {
  conformance::Bytes bytes;
  const std::uint8_t* placed = nullptr;

  bool is_unchanged() const {
    return bytes.empty() || std::memcmp(placed, bytes.data(), bytes.size()) == 0;
  }
};

// Settings that are valid more often than not, and arrays of the right lengths or nearly so.
struct Foreign {
  std::vector<std::uint64_t> shape;
  hurray_foreign_tensor tensor{};
  std::uint64_t blocks = 0;
  std::array<Array, 3> arrays;  // weights, scales, plane

  explicit Foreign(Taken input) {
    tensor.type_tag =
        input.one_of(std::array<std::uint8_t, 8>{0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b, 0x12, 0x47});
    tensor.scale_type_tag = input.one_of(std::array<std::uint8_t, 8>{1, 2, 3, 3, 3, 2, 1, 4});
    shape.resize(input.one_of(std::array<std::uint8_t, 8>{2, 2, 2, 1, 3, 1, 0, 2}));
    for (std::uint64_t& size : shape) {
      size = input.byte();
      size = size >= 250 ? ~std::uint64_t{0} >> (size - 250) * 9 : size % 12;
    }
    tensor.rank = static_cast<std::uint32_t>(shape.size());
    tensor.shape = shape.data();
    tensor.axis = input.one_of(std::array<std::uint32_t, 8>{0, 1, 1, 0, 1, 2, 0, 3});
    tensor.group_size = 1u << input.byte() % 9;
    const std::uint8_t odd = input.byte();
    if (odd >= 240) tensor.group_size = odd - 240;
    // Mostly a whole number of groups.
    if (tensor.axis < tensor.rank && odd < 200 && shape[tensor.axis] < 12) {
      shape[tensor.axis] *= tensor.group_size;
    }
    tensor.zero_point_format.bits =
        input.one_of(std::array<std::uint32_t, 8>{4, 4, 4, 2, 8, 2, 8, 3});
    tensor.zero_point_format.bias =
        input.one_of(std::array<std::int32_t, 8>{1, 1, 0, 1, 0, 2, -1, INT32_MAX});
    const std::uint8_t flags = input.byte();
    tensor.zero_point_format.high_field_first = flags % 8 == 7;
    tensor.group_major = flags >> 3 & 1;
    tensor.word_bytes = (flags >> 4 & 1) != 0 ? 4 : 1;
    const std::uint8_t lengths = input.byte();  // mostly right ones
    fill_arrays(input, lengths);
    place_arrays((flags >> 5 & 1) != 0 ? Guarded::kAtStart : 0);
  }

  bool is_unchanged() const { return std::ranges::all_of(arrays, &Array::is_unchanged); }

 private:
  void fill_arrays(Taken& input, std::uint8_t lengths) {
    ForeignTensor of_reference;
    of_reference.shape = shape;
    of_reference.type_tag = tensor.type_tag;
    of_reference.axis = tensor.axis;
    of_reference.group_size = tensor.group_size;
    blocks = std::min(converted_block_count(of_reference).value_or(3), kMostBlocks);
    Tensor weights;
    weights.rank = tensor.rank;
    std::ranges::copy(shape, weights.shape.begin());
    const auto elements = element_count(weights);
    const auto weight_bytes = elements ? element_bytes(tensor.type_tag, *elements) : std::nullopt;
    const auto nearly = [](std::uint64_t right, unsigned bits) {
      return static_cast<std::size_t>(bits == 3                ? right + 1
                                      : bits == 2 && right > 0 ? right - 1
                                                               : right);
    };
    const std::uint64_t scale_bytes = tensor.scale_type_tag == 3 ? 4 : 2;
    // Enough for a word behind each run of fields.
    const std::uint64_t plane_bytes = blocks * 4 + 4;
    arrays[0].bytes =
        input.bytes(nearly(std::min(weight_bytes.value_or(7), kMostWeightBytes), lengths & 3));
    arrays[1].bytes = input.bytes(nearly(blocks * scale_bytes, lengths >> 2 & 3));
    arrays[2].bytes = input.bytes(static_cast<std::size_t>(
        (lengths >> 4 & 3) == 3 ? plane_bytes * (lengths >> 6) / 8 : plane_bytes));
  }

  void place_arrays(std::size_t place) {
    static std::array<Guarded, 3> memory = {Guarded(kMostArray), Guarded(kMostArray),
                                            Guarded(kMostArray)};
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      arrays[i].placed = memory[i].holding(arrays[i].bytes, place);
    }
    tensor.weights = arrays[0].placed;
    tensor.weights_bytes = arrays[0].bytes.size();
    tensor.scales = arrays[1].placed;
    tensor.scales_bytes = arrays[1].bytes.size();
    tensor.zero_points = arrays[2].placed;
    tensor.zero_points_bytes = arrays[2].bytes.size();
  }
};

struct Outputs {
  Exactly<> descriptor{kDescriptorRoom};
  Exactly<> weights;
  Exactly<float> scales;
  Exactly<std::int32_t> zero_points;
  std::size_t descriptor_bytes = SIZE_MAX;
  hurray_status status = HURRAY_REJECTED;

  Outputs(const Foreign& foreign, const struct hurray_target& target)
      : weights(foreign.tensor.weights_bytes), scales(foreign.blocks), zero_points(foreign.blocks) {
    hurray_converted_tensor out = {descriptor.data(), descriptor.size(), SIZE_MAX,
                                   weights.data(),    scales.data(),     zero_points.data()};
    status = target.convert(&foreign.tensor, &out);
    descriptor_bytes = out.descriptor_bytes;
  }
  bool is_untouched() const {
    return descriptor_bytes == SIZE_MAX && descriptor.is_untouched() && weights.is_untouched() &&
           scales.is_untouched() && zero_points.is_untouched();
  }
};

}  // namespace

std::optional<Mismatch> conversions_agree(Input input, Targets targets) {
  const Foreign foreign{Taken(input)};
  const hurray_foreign_tensor& tensor = foreign.tensor;
  const bool is_partial = tensor.axis < tensor.rank && tensor.group_size != 0 &&
                          tensor.shape[tensor.axis] % tensor.group_size != 0;
  const Outputs expected(foreign, hurray_target_reference);
  for (const hurray_registry_row& row : targets) {
    if (row.target->convert == nullptr) continue;
    const Outputs got(foreign, *row.target);
    const auto mismatch = [&](std::string_view kind) { return Mismatch{kind, row.name, {}}; };
    if (!foreign.is_unchanged()) return mismatch("changes-input");
    if (got.status != HURRAY_OK && !got.is_untouched()) return mismatch("writes-on-error");
    if (is_partial) continue;
    if (got.status == HURRAY_UNSUPPORTED && tensor.zero_point_format.high_field_first != 0)
      continue;
    if (got.status == HURRAY_OK && expected.status != HURRAY_OK)
      return mismatch("converts-invalid");
    if (got.status != HURRAY_OK && expected.status == HURRAY_OK) return mismatch("refuses-valid");
    if (got.status != HURRAY_OK) continue;
    if (got.descriptor_bytes != expected.descriptor_bytes ||
        !got.descriptor.equals(expected.descriptor)) {
      return mismatch("wrong-descriptor");
    }
    if (!got.weights.equals(expected.weights)) return mismatch("wrong-weights");
    if (!got.scales.equals(expected.scales)) return mismatch("wrong-scales");
    if (!got.zero_points.equals(expected.zero_points)) return mismatch("wrong-zero-points");
  }
  return std::nullopt;
}

}  // namespace hurray::fuzz
