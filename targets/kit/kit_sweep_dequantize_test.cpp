// SPDX-License-Identifier: Apache-2.0
//
// Is the digest of a sweep over codes that of the floats which single requests answer, whatever the
// width of the codes?

#include <gtest/gtest.h>

#include <cstdio>

#include "kit_test_target.h"

namespace kit_test {
namespace {

// FNV-1a, 64 bits, over the little-endian bytes of binary32.
std::string digest(const std::vector<float>& values) {
  uint64_t hash = 14695981039346656037u;
  for (const float value : values) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    for (int shift = 0; shift < 32; shift += 8) {
      hash ^= bits >> shift & 0xff;
      hash *= 1099511628211u;
    }
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string request(const char* type, unsigned first, unsigned count) {
  return "sweep op=dequantize type=" + std::string(type) +
         " scale=3f000000 zero_point=3 first=" + "0000" + std::to_string(first / 1000 % 10) +
         std::to_string(first / 100 % 10) + std::to_string(first / 10 % 10) +
         std::to_string(first % 10) + " count=" + std::to_string(count);
}

TEST(KitSweepDequantize, DigestsTheFloatsOfAllCodes) {
  std::vector<float> signed_bytes, unsigned_bytes, fields;
  for (int code = 0; code < 256; ++code) {
    signed_bytes.push_back(0.5f * static_cast<float>(static_cast<int8_t>(code) - 3));
    unsigned_bytes.push_back(0.5f * static_cast<float>(code - 3));
  }
  for (int code = 0; code < 16; ++code) fields.push_back(0.5f * static_cast<float>(code - 3));
  EXPECT_EQ(ask(request("10", 0, 256)), "ok digest=" + digest(signed_bytes));
  EXPECT_EQ(ask(request("11", 0, 256)), "ok digest=" + digest(unsigned_bytes));
  EXPECT_EQ(ask(request("49", 0, 16)), "ok digest=" + digest(fields));
  EXPECT_EQ(ask(request("49", 0, 0)), "ok digest=cbf29ce484222325");
}

TEST(KitSweepDequantize, StartsWhereItIsAskedTo) {
  EXPECT_EQ(ask(request("49", 5, 3)), "ok digest=" + digest({1.0f, 1.5f, 2.0f}));
  EXPECT_EQ(ask(request("11", 9, 2)), "ok digest=" + digest({3.0f, 3.5f}));
  EXPECT_EQ(ask("sweep op=dequantize type=12 scale=3f000000 zero_point=3 first=0000fffe count=2"),
            "ok digest=" + digest({-2.5f, -2.0f}));
}

TEST(KitSweepDequantize, CrossesItsBlocks) {
  std::vector<float> floats;
  for (int code = 0; code < 65536; ++code) {
    floats.push_back(0.5f * static_cast<float>(static_cast<int16_t>(code) - 3));
  }
  const std::string all =
      "sweep op=dequantize type=12 scale=3f000000 zero_point=3 first=00000000 count=65536";
  EXPECT_EQ(ask(all), "ok digest=" + digest(floats));
  const Target target = good_target();
  for (const size_t size : {256u, 300u, 1000u, 4096u}) {
    MemoryHost memory("7 " + all + "\n");
    memory.host.input.size = memory.host.output.size = size;
    EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
    EXPECT_EQ(memory.written, "7 ok digest=" + digest(floats) + "\n") << size;
  }
}

TEST(KitSweepDequantize, CountsThirtyTwoBitCodesToTheLast) {
  Target target = good_target();
  target.dequantize_types |= HURRAY_TYPE_UINT32;
  // The code as it is, as a float of its low bits.
  target.dequantize = [](uint8_t, float, int32_t, const void* q, float* out,
                         size_t count) -> hurray_status {
    for (size_t i = 0; i < count; ++i) {
      uint32_t code;
      std::memcpy(&code, static_cast<const uint8_t*>(q) + 4 * i, sizeof code);
      out[i] = static_cast<float>(code & 0xffff);
    }
    return HURRAY_OK;
  };
  const std::string last =
      "sweep op=dequantize type=15 scale=3f800000 zero_point=0 first=fffffffe count=";
  EXPECT_EQ(ask(target, last + "2"), "ok digest=" + digest({65534.0f, 65535.0f}));
  EXPECT_EQ(ask(target, last + "3"), "unsupported count goes beyond ffffffff");
}

TEST(KitSweepDequantize, RefusesWhatIsNoCodeOrNotClaimed) {
  EXPECT_EQ(ask(request("49", 0, 17)), "unsupported count goes beyond the last code");
  EXPECT_EQ(ask(request("49", 16, 0)), "unsupported count goes beyond the last code");
  EXPECT_EQ(ask(request("10", 255, 2)), "unsupported count goes beyond the last code");
  EXPECT_EQ(ask(request("13", 0, 1)), "unsupported operation not claimed for this type");
  Target target = good_target();
  target.dequantize_types |= 1u << 10;  // float8_e4m3
  EXPECT_EQ(ask(target, request("40", 0, 1)), "unsupported operation not claimed for this type");
  target.dequantize = nullptr;
  EXPECT_EQ(ask(target, request("10", 0, 1)), "unsupported operation not claimed for this type");
}

TEST(KitSweepDequantize, EndsAtACallThatIsRefusedAndSeesWhatIsNotWritten) {
  Target target = good_target();
  target.dequantize = [](uint8_t, float, int32_t, const void*, float*, size_t) -> hurray_status {
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(ask(target, request("10", 0, 5)), "reject");
  // The first block is complete; of the others the last element is left as that block had it.
  target.dequantize = [](uint8_t, float, int32_t, const void* q, float* out,
                         size_t count) -> hurray_status {
    const bool is_first = static_cast<const uint8_t*>(q)[1] == 0;
    for (size_t i = 0; i + (is_first ? 0 : 1) < count; ++i) out[i] = 1.0f;
    return HURRAY_OK;
  };
  EXPECT_NE(ask(target,
                "sweep op=dequantize type=12 scale=3f000000 zero_point=3 first=00000000 "
                "count=4096"),
            "ok digest=" + digest(std::vector<float>(4096, 1.0f)));
}

}  // namespace
}  // namespace kit_test
