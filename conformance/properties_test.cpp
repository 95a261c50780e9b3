// SPDX-License-Identifier: Apache-2.0
//
// Do the properties hold of every implementation that ships here, and of odd and legal ones? Does
// each report the targets that break it, with as many inputs? RapidCheck draws the inputs, and
// makes a failing one smaller; what it prints is a case for the requirement files. RC_PARAMS says
// how many inputs and which seed.

#include "conformance/properties.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cctype>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <string>

#include "conformance/property_case.h"
#include "conformance/property_inputs.h"
#include "conformance/property_targets.h"
#include "conformance/runner/attachment.h"
#include "conformance/runner/toml_files.h"
#include "registry.h"

namespace hurray::conformance {

// For RapidCheck, which prints the input of a failure beside its message.
void showValue(const PropertyInput&, std::ostream& out) { out << "of the case below"; }

namespace {

struct Property {
  const char* name;
  PropertyInput (*draw)(Random&, Contract);
  Verdict (*check)(const Target&, const PropertyInput&);
  bool is_of_kernels = true;  // and asked under both contracts
};

constexpr Property kProperties[] = {
    {"decode-inverts-encode", descriptor_input,
     [](const Target& target, const PropertyInput& in) {
       return decode_inverts_encode(target, in.type_tag, in.how.scale, in.how.zero_point);
     },
     false},
    {"encode-inverts-decode", descriptor_input,
     [](const Target& target, const PropertyInput& in) {
       return encode_inverts_decode(target, in.type_tag, in.descriptor);
     },
     false},
    {"accepts-what-is-described", descriptor_input,
     [](const Target& target, const PropertyInput& in) {
       return accepts_what_is_described(target, in.type_tag, in.descriptor);
     },
     false},
    {"quantize-is-monotonic", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return quantize_is_monotonic(target, in.how, in.reals);
     }},
    {"quantize-inverts-dequantize", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return quantize_inverts_dequantize(target, in.how, in.codes);
     }},
    {"round-trip-is-within-half-a-step", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return round_trip_is_within_half_a_step(target, in.how, in.reals);
     }},
    {"quantize-saturates", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return quantize_saturates(target, in.how, in.reals);
     }},
    {"zero-maps-to-the-zero-point", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return zero_maps_to_the_zero_point(target, in.how);
     }},
    {"dequantize-is-odd", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return dequantize_is_odd(target, in.how, in.codes);
     }},
    {"quantize-is-elementwise", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return quantize_is_elementwise(target, in.how, in.reals, in.around);
     }},
    {"dequantize-is-elementwise", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return dequantize_is_elementwise(target, in.how, in.codes, in.around);
     }},
    {"normalizing-removes-the-bias", plane_input,
     [](const Target& target, const PropertyInput& in) {
       return normalizing_removes_the_bias(target, in.how, in.plane, in.codes);
     }},
    {"kernels-keep-packed-codes", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return kernels_keep_packed_codes(target, in.how, in.codes);
     }},
    {"unpack-inverts-pack", kernel_input,
     [](const Target& target, const PropertyInput& in) {
       return unpack_inverts_pack(target, in.how.type, in.codes);
     },
     false},
};

rc::Gen<PropertyInput> inputs_of(const Property& property, Contract contract) {
  const auto seeds =
      rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
  const auto draw = [&property, contract](std::uint64_t seed) {
    Random random(seed);
    return property.draw(random, contract);
  };
  const auto simpler = [](const PropertyInput& input) {
    return rc::seq::fromContainer(simpler_inputs(input));
  };
  return rc::gen::shrink(rc::gen::map(seeds, draw), simpler);
}

// What RapidCheck repeats.
auto claim(const Property& property, const Target& target, Contract contract) {
  return [&property, &target, contract] {
    const PropertyInput input = *inputs_of(property, contract);
    const Verdict violation = property.check(target, input);
    if (violation) RC_FAIL(case_of(*violation));
  };
}

std::string word(std::string text) {
  for (char& each : text) {
    if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
  }
  return text;
}

// Names like quantize_is_monotonic_scalar_ra8.
std::string name_of_test(const Property& property, const char* target, Contract contract) {
  const std::string kernel_of = property.is_of_kernels ? "_" + std::string(name_of(contract)) : "";
  return word(std::string(property.name) + "_" + target + kernel_of);
}

bool is_asked(const Property& property, const Target& target, Contract contract) {
  if (contract == Contract::kHurray) return (target.contracts & HURRAY_CONTRACT_HURRAY) != 0;
  return property.is_of_kernels && target.ra8 != nullptr;
}

// A property, and a target of which it must or must not hold.
struct Question {
  const Property* property;
  PropertyTarget target;
  Contract contract;
};
void PrintTo(const Question& question, std::ostream* out) { *out << question.property->name; }

std::string name_of_question(const testing::TestParamInfo<Question>& info) {
  return name_of_test(*info.param.property, info.param.target.name, info.param.contract);
}

std::vector<Question> questions_about(std::span<const PropertyTarget> targets) {
  std::vector<Question> questions;
  for (const Property& property : kProperties) {
    for (const PropertyTarget& each : targets) {
      const std::string breaks = each.property;
      if (!breaks.empty() && breaks != property.name) continue;
      for (const Contract contract : {Contract::kHurray, Contract::kRa8}) {
        if (is_asked(property, each.target, contract)) {
          questions.push_back({&property, each, contract});
        }
      }
    }
  }
  return questions;
}

