// SPDX-License-Identifier: Apache-2.0
//
// Are the calls that rows about elements, tensors and conversion are made of scalar's, as long as
// their rule changes nothing? Otherwise each would have a fault that no row names.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

extern "C" {
#include "faults/element_calls.h"
#include "faults/tensor_calls.h"
}
#include "faults/faults.h"

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Bytes = std::vector<uint8_t>;
const struct hurray_target& scalar = hurray_target_scalar;

struct hurray_tensor tensor_of(uint8_t scheme, uint8_t type, uint8_t layout, uint32_t axis) {
  struct hurray_tensor t = {};
  t.type_tag = type;
  t.layout_tag = layout;
  t.flags = HURRAY_HAS_QUANTIZATION;
  t.rank = 3;
  const uint64_t shape[3] = {16, 32, 16};
  uint64_t stride = 1;
  for (uint32_t i = 3; i-- > 0;) {
    t.shape[i] = shape[i];
    t.strides[i] = static_cast<int64_t>(stride);
    stride *= shape[i] + 1;  // gaps
  }
  const uint64_t entries = scheme == 2 ? shape[axis] : 16 * 32 * 16 / 16;
  t.byte_offset = 3;
  t.buffer_count = scheme <= 3 ? 3 : 2;
  t.buffers[0] = {layout == 3 ? 16384u : 8192u + 3u, 64, 0, 0, 0};
  t.buffers[1] = {entries * (scheme == 5 ? 1 : 4), 64, 0, 0, 0};
  t.buffers[2] = {entries * 4, 64, 0, 0, 0};
  t.quantization.scheme_tag = scheme;
  t.quantization.axis = axis;
  t.quantization.scale_buffer_index = 1;
  if (scheme != 2) t.quantization.block_size = 16;
  if (scheme <= 3) {
    t.quantization.scale_type_tag = 3;
    t.quantization.zero_point_buffer_index = 2;
  }
  return t;
}

std::array<Bytes, 3> contents_of(const struct hurray_tensor& t) {
  std::mt19937 random(t.quantization.scheme_tag + t.type_tag);
  std::array<Bytes, 3> buffers;
  for (uint32_t i = 0; i < t.buffer_count; ++i) {
    buffers[i].resize(t.buffers[i].byte_size);
    for (size_t at = 0; at < buffers[i].size(); ++at) {
      buffers[i][at] = static_cast<uint8_t>(random());
      // Floats between 2^-13 and 2, bytes of MXFP around 1, zero points of one byte.
      if (i == 1 && t.quantization.scheme_tag == 5) buffers[i][at] = 100 + buffers[i][at] % 50;
      if (i == 1 && t.quantization.scheme_tag != 5 && at % 4 == 3) buffers[i][at] = 0x3c;
      if (i == 2) buffers[i][at] = at % 4 == 0 ? buffers[i][at] % 2 : 0;
    }
  }
  return buffers;
}

float computed(const struct fault_value* e) {
  return fault_computed(e, e->pattern, e->scale, e->zero_point);
}
void handed_on(struct fault_handed* v) {
  for (uint32_t i = 0; i < 3; ++i) fault_own(v, i);
}

