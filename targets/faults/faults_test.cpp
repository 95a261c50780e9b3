// SPDX-License-Identifier: Apache-2.0
//
// Is every row of the fault table a fault of scalar, and does each show where its row says? The
// suite proper decides whether a fault is caught; this only keeps the table honest.

#include "faults/faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

extern "C" const struct hurray_target hurray_target_scalar;

namespace {

using Target = struct hurray_target;
const Target& scalar = hurray_target_scalar;

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

// The members that are not scalar's, in the words of the column `replaced`.
std::set<std::string> differing(const Target& t) {
  std::set<std::string> names;
  const auto add_if = [&names](bool differs, const char* name) {
    if (differs) names.insert(name);
  };
  add_if(t.decode != scalar.decode, "decode");
  add_if(t.encode != scalar.encode, "encode");
  add_if(t.dequantize != scalar.dequantize, "dequantize");
  add_if(t.quantize != scalar.quantize, "quantize");
  add_if(t.normalize_zero_points != scalar.normalize_zero_points, "normalize_zero_points");
  add_if(t.pack != scalar.pack, "pack");
  add_if(t.unpack != scalar.unpack, "unpack");
  add_if(t.packed_bytes != scalar.packed_bytes, "packed_bytes");
  add_if(t.widen != scalar.widen, "widen");
  add_if(t.convert != scalar.convert, "convert");
  add_if(t.decode_tensor != scalar.decode_tensor, "decode_tensor");
  add_if(t.encode_tensor != scalar.encode_tensor, "encode_tensor");
  add_if(t.dequantize_tensor != scalar.dequantize_tensor, "dequantize_tensor");
  add_if(t.ra8->quantize_i8 != scalar.ra8->quantize_i8, "ra8.quantize_i8");
  add_if(t.ra8->quantize_u8 != scalar.ra8->quantize_u8, "ra8.quantize_u8");
  add_if(t.ra8->dequantize_i8 != scalar.ra8->dequantize_i8, "ra8.dequantize_i8");
  add_if(t.ra8->dequantize_u8 != scalar.ra8->dequantize_u8, "ra8.dequantize_u8");
  return names;
}

TEST(FaultTable, IdsAreUniqueWordsAndNameTheTarget) {
  std::set<std::string> seen;
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    const hurray_fault& fault = hurray_faults[i];
    const std::string id = fault.id;
    EXPECT_TRUE(seen.insert(id).second) << id;
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos);
    EXPECT_EQ(fault.target.name, "fault-" + id);
    EXPECT_EQ(hurray_find_fault(fault.id), &fault);
    EXPECT_EQ(hurray_fault_target(fault.id), &fault.target);
    EXPECT_EQ(std::string(fault.wrong).find('\t'), std::string::npos) << id;
    EXPECT_NE(std::string(fault.wrong), "") << id;
    EXPECT_NE(std::string(fault.file), "") << id;
  }
  EXPECT_EQ(hurray_fault_target("no-such-fault"), nullptr);
}

TEST(FaultTable, RequirementsAreIdsEachOnce) {
  const std::regex form("(HQ-[A-Z0-9]+|HC-[A-Z]+|RA8-Q)-[0-9]{3}");
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    const std::vector<std::string> ids = words(hurray_faults[i].requirements);
    EXPECT_FALSE(ids.empty()) << hurray_faults[i].id;
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    for (const std::string& id : ids) EXPECT_TRUE(std::regex_match(id, form)) << id;
  }
}

TEST(FaultTable, EachRowClaimsWhatScalarClaimsAndReplacesWhatItSays) {
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    const Target& t = hurray_faults[i].target;
    EXPECT_EQ(t.struct_bytes, sizeof(Target));
    EXPECT_EQ(t.abi, scalar.abi);
    EXPECT_EQ(t.contracts, scalar.contracts);
    EXPECT_EQ(t.schemes, scalar.schemes);
    EXPECT_EQ(t.decode_types, scalar.decode_types);
    EXPECT_EQ(t.quantize_types, scalar.quantize_types);
    EXPECT_EQ(t.element_types, scalar.element_types);
    EXPECT_EQ(t.tensor_types, scalar.tensor_types);
    EXPECT_EQ(t.layouts, scalar.layouts);
    const std::vector<std::string> said = words(hurray_faults[i].replaced);
    EXPECT_FALSE(said.empty()) << hurray_faults[i].id;
    EXPECT_EQ(differing(t), std::set<std::string>(said.begin(), said.end())) << hurray_faults[i].id;
  }
}

