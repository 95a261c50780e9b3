// SPDX-License-Identifier: Apache-2.0
//
// Does a writer give back the bytes that were read, in version 1.0, and refuse what its readers
// would?

#include "reference/test_tensors.h"

namespace hurray {
namespace {

Bytes written_by(const Tensor& tensor) {
  Bytes bytes(encoded_tensor_bytes(tensor) + 5, 0xee);
  std::size_t written = 0;
  EXPECT_EQ(encode_tensor(tensor, bytes, written), Status::kOk) << judged(tensor);
  EXPECT_EQ(written, encoded_tensor_bytes(tensor));
  EXPECT_EQ(Bytes(bytes.end() - 5, bytes.end()), Bytes(5, 0xee));
  return first_of(bytes, written);
}

void expect_unwritten(Status status, const Tensor& tensor) {
  Bytes bytes(8192, 0xee);
  std::size_t written = 7;
  EXPECT_EQ(encode_tensor(tensor, bytes, written), status) << text_of(status);
  EXPECT_EQ(bytes, Bytes(8192, 0xee));
  EXPECT_EQ(written, 7u);
}

TEST(TensorEncode, TheExamplesComeBack) {
  for (const Bytes& bytes : {kPlainTensor, kPerTensorTensor, kPerBlockTensor}) {
    Tensor tensor;
    EXPECT_TRUE(found_in(bytes, tensor).empty());
    EXPECT_EQ(written_by(tensor), bytes);
  }
}

// HQ-MD-039: also what was read from a later version, or a longer section.
TEST(TensorEncode, TheVersionIsTheLowestAndTheLengthExact) {
  Tensor tensor;
  found_in(with(kPlainTensor, 5, 1, 9), tensor);
  EXPECT_EQ(written_by(tensor), kPlainTensor);
  const Bytes longer = with(with_section(kPerTensorTensor, 0, hex("0000")), 61, 4, 18);
  found_in(longer, tensor);
  EXPECT_EQ(written_by(tensor), kPerTensorTensor);
}

TEST(TensorEncode, TooLittleRoomIsNotTouched) {
  Tensor tensor;
  found_in(kPerBlockTensor, tensor);
  for (std::size_t room = 0; room < kPerBlockTensor.size(); ++room) {
    Bytes bytes(room, 0xee);
    std::size_t written = 7;
    EXPECT_EQ(encode_tensor(tensor, bytes, written), Status::kBufferTooSmall);
    EXPECT_EQ(bytes, Bytes(room, 0xee));
    EXPECT_EQ(written, 7u);
  }
}

TEST(TensorEncode, StridesAndPrivateTypesAreWritten) {
  Tensor tensor = unquantized(0x10, {2, 3}, {6});
  tensor.layout_tag = kLayoutStrided;
  tensor.strides = {-3, 1};
  tensor.byte_offset = 3;
  Tensor again;
  EXPECT_TRUE(found_in(written_by(tensor), again).empty());
  EXPECT_EQ(again.strides[0], -3);
  EXPECT_EQ(again.strides[1], 1);

  tensor = unquantized(0xf1, {2}, {2});
  tensor.flags = kHasExtensionType;
  tensor.extension_type[19] = 0x5a;
  EXPECT_TRUE(is_only(found_in(written_by(tensor), again), Behaviour::kPrivateType));
  EXPECT_EQ(again.extension_type[19], 0x5a);
}

// HQ-HDR-032, HQ-HDR-029, HQ-MD-019.
TEST(TensorEncode, WhatReadersRefuseIsNotWritten) {
  Tensor good;
  found_in(kPerBlockTensor, good);
  const auto refused = [&](Status status, auto edit) {
    Tensor tensor = good;
    edit(tensor);
    expect_unwritten(status, tensor);
  };
  refused(Status::kTensorFlag, [](Tensor& t) { t.flags |= 0x20; });
  refused(Status::kStorageTypeNotAllowed, [](Tensor& t) { t.type_tag = 0x16; });
  refused(Status::kLayoutUnknown, [](Tensor& t) { t.layout_tag = 7; });
  refused(Status::kRankTooLarge, [](Tensor& t) { t.rank = 65; });
  refused(Status::kNoBuffer, [](Tensor& t) { t.buffer_count = 0; });
  refused(Status::kTooManyBuffers, [](Tensor& t) { t.buffer_count = 256; });
  refused(Status::kTooManyBuffers, [](Tensor& t) { t.buffer_count = 4; });
  refused(Status::kByteOffset, [](Tensor& t) { t.byte_offset = 33; });
  refused(Status::kDataBufferTooSmall, [](Tensor& t) { t.byte_offset = 1; });
  refused(Status::kAxisOutOfRange, [](Tensor& t) { t.quantization.per_block_affine.axis = 2; });
  refused(Status::kUnknownScheme, [](Tensor& t) { t.quantization.scheme_tag = 0x60; });
  refused(Status::kParameterBufferTooLong, [](Tensor& t) { t.buffers[1].byte_size = 17; });
  refused(Status::kHandleAlignment, [](Tensor& t) { t.buffers[1].alignment = 32; });
}

}  // namespace
}  // namespace hurray