// Every scheme, axis and layout, by the rule of this folder and by scalar.
TEST(TensorCalls, AnElementIsWhereScalarFindsIt) {
  for (const auto& [scheme, type] : std::vector<std::pair<uint8_t, uint8_t>>{{2, 0x10},
                                                                             {2, 0x48},
                                                                             {2, 0x4b},
                                                                             {3, 0x11},
                                                                             {3, 0x49},
                                                                             {4, 0x49},
                                                                             {5, 0x40},
                                                                             {5, 0x45}}) {
    for (const uint8_t layout : std::initializer_list<uint8_t>{1, 2, 3}) {
      for (const uint32_t axis : {0u, 1u, 2u}) {
        const struct hurray_tensor t = tensor_of(scheme, type, layout, axis);
        const std::array<Bytes, 3> contents = contents_of(t);
        const uint8_t* bytes[3] = {contents[0].data(), contents[1].data(), contents[2].data()};
        const uint64_t sizes[3] = {contents[0].size(), contents[1].size(), contents[2].size()};
        const struct hurray_tensor_buffers buffers = {t.buffer_count, bytes, sizes};
        std::vector<float> want(8192), got(8192), handed(8192);
        ASSERT_EQ(scalar.dequantize_tensor(1, &t, &buffers, want.data(), 8192), HURRAY_OK)
            << int{scheme} << " " << int{type} << " " << int{layout} << " " << axis;
        struct fault_call call = {};
        call.op = kDequantizeTensor;
        call.mode = 1;
        call.in = &t;
        call.buffers = &buffers;
        call.count = 8192;
        call.out = got.data();
        EXPECT_EQ(fault_values_by(computed, call), HURRAY_OK);
        EXPECT_EQ(std::memcmp(got.data(), want.data(), 4 * 8192), 0)
            << int{scheme} << " " << int{type} << " " << int{layout} << " " << axis;
        call.out = handed.data();
        EXPECT_EQ(fault_tensor_handing(handed_on, call), HURRAY_OK);
        EXPECT_EQ(std::memcmp(handed.data(), want.data(), 4 * 8192), 0);
      }
    }
  }
}

// The descriptors of the same tensors, with sections behind.
Bytes descriptor_of(struct hurray_tensor t) {
  t.flags |= HURRAY_HAS_SHARD | HURRAY_HAS_STATISTICS | HURRAY_HAS_COMPOSITE_MEMBER;
  for (uint32_t i = 0; i < t.rank; ++i) {
    t.parent_shape[i] = t.shape[i] + 10 + i;
    t.shard_offset[i] = i + 1;
  }
  t.statistics[0] = 5;
  t.statistics[71] = 9;
  t.member_role = 1;
  Bytes bytes(4096);
  size_t written = 0;
  EXPECT_EQ(scalar.encode_tensor(&t, bytes.data(), bytes.size(), &written), HURRAY_OK);
  bytes.resize(written);
  return bytes;
}

void nothing_seen(struct fault_tensor_bytes* v) {
  EXPECT_EQ(v->end, v->length);
  EXPECT_EQ(v->b[v->member], 1);
  EXPECT_EQ(v->b[v->statistics], 5);
  EXPECT_EQ(v->b[v->statistics + 71], 9);
  EXPECT_EQ(v->b[v->shard], v->b[v->shape] + 10);
  EXPECT_EQ(v->b[v->byte_offset], 3);
  // There and back.
  fault_shift(v, v->shard, 24);
  fault_shift(v, v->shard, -24);
}
void nothing_judged(struct hurray_tensor*) {}
void nothing_told(const struct fault_tensor_bytes* v, struct hurray_tensor* t) {
  EXPECT_EQ(v->b[v->section], t->quantization.scheme_tag);
}
bool never(const struct hurray_tensor*) { return false; }

TEST(TensorCalls, ADescriptorIsReadAndWrittenAsByScalar) {
  for (const auto& [scheme, type] :
       std::vector<std::pair<uint8_t, uint8_t>>{{2, 0x10}, {3, 0x11}, {4, 0x49}, {5, 0x40}}) {
    for (const uint8_t layout : std::initializer_list<uint8_t>{1, 2, 3}) {
      const Bytes bytes = descriptor_of(tensor_of(scheme, type, layout, 1));
      struct hurray_tensor want = {}, got[4] = {};
      ASSERT_EQ(scalar.decode_tensor(1, bytes.data(), bytes.size(), &want), HURRAY_OK);
      struct fault_call call = {};
      call.op = kDecodeTensor;
      call.mode = 1;
      call.in = bytes.data();
      call.count = bytes.size();
      call.out = &got[0];
      EXPECT_EQ(fault_tensor_seeing(nothing_seen, call), HURRAY_OK);
      call.out = &got[1];
      EXPECT_EQ(fault_tensor_judging(nothing_judged, call), HURRAY_OK);
      call.out = &got[2];
      EXPECT_EQ(fault_tensor_telling(nothing_told, call), HURRAY_OK);
      call.out = &got[3];
      EXPECT_EQ(fault_tensor_refusing(never, call), HURRAY_OK);

      Bytes out(4096);
      for (const struct hurray_tensor& each : got) {
        size_t written = 0;
        EXPECT_EQ(each.descriptor_length, bytes.size());
        EXPECT_EQ(scalar.encode_tensor(&each, out.data(), out.size(), &written), HURRAY_OK);
        EXPECT_EQ(Bytes(out.begin(), out.begin() + static_cast<ptrdiff_t>(written)), bytes);
      }
      size_t written = 0;
      call.op = kEncodeTensor;
      call.in = &want;
      call.count = out.size();
      call.out = out.data();
      call.written = &written;
      EXPECT_EQ(fault_tensor_writing(nothing_judged, call), HURRAY_OK);
      EXPECT_EQ(Bytes(out.begin(), out.begin() + static_cast<ptrdiff_t>(written)), bytes);
      EXPECT_EQ(fault_tensor_spelling(nothing_seen, call), HURRAY_OK);
      EXPECT_EQ(Bytes(out.begin(), out.begin() + static_cast<ptrdiff_t>(written)), bytes);
    }
  }
}

