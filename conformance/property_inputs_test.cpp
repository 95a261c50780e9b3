// SPDX-License-Identifier: Apache-2.0
//
// Do the drawn inputs reach every class of number that matters, are they legal where that is said,
// and does making them simpler end?

#include "conformance/property_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "reference/binary32.h"
#include "reference/per_tensor_affine.h"

namespace hurray::conformance {
namespace {

constexpr int kDraws = 3000;

std::string class_of(float value) {
  const std::string sign = is_negative(value) ? "-" : "+";
  if (is_nan(value)) return sign + "nan";
  if (is_infinite(value)) return sign + "infinity";
  if (is_zero(value)) return sign + "zero";
  return sign + (is_subnormal(value) ? "subnormal" : "normal");
}

const std::set<std::string> kAllClasses = {"-infinity", "-nan", "-normal", "-subnormal", "-zero",
                                           "+infinity", "+nan", "+normal", "+subnormal", "+zero"};

TEST(Inputs, OfKernelsAreLegalAndReachEveryClass) {
  std::set<std::string> scales, reals;
  std::set<StorageType> types, types_with_ends;
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const PropertyInput input = kernel_input(random, Contract::kHurray);
    const StorageTypeInfo& info = info_of(input.how.type);
    types.insert(input.how.type);
    scales.insert(class_of(input.how.scale));
    for (const float x : input.reals) reals.insert(class_of(x));
    EXPECT_GE(input.how.zero_point, info.min);
    EXPECT_LE(input.how.zero_point, info.max);
    bool has_min = false, has_max = false;
    for (const std::int64_t code : input.codes) {
      EXPECT_GE(code, info.min);
      EXPECT_LE(code, info.max);
      has_min = has_min || code == info.min;
      has_max = has_max || code == info.max;
    }
    if (has_min && has_max) types_with_ends.insert(input.how.type);
    EXPECT_EQ(input.codes.size(), input.reals.size());
  }
  EXPECT_EQ(scales, (std::set<std::string>{"+normal", "+subnormal", "-normal", "-subnormal"}));
  EXPECT_EQ(reals, kAllClasses);
  EXPECT_EQ(types.size(), kStorageTypes.size());
  EXPECT_EQ(types_with_ends, types);
}

TEST(Inputs, OfTheFirmwareHaveAnyZeroPointAndPositiveScales) {
  bool below = false, above = false;
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const Quantization how = kernel_input(random, Contract::kRa8).how;
    EXPECT_GT(bits_of(how.scale), 0u);
    EXPECT_LT(bits_of(how.scale), kInfinityBits);
    EXPECT_TRUE(how.type == StorageType::kInt8 || how.type == StorageType::kUint8);
    below = below || how.zero_point < -128;
    above = above || how.zero_point > 255;
  }
  EXPECT_TRUE(below && above);
}

TEST(Inputs, OfDescriptorsReachEveryClassAndLength) {
  std::set<std::string> scales;
  std::set<std::size_t> lengths;
  int valid = 0;
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const PropertyInput input = descriptor_input(random, Contract::kHurray);
    scales.insert(class_of(input.how.scale));
    lengths.insert(input.descriptor.size());
    PerTensorAffine read{};
    valid += decode_for(input.descriptor, input.type_tag, read) == Status::kOk ? 1 : 0;
  }
  EXPECT_EQ(scales, kAllClasses);
  EXPECT_EQ(*lengths.begin(), 0u);
  EXPECT_EQ(*lengths.rbegin(), 80u);
  // Neither answer is rare.
  EXPECT_GT(valid, kDraws / 5);
  EXPECT_LT(valid, kDraws * 4 / 5);
}

TEST(Inputs, OfPlanesHaveAFieldForEachCode) {
  Random random(1);
  for (int i = 0; i < kDraws; ++i) {
    const PropertyInput input = plane_input(random, Contract::kHurray);
    EXPECT_LE(input.codes.size(), 16u);
    EXPECT_EQ(input.plane.size(), (input.codes.size() + 1) / 2);
  }
}

TEST(SimplerInputs, EndSoonWhicheverIsTaken) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const auto draw : {kernel_input, plane_input, descriptor_input}) {
      Random random(seed);
      PropertyInput input = draw(random, Contract::kHurray);
      input.reals.resize(std::min<std::size_t>(input.reals.size(), 3));
      input.codes.resize(std::min<std::size_t>(input.codes.size(), 3));
      int steps = 0;
      for (auto simpler = simpler_inputs(input); !simpler.empty();
           simpler = simpler_inputs(input)) {
        // A chain that prefers the least bold candidates is the longest.
        input = seed % 2 == 0 ? simpler.back() : simpler[random.below(simpler.size())];
        ASSERT_LT(++steps, 10000);
      }
      EXPECT_LE(input.reals.size(), 1u);
      EXPECT_EQ(bits_of(input.how.scale), bits_of(1.0f));
      EXPECT_EQ(input.how.zero_point, 0);
    }
  }
}

}  // namespace
}  // namespace hurray::conformance
