// SPDX-License-Identifier: Apache-2.0
//
// Does a person who pastes a descriptor see its fields, and every rule that it breaks? Quantization
// descriptors here, and what holds of any bytes; tensors in inspect_tensor_test.cpp.

#include "conformance/runner/inspect.h"

#include "conformance/runner/inspect_test.h"

namespace hurray::conformance {
namespace {

TEST(Inspect, AValidDescriptorIsShownFieldByField) {
  const Inspection inspection = quantization(0x10, "010100000000003f0300000000000000");
  EXPECT_TRUE(inspection.is_valid());
  for (const char* part :
       {"int8", "scheme_tag", "per-tensor affine", "scheme_version", "flags", "scale", "0000003f",
        "0.5, normal", "zero_point", "03000000", "_reserved",
        "valid: code 3 stands for 0; codes -128 to 127 for -65.5 to 62"}) {
    expect_in(text_of(inspection), part);
  }
}

TEST(Inspect, EachWayToBeInvalidNamesItsRequirement) {
  const struct {
    std::uint8_t type;
    const char* hex;
    const char* id;
  } kInvalid[] = {
      {0x10, "010200000000003f0300000000000000", "HQ-PTA-003"},  // version 2
      {0x10, "010101000000003f0300000000000000", "HQ-PTA-004"},  // a flag
      {0x10, "010100000000c07f0300000000000000", "HQ-PTA-006"},  // NaN
      {0x10, "010100000000807f0300000000000000", "HQ-PTA-007"},  // infinity
      {0x10, "01010000000000000300000000000000", "HQ-PTA-008"},  // zero
      {0x10, "01010000000000800300000000000000", "HQ-PTA-008"},  // -0
      {0x10, "010100000000003f8000000000000000", "HQ-PTA-011"},  // zero point 128
      {0x10, "010100000000003f0300000001000000", "HQ-PTA-013"},  // reserved
      {0x10, "010100000000003f03000000000000", "HQ-PTA-015"},    // 15 bytes
      {0x10, "", "HQ-HDR-004"},
      {0x21, "010100000000003f0300000000000000", "HQ-PTA-017"},  // a float type
      {0x10, "0201000000000000010000000200000004000000", "HQ-PCA-008"},
      {0x10,
       "02010100000000000100000000000000"
       "03000000",
       "HQ-PCA-017"},
      {0x10, "030100000100000000000000010000000200000003000000", "HQ-PBA-005"},
      {0x49, "04010000000000000400000001000000", "HQ-NF4-004"},
      {0x48, "05010000000000000800000001000000", "HQ-MX-004"},
  };
  for (const auto& each : kInvalid) {
    const Inspection inspection = quantization(each.type, each.hex);
    EXPECT_FALSE(inspection.is_valid()) << each.hex;
    const std::string text = text_of(inspection);
    expect_in(text, "invalid: ");
    expect_in(text, std::string("breaks ") + each.id + ": ");
    const auto rule = std::ranges::find(requirements(), each.id, &Requirement::id);
    ASSERT_NE(rule, requirements().end()) << each.id;
    expect_in(text, rule->text);
  }
}

TEST(Inspect, AllThatIsWrongIsShown) {
  // Version, flag, scale, reserved bytes and zero point at once.
  const Inspection inspection = quantization(0x49, "010201000000c07f1000000001000000");
  EXPECT_EQ(ids_of(inspection), "HQ-PTA-003 HQ-PTA-004 HQ-PTA-006 HQ-PTA-011 HQ-PTA-013");
  EXPECT_EQ(places(inspection, "HQ-PTA-011"), "zero_point");
  EXPECT_EQ(places(inspection, "HQ-PTA-006"), "scale");
}

TEST(Inspect, EverySchemeHasItsFields) {
  const std::pair<const char*, std::vector<const char*>> kSchemes[] = {
      {"0201010003000000010000"
       "00ffffffff03000000",
       {"per-channel affine", "SYMMETRIC", "axis", "scale_buffer_index", "buffer 1",
        "zero_point_buffer_index", "no buffer", "scale_type_tag", "float32"}},
      {"030100000100000040000000010000000200000001000000",
       {"per-block affine", "block_size", "64", "buffer 2", "float16"}},
      {"04010000000000004000000001000000", {"NF4", "block_size", "64"}},
      {"05010000000000002000000001000000", {"MXFP", "block_size", "32"}}};
  for (const auto& [hex, parts] : kSchemes) {
    const bool is_nf4 = hex[1] == '4';
    const Inspection inspection = quantization(is_nf4 ? 0x49 : 0x10, hex);
    EXPECT_TRUE(inspection.is_valid()) << text_of(inspection);
    for (const char* part : parts) expect_in(text_of(inspection), part);
  }
}

TEST(Inspect, OtherSchemesAreNamed) {
  const std::pair<const char*, const char*> kTags[] = {{"00", "invalid"},
                                                       {"02", "per-channel affine"},
                                                       {"03", "per-block affine"},
                                                       {"04", "NF4"},
                                                       {"05", "MXFP"},
                                                       {"06", "unassigned"},
                                                       {"70", "reserved"},
                                                       {"90", "reserved"},
                                                       {"f5", "private"},
                                                       {"ff", "invalid"}};
  for (const auto& [tag, name] : kTags) {
    const Inspection inspection =
        quantization(0x10, std::string(tag) + "0100000000003f0300000000000000");
    EXPECT_FALSE(inspection.is_valid()) << tag;
    expect_in(text_of(inspection), name);
  }
}

TEST(Inspect, FieldsBehindTheEndAreMissing) {
  const Inspection inspection = quantization(0x10, "0101000000");
  EXPECT_FALSE(inspection.is_valid());
  EXPECT_EQ(places(inspection, "HQ-PTA-015"), "scale zero_point _reserved");
  expect_in(text_of(inspection), "cut off, 1 bytes of 4");
  expect_in(text_of(inspection), "missing");
}

TEST(Inspect, BytesBehindTheFieldsMayBeRefused) {
  const Inspection inspection = quantization(0x10, "010100000000003f0300000000000000aabbcc");
  EXPECT_TRUE(inspection.is_valid());
  for (const char* part : {"3 bytes", "may be refused (behaviour longer-section)", "A12"}) {
    expect_in(text_of(inspection), part);
  }
}

TEST(Inspect, AnyBytesUnderAnyTypeAreInspected) {
  // It is a tool for broken files.
  for (unsigned type = 0; type < 256; ++type) {
    for (const char* hex :
         {"", "ff", "ffffffffffffffffffffffffffffffff", "01010000010000000000008000000000"}) {
      const Inspection inspection = quantization(static_cast<std::uint8_t>(type), hex);
      EXPECT_FALSE(text_of(inspection).empty());
      expect_complete(inspection);
    }
  }
}

}  // namespace
}  // namespace hurray::conformance