// The strings that stand behind `key =` in a TOML file of this folder, in order.
std::vector<std::string> strings(const std::string& file, const std::string& key) {
  std::ifstream in(HURRAY_FAULTS_FOLDER "/" + file);
  EXPECT_TRUE(in) << file;
  const std::regex quoted("\"([^\"]*)\"");
  std::vector<std::string> found;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key + " =", 0) != 0) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), quoted), end; at != end; ++at) {
      found.push_back((*at)[1]);
    }
  }
  return found;
}

TEST(FaultFiles, KindsNameFaultsThatExist) {
  std::set<std::string> ids;
  for (size_t i = 0; i < hurray_fault_count; ++i) ids.insert(hurray_faults[i].id);
  for (const std::string& id : strings("separate.toml", "id")) ids.insert(id);
  const std::vector<std::string> kinds = strings("kinds.toml", "id");
  EXPECT_EQ(std::set<std::string>(kinds.begin(), kinds.end()).size(), kinds.size());
  EXPECT_EQ(kinds.size(), strings("kinds.toml", "judgement").size());
  for (const std::string& id : strings("kinds.toml", "faults")) EXPECT_TRUE(ids.count(id)) << id;
}

TEST(FaultFiles, RetiredAndSeparateIdsAreNotInTheTable) {
  for (const char* file : {"retired.toml", "separate.toml"}) {
    const std::vector<std::string> ids = strings(file, "id");
    EXPECT_FALSE(ids.empty());
    EXPECT_EQ(ids.size(), strings(file, "wrong").size()) << file;
    for (const std::string& id : ids) EXPECT_EQ(hurray_find_fault(id.c_str()), nullptr) << id;
  }
}

TEST(FaultFiles, NoRowNamesARequirementThatNoFaultCanViolate) {
  const std::vector<std::string> without = strings("without_fault.toml", "requirement");
  EXPECT_EQ(without.size(), strings("without_fault.toml", "reason").size());
  for (size_t i = 0; i < hurray_fault_count; ++i) {
    for (const std::string& id : words(hurray_faults[i].requirements)) {
      EXPECT_EQ(std::count(without.begin(), without.end(), id), 0) << hurray_faults[i].id;
    }
  }
}

// A thunk that hands its arguments on in the wrong order would be a fault that no row names.
TEST(FaultTable, ARuleThatNeverHoldsChangesNothing) {
  const Target* fault = hurray_fault_target("scale-literal-short");
  ASSERT_NE(fault, nullptr);
  for (const uint8_t tag :
       std::vector<uint8_t>{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b}) {
    std::vector<uint8_t> q(131 * 4);
    std::mt19937 random(tag);
    for (uint8_t& byte : q) byte = static_cast<uint8_t>(random());
    std::vector<float> a(131), b(131);
    EXPECT_EQ(fault->dequantize(tag, -0.37f, 1, q.data(), a.data(), a.size()), HURRAY_OK);
    EXPECT_EQ(scalar.dequantize(tag, -0.37f, 1, q.data(), b.data(), b.size()), HURRAY_OK);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), 4 * a.size()), 0) << int{tag};
  }
  EXPECT_EQ(fault->dequantize(0x10, 0, 0, nullptr, nullptr, 0), HURRAY_REJECTED);
  EXPECT_EQ(fault->dequantize(0x03, 1, 0, nullptr, nullptr, 0), HURRAY_UNSUPPORTED);
}