// Those built in that bundled.toml means to be conformant.
std::vector<PropertyTarget> conformant_targets() {
  std::vector<PropertyTarget> targets;
  for (const MeantTarget& meant : read_expectation_file(HURRAY_BUNDLED)) {
    if (meant.verdict != "conformant") continue;
    for (std::size_t i = 0; i < hurray_registry_count; ++i) {
      const hurray_registry_row& row = hurray_registry[i];
      if (row.is_here && row.is_here() == 0) continue;
      if (meant.attachment == "builtin:" + std::string(row.name)) {
        targets.push_back({row.name, "", *row.target});
      }
    }
  }
  return targets;
}

class HoldsOf : public testing::TestWithParam<Question> {};

TEST_P(HoldsOf, Target) {
  const auto& [property, each, contract] = GetParam();
  rc::detail::checkGTest(claim(*property, each.target, contract));
}

INSTANTIATE_TEST_SUITE_P(Conformant, HoldsOf,
                         testing::ValuesIn(questions_about(conformant_targets())),
                         name_of_question);
INSTANTIATE_TEST_SUITE_P(OddAndLegal, HoldsOf, testing::ValuesIn(questions_about(odd_targets())),
                         name_of_question);

// Failures that are meant are nothing to reproduce.
class Silence : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

class IsBrokenBy : public testing::TestWithParam<Question> {};

TEST_P(IsBrokenBy, Target) {
  const auto& [property, each, contract] = GetParam();
  Silence silence;
  const rc::detail::TestResult result =
      rc::detail::checkTestable(claim(*property, each.target, contract), rc::detail::TestMetadata(),
                                rc::detail::configuration().testParams, silence);
  ASSERT_TRUE(result.is<rc::detail::FailureResult>()) << "no input shows it";
  const std::string message = result.get<rc::detail::FailureResult>().description;
  EXPECT_NE(message.find("[[requirement.case]]"), std::string::npos) << message;
  RecordProperty("case", message);
}

INSTANTIATE_TEST_SUITE_P(Broken, IsBrokenBy, testing::ValuesIn(questions_about(broken_targets())),
                         name_of_question);

TEST(Properties, EachHasATargetThatBreaksItUnderEachContract) {
  for (const Property& property : kProperties) {
    bool hurray = false;
    bool ra8 = !property.is_of_kernels;
    for (const PropertyTarget& each : broken_targets()) {
      if (std::string(each.property) != property.name) continue;
      hurray = hurray || is_asked(property, each.target, Contract::kHurray);
      ra8 = ra8 || is_asked(property, each.target, Contract::kRa8);
    }
    EXPECT_TRUE(hurray) << property.name;
    EXPECT_TRUE(ra8) << property.name;
  }
}

int calls_of_kernels = 0;
hurray_status counted() {
  ++calls_of_kernels;
  return HURRAY_REJECTED;
}

// Every property that converts with the scale and zero point that it is given.
void expect_no_call(const Target& target, const Quantization& how) {
  calls_of_kernels = 0;
  const Floats reals = {1.0f, -0.0f};
  const Codes codes = {1, 0};
  EXPECT_FALSE(quantize_is_monotonic(target, how, reals));
  EXPECT_FALSE(quantize_inverts_dequantize(target, how, codes));
  EXPECT_FALSE(round_trip_is_within_half_a_step(target, how, reals));
  EXPECT_FALSE(quantize_saturates(target, how, reals));
  EXPECT_FALSE(zero_maps_to_the_zero_point(target, how));
  EXPECT_FALSE(dequantize_is_odd(target, how, codes));
  EXPECT_FALSE(quantize_is_elementwise(target, how, reals, {0, how}));
  EXPECT_FALSE(dequantize_is_elementwise(target, how, codes, {0, how}));
  EXPECT_EQ(calls_of_kernels, 0);
}

TEST(Properties, AskNothingWhereNothingIsPromised) {
  Target target = {};
  target.quantize = [](auto...) { return counted(); };
  target.dequantize = [](auto...) { return counted(); };
  target.quantize_types = target.dequantize_types = HURRAY_TYPE_INT8;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float scale : {kNan, kInfinity, -kInfinity, 0.0f, -0.0f}) {
    expect_no_call(target, {Contract::kHurray, StorageType::kInt8, scale, 0});
  }
  for (const std::int32_t zero_point : {-129, 128}) {
    expect_no_call(target, {Contract::kHurray, StorageType::kInt8, 1, zero_point});
  }
  expect_no_call(target, {Contract::kHurray, StorageType::kUint8, 1, 0});  // not claimed
  expect_no_call(target, {Contract::kRa8, StorageType::kInt8, 1, 0});      // not claimed
  // The target would have been asked.
  EXPECT_TRUE(dequantize_is_odd(target, {Contract::kHurray, StorageType::kInt8, 1, 0}, Codes{1}));
  EXPECT_EQ(calls_of_kernels, 1);
}

// A seed of the caller's stays; without one, every run is the same.
void make_deterministic() {
  const char* given = std::getenv("RC_PARAMS");
  std::string parameters = given != nullptr ? given : "";
  if (parameters.find("seed=") == std::string::npos) parameters += " seed=20240229";
  if (parameters.find("max_success=") == std::string::npos) parameters += " max_success=300";
  setenv("RC_PARAMS", parameters.c_str(), 1);
}

}  // namespace
}  // namespace hurray::conformance

int main(int argc, char** argv) {
  hurray::conformance::make_deterministic();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
