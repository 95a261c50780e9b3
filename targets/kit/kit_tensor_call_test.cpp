// SPDX-License-Identifier: Apache-2.0
//
// Does the kit see what operations on tensors share between threads, write to their inputs, or want
// at certain addresses? And is a mirror image another tensor, and of the same size?

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "hurray_kit_posix.h"
#include "kit_mirror.h"
#include "kit_test_target.h"

namespace kit_test {
namespace {

// Tells rank and shape of what follows the layout of the format, and its first dimension is what a
// dequantizer adds to every byte of its data.
hurray_status read_shape(uint32_t, const uint8_t* bytes, size_t length, hurray_tensor* out) {
  if (length < 20 || bytes[16] > 8 || length < 20u + 8u * bytes[16]) return HURRAY_REJECTED;
  hurray_tensor tensor = {};
  tensor.layout_tag = 1;
  tensor.rank = bytes[16];
  std::memcpy(tensor.shape, bytes + 20, size_t{8} * tensor.rank);
  std::memcpy(out, &tensor, sizeof tensor);
  return HURRAY_OK;
}
hurray_status write_shape(const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                          size_t* written) {
  if (capacity < 8 * tensor->rank) return HURRAY_REJECTED;
  std::memcpy(out, tensor->shape, 8 * tensor->rank);
  *written = 8 * tensor->rank;
  return HURRAY_OK;
}
hurray_status add_first(uint32_t, const hurray_tensor* tensor, const hurray_tensor_buffers* buffers,
                        float* out, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(tensor->shape[0] + buffers->bytes[0][i]);
  }
  return HURRAY_OK;
}
hurray_status add_bias(const hurray_foreign_tensor* foreign, hurray_converted_tensor* out) {
  out->descriptor[0] = 7;
  out->descriptor_bytes = 1;
  std::memcpy(out->weights, foreign->weights, foreign->weights_bytes);
  std::memcpy(out->scales, foreign->scales, foreign->scales_bytes);
  for (size_t i = 0; i < foreign->zero_points_bytes; ++i) {
    out->zero_points[i] = foreign->zero_points[i] + foreign->zero_point_format.bias;
  }
  return HURRAY_OK;
}

Target shape_target() {
  Target target = good_target();
  target.decode_tensor = read_shape;
  target.encode_tensor = write_shape;
  target.dequantize_tensor = add_first;
  target.convert = add_bias;
  target.layouts = HURRAY_LAYOUT_ROW_MAJOR;
  return target;
}

const std::string kShape = "03000000000000000400000000000000";
const std::string kDescriptor =
    "48525259010000000000"
    "00000000"
    "0301"
    "02000000" +
    kShape + "000000000000000000";
const std::string kDecode = "decode_tensor bytes=" + kDescriptor;
const std::string kEncode =
    "encode_tensor type=03 layout=1 shape=" + kShape + " byte_offset=0 buffers=";
const std::string kDequantize = "dequantize_tensor bytes=" + kDescriptor + " count=4 b0=01020304";
const std::string kConvert =
    "convert type=10 shape=04000000000000000200000000000000 axis=1 group_size=2 bits=8 bias=1 "
    "order=low-first group_major=0 word_bytes=1 scale_type_tag=03 weights=0102030405060708 "
    "scales=0000803f000000400000404000008040 plane=01020304";
const std::string kAll[] = {kDecode, kEncode, kDequantize, kConvert};

// Lets the other threads go first.
void wait_a_while() { std::this_thread::sleep_for(std::chrono::microseconds(1)); }

TEST(KitTensorThreads, AnswerTheSameForTheRightTarget) {
  for (const std::string& request : kAll) {
    ASSERT_EQ(ask(shape_target(), request).substr(0, 3), "ok ") << request;
    EXPECT_EQ(ask(shape_target(), request + " threads=4"), ask(shape_target(), request));
    EXPECT_EQ(ask(shape_target(), request + " threads=16 fill=a5"),
              ask(shape_target(), request + " fill=a5"));
  }
}

TEST(KitTensorThreads, ShowWhatIsSharedByEachOperation) {
  static std::atomic<uint64_t> shared;
  Target target = shape_target();
  target.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                            hurray_tensor* out) -> hurray_status {
    const hurray_status status = read_shape(mode, bytes, length, out);
    shared = out->shape[0];
    wait_a_while();
    out->shape[0] = shared;
    return status;
  };
  EXPECT_NE(ask(target, kDecode + " threads=4"), ask(target, kDecode));
  target = shape_target();
  target.encode_tensor = [](const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                            size_t* written) -> hurray_status {
    shared = tensor->shape[0];
    wait_a_while();
    hurray_tensor copy = *tensor;
    copy.shape[0] = shared;
    return write_shape(&copy, out, capacity, written);
  };
  EXPECT_NE(ask(target, kEncode + " threads=4"), ask(target, kEncode));
  target = shape_target();
  target.dequantize_tensor = [](uint32_t, const hurray_tensor* tensor,
                                const hurray_tensor_buffers* buffers, float* out,
                                size_t count) -> hurray_status {
    shared = buffers->bytes[0][0];
    wait_a_while();
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(tensor->shape[0] + shared);
    return HURRAY_OK;
  };
  EXPECT_NE(ask(target, kDequantize + " threads=4"), ask(target, kDequantize));
  target = shape_target();
  target.convert = [](const hurray_foreign_tensor* foreign,
                      hurray_converted_tensor* out) -> hurray_status {
    hurray_foreign_tensor copy = *foreign;
    shared = static_cast<uint64_t>(copy.zero_point_format.bias);
    wait_a_while();
    copy.zero_point_format.bias = static_cast<int32_t>(shared);
    return add_bias(&copy, out);
  };
  EXPECT_NE(ask(target, kConvert + " threads=4"), ask(target, kConvert));
}