TEST(TiesToEven, RoundsOnlyTiesDifferently) {
  const Target* fault = hurray_fault_target("ties-to-even");
  ASSERT_NE(fault, nullptr);
  const std::array<float, 8> in = {0.5f, -0.5f, 1.5f, -1.5f, 2.5f, -2.5f, 0.49999997f, 0.50000006f};
  const std::array<int8_t, 8> even = {0, 0, 2, -2, 2, -2, 0, 1};
  std::array<int8_t, 8> out;
  ASSERT_EQ(fault->quantize(0x10, 1, 0, in.data(), out.data(), in.size()), HURRAY_OK);
  EXPECT_EQ(out, even);
  ASSERT_EQ(fault->ra8->quantize_i8(in.data(), out.data(), in.size(), 1, 0), 0);
  EXPECT_EQ(out, even);
  const float three_ties[] = {2.5f, 4.5f, 3.5f};
  std::array<uint8_t, 2> packed = {0xff, 0xff};
  ASSERT_EQ(fault->quantize(0x49, 1, 0, three_ties, packed.data(), 3), HURRAY_OK);
  EXPECT_EQ(packed, (std::array<uint8_t, 2>{0x42, 0x04}));
}

TEST(TiesToEven, IsScalarWithoutTies) {
  const Target* fault = hurray_fault_target("ties-to-even");
  ASSERT_NE(fault, nullptr);
  std::mt19937 random(7);
  for (size_t count : {0u, 1u, 63u, 64u, 65u, 200u}) {
    std::vector<float> in(count);
    for (float& x : in) x = static_cast<float>(random() % 1000) * 0.37f - 100.0f;
    if (count > 2) in[1] = std::numeric_limits<float>::infinity();
    if (count > 2) in[2] = std::numeric_limits<float>::quiet_NaN();
    for (uint8_t tag : std::vector<uint8_t>{0x10, 0x11, 0x13, 0x14, 0x48, 0x4b}) {
      std::vector<uint8_t> a(count * 4 + 1, 0xa5), b = a;
      EXPECT_EQ(fault->quantize(tag, 0.731f, 1, in.data(), a.data(), count), HURRAY_OK);
      EXPECT_EQ(scalar.quantize(tag, 0.731f, 1, in.data(), b.data(), count), HURRAY_OK);
      EXPECT_EQ(a, b) << int{tag} << " " << count;
    }
  }
  float x = 1;
  uint8_t q = 0xa5;
  EXPECT_EQ(fault->quantize(0x10, 0, 0, &x, &q, 1), HURRAY_REJECTED);
  EXPECT_EQ(fault->quantize(0x10, 1, 200, &x, &q, 1), HURRAY_REJECTED);
  EXPECT_EQ(fault->quantize(0x03, 1, 0, &x, &q, 1), HURRAY_UNSUPPORTED);
  EXPECT_EQ(fault->ra8->quantize_u8(&x, &q, 1, 0, 0), 0x103);
  EXPECT_EQ(fault->ra8->quantize_u8(nullptr, &q, 1, 0, 0), 0x504);
  EXPECT_EQ(q, 0xa5);
}

TEST(ZeroPointUnchecked, TakesAnyZeroPointAndNothingElse) {
  const Target* fault = hurray_fault_target("zero-point-unchecked");
  ASSERT_NE(fault, nullptr);
  const std::array<uint8_t, 16> legal = {1, 1, 0, 0, 0, 0, 0, 0x3f, 3, 0, 0, 0, 0, 0, 0, 0};
  for (size_t at = 0; at < legal.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::array<uint8_t, 16> bytes = legal;
      bytes[at] = static_cast<uint8_t>(byte);
      hurray_descriptor d{};
      const hurray_status got = fault->decode(0x48, bytes.data(), bytes.size(), &d);
      if (at < 8 || at >= 12) {
        hurray_descriptor same{};
        EXPECT_EQ(got, scalar.decode(0x48, bytes.data(), bytes.size(), &same));
      } else {
        int32_t want;
        std::memcpy(&want, &bytes[8], 4);
        EXPECT_EQ(got, HURRAY_OK);
        EXPECT_EQ(d.zero_point, want);
      }
    }
  }
  hurray_descriptor d{};
  for (size_t length = 0; length < 16; ++length) {
    EXPECT_EQ(fault->decode(0x48, legal.data(), length, &d), HURRAY_REJECTED);
  }
}

}  // namespace
