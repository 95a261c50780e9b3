// SPDX-License-Identifier: Apache-2.0
//
// Is the digest of a sweep that of the bytes which single requests answer, whatever the blocks?

#include <gtest/gtest.h>

#include <cstdio>

#include "kit_digest.h"
#include "kit_test_target.h"

namespace kit_test {
namespace {

// FNV-1a, 64 bits, as the protocol answers it.
std::string digest(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 14695981039346656037u;
  for (const uint8_t byte : bytes) {
    hash ^= byte;
    hash *= 1099511628211u;
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// What quantizing the floats first, first + 1, … one by one gives.
std::vector<uint8_t> quantized(uint32_t first, uint32_t count, float scale, int32_t zero_point,
                               int least, int most) {
  std::vector<uint8_t> bytes;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t bits = first + i;
    float in;
    std::memcpy(&in, &bits, sizeof in);
    bytes.push_back(quantize_one(in, scale, zero_point, least, most));
  }
  return bytes;
}

const std::string kInt8 = "sweep op=quantize type=10 scale=3f000000 zero_point=3 first=40000000 ";

TEST(KitSweep, DigestsWhatSingleCallsAnswer) {
  EXPECT_EQ(digest({'a'}), "af63dc4c8601ec8c");  // published for FNV-1a
  EXPECT_EQ(ask(kInt8 + "count=0"), "ok digest=cbf29ce484222325");
  for (const uint32_t count : {1u, 7u, 1023u, 1024u, 1025u, 5000u}) {
    EXPECT_EQ(ask(kInt8 + "count=" + std::to_string(count)),
              "ok digest=" + digest(quantized(0x40000000, count, 0.5f, 3, -128, 127)))
        << count;
  }
  EXPECT_EQ(ask("sweep op=quantize type=11 scale=3f000000 zero_point=3 first=41fffff0 count=2000"),
            "ok digest=" + digest(quantized(0x41fffff0, 2000, 0.5f, 3, 0, 255)));
}

TEST(KitSweep, CallsTheFirmwareFunctionsToo) {
  const std::string rest = " scale=3f000000 zero_point=3 first=41fffff0 count=2000";
  EXPECT_EQ(ask("sweep fn=quantize_i8" + rest),
            "ok digest=" + digest(quantized(0x41fffff0, 2000, 0.5f, 3, -128, 127)));
  EXPECT_EQ(ask("sweep fn=quantize_u8" + rest),
            "ok digest=" + digest(quantized(0x41fffff0, 2000, 0.5f, 3, 0, 255)));
}

TEST(KitSweep, GoesToTheLastFloatAndNotBeyond) {
  const std::string nan = "sweep op=quantize type=10 scale=3f000000 zero_point=0 first=fffffffe ";
  Target target = good_target();
  // Remembers the bits it is given.
  target.quantize = [](uint8_t, float, int32_t, const float* in, void* q,
                       size_t count) -> hurray_status {
    for (size_t i = 0; i < count; ++i) {
      uint32_t bits;
      std::memcpy(&bits, in + i, sizeof bits);
      static_cast<uint8_t*>(q)[i] = static_cast<uint8_t>(bits);
    }
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, nan + "count=2"), "ok digest=" + digest({0xfe, 0xff}));
  EXPECT_EQ(ask(target, nan + "count=3"), "unsupported count goes beyond ffffffff");
  EXPECT_EQ(ask(target, nan + "count=18446744073709551615"),
            "unsupported count goes beyond ffffffff");
}

// Stretches of one element, long and short, of 8, 16 and 32 bits: the digest skips over them.
TEST(KitSweep, DigestsLongStretchesOfOneElementByteByByte) {
  for (const unsigned width : {1u, 2u, 4u}) {
    std::vector<uint8_t> bytes;
    uint32_t element = 0x9e3779b9;
    for (const size_t count :
         {1000u, 1u, 255u, 256u, 257u, 5000u, 3u, 70000u, 511u, 512u, 2u, 4096u}) {
      // Each comes again, behind another one and so behind another digest.
      element = ~element;
      for (size_t i = 0; i < count * width; ++i) {
        bytes.push_back(static_cast<uint8_t>(element >> (8 * (i % width))));
      }
      // In pieces as the blocks of a sweep.
      struct kit_digest digest = hurray_kit_no_digest(width);
      for (size_t i = 0; i < bytes.size(); i += 1024 * width) {
        hurray_kit_digest_add(&digest, bytes.data() + i,
                              std::min<size_t>(1024 * width, bytes.size() - i));
      }
      char text[17];
      std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest.value));
      EXPECT_EQ(text, kit_test::digest(bytes)) << width << " bytes, up to a stretch of " << count;
    }
  }
  // Every byte, whatever the digest was before.
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::vector<uint8_t> bytes(2048, static_cast<uint8_t>(byte));
    struct kit_digest digest = hurray_kit_no_digest(1);
    hurray_kit_digest_add(&digest, bytes.data(), bytes.size());
    EXPECT_TRUE(digest.is_known);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest.value));
    EXPECT_EQ(text, kit_test::digest(bytes));
  }
}

