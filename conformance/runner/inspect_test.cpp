// SPDX-License-Identifier: Apache-2.0
//
// Does a person who pastes a descriptor see its fields, and which requirement it breaks?

#include "conformance/runner/inspect.h"

#include <gtest/gtest.h>

#include "conformance/runner/wire.h"

namespace hurray::conformance {
namespace {

const Suite& suite() {
  static const Suite kSuite = load_suite();
  return kSuite;
}

Inspection inspect(std::uint8_t type, std::string_view hex) {
  return inspect_descriptor(suite(), type, parse_hex(hex).value());
}

void expect_in(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "`" << part << "` is not in:\n" << text;
}

TEST(Inspect, AValidDescriptorIsShownFieldByField) {
  const Inspection inspection = inspect(0x10, "010100000000003f0300000000000000");
  EXPECT_TRUE(inspection.is_valid);
  for (const char* part :
       {"int8", "scheme_tag", "per-tensor affine", "scheme_version", "flags", "scale", "0000003f",
        "0.5, normal", "zero_point", "03000000", "_reserved",
        "valid: code 3 stands for 0; codes -128 to 127 for -65.5 to 62"}) {
    expect_in(inspection.text, part);
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
      {0x10, "", "HQ-PTA-015"},
      {0x21, "010100000000003f0300000000000000", "HQ-PTA-017"},  // a float type
  };
  for (const auto& each : kInvalid) {
    const Inspection inspection = inspect(each.type, each.hex);
    EXPECT_FALSE(inspection.is_valid) << each.hex;
    expect_in(inspection.text, "invalid: ");
    expect_in(inspection.text, std::string("breaks ") + each.id + ": ");
    ASSERT_NE(suite().find_requirement(each.id), nullptr) << each.id;
    expect_in(inspection.text, suite().find_requirement(each.id)->text);
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
        inspect(0x10, std::string(tag) + "0100000000003f0300000000000000");
    EXPECT_FALSE(inspection.is_valid) << tag;
    expect_in(inspection.text, name);
  }
}

TEST(Inspect, FieldsBehindTheEndAreMissing) {
  const Inspection inspection = inspect(0x10, "0101000000");
  EXPECT_FALSE(inspection.is_valid);
  expect_in(inspection.text, "@4   scale           missing");
  expect_in(inspection.text, "@12  _reserved       missing");
}

TEST(Inspect, BytesBehindTheFieldsAreCounted) {
  expect_in(inspect(0x10, "010100000000003f0300000000000000aabbcc").text, "3 bytes");
}

TEST(Inspect, AnyBytesUnderAnyTypeAreInspected) {
  // It is a tool for broken files.
  for (unsigned type = 0; type < 256; ++type) {
    for (const char* hex :
         {"", "ff", "ffffffffffffffffffffffffffffffff", "01010000010000000000008000000000"}) {
      EXPECT_FALSE(inspect(static_cast<std::uint8_t>(type), hex).text.empty());
    }
  }
}

}  // namespace
}  // namespace hurray::conformance