// Rows whose rule is about other types: their thunks hand on what they were given.
TEST(TensorCalls, ARuleThatNeverHoldsChangesNothing) {
  const std::vector<int64_t> values = {1, -2, 7, -8, 5};
  Bytes packed = {0xff, 0xff, 0xff}, want = packed;
  EXPECT_EQ(hurray_fault_target("pack-e8m0-nan")->pack(0x48, values.data(), 5, packed.data()),
            HURRAY_OK);
  EXPECT_EQ(scalar.pack(0x48, values.data(), 5, want.data()), HURRAY_OK);
  EXPECT_EQ(packed, want);
  std::vector<int64_t> back(5);
  EXPECT_EQ(
      hurray_fault_target("elements-bool-a-byte")->unpack(0x48, packed.data(), 5, back.data()),
      HURRAY_OK);
  EXPECT_EQ(back, values);
  std::vector<float> widened(5);
  EXPECT_EQ(hurray_fault_target("e2m3-bias-two")->widen(0x48, packed.data(), 5, widened.data()),
            HURRAY_OK);
  EXPECT_EQ(widened, (std::vector<float>{1, -2, 7, -8, 5}));
  uint64_t bytes = 0;
  EXPECT_EQ(hurray_fault_target("size-of-six-bits-in-bytes")->packed_bytes(0x48, 5, &bytes),
            HURRAY_OK);
  EXPECT_EQ(bytes, 3u);

  const uint64_t shape[] = {2, 16};
  const Bytes weights(32, 3), plane = {0x67, 0x78};
  const std::vector<float> scales = {1, 2, 3, 4};
  struct hurray_foreign_tensor foreign = {};
  foreign.type_tag = 0x10;
  foreign.scale_type_tag = 3;
  foreign.rank = 2;
  foreign.shape = shape;
  foreign.axis = 1;
  foreign.group_size = 8;
  foreign.zero_point_format = {4, 1, 0};
  foreign.word_bytes = 1;
  foreign.weights = weights.data();
  foreign.weights_bytes = weights.size();
  foreign.scales = reinterpret_cast<const uint8_t*>(scales.data());
  foreign.scales_bytes = 16;
  foreign.zero_points = plane.data();
  foreign.zero_points_bytes = plane.size();
  for (const char* id : {"convert-int16-taken", "convert-weights-repacked"}) {
    Bytes descriptor(200), copied(32);
    std::vector<float> converted(4);
    std::vector<int32_t> points(4);
    struct hurray_converted_tensor out = {descriptor.data(), descriptor.size(), 0,
                                          copied.data(),     converted.data(),  points.data()};
    EXPECT_EQ(hurray_fault_target(id)->convert(&foreign, &out), HURRAY_OK);
    EXPECT_EQ(out.descriptor_bytes, 121u);
    EXPECT_EQ(copied, weights);
    EXPECT_EQ(converted, scales);
    EXPECT_EQ(points, (std::vector<int32_t>{8, 7, 9, 8}));
  }
}

}  // namespace