TEST(KitSweep, PacksPartsOfBytesAcrossBlocks) {
  Target target = good_target();
  target.quantize_types |= HURRAY_TYPE_UINT4;
  // Low bits of each float's pattern.
  target.quantize = [](uint8_t, float, int32_t, const float* in, void* q,
                       size_t count) -> hurray_status {
    auto* bytes = static_cast<uint8_t*>(q);
    std::memset(bytes, 0, (count + 1) / 2);
    for (size_t i = 0; i < count; ++i) {
      uint32_t bits;
      std::memcpy(&bits, in + i, sizeof bits);
      bytes[i / 2] = static_cast<uint8_t>(bytes[i / 2] | (bits & 15) << (4 * (i % 2)));
    }
    return HURRAY_OK;
  };
  std::vector<uint8_t> expected;
  for (int i = 0; i < 2049 / 2; ++i) {
    expected.push_back(static_cast<uint8_t>((2 * i & 15) | ((2 * i + 1) & 15) << 4));
  }
  expected.push_back(0);
  EXPECT_EQ(ask(target,
                "sweep op=quantize type=49 scale=3f800000 zero_point=0 first=3f800000 "
                "count=2049"),
            "ok digest=" + digest(expected));
}

TEST(KitSweep, FitsItsBlocksToTheMemoryThatThereIs) {
  const Target target = good_target();
  for (const size_t size : {256u, 300u, 1000u, 4096u}) {
    MemoryHost memory("7 " + kInt8 + "count=1500\n");
    memory.host.input.size = memory.host.output.size = size;
    EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
    EXPECT_EQ(memory.written,
              "7 ok digest=" + digest(quantized(0x40000000, 1500, 0.5f, 3, -128, 127)) + "\n")
        << size;
  }
  MemoryHost memory("7 " + kInt8 + "count=1500\n");
  memory.host.input.size = 128;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
  EXPECT_EQ(memory.written, "7 unsupported no room for a block\n");
}

TEST(KitSweep, EndsAtACallThatIsRefused) {
  EXPECT_EQ(ask("sweep op=quantize type=10 scale=00000000 zero_point=0 first=00000000 count=5"),
            "reject");
  EXPECT_EQ(ask("sweep fn=quantize_i8 scale=00000000 zero_point=0 first=00000000 count=5"),
            "reject code=0103");
  Target target = good_target();
  target.quantize = [](uint8_t, float, int32_t, const float*, void*, size_t) -> hurray_status {
    return HURRAY_UNSUPPORTED;
  };
  EXPECT_EQ(ask(target, kInt8 + "count=5"), "unsupported by the target");
}

TEST(KitSweep, DoesNotTakeWhatWasNotWrittenForAnAnswer) {
  Target target = good_target();
  // Leaves out every last element.
  target.quantize = [](uint8_t type, float scale, int32_t zero_point, const float* in, void* q,
                       size_t count) -> hurray_status {
    return quantize(type, scale, zero_point, in, q, count - 1);
  };
  const std::string saturated =
      "sweep op=quantize type=10 scale=3f000000 zero_point=3 first=45000000 count=4096";
  EXPECT_NE(ask(target, saturated), ask(saturated));
}

TEST(KitSweep, RefusesWhatIsNotClaimed) {
  const std::string rest = " scale=3f000000 zero_point=3 first=40000000 count=5";
  Target target = good_target();
  EXPECT_EQ(ask("sweep op=quantize type=12" + rest),
            "unsupported operation not claimed for this type");
  EXPECT_EQ(ask("sweep fn=dequantize_i8" + rest),
            "unsupported only what reads floats can be swept");
  target.ra8 = nullptr;
  EXPECT_EQ(ask(target, "sweep fn=quantize_i8" + rest), "unsupported operation not claimed");
  EXPECT_EQ(ask(target, "sweep fn=quantize_u8" + rest), "unsupported operation not claimed");
  target.quantize = nullptr;
  EXPECT_EQ(ask(target, "sweep op=quantize type=10" + rest),
            "unsupported operation not claimed for this type");
}

TEST(KitSweep, ReadsItsRequestStrictly) {
  const std::string rest = " scale=3f000000 zero_point=3 first=40000000 count=5";
  const std::string either = "unsupported either op and type, or fn";
  EXPECT_EQ(ask("sweep" + rest), either);
  EXPECT_EQ(ask("sweep op=quantize" + rest), either);
  EXPECT_EQ(ask("sweep type=10" + rest), either);
  EXPECT_EQ(ask("sweep type=10 fn=quantize_i8" + rest), either);
  EXPECT_EQ(ask("sweep op=quantize type=10 fn=quantize_i8" + rest), either);
  EXPECT_EQ(ask("sweep op=normalize type=10" + rest), "unsupported malformed value of op");
  EXPECT_EQ(ask("sweep op=quantize type=10" + rest + " fill=a5"), "unsupported unknown key fill");
  EXPECT_EQ(ask("sweep op=quantize type=10 scale=3f000000 zero_point=3 first=4000000 count=5"),
            "unsupported malformed value of first");
  EXPECT_EQ(ask("sweep op=quantize type=10 scale=3f000000 zero_point=3 count=5"),
            "unsupported missing key first");
}

TEST(KitSweep, IsClaimedByWhoQuantizes) {
  Target target = good_target();
  target.normalize_zero_points = nullptr;
  const auto operations = [&] {
    const std::string hello = ask(target, "hello version=1");
    const size_t start = hello.find(" ops=");
    return start == std::string::npos
               ? "none"
               : hello.substr(start + 5, hello.find(' ', start + 5) - start - 5);
  };
  EXPECT_EQ(operations(), "sweep,sweep.dequantize");
  target.quantize_types = 0;
  EXPECT_EQ(operations(), "sweep,sweep.dequantize");
  target.ra8 = nullptr;
  EXPECT_EQ(operations(), "sweep.dequantize");
  target.dequantize_types = 1u << 10;  // of MXFP, which has no affine kernel
  EXPECT_EQ(operations(), "none");
  target = good_target();
  target.normalize_zero_points = nullptr;
  target.dequantize = nullptr;
  EXPECT_EQ(operations(), "sweep");
}

}  // namespace
}  // namespace kit_test