TEST(KitTensorThreads, AreRefusedWithoutThem) {
  const Target target = shape_target();
  for (const std::string& request : kAll) {
    MemoryHost memory("1 " + request + " threads=2\n");
    memory.host.run_threads = nullptr;
    EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
    EXPECT_EQ(memory.written, "1 unsupported no threads here\n");
  }
}

TEST(KitTensorOffsets, AreThoseOfBytes) {
  Target target = shape_target();
  static uintptr_t in, out;
  target.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                            hurray_tensor* tensor) -> hurray_status {
    in = reinterpret_cast<uintptr_t>(bytes);
    return read_shape(mode, bytes, length, tensor);
  };
  target.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                                const hurray_tensor_buffers* buffers, float* floats,
                                size_t count) -> hurray_status {
    out = reinterpret_cast<uintptr_t>(floats);
    return add_first(mode, tensor, buffers, floats, count);
  };
  target.encode_tensor = [](const hurray_tensor* tensor, uint8_t* bytes, size_t capacity,
                            size_t* written) -> hurray_status {
    out = reinterpret_cast<uintptr_t>(bytes);
    return write_shape(tensor, bytes, capacity, written);
  };
  const std::string clean = " under=0 over=0 in_changed=0";
  EXPECT_EQ(ask(target, kDecode + " in_off=7 fill=a5"), ask(target, kDecode) + clean);
  EXPECT_EQ(in % 64, 7u);
  EXPECT_EQ(ask(target, kEncode + " out_off=5 fill=a5"), ask(target, kEncode) + clean);
  EXPECT_EQ(out % 64, 5u);
  EXPECT_EQ(ask(target, kDequantize + " out_off=12 fill=a5"), ask(target, kDequantize) + clean);
  EXPECT_EQ(out % 64, 12u);
  EXPECT_EQ(ask(target, kDequantize + " out_off=6"),
            "unsupported out_off would misalign the output");
  target.convert = [](const hurray_foreign_tensor* foreign,
                      hurray_converted_tensor* made) -> hurray_status {
    in = reinterpret_cast<uintptr_t>(foreign->zero_points);
    out = reinterpret_cast<uintptr_t>(made->weights);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(foreign->shape) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(made->scales) % 64, 4u);
    return add_bias(foreign, made);
  };
  EXPECT_EQ(ask(target, kConvert + " in_off=3 out_off=6 fill=a5"),
            ask(shape_target(), kConvert) + clean);
  EXPECT_EQ(in % 64, 3u);
  EXPECT_EQ(out % 64, 6u);
}

// Serves through descriptors, as hurray_kit_main does; whether it lived.
bool serves(const Target& target, const std::string& requests) {
  FILE* file = std::tmpfile();
  std::fwrite(requests.data(), 1, requests.size(), file);
  std::rewind(file);
  const int null = open("/dev/null", O_WRONLY);
  const bool ok = hurray_kit_serve_fds(&target, fileno(file), null) == HURRAY_KIT_OK;
  close(null);
  std::fclose(file);
  return ok;
}

void put_back(const void* bytes) {
  auto* at = static_cast<volatile uint8_t*>(const_cast<void*>(bytes));
  const uint8_t before = *at;
  *at = 0;
  *at = before;
}

TEST(KitReadOnly, WhoOnlyReadsLives) {
  std::string requests;
  for (const std::string& request : kAll) requests += "1 " + request + " guard=input\n";
  requests +=
      "1 dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff guard=input fill=a5\n";
  EXPECT_TRUE(serves(shape_target(), requests + requests));
}

