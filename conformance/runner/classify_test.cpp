// SPDX-License-Identifier: Apache-2.0
//
// Does the report name the mistake that was made in normalizing, in a descriptor or in a call? Each
// class is shown to the classifier by an answer of a small wrong implementation; the kernels are in
// classify_dequantize_test.cpp and classify_quantize_test.cpp.

#include "conformance/runner/classify_test.h"

#include <fmt/format.h>

#include <functional>

#include "conformance/runner/hypotheses.h"

namespace hurray::conformance {
namespace {

// --- Normalizing

std::string normalize_class(const std::function<std::int32_t(unsigned byte, bool high)>& kernel) {
  const Bytes plane = {0x76, 0xf0, 0x1f, 0x8a};
  std::vector<std::int32_t> out;
  for (const std::uint8_t byte : plane) {
    out.push_back(kernel(byte, false));
    out.push_back(kernel(byte, true));
  }
  return class_of("normalize bits=4 bias=1 order=low-first count=8 packed=" + to_hex(plane),
                  "ok zero_points=" + int32s_to_hex(out));
}

std::int32_t field(unsigned byte, bool high) {
  return static_cast<std::int32_t>(high ? byte >> 4 : byte & 15);
}

TEST(ClassifyNormalize, EveryWayToLoseTheBias) {
  using Kernel = std::function<std::int32_t(unsigned, bool)>;
  const std::pair<const char*, Kernel> kKernels[] = {
      {"bias-forgotten", [](unsigned byte, bool high) { return field(byte, high); }},
      {"bias-added-twice", [](unsigned byte, bool high) { return field(byte, high) + 2; }},
      {"bias-subtracted", [](unsigned byte, bool high) { return field(byte, high) - 1; }},
      {"wraps-at-15", [](unsigned byte, bool high) { return (field(byte, high) + 1) % 16; }},
      {"clamps-at-15",
       [](unsigned byte, bool high) { return std::min(15, field(byte, high) + 1); }},
      {"packed-add-carry",
       [](unsigned byte, bool high) { return field((byte + 0x11u) & 0xff, high); }},
      {"nibble-order", [](unsigned byte, bool high) { return field(byte, !high) + 1; }},
      {"sign-extension",
       [](unsigned byte, bool high) {
         return (field(byte, high) > 7 ? field(byte, high) - 16 : field(byte, high)) + 1;
       }},
      {"symmetric-assumed", [](unsigned, bool) { return 8; }},
  };
  for (const auto& [name, kernel] : kKernels) EXPECT_EQ(normalize_class(kernel), name);
}

TEST(ClassifyNormalize, FieldsOfEveryWidth) {
  const auto class_with = [](unsigned bits, std::int32_t bias, std::string_view plane,
                             const std::vector<std::int32_t>& got) {
    return class_of(fmt::format("normalize bits={} bias={} order=low-first count={} packed={}",
                                bits, bias, got.size(), plane),
                    "ok zero_points=" + int32s_to_hex(got));
  };
  EXPECT_EQ(class_with(2, 1, "e7", {3, 1, 2, 3}), "bias-forgotten");
  EXPECT_EQ(class_with(2, 1, "e7", {0, 2, 3, 0}), "wraps-at-15");
  EXPECT_EQ(class_with(2, 1, "e4", {4, 3, 2, 1}), "nibble-order");
  EXPECT_EQ(class_with(8, 1, "05ff", {6, 0}), "wraps-at-15");
  EXPECT_EQ(class_with(8, 1, "05ff", {6, 255}), "clamps-at-15");
  EXPECT_EQ(class_with(8, 0, "05fe", {5, -2}), "sign-extension");
  EXPECT_EQ(class_with(4, 0, "6778", {8, 7, 9, 8}), "bias-assumed");
  EXPECT_EQ(class_with(4, 1, "6778", {8, 6, 9, 7}), "packed-add-once");
}

TEST(ClassifyConvert, TheSameMistakesInAConverter) {
  const std::string request =
      "convert type=10 shape=1000000000000000 axis=0 group_size=4 bits=4 bias=1 order=low-first "
      "group_major=0 word_bytes=1 scale_type_tag=03 weights=000102030405060708090a0b0c0d0e0f "
      "scales=0000803f0000803f0000803f0000803f plane=6f78";
  const std::string right = expected_answers(read_request(request)).front().answer;
  const auto class_with = [&](const std::vector<std::int32_t>& zero_points) {
    return class_of(request,
                    right.substr(0, right.find(" b2=")) + " b2=" + int32s_to_hex(zero_points));
  };
  EXPECT_EQ(class_with({15, 6, 8, 7}), "bias-forgotten");
  EXPECT_EQ(class_with({0, 7, 9, 8}), "wraps-at-15");
  EXPECT_EQ(class_with({15, 7, 9, 8}), "clamps-at-15");
  EXPECT_EQ(class_with({7, 16, 8, 9}), "nibble-order");
  // The zero points are right, the scales are not.
  std::string other = right;
  other.replace(other.find("b1=0000803f"), 11, "b1=00000040");
  EXPECT_EQ(class_of(request, other), "wrong-fields");
}

// --- Descriptors

constexpr const char* kDecode = "decode type=12 bytes=010100000000003f3412000000000000";

TEST(ClassifyDescriptor, ByteOrder) {
  EXPECT_EQ(class_of(kDecode, "ok scheme=1 scale=0000003f zero_point=4660"), "byte-order");
  EXPECT_EQ(class_of(kDecode, "ok scheme=1 scale=3f000000 zero_point=873594880"), "byte-order");
  EXPECT_EQ(class_of("encode type=12 scheme=1 scale=3f000000 zero_point=4660",
                     "ok bytes=01010000"
                     "3f000000"
                     "00001234"
                     "00000000"),
            "byte-order");
}

TEST(ClassifyDescriptor, SignExtension) {
  // A zero point that was read from one byte.
  EXPECT_EQ(class_of("decode type=11 bytes=010100000000003fc800000000000000",
                     "ok scheme=1 scale=3f000000 zero_point=-56"),
            "sign-extension");
}

TEST(ClassifyDescriptor, AcceptAndReject) {
  EXPECT_EQ(class_of(kDecode, "reject"), "rejects-valid");
  EXPECT_EQ(class_of("decode type=10 bytes=", "ok scheme=1 scale=3f000000 zero_point=0"),
            "accepts-invalid");
  EXPECT_EQ(class_of(kDecode, "unsupported"), "claims-what-it-lacks");
}

// --- Firmware codes and call discipline

TEST(ClassifyCall, WrongCode) {
  EXPECT_EQ(class_of("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000",
                     "ok code=0504"),
            "wrong-code");
}

TEST(ClassifyCall, WritesOutside) {
  EXPECT_EQ(class_of("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=04 fill=a5",
                     "ok out=0000003f under=0 over=4 in_changed=0"),
            "writes-outside");
}

TEST(ClassifyCall, ChangesInput) {
  EXPECT_EQ(class_of("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=04 fill=a5",
                     "ok out=0000003f under=0 over=0 in_changed=1"),
            "changes-input");
}

TEST(ClassifyCall, WritesOnError) {
  EXPECT_EQ(
      class_of("decode type=10 bytes= fill=a5", "reject under=0 over=0 in_changed=0 changed=1"),
      "writes-on-error");
  EXPECT_EQ(class_of("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000 fill=a5",
                     "ok code=0103 out=00 under=0 over=0 in_changed=0"),
            "writes-on-error");
}

TEST(ClassifyCall, AnotherCodeWithItsOutputUntouchedIsJustAnotherCode) {
  EXPECT_EQ(class_of("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00000000 fill=a5",
                     "ok code=0504 out=a5 under=0 over=0 in_changed=0"),
            "wrong-code");
}

TEST(ClassifyCall, FloatEnvironment) {
  EXPECT_EQ(class_of("dequantize type=10 scale=3f000000 zero_point=3 count=1 q=04 fenv=nearest",
                     "ok out=0000003f fenv=changed"),
            "float-environment");
}

// --- The names

TEST(MeaningOfClass, EveryMistakeThatIsTriedHasAMeaning) {
  // A report without the half sentence beside the class helps nobody.
  for (const auto& each : dequantize_mistakes())
    EXPECT_FALSE(meaning_of_class(each.name).empty()) << each.name;
  for (const auto& each : quantize_mistakes())
    EXPECT_FALSE(meaning_of_class(each.name).empty()) << each.name;
  for (const auto& each : normalize_mistakes())
    EXPECT_FALSE(meaning_of_class(each.name).empty()) << each.name;
}

TEST(MeaningOfClass, OtherNamesHaveNone) {
  EXPECT_TRUE(meaning_of_class("").empty());
  EXPECT_TRUE(meaning_of_class("unknown").empty());
  EXPECT_TRUE(meaning_of_class("ties").empty());
}

}  // namespace
}  // namespace hurray::conformance
