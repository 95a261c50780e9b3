// SPDX-License-Identifier: Apache-2.0
//
// Does the kit carry tensors and conversions: every key, several arrays, buffers that cannot be
// touched, the call discipline?
//
// The target here is a toy: descriptors are their number of dimensions and their layout, and what
// it answers shows what it was given.

#include <gtest/gtest.h>
#include <unistd.h>

#include "hurray_kit_posix.h"
#include "kit_test_target.h"

namespace kit_test {
namespace {

// Bytes: rank, layout, flags, scheme; the rest follows from them.
hurray_status toy_decode(uint32_t mode, const uint8_t* bytes, size_t length, hurray_tensor* out) {
  if (length < 4 || bytes[0] > 64) return HURRAY_REJECTED;
  if (bytes[3] > 5 && mode != HURRAY_MODE_PERMISSIVE) return HURRAY_UNSUPPORTED;
  out->descriptor_length = 4;
  out->version_major = 1;
  out->version_minor = 7;
  out->type_tag = 0x49;
  out->rank = bytes[0];
  out->layout_tag = bytes[1];
  out->flags = bytes[2];
  out->byte_offset = UINT64_MAX;
  for (uint32_t i = 0; i < out->rank; ++i) {
    out->shape[i] = i + 2;
    out->strides[i] = -1 - static_cast<int64_t>(i);
    out->parent_shape[i] = i + 3;
    out->shard_offset[i] = 1;
  }
  out->buffer_count = 1;
  out->buffers[0] = {0x0102, 64, 9, 10, 11};
  out->quantization = {};
  out->quantization.scheme_tag = bytes[3];
  out->quantization.axis = 1;
  std::memset(out->statistics, 0x51, sizeof out->statistics);
  std::memset(out->extension_type, 0xe7, sizeof out->extension_type);
  out->member_role = 1;
  return HURRAY_OK;
}

// Writes what it was given: counts, then the members that the flags name.
hurray_status toy_encode(const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                         size_t* written) {
  if (tensor->rank > 64 || tensor->buffer_count > 255) return HURRAY_REJECTED;
  const uint8_t head[] = {tensor->type_tag, tensor->layout_tag, static_cast<uint8_t>(tensor->flags),
                          static_cast<uint8_t>(tensor->rank),
                          static_cast<uint8_t>(tensor->byte_offset)};
  if (capacity < 8192) return HURRAY_REJECTED;
  size_t at = 0;
  const auto put = [&](const void* bytes, size_t length) {
    std::memcpy(out + at, bytes, length);
    at += length;
  };
  put(head, sizeof head);
  put(tensor->shape, 8 * tensor->rank);
  if (tensor->layout_tag == 3) put(tensor->strides, 8 * tensor->rank);
  for (uint32_t i = 0; i < tensor->buffer_count; ++i) {
    put(&tensor->buffers[i].alignment, 4);
    put(&tensor->buffers[i].device_tag, 3);
  }
  if ((tensor->flags & HURRAY_HAS_QUANTIZATION) != 0) put(&tensor->quantization.axis, 4);
  if ((tensor->flags & HURRAY_HAS_SHARD) != 0) put(tensor->shard_offset, 8 * tensor->rank);
  if ((tensor->flags & HURRAY_HAS_STATISTICS) != 0) put(tensor->statistics, 72);
  if ((tensor->flags & HURRAY_HAS_EXTENSION_TYPE) != 0) put(tensor->extension_type, 20);
  if ((tensor->flags & HURRAY_HAS_COMPOSITE_MEMBER) != 0) put(&tensor->member_role, 1);
  *written = at;
  return HURRAY_OK;
}

// Answers the byte size of each buffer, and its first byte where scheme 1 says that it may.
hurray_status toy_dequantize(uint32_t mode, const hurray_tensor* tensor,
                             const hurray_tensor_buffers* buffers, float* out, size_t count) {
  if (mode == HURRAY_MODE_PERMISSIVE) return HURRAY_UNSUPPORTED;
  if (count != 2 * buffers->count) return HURRAY_REJECTED;
  for (uint32_t i = 0; i < buffers->count; ++i) {
    out[2 * i] = static_cast<float>(buffers->byte_sizes[i]);
    const bool reads = tensor->quantization.scheme_tag == 1 && buffers->byte_sizes[i] != 0;
    out[2 * i + 1] = reads ? buffers->bytes[i][0] : buffers->bytes[i] == nullptr ? -1.0f : -2.0f;
  }
  return HURRAY_OK;
}

hurray_status toy_convert(const hurray_foreign_tensor* foreign, hurray_converted_tensor* out) {
  if (foreign->super_scales != nullptr || foreign->axis >= foreign->rank) return HURRAY_REJECTED;
  const uint64_t blocks = foreign->shape[0] * foreign->shape[1] / foreign->group_size;
  if (out->descriptor_capacity < 700 || foreign->scales_bytes != 4 * blocks) return HURRAY_REJECTED;
  out->descriptor[0] = foreign->type_tag;
  out->descriptor[1] = static_cast<uint8_t>(foreign->zero_point_format.bits);
  out->descriptor[2] = static_cast<uint8_t>(foreign->word_bytes << 4 | foreign->group_major);
  out->descriptor_bytes = 3;
  std::memcpy(out->weights, foreign->weights, foreign->weights_bytes);
  std::memcpy(out->scales, foreign->scales, foreign->scales_bytes);
  for (uint64_t i = 0; i < blocks; ++i) {
    out->zero_points[i] = foreign->zero_points[i] + foreign->zero_point_format.bias;
    if (foreign->group_index != nullptr) {
      out->zero_points[i] = static_cast<int32_t>(foreign->group_index[i]);
    }
  }
  return HURRAY_OK;
}

Target tensor_target() {
  Target target = good_target();
  target.modes = HURRAY_MODE_PERMISSIVE;
  target.decode_tensor = toy_decode;
  target.encode_tensor = toy_encode;
  target.dequantize_tensor = toy_dequantize;
  target.convert = toy_convert;
  target.tensor_types = HURRAY_TYPE_UINT4 | HURRAY_TYPE_FLOAT128;
  target.layouts = HURRAY_LAYOUT_ROW_MAJOR | HURRAY_LAYOUT_STRIDED;
  return target;
}

std::string ask_tensors(const std::string& request) { return ask(tensor_target(), request); }

std::string times(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(KitTensors, AreClaimedInHello) {
  EXPECT_EQ(
      ask_tensors("hello version=1"),
      "ok version=1 name=plain contract=hurray,ra8 schemes=1 types.decode=10 "
      "types.encode=10 types.dequantize=10,11,12,49 types.quantize=10,11 "
      "ops=normalize,sweep,sweep.dequantize,convert,decode_tensor,encode_tensor,dequantize_tensor "
      "types.tensor=49,46 layouts=1,3 modes=permissive "
      "calls=offset,fill,null,fenv,threads,capacity,offset.tensor,threads.tensor max_line=65536");
  // Without a decoder there is nothing that could be dequantized.
  Target target = tensor_target();
  target.decode_tensor = nullptr;
  target.encode_tensor = nullptr;
  EXPECT_NE(
      ask(target, "hello version=1").find(" ops=normalize,sweep,sweep.dequantize,convert calls="),
      std::string::npos);
  EXPECT_EQ(ask(target, "dequantize_tensor bytes= count=0"), "unsupported operation not claimed");
  EXPECT_EQ(ask(target, "decode_tensor bytes="), "unsupported operation not claimed");
}

TEST(KitTensors, AnswerWhatWasDecoded) {
  const std::string head = "ok length=4 version=1.7 type=49 layout=";
  const std::string shape = " shape=02000000000000000300000000000000 byte_offset=";
  const std::string handle =
      " buffers=0201000000000000400000"
      "00090a0b00";
  EXPECT_EQ(ask_tensors("decode_tensor bytes=02010000"),
            head + "1" + shape + "18446744073709551615" + handle);
  EXPECT_EQ(ask_tensors("decode_tensor bytes=02031f04ffff"),
            head + "3" + shape + "18446744073709551615 strides=fffffffffffffffffeffffffffffffff" +
                handle + " scheme=4 axis=1 block_size=0 scale_buffer_index=0" +
                " parent_shape=03000000000000000400000000000000" +
                " shard_offset=01000000000000000100000000000000 statistics=" + times("51", 72) +
                " member_role=01 extension_type=" + times("e7", 20));
  EXPECT_EQ(ask_tensors("decode_tensor bytes=00010000"),
            head + "1 shape= byte_offset=18446744073709551615" + handle);
}

TEST(KitTensors, AnswerWhatWasNotDecoded) {
  EXPECT_EQ(ask_tensors("decode_tensor bytes="), "reject");
  EXPECT_EQ(ask_tensors("decode_tensor bytes=00010106"), "unsupported by the target");
  const std::string answer = ask_tensors("decode_tensor mode=permissive bytes=00010106");
  EXPECT_EQ(answer.substr(answer.size() - 9), " scheme=6") << answer;
  EXPECT_EQ(ask_tensors("decode_tensor mode=strict bytes="), "unsupported malformed value of mode");
  EXPECT_EQ(ask_tensors("decode_tensor bytes=00 fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=0");
  EXPECT_EQ(ask_tensors("decode_tensor bytes=0"), "unsupported malformed value of bytes");
  EXPECT_EQ(ask_tensors("decode_tensor bytes=0g"), "unsupported malformed array");
  EXPECT_EQ(ask_tensors("decode_tensor bytes=00 guard=after"), "unsupported no guard here");
  Target target = tensor_target();
  target.decode_tensor = [](uint32_t, const uint8_t*, size_t, hurray_tensor* out) -> hurray_status {
    out->rank = 99;
    return 17;
  };
  EXPECT_EQ(ask(target, "decode_tensor bytes="), "reject status=17");
  EXPECT_EQ(ask(target, "decode_tensor bytes= fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=4 status=17");
  EXPECT_EQ(ask(target, "dequantize_tensor bytes= count=1 fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=0 status=17");
}

const std::string kShape = "shape=02000000000000000300000000000000";
const std::string kTensor = "encode_tensor type=49 " + kShape +
                            " byte_offset=255 buffers=02010000000000004000000009000b00 ";

TEST(KitTensors, ReachTheEncoder) {
  const std::string shape = "02000000000000000300000000000000";
  EXPECT_EQ(ask_tensors(kTensor + "layout=1"), "ok bytes=49010002ff" + shape + "4000000009000b");
  const std::string strides = "ffffffffffffffff0100000000000000";
  const std::string statistics = times("5a", 72);
  const std::string extension = times("e1", 20);
  EXPECT_EQ(ask_tensors(kTensor + "layout=3 strides=" + strides +
                        " scheme=5 axis=1 block_size=32 scale_buffer_index=1 parent_shape=" +
                        shape + " shard_offset=" + strides + " statistics=" + statistics +
                        " member_role=fe extension_type=" + extension + " fill=00"),
            "ok bytes=49031f02ff" + shape + strides + "4000000009000b01000000" + strides +
                statistics + extension + "fe under=0 over=0 in_changed=0");
  EXPECT_EQ(ask_tensors("encode_tensor type=49 layout=1 shape= byte_offset=0 buffers="),
            "ok bytes=4901000000");
  EXPECT_EQ(ask_tensors(kTensor + "layout=1 scheme=6").substr(0, 19), "ok bytes=49010102ff");
}

TEST(KitTensors, OfTooManyDimensionsOrBuffersAreTheEncodersToRefuse) {
  const std::string rank_65 = "encode_tensor type=49 layout=1 byte_offset=0 buffers= shape=" +
                              times("0100000000000000", 65);
  EXPECT_EQ(ask_tensors(rank_65 + " fill=a5"), "reject under=0 over=0 in_changed=0 changed=0");
  const std::string buffers_256 = "encode_tensor type=49 layout=1 byte_offset=0 shape= buffers=" +
                                  times("00000000000000004000000000000000", 256);
  EXPECT_EQ(ask_tensors(buffers_256), "reject");
}

TEST(KitTensors, AreRefusedIfTheirKeysDisagree) {
  const std::pair<std::string, std::string> cases[] = {
      {kTensor, "missing key layout"},
      {kTensor + "layout=256", "malformed value of layout"},
      {kTensor + "layout=3", "missing key strides"},
      {kTensor + "layout=1 strides=00", "malformed value of strides"},
      {kTensor + "layout=1 strides=0000000000000000", "unknown key strides"},
      {kTensor + "layout=3 strides=0000000000000000", "arrays of different ranks"},
      {kTensor + "layout=1 axis=0", "unknown key axis"},
      {kTensor + "layout=1 scheme=2 axis=0", "missing key flags"},
      {kTensor + "layout=1 parent_shape=", "missing key shard_offset"},
      {kTensor + "layout=1 parent_shape= shard_offset=", "arrays of different ranks"},
      {kTensor + "layout=1 statistics=00", "malformed value of statistics"},
      {kTensor + "layout=1 extension_type=00", "malformed value of extension_type"},
      {kTensor + "layout=1 member_role=1", "malformed value of member_role"},
      {kTensor + "layout=1 version=1.0", "unknown key version"},
      {kTensor + "layout=1 byte_offset=0", "duplicate key byte_offset"},
      {"encode_tensor type=49 layout=1 byte_offset=0 shape= buffers=00",
       "malformed value of buffers"},
      {"encode_tensor type=49 layout=1 byte_offset=0 shape= "
       "buffers=00000000000000004000000000000001",
       "the last byte of a handle is zero"},
  };
  for (const auto& [request, hint] : cases)
    EXPECT_EQ(ask_tensors(request), "unsupported " + hint) << request;
}

TEST(KitTensors, ShowWhatTheirEncoderDoesBesides) {
  Target target = tensor_target();
  target.encode_tensor = [](const hurray_tensor* tensor, uint8_t* out, size_t capacity,
                            size_t* written) -> hurray_status {
    const_cast<hurray_tensor*>(tensor)->buffers[200].alignment ^= 1;
    std::memset(out - 1, 7, capacity + 3);
    *written = capacity - 5;
    return HURRAY_OK;
  };
  const std::string answer = ask(target, kTensor + "layout=1 fill=a5");
  EXPECT_EQ(answer.substr(answer.size() - 30), "07 under=1 over=7 in_changed=1");
  target.encode_tensor = [](const hurray_tensor*, uint8_t* out, size_t,
                            size_t* written) -> hurray_status {
    out[3] = 1;
    *written = 5;
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(ask(target, kTensor + "layout=1 fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=" + std::to_string(1 + sizeof(size_t)));
}

TEST(KitTensors, GiveTheirEncoderTheRoomThatIsAskedFor) {
  Target target = tensor_target();
  target.encode_tensor = [](const hurray_tensor*, uint8_t* out, size_t capacity,
                            size_t* written) -> hurray_status {
    if (capacity < 7) return HURRAY_REJECTED;
    std::memset(out, 9, 7);
    if (capacity == 8) out[8] = 9;
    *written = 7;
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, kTensor + "layout=1 capacity=7"), "ok bytes=09090909090909");
  EXPECT_EQ(ask(target, kTensor + "layout=1 capacity=6 fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=0");
  EXPECT_EQ(ask(target, kTensor + "layout=1 capacity=8 fill=a5"),
            "ok bytes=09090909090909 under=0 over=1 in_changed=0");
  EXPECT_EQ(ask(target, "decode_tensor bytes= capacity=7"), "unsupported unknown key capacity");
}

TEST(KitTensors, AreDequantizedFromTheirBuffers) {
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=4 b0=07 b1=ff00"),
            "ok out=0000803f0000e040"
            "0000004000007f43");
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=2 b0=null"),
            "ok out=00000000000080bf");
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=2 b0= fill=a5"),
            "ok out=00000000000000c0 under=0 over=0 in_changed=0");
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=0"), "ok out=");
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=3 fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=0");
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=0 mode=permissive fill=a5"),
            "unsupported by the target");
  const std::pair<std::string, std::string> cases[] = {
      {"b1=00", "a buffer between others is missing"},
      {"b0=none:1", "no guard here"},
      {"b0=none:", "malformed value of b0"},
      {"b0=none:4097", "malformed value of b0"},
      {"b0=nono", "malformed array"},
      {"b10=00", "unknown key b10"},
      {"b0=00 guard=output", "no output can be guarded"},
      {"b0=00 fenv=upward", "unknown key fenv"},
  };
  for (const auto& [keys, hint] : cases) {
    EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=2 " + keys),
              "unsupported " + hint)
        << keys;
  }
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=100000"), "unsupported too large");
  EXPECT_EQ(ask_tensors("dequantize_tensor bytes=00010101 count=18446744073709551615"),
            "unsupported too large");
}

TEST(KitTensors, ShowWhatTheirDequantizerDoesBesides) {
  Target target = tensor_target();
  target.dequantize_tensor = [](uint32_t, const hurray_tensor*,
                                const hurray_tensor_buffers* buffers, float* out,
                                size_t count) -> hurray_status {
    std::memset(out, 0, 4 * count + 3);
    const_cast<uint8_t*>(buffers->bytes[1])[0] ^= 1;
    return count == 1 ? HURRAY_OK : HURRAY_REJECTED;
  };
  EXPECT_EQ(ask(target, "dequantize_tensor bytes=00010101 count=1 b0=00 b1=00 fill=a5"),
            "ok out=00000000 under=0 over=3 in_changed=1");
  EXPECT_EQ(ask(target, "dequantize_tensor bytes=00010101 count=2 b0=00 b1=00 fill=a5"),
            "reject under=0 over=3 in_changed=1 changed=8");
}

TEST(KitTensors, HaveBuffersAtBoundariesAndApart) {
  Target target = tensor_target();
  target.dequantize_tensor = [](uint32_t, const hurray_tensor*,
                                const hurray_tensor_buffers* buffers, float* out,
                                size_t) -> hurray_status {
    uintptr_t last = 0;
    for (uint32_t i = 0; i < buffers->count; ++i) {
      const auto at = reinterpret_cast<uintptr_t>(buffers->bytes[i]);
      if (at % 64 != 0 || at < last + 64) return HURRAY_REJECTED;
      last = at + buffers->byte_sizes[i];
    }
    *out = 1;
    return HURRAY_OK;
  };
  std::string request = "dequantize_tensor bytes=00010101 count=1";
  for (int i = 0; i < 10; ++i) request += " b" + std::to_string(i) + "=" + times("00", 13 * i);
  EXPECT_EQ(ask(target, request), "ok out=0000803f");
}

const std::string kForeign =
    " axis=1 group_size=2 bits=4 bias=1 order=low-first group_major=0 word_bytes=4 "
    "scale_type_tag=03 weights=0a0b0c ";

TEST(KitConversion, CarriesEveryArray) {
  const std::string shape = " shape=01000000000000000400000000000000";
  const std::string scales = "0000803f00000040";
  EXPECT_EQ(ask_tensors("convert type=49" + shape + kForeign + "scales=" + scales + " plane=0f07"),
            "ok bytes=490440 b0=0a0b0c b1=" + scales + " b2=1000000008000000");
  EXPECT_EQ(ask_tensors("convert type=49" + shape + kForeign + "scales=" + scales +
                        " plane=0f07 group_index=05000000060000000700000008000000"),
            "ok bytes=490440 b0=0a0b0c b1=" + scales + " b2=0500000006000000");
  EXPECT_EQ(ask_tensors("convert type=49" + shape + kForeign + "scales=" + scales +
                        " plane=0f07 super_scales=00"),
            "reject");
  EXPECT_EQ(ask_tensors("convert type=49" + shape + kForeign + "scales= plane=0f07"), "reject");
  EXPECT_EQ(ask_tensors("convert type=49" + shape + kForeign + "scales=" + scales +
                        " plane=0f07 group_index=05000000"),
            "unsupported group_index and shape disagree");
  EXPECT_EQ(ask_tensors("convert type=49" + shape + kForeign + "scales="),
            "unsupported missing key plane");
  EXPECT_EQ(ask("convert type=49" + shape + kForeign + "scales= plane="),
            "unsupported operation not claimed");
}

TEST(KitConversion, WatchesOutputsAndInputs) {
  const std::string request = "convert type=49 shape=01000000000000000400000000000000" + kForeign +
                              "scales=0000803f00000040 plane=0f07 fill=a5";
  EXPECT_EQ(ask_tensors(request),
            "ok bytes=490440 b0=0a0b0c b1=0000803f00000040 b2=1000000008000000 "
            "under=0 over=0 in_changed=0");
  EXPECT_EQ(ask_tensors(request + " super_scales=00"),
            "reject under=0 over=0 in_changed=0 changed=0");
  Target target = tensor_target();
  target.convert = [](const hurray_foreign_tensor* foreign,
                      hurray_converted_tensor* out) -> hurray_status {
    toy_convert(foreign, out);
    out->descriptor[3] = 0;
    out->weights[-1] = 0;
    out->zero_points[2] = 0;
    const_cast<uint8_t*>(foreign->zero_points)[0] = 0;
    return foreign->super_scales != nullptr ? HURRAY_REJECTED : HURRAY_OK;
  };
  EXPECT_EQ(ask(target, request),
            "ok bytes=490440 b0=0a0b0c b1=0000803f00000040 b2=1000000008000000 "
            "under=1 over=5 in_changed=1");
  EXPECT_EQ(ask(target, request + " super_scales=00"),
            "reject under=1 over=4 in_changed=1 changed=1");
}

TEST(KitConversion, GivesShapesToTheTargetThatItHasNoRoomFor) {
  for (const std::string shape :
       {"", "0100000000000000", "ffffffffffffffffffffffffffffffff",
        "00000000000000800000000000000080", "00000000000000000400000000000000"}) {
    EXPECT_EQ(ask_tensors("convert type=49 shape=" + shape + kForeign + "scales=00 plane="),
              "reject");
  }
}

// What a process that can guard memory answers to all requests together.
std::string served(const Target& target, const std::string& requests) {
  int in[2], out[2];
  EXPECT_EQ(pipe(in), 0);
  EXPECT_EQ(pipe(out), 0);
  EXPECT_EQ(write(in[1], requests.data(), requests.size()), static_cast<ssize_t>(requests.size()));
  close(in[1]);
  EXPECT_EQ(hurray_kit_serve_fds(&target, in[0], out[1]), HURRAY_KIT_OK);
  close(out[1]);
  std::string answers(4096, '\0');
  const ssize_t length = read(out[0], answers.data(), answers.size());
  EXPECT_GT(length, 0);
  answers.resize(length > 0 ? static_cast<size_t>(length) : 0);
  close(in[0]);
  close(out[0]);
  return answers;
}

TEST(KitGuard, HoldsTheDescriptorAndUntouchableBuffers) {
  const std::string answers = served(
      tensor_target(),
      "1 decode_tensor bytes=00010000 guard=after\n"
      "2 decode_tensor bytes=00010000 guard=before\n"
      "3 dequantize_tensor bytes=00010102 count=4 b0=none:4096 b1=none:0 guard=after fill=a5\n"
      "4 hello version=1\n");
  const std::string plain = ask_tensors("decode_tensor bytes=00010000") + "\n";
  EXPECT_EQ(answers.substr(0, answers.find("4 ok")),
            "1 " + plain + "2 " + plain +
                "3 ok out=00008045000000c000000000000000c0 under=0 over=0 in_changed=0\n");
  EXPECT_NE(
      answers.find(" calls=offset,fill,guard,null,fenv,threads,capacity,repeat,repeat.large,none,"
                   "guard.input,offset.tensor,threads.tensor "),
      std::string::npos);
}

TEST(KitGuard, HoldsTheDataAndTheFirstParametersAtThePage) {
  Target target = tensor_target();
  // How many bytes lie between a buffer and a page, behind and in front of it.
  target.dequantize_tensor = [](uint32_t, const hurray_tensor*,
                                const hurray_tensor_buffers* buffers, float* out,
                                size_t count) -> hurray_status {
    for (size_t i = 0; i < count / 2; ++i) {
      const uintptr_t start = reinterpret_cast<uintptr_t>(buffers->bytes[i]);
      const uintptr_t end = start + buffers->byte_sizes[i];
      out[2 * i] = static_cast<float>(end % 4096 == 0);
      out[2 * i + 1] = static_cast<float>(start % 4096 == 0);
    }
    return HURRAY_OK;
  };
  const std::string request = " dequantize_tensor bytes=00010102 count=6 b0=010203 b1=04 b2=05";
  const std::string yes = "0000803f", no = "00000000";
  EXPECT_EQ(served(target, "1" + request + " guard=after\n2" + request + " guard=before\n"),
            "1 ok out=" + yes + no + yes + no + no + no + "\n2 ok out=" + no + yes + no + yes + no +
                no + "\n");
}

}  // namespace
}  // namespace kit_test