TEST(KitReadOnly, WhoWritesAndPutsBackDies) {
  const std::string line = " guard=input\n";
  Target target = shape_target();
  target.decode_tensor = [](uint32_t mode, const uint8_t* bytes, size_t length,
                            hurray_tensor* out) -> hurray_status {
    put_back(bytes + 6);
    return read_shape(mode, bytes, length, out);
  };
  EXPECT_TRUE(serves(target, "1 " + kDecode + "\n"));
  EXPECT_DEATH(serves(target, "1 " + kDecode + line), "");
  target = shape_target();
  target.encode_tensor = [](const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                            size_t* written) -> hurray_status {
    put_back(&tensor->flags);
    return write_shape(tensor, out, capacity, written);
  };
  EXPECT_DEATH(serves(target, "1 " + kEncode + line), "");
  target = shape_target();
  target.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                                const hurray_tensor_buffers* buffers, float* out,
                                size_t count) -> hurray_status {
    put_back(tensor);
    return add_first(mode, tensor, buffers, out, count);
  };
  EXPECT_TRUE(serves(target, "1 " + kDequantize + "\n"));
  EXPECT_DEATH(serves(target, "1 " + kDequantize + line), "");
  target.dequantize_tensor = [](uint32_t mode, const hurray_tensor* tensor,
                                const hurray_tensor_buffers* buffers, float* out,
                                size_t count) -> hurray_status {
    put_back(buffers->bytes[0]);
    return add_first(mode, tensor, buffers, out, count);
  };
  EXPECT_DEATH(serves(target, "1 " + kDequantize + line), "");
  target = shape_target();
  target.convert = [](const hurray_foreign_tensor* foreign,
                      hurray_converted_tensor* out) -> hurray_status {
    put_back(foreign->zero_points);
    return add_bias(foreign, out);
  };
  EXPECT_DEATH(serves(target, "1 " + kConvert + line), "");
}

// A host without such memory says so, and so does one whose memory cannot be protected.
TEST(KitReadOnly, IsRefusedWhereItCannotBeDone) {
  for (const std::string& request : kAll) {
    EXPECT_EQ(ask(shape_target(), request + " guard=input").substr(0, 11), "unsupported")
        << request;
  }
  EXPECT_EQ(ask("dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff guard=input"),
            "unsupported no guard here");
}

TEST(KitMirror, IsAnotherTensorOfTheSameSizes) {
  hurray_tensor tensor = {};
  tensor.flags = HURRAY_HAS_QUANTIZATION | HURRAY_HAS_SHARD;
  tensor.layout_tag = 3;
  tensor.rank = 3;
  for (uint64_t i = 0; i < 3; ++i) {
    tensor.shape[i] = i + 2;
    tensor.strides[i] = static_cast<int64_t>(i) - 7;
    tensor.parent_shape[i] = 10 * i;
    tensor.shard_offset[i] = 100 * i;
  }
  tensor.quantization.scheme_tag = 3;
  tensor.quantization.axis = 2;
  hurray_kit_mirror_tensor(&tensor);
  EXPECT_EQ(tensor.shape[0], 4u);
  EXPECT_EQ(tensor.shape[1], 3u);
  EXPECT_EQ(tensor.shape[2], 2u);
  EXPECT_EQ(tensor.strides[0], -5);
  EXPECT_EQ(tensor.parent_shape[0], 20u);
  EXPECT_EQ(tensor.shard_offset[0], 200u);
  EXPECT_EQ(tensor.quantization.axis, 0u);
}

// Whatever the bytes and the length, nothing outside is touched: they lie in a vector of their own.
TEST(KitMirror, StaysWithinItsBytes) {
  std::vector<uint8_t> bytes;
  for (const char c : std::string("HRRY")) bytes.push_back(static_cast<uint8_t>(c));
  bytes.resize(20);
  bytes[10] = 0x1f;
  bytes[15] = 3;
  for (const unsigned rank : {0u, 1u, 2u, 64u, 65u, 255u}) {
    bytes[16] = static_cast<uint8_t>(rank);
    for (size_t length = 0; length < 300; ++length) {
      std::vector<uint8_t> all = bytes;
      all.resize(300, 0x41);
      all.resize(length);
      all.shrink_to_fit();
      const std::vector<uint8_t> before = all;
      hurray_kit_mirror_bytes(all.data(), all.size());
      if (length < 20 || rank > 64) {
        EXPECT_EQ(all, before);
      }
    }
  }
}

}  // namespace
}  // namespace kit_test
