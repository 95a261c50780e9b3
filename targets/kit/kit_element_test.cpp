// SPDX-License-Identifier: Apache-2.0
//
// Does the kit carry the other schemes' descriptors and the operations on element types?
//
// The target here echoes: it checks nothing, so that what the kit passes and answers is seen.

#include <gtest/gtest.h>

#include "kit_test_target.h"

namespace kit_test {
namespace {

hurray_status echo_decode(uint8_t, const uint8_t* bytes, size_t length, hurray_descriptor* out) {
  if (length != 20) return HURRAY_REJECTED;
  hurray_descriptor result = {};
  result.scheme_tag = bytes[0];
  result.flags = static_cast<uint16_t>(bytes[2] | bytes[3] << 8);
  const auto word = [&](size_t at) { return static_cast<uint32_t>(bytes[at]); };
  result.axis = word(4);
  result.block_size = word(8);
  result.scale_buffer_index = word(12);
  if (bytes[0] <= 3) {
    result.zero_point_buffer_index = 0xffffffff;
    result.scale_type_tag = bytes[16];
  }
  if (bytes[0] == 2) result.block_size = 0;
  *out = result;
  return HURRAY_OK;
}

// The struct as it is in memory.
hurray_status echo_encode(uint8_t, const hurray_descriptor* descriptor, uint8_t* out,
                          size_t capacity, size_t* written) {
  if (capacity < sizeof *descriptor) return HURRAY_REJECTED;
  std::memcpy(out, descriptor, sizeof *descriptor);
  *written = sizeof *descriptor;
  return HURRAY_OK;
}

unsigned bits_of(uint8_t type) {
  return type == 0x49 ? 4 : type == 0x44 ? 6 : type == 0x17 ? 64 : type == 0x10 ? 8 : 0;
}

hurray_status packed_bytes(uint8_t type, uint64_t count, uint64_t* bytes) {
  const unsigned bits = bits_of(type);
  if (bits == 0 || (bits != 8 && count > UINT32_MAX)) return HURRAY_REJECTED;
  *bytes = bits == 8 ? count : bits == 6 ? (count + 3) / 4 * 3 : (count * bits + 7) / 8;
  return HURRAY_OK;
}

hurray_status pack(uint8_t type, const int64_t* values, size_t count, uint8_t* out) {
  const unsigned bits = bits_of(type);
  uint64_t bytes;
  if (packed_bytes(type, count, &bytes) != HURRAY_OK) return HURRAY_REJECTED;
  for (size_t i = 0; i < count; ++i) {
    if (bits < 64 && static_cast<uint64_t>(values[i]) >> bits != 0) return HURRAY_REJECTED;
  }
  std::memset(out, 0, bytes);
  for (size_t i = 0; i < count * bits; ++i) {
    const auto bit = static_cast<uint64_t>(values[i / bits]) >> i % bits & 1;
    out[i / 8] = static_cast<uint8_t>(out[i / 8] | bit << i % 8);
  }
  return HURRAY_OK;
}

hurray_status unpack(uint8_t type, const uint8_t* packed, size_t count, int64_t* values) {
  const unsigned bits = bits_of(type);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = 0;
    for (unsigned bit = 0; bit < bits; ++bit) {
      const size_t at = i * bits + bit;
      value |= static_cast<uint64_t>(packed[at / 8] >> at % 8 & 1) << bit;
    }
    values[i] = static_cast<int64_t>(value);
  }
  return HURRAY_OK;
}

hurray_status widen(uint8_t type, const uint8_t* packed, size_t count, float* out) {
  for (size_t i = 0; i < count; ++i) {
    int64_t value = 0;
    std::memcpy(&value, packed + i, 1);
    if (type != 0x10) return HURRAY_UNSUPPORTED;
    out[i] = static_cast<float>(value);
  }
  return HURRAY_OK;
}

Target element_target() {
  Target target = good_target();
  target.decode = echo_decode;
  target.encode = echo_encode;
  target.pack = pack;
  target.unpack = unpack;
  target.packed_bytes = packed_bytes;
  target.widen = widen;
  target.element_types =
      HURRAY_TYPE_UINT4 | HURRAY_TYPE_FLOAT6_E2M3 | HURRAY_TYPE_UINT64 | HURRAY_TYPE_INT8;
  return target;
}

std::string ask_elements(const std::string& request) { return ask(element_target(), request); }

TEST(KitSchemes, AnswerTheFieldsThatTheyHave) {
  EXPECT_EQ(ask_elements("decode type=10 bytes=0201010001000000020000000300000003000000"),
            "ok scheme=2 flags=0001 axis=1 scale_buffer_index=3 "
            "zero_point_buffer_index=4294967295 scale_type_tag=03");
  EXPECT_EQ(ask_elements("decode type=10 bytes=0301000001000000080000000300000002000000"),
            "ok scheme=3 flags=0000 axis=1 block_size=8 scale_buffer_index=3 "
            "zero_point_buffer_index=4294967295 scale_type_tag=02");
  EXPECT_EQ(ask_elements("decode type=10 bytes=0401000001000000080000000300000002000000"),
            "ok scheme=4 axis=1 block_size=8 scale_buffer_index=3");
  EXPECT_EQ(ask_elements("decode type=10 bytes=0501000001000000080000000300000002000000"),
            "ok scheme=5 axis=1 block_size=8 scale_buffer_index=3");
}

TEST(KitSchemes, CountFieldsThatTheyDoNotHave) {
  const std::string clean = " under=0 over=0 in_changed=0";
  for (const std::string scheme : {"02", "03", "04", "05"}) {
    const std::string request =
        "decode type=10 bytes=" + scheme + "0100000100000008000000" + "0300000002000000";
    EXPECT_EQ(ask_elements(request + " fill=a5"), ask_elements(request) + clean);
  }
  // Scheme 4 has no flags.
  const std::string request = "decode type=10 bytes=0401020101000000080000000300000002000000";
  EXPECT_EQ(ask_elements(request + " fill=a5"),
            ask_elements(request) + " under=0 over=2 in_changed=0");
}

TEST(KitSchemes, PassTheFieldsThatTheyHaveToTheEncoder) {
  EXPECT_EQ(ask_elements("encode type=10 scheme=3 flags=0102 axis=4294967295 block_size=8 "
                         "scale_buffer_index=1 zero_point_buffer_index=2 scale_type_tag=03"),
            "ok bytes=030302010000000000000000ffffffff080000000100000002000000");
  EXPECT_EQ(ask_elements("encode type=10 scheme=2 flags=0102 axis=1 scale_buffer_index=1 "
                         "zero_point_buffer_index=2 scale_type_tag=03"),
            "ok bytes=02030201000000000000000001000000000000000100000002000000");
  EXPECT_EQ(ask_elements("encode type=10 scheme=5 axis=1 block_size=32 scale_buffer_index=1"),
            "ok bytes=05000000000000000000000001000000200000000100000000000000");
}

TEST(KitSchemes, RefuseKeysOfOtherSchemes) {
  const std::pair<std::string, std::string> cases[] = {
      {"encode type=10 scheme=1 scale=3f000000", "missing key zero_point"},
      {"encode type=10 scheme=9 axis=1", "missing key scale"},
      {"encode type=10 axis=1", "missing key scheme"},
      {"encode type=10 scheme=2 scale=3f000000 zero_point=3", "missing key flags"},
      {"encode type=10 scheme=4 axis=1 block_size=8", "missing key scale_buffer_index"},
      {"encode type=10 scheme=4 axis=1 block_size=8 scale_buffer_index=1 flags=0000",
       "unknown key flags"},
      {"encode type=10 scheme=1 scale=3f000000 zero_point=3 axis=1", "unknown key axis"},
      {"encode type=10 scheme=4 axis=-1", "malformed value of axis"},
      {"encode type=10 scheme=4 axis=4294967296", "malformed value of axis"},
      {"encode type=10 scheme=2 flags=000", "malformed value of flags"},
      {"encode type=10 scheme=2 scale_type_tag=3", "malformed value of scale_type_tag"},
  };
  for (const auto& [request, hint] : cases)
    EXPECT_EQ(ask_elements(request), "unsupported " + hint) << request;
}

TEST(KitElements, AreClaimedInHello) {
  EXPECT_EQ(ask_elements("hello version=1"),
            "ok version=1 name=plain contract=hurray,ra8 schemes=1 types.decode=10 "
            "types.encode=10 types.dequantize=10,11,12,49 types.quantize=10,11 "
            "ops=normalize,sweep,sweep.dequantize,pack,unpack,packed_bytes,widen "
            "types.element=10,49,44,17 "
            "calls=offset,fill,null,fenv,threads,capacity max_line=65536");
  Target target = element_target();
  target.element_types = 0xffffffff;
  EXPECT_NE(ask(target, "hello version=1")
                .find(" types.element=10,11,12,13,14,15,48,49,4a,4b,40,41,43,44,45,20,42,01,02,03,"
                      "04,16,17,50,51,46 "),
            std::string::npos);
  target.struct_bytes = offsetof(Target, element_types);
  EXPECT_EQ(ask(target, "hello version=1").find("types.element"), std::string::npos);
}

TEST(KitElements, AnswerTheExamplesOfTheProtocol) {
  EXPECT_EQ(ask_elements("pack type=49 count=3 "
                         "values=05000000000000000c000000000000000300000000000000"),
            "ok packed=c503");
  EXPECT_EQ(ask_elements("unpack type=49 count=3 packed=c503"),
            "ok values=05000000000000000c000000000000000300000000000000");
  EXPECT_EQ(ask_elements("packed_bytes type=44 count=5"), "ok bytes=6");
  EXPECT_EQ(ask_elements("widen type=10 count=2 packed=7f00"), "ok out=0000fe4200000000");
}

TEST(KitElements, AnswerTheirOtherForms) {
  EXPECT_EQ(ask_elements("pack type=44 count=1 values=2100000000000000"), "ok packed=210000");
  EXPECT_EQ(ask_elements("pack type=17 count=1 values=ffffffffffffffff"),
            "ok packed=ffffffffffffffff");
  EXPECT_EQ(ask_elements("pack type=49 count=1 values=1000000000000000"), "reject");
  EXPECT_EQ(ask_elements("pack type=49 count=0 values="), "ok packed=");
  EXPECT_EQ(ask_elements("unpack type=44 count=2 packed=414000"),
            "ok values=01000000000000000100000000000000");
  EXPECT_EQ(ask_elements("widen type=49 count=1 packed=01"), "unsupported by the target");
  EXPECT_EQ(ask_elements("packed_bytes type=10 count=18446744073709551615"),
            "ok bytes=18446744073709551615");
  EXPECT_EQ(ask_elements("packed_bytes type=17 count=18446744073709551615"), "reject");
  // Every tag reaches the target.
  EXPECT_EQ(ask_elements("packed_bytes type=47 count=1"), "reject");
}

TEST(KitElements, RefuseWhatIsNotInTheProtocol) {
  const std::pair<std::string, std::string> cases[] = {
      {"pack type=49 count=1 values=05", "count and array length disagree"},
      {"pack type=11 count=1 values=0500000000000000", "operation not claimed for this type"},
      {"unpack type=49 count=2 packed=", "count and array length disagree"},
      {"unpack type=44 count=2 packed=4140", "count and array length disagree"},
      {"packed_bytes type=44 count=5 packed=00", "unknown key packed"},
      {"packed_bytes type=44", "missing key count"},
      {"packed_bytes type=44 count=18446744073709551616", "malformed value of count"},
      {"widen type=10 count=1", "missing key packed"},
      {"pack type=49 count=1 values=0500000000000000 in_off=4", "in_off would misalign the input"},
      {"unpack type=49 count=1 packed=05 out_off=4", "out_off would misalign the output"},
  };
  for (const auto& [request, hint] : cases)
    EXPECT_EQ(ask_elements(request), "unsupported " + hint) << request;
  EXPECT_EQ(ask("pack type=10 count=0 values="), "unsupported operation not claimed");
  EXPECT_EQ(ask("packed_bytes type=10 count=0"), "unsupported operation not claimed");
  // No integer holds these.
  Target target = element_target();
  target.element_types = HURRAY_TYPE_FLOAT128;
  EXPECT_EQ(ask(target, "pack type=46 count=0 values="),
            "unsupported operation not claimed for this type");
}

TEST(KitElements, KeepTheCallDiscipline) {
  const std::string values = "05000000000000000c000000000000000300000000000000";
  const std::string clean = " under=0 over=0 in_changed=0";
  const std::string pack_request = "pack type=49 count=3 values=" + values;
  for (const std::string discipline :
       {"fill=a5 in_off=8 out_off=3", "fill=a5 fenv=upward", "fill=a5 threads=4"}) {
    const std::string kept = discipline.find("fenv") == std::string::npos ? "" : " fenv=kept";
    EXPECT_EQ(ask_elements(pack_request + " " + discipline), "ok packed=c503" + clean + kept);
  }
  EXPECT_EQ(ask_elements("unpack type=49 count=3 packed=c503 fill=a5 in_off=1 out_off=8 threads=2"),
            "ok values=" + values + clean);
  EXPECT_EQ(ask_elements("packed_bytes type=44 count=5 fill=a5 threads=2"), "ok bytes=6" + clean);
  EXPECT_EQ(ask_elements("pack type=49 count=1 values=1000000000000000 fill=a5"),
            "reject" + clean + " changed=0");
  Target target = element_target();
  target.unpack = [](uint8_t, const uint8_t*, size_t count, int64_t* out) -> hurray_status {
    std::memset(out, 0, 8 * count + 2);
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, "unpack type=10 count=1 packed=00 fill=a5"),
            "ok values=0000000000000000 under=0 over=2 in_changed=0");
}

}  // namespace
}  // namespace kit_test
