// SPDX-License-Identifier: Apache-2.0
//
// Are changed requests always requests of the protocol, and is what may not be asked kept back?

#include <gtest/gtest.h>

#include <set>

#include "conformance/runner/families/tensors.h"
#include "conformance/runner/mutate.h"
#include "conformance/runner/oracle.h"

namespace hurray::conformance {
namespace {

constexpr const char* kDescriptor = "010100000000003f0300000000000000";

const std::vector<std::string>& requests() {
  static const std::vector<std::string> kRequests = {
      std::string("decode type=10 bytes=") + kDescriptor,
      "encode type=10 scheme=1 scale=3f000000 zero_point=3",
      "dequantize type=48 scale=3f000000 zero_point=3 count=3 q=2107",
      "quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0 fill=a5",
      "normalize bits=4 bias=1 order=low-first count=4 packed=6778",
      "ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0",
      "ra8 fn=dequantize_u8 scale=3f000000 zero_point=3 count=2 in=00ff",
      "pack type=49 count=3 values=05000000000000000c000000000000000300000000000000",
      "unpack type=49 count=3 packed=c503",
      "packed_bytes type=44 count=5",
      "widen type=43 count=2 packed=7f",
  };
  return kRequests;
}

Mutator learned() {
  Mutator mutator;
  for (const std::string& each : requests()) mutator.learn({"a/b", "why", {{each, {}}}, {}});
  return mutator;
}

TEST(Mutate, ChangedRequestsHaveAnAnswerWheneverTheyMayBeAsked) {
  const Mutator mutator = learned();
  Random random(1);
  for (const std::string& request : requests()) {
    int asked = 0;
    for (int i = 0; i < 400; ++i) {
      const std::string changed = mutator.mutate(random, request, 1 + static_cast<unsigned>(i) % 5);
      if (!may_be_asked(changed)) continue;
      ++asked;
      EXPECT_FALSE(expected_answers(read_request(changed)).empty()) << changed;
    }
    EXPECT_GT(asked, 200) << request;
  }
}

TEST(Mutate, EveryKeyOfARequestIsChangedSometimes) {
  Mutator mutator = learned();
  mutator.learn(
      {"a/c", "why", {{"quantize type=12 scale=3f000000 zero_point=3 count=0 in=", {}}}, {}});
  Random random(2);
  const std::string request = requests()[3];
  std::set<std::string> changed;
  for (int i = 0; i < 2000; ++i) {
    const EditableRequest before(request), after(mutator.mutate(random, request, 1));
    for (const auto& [key, value] : after.keys) {
      if (!before.has(key) || *before.find(key) != value) changed.insert(key);
    }
  }
  EXPECT_EQ(changed, (std::set<std::string>{"count", "fill", "in", "scale", "type", "zero_point"}));
}

TEST(Mutate, TheSameNumbersGiveTheSameRequest) {
  const Mutator mutator = learned();
  Random a(3), b(3), c(4);
  const std::string of_a = mutator.mutate(a, requests()[3], 4);
  EXPECT_EQ(of_a, mutator.mutate(b, requests()[3], 4));
  EXPECT_NE(of_a, mutator.mutate(c, requests()[3], 4));
}

TEST(Mutate, OfDescriptorsEveryByteIsChangedAndTheEndMoves) {
  Random random(5);
  const Bytes before = *parse_hex(kDescriptor);
  std::set<std::size_t> changed, lengths;
  for (int i = 0; i < 4000; ++i) {
    Bytes bytes = before;
    change_descriptor(random, bytes, false);
    lengths.insert(bytes.size());
    for (std::size_t at = 0; at < std::min(bytes.size(), before.size()); ++at) {
      if (bytes[at] != before[at]) changed.insert(at);
    }
  }
  EXPECT_EQ(changed.size(), before.size());
  EXPECT_TRUE(lengths.contains(0) && lengths.contains(15) && lengths.contains(17));
}

TEST(MayBeAsked, ADequantizerHasTheParametersOfAValidDescriptor) {
  EXPECT_TRUE(may_be_asked("dequantize type=10 scale=bf000000 zero_point=-128 count=1 q=00"));
  for (const char* request : {"dequantize type=10 scale=7fc00000 zero_point=0 count=1 q=00",
                              "dequantize type=10 scale=7f800000 zero_point=0 count=1 q=00",
                              "dequantize type=10 scale=80000000 zero_point=0 count=1 q=00",
                              "dequantize type=10 scale=3f000000 zero_point=128 count=1 q=00",
                              "dequantize type=ff scale=3f000000 zero_point=0 count=1 q=00"}) {
    EXPECT_FALSE(may_be_asked(request)) << request;
  }
  // A quantizer, and the firmware, may be asked all of that.
  EXPECT_TRUE(may_be_asked("quantize type=10 scale=7fc00000 zero_point=128 count=0 in="));
  EXPECT_TRUE(may_be_asked("ra8 fn=dequantize_i8 scale=00000000 zero_point=999 count=1 in=00"));
}

TEST(MayBeAsked, FloatsAreNeverMisalignedAndGuardsHaveNoOffset) {
  const std::string quantize = "quantize type=10 scale=3f000000 zero_point=0 count=1 in=00000000";
  EXPECT_TRUE(may_be_asked(quantize + " in_off=8 out_off=3"));
  EXPECT_FALSE(may_be_asked(quantize + " in_off=3 out_off=3"));
  EXPECT_FALSE(may_be_asked(quantize + " guard=after in_off=8"));
  EXPECT_FALSE(may_be_asked(quantize + " out_off=64"));
  EXPECT_FALSE(
      may_be_asked("dequantize type=10 scale=3f000000 zero_point=0 count=1 q=00 out_off=2"));
}

TEST(MayBeAsked, BuffersAreThoseThatTheTensorSays) {
  const TensorParts parts = per_tensor_tensor();
  const std::size_t bytes = static_cast<std::size_t>(parts.buffers[0].byte_size);
  const std::vector<Bytes> right = {Bytes(bytes)}, shorter = {Bytes(bytes - 1)},
                           more = {Bytes(bytes), Bytes(1)};
  ASSERT_EQ(parts.shape, (std::vector<std::uint64_t>{2, 4}));
  EXPECT_TRUE(may_be_asked(dequantize_tensor_request(parts, 8, right)));
  EXPECT_FALSE(may_be_asked(dequantize_tensor_request(parts, 8, shorter)));
  EXPECT_FALSE(may_be_asked(dequantize_tensor_request(parts, 7, right)));
  EXPECT_FALSE(may_be_asked(dequantize_tensor_request(parts, 8, more)));
  EXPECT_FALSE(may_be_asked(dequantize_tensor_request(parts, 8, std::vector<Bytes>{})));
}

TEST(MayBeAsked, PlacesBeyond64BitsAreNot) {
  TensorParts parts = plain_tensor();
  parts.type = 0x4a;  // int2: the last of these is element 2^64 - 1
  parts.layout = 3;
  parts.shape = {3, 2};
  parts.strides = {INT64_MAX, 1};
  parts.buffers[0].byte_size = std::uint64_t{1} << 62;
  EXPECT_FALSE(may_be_asked(decode_tensor_request(parts)));
  // A reader can tell that these are too small, and that one is large enough.
  parts.type = 0x10;
  EXPECT_TRUE(may_be_asked(decode_tensor_request(parts)));
  parts.type = 0x4a;
  parts.strides = {INT64_MAX, 0};
  EXPECT_TRUE(may_be_asked(decode_tensor_request(parts)));
  parts.buffers[0].byte_size = 1;
  EXPECT_TRUE(may_be_asked(decode_tensor_request(parts)));
}

TEST(MayBeAsked, WritersAreGivenTheFieldsOfTheScheme) {
  const std::string encode = "encode type=10 scheme=";
  EXPECT_TRUE(may_be_asked(encode + "9 scale=3f000000 zero_point=0"));
  EXPECT_FALSE(may_be_asked(encode + "2 scale=3f000000 zero_point=0"));
  EXPECT_TRUE(may_be_asked(encode + "5 axis=0 block_size=32 scale_buffer_index=1"));
  EXPECT_FALSE(may_be_asked(encode + "6 axis=0 block_size=32 scale_buffer_index=1"));
  EXPECT_FALSE(may_be_asked(encode + "5 axis=4294967296 block_size=32 scale_buffer_index=1"));
}

TEST(MayBeAsked, PartialGroupsOfAConversionAreNot) {
  const std::string tail =
      " axis=0 group_size=2 bits=4 bias=1 order=low-first group_major=0 word_bytes=1 "
      "scale_type_tag=03 weights=0102 scales=0000803f plane=07";
  EXPECT_TRUE(may_be_asked("convert type=10 shape=0200000000000000" + tail));
  EXPECT_FALSE(may_be_asked("convert type=10 shape=0300000000000000" + tail));
  EXPECT_FALSE(may_be_asked("convert type=10 shape=00000000ffffffff" + tail));
}

TEST(MayBeAsked, BiasesThatOnlySomeFieldsCarryBeyondInt32AreNot) {
  const auto asked = [](const std::string& bias) {
    return may_be_asked(
        "convert type=10 shape=0200000000000000 axis=0 group_size=2 bits=4 bias=" + bias +
        " order=low-first group_major=0 word_bytes=1 scale_type_tag=03 "
        "weights=0102 scales=0000803f plane=07");
  };
  EXPECT_TRUE(asked("2147483632"));
  EXPECT_FALSE(asked("2147483633"));
  EXPECT_FALSE(may_be_asked("normalize bits=8 bias=2147483647 order=low-first count=1 packed=00"));
}

}  // namespace
}  // namespace hurray::conformance
