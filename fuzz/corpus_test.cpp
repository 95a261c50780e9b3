// SPDX-License-Identifier: Apache-2.0
//
// Are the committed inputs what they say? Seeds are made of the cases that they name, regressions
// show the fault that they name, and everything holds for what is built in.

#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "conformance/runner/vectors.h"
#include "fuzz/claims_test.h"
#include "fuzz/mutator.h"
#include "fuzz/targets.h"

namespace hurray::fuzz {
namespace {

using conformance::Bytes;

std::vector<NamedInput> archive_of(std::string_view kind, std::string_view claim) {
  const std::string path = fmt::format("{}/{}/{}.txt", HURRAY_CORPUS_FOLDER, kind, claim);
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path << " is not there";
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return read_archive(text, path);
}

TEST(Corpus, SeedsAreMadeOfTheCasesThatTheyName) {
  for (const NamedClaim& claim : kClaims) {
    std::map<std::string, Bytes> made;
    for (const NamedInput& each : seeds_of(claim.name)) made.emplace(each.name, each.bytes);
    const std::vector<NamedInput> kept = archive_of("seeds", claim.name);
    EXPECT_FALSE(kept.empty()) << claim.name;
    for (const NamedInput& each : kept) {
      EXPECT_EQ(made[each.name], each.bytes) << claim.name << " " << each.name;
    }
  }
}

TEST(Corpus, AllSeedsHoldForWhatIsBuiltIn) {
  for (const NamedClaim& claim : kClaims) {
    for (const NamedInput& each : archive_of("seeds", claim.name)) {
      const auto mismatch = claim.claim(each.bytes, builtin_targets());
      EXPECT_FALSE(mismatch) << report_text(claim, *mismatch, each.bytes);
    }
  }
}

TEST(Corpus, RegressionsShowTheFaultThatTheyName) {
  for (const NamedClaim& claim : kClaims) {
    std::size_t all = 0;
    for (const NamedInput& each : archive_of("regressions", claim.name)) {
      EXPECT_FALSE(claim.claim(each.bytes, builtin_targets())) << claim.name << " " << each.name;
      if (each.name.starts_with(kFound)) continue;
      ++all;
      const std::vector<hurray_registry_row> fault = targets_named("fault-" + each.name);
      EXPECT_TRUE(claim.claim(each.bytes, fault)) << claim.name << " " << each.name;
    }
    // No fault of the zoo is about readers of text, or about the kit.
    const bool has_faults = claim.name != "text_survives" && claim.name != "lines_are_answered";
    EXPECT_EQ(all > 0, has_faults) << claim.name;
  }
}

TEST(Corpus, AskForWhatTheirCaseAsksFor) {
  // An input made of a request is that request again, as far as the claim asks it.
  const std::string line = "dequantize type=48 scale=bf000000 zero_point=-3 count=3 q=21f8";
  const auto input = input_of("dequantize_agrees", line);
  ASSERT_TRUE(input);
  EXPECT_EQ(dequantize_request(*input), line);
  for (const auto& [claim, request] : std::map<std::string_view, std::string>{
           {"decoders_agree", "decode type=10 bytes=010100000000003f0300000000000000"},
           {"encoders_agree",
            "encode type=10 scheme=3 flags=0000 axis=1 block_size=8 scale_buffer_index=1 "
            "zero_point_buffer_index=2 scale_type_tag=03 capacity=64"},
           {"quantize_agrees",
            "ra8 fn=quantize_u8 scale=3f000000 zero_point=300 count=1 in=0000c07f"},
           {"zero_points_agree", "normalize bits=8 bias=-7 order=high-first count=2 packed=0102"},
           {"elements_agree", "unpack type=44 count=3 packed=814020"},
           {"tensors_agree", "decode_tensor mode=permissive bytes=4852525901"}}) {
    const auto bytes = input_of(claim, request);
    ASSERT_TRUE(bytes) << claim;
    EXPECT_EQ(claim_named(claim).request(*bytes), request);
  }
}

TEST(Archives, SayWhatIsWrong) {
  EXPECT_EQ(read_archive("# x\na 00ff\n\nb \n", "f").size(), 2u);
  for (const char* text : {"a\n", "a 0\n", "a 0x\n"}) {
    EXPECT_THROW(read_archive(text, "f"), std::runtime_error) << text;
  }
}

TEST(Mutator, DependsOnTheSeedAlone) {
  for (const NamedClaim& claim : kClaims) {
    const Bytes& seed = seeds_of(claim.name).front().bytes;
    std::set<std::string> different;
    for (unsigned i = 0; i < 200; ++i) {
      Bytes a = seed, b = seed;
      a.resize(2048);
      b.resize(2048, 0xee);
      const std::size_t length = mutate(claim.name, a.data(), seed.size(), a.size(), i);
      ASSERT_EQ(mutate(claim.name, b.data(), seed.size(), b.size(), i), length) << claim.name;
      ASSERT_GE(length, 1u);
      a.resize(length);
      b.resize(length);
      ASSERT_EQ(a, b) << claim.name;
      different.insert(conformance::to_hex(a));
    }
    EXPECT_GT(different.size(), 50u) << claim.name;
  }
}

TEST(Mutator, KeepsToItsRoom) {
  for (const NamedClaim& claim : kClaims) {
    for (const std::size_t room : {1u, 2u, 5u, 17u, 40u}) {
      for (unsigned i = 0; i < 300; ++i) {
        // Exactly so much, that a sanitizer sees a byte too many.
        Bytes bytes(room);
        const Bytes& seed = seeds_of(claim.name)[i % seeds_of(claim.name).size()].bytes;
        const std::size_t length = std::min(room, seed.size());
        std::copy_n(seed.begin(), length, bytes.begin());
        const std::size_t now = mutate(claim.name, bytes.data(), length, room, i);
        ASSERT_TRUE(now >= 1 && now <= room) << claim.name;
        Bytes out(room);
        const std::size_t crossed = cross_over(claim.name, {bytes.data(), now}, seed, out, i);
        ASSERT_LE(crossed, room) << claim.name;
      }
    }
  }
}

TEST(Mutator, MakesMostDescriptorsValid) {
  // Without repair one in a hundred is.
  const Bytes& seed = seeds_of("decoders_agree").front().bytes;
  Bytes input = seed;
  input.resize(64);
  std::size_t length = seed.size(), accepted = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    length = mutate("decoders_agree", input.data(), length, input.size(), i);
    hurray_descriptor out;
    accepted +=
        hurray_target_scalar.decode(input[0], input.data() + 1, length - 1, &out) == HURRAY_OK;
  }
  EXPECT_GT(accepted, 500u);
  EXPECT_LT(accepted, 1800u);
}

TEST(Reports, SayAllThatIsNeeded) {
  const Mismatch mismatch = {"wrong-code", "broken", "element 0"};
  const auto input = input_of("quantize_agrees",
                              "quantize type=10 scale=3f000000 zero_point=3 count=1 in=0000c0bf");
  const std::string text = report_text(claim_named("quantize_agrees"), mismatch, *input);
  for (const std::string_view part :
       {"quantize_agrees does not hold: broken: wrong-code: element 0",
        "hurray-replay quantize_agrees hex:00000000003f030000000000c0bf",
        "\"request\":\"quantize type=10 scale=3f000000 zero_point=3 count=1 in=0000c0bf\"",
        "\"expect\":[{\"answer\":\"ok q=00\",\"verdict\":\"pass\"}]",
        "void test_wrong_code(void) {", "hurray_target.quantize(0x10",
        "assert(status == HURRAY_OK);", "expected_0[] = {0x00};",
        "assert(memcmp(q, expected_0, sizeof expected_0) == 0);"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const auto firmware = input_of(
      "quantize_agrees", "ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=1 in=0000c0bf");
  const std::string of_firmware = report_text(claim_named("quantize_agrees"), mismatch, *firmware);
  for (const std::string_view part :
       {"#include <ra8_npu_quant.h>", "assert(code == 0);", "assert(memcmp(out, expected_0,"}) {
    EXPECT_NE(of_firmware.find(part), std::string::npos) << part << "\n" << of_firmware;
  }
}

TEST(Reports, HaveAVectorThatTheProgramReads) {
  std::size_t all = 0;
  for (const NamedClaim& claim : kClaims) {
    if (claim.request == nullptr) continue;
    for (const NamedInput& each : archive_of("seeds", claim.name)) {
      const std::string text = report_text(claim, {"wrong-value", "broken", {}}, each.bytes);
      const std::size_t at = text.find("\nvector   ");
      if (at == std::string::npos) continue;
      const std::string line = text.substr(at + 10, text.find('\n', at + 10) - at - 10);
      const conformance::Case item = conformance::case_of_vector(line, each.name);
      ASSERT_EQ(item.steps.size(), 1u);
      EXPECT_EQ(item.steps[0].request, claim.request(each.bytes)) << line;
      ++all;
    }
  }
  EXPECT_GT(all, 500u);
}

TEST(Reports, NameAFaultInTheCommandThatReplaysIt) {
  const auto text = [](const char* target) {
    return report_text(claim_named("decoders_agree"), {"wrong-fields", target, {}}, Bytes{0x10, 1});
  };
  EXPECT_NE(
      text("fault-tag-unchecked")
          .find("\nreplay   hurray-replay decoders_agree --targets fault-tag-unchecked hex:1001\n"),
      std::string::npos);
  EXPECT_NE(text("scalar").find("\nreplay   hurray-replay decoders_agree hex:1001\n"),
            std::string::npos);
}

}  // namespace
}  // namespace hurray::fuzz
