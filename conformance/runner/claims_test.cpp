// SPDX-License-Identifier: Apache-2.0
//
// Is a target asked for exactly what it claims, and is a claim that cannot be read refused with its
// key?

#include "conformance/runner/claims.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/runner/oracle.h"

namespace hurray::conformance {
namespace {

constexpr std::string_view kHello = "version=1 name=x contract=hurray";

std::optional<Claims> read(std::string_view fields, std::string& error) {
  const auto answer = parse_answer_body("ok " + std::string(fields), error);
  EXPECT_TRUE(answer) << fields << ": " << error;
  return answer ? read_claims(*answer, error) : std::nullopt;
}

Claims claims_of(std::string_view more) {
  std::string error;
  const std::optional<Claims> claims = read(std::string(kHello) + " " + std::string(more), error);
  EXPECT_TRUE(claims) << more << ": " << error;
  return claims.value_or(Claims{});
}

Case case_of(std::vector<std::string> requests) {
  Case item{"a/case", "why", {}, {}};
  for (std::string& each : requests) item.steps.push_back({std::move(each), {}});
  return item;
}

std::string skip_reason(const Claims& claims, const std::string& request, AlwaysAsked always = {}) {
  return reason_to_skip(claims, case_of({request}), always).value_or("asked");
}

constexpr const char* kDecodeInt8 = "decode type=10 bytes=010100000000003f0300000000000000";
constexpr const char* kDecodeInt16 = "decode type=12 bytes=010100000000003f0300000000000000";
constexpr const char* kDecodeInt4 = "decode type=48 bytes=010100000000003f0300000000000000";

// --- Reading hello

TEST(ReadClaims, EveryKeyOfTheAnswerIsRead) {
  std::string error;
  const auto claims = read(
      "version=1 name=acme contract=hurray,ra8 schemes=1,3 types.decode=10,4b types.encode=11 "
      "types.dequantize=12 types.quantize=13 ops=normalize calls=offset,fill max_line=4096 "
      "colour=red",
      error);
  ASSERT_TRUE(claims) << error;
  EXPECT_EQ(claims->name, "acme");
  EXPECT_EQ(claims->contracts, (std::set<Contract>{Contract::kHurray, Contract::kRa8}));
  EXPECT_EQ(claims->schemes, (std::set<std::uint8_t>{1, 3}));
  EXPECT_EQ(claims->types.at("decode"), (std::set<std::uint8_t>{0x10, 0x4b}));
  EXPECT_EQ(claims->types.at("encode"), (std::set<std::uint8_t>{0x11}));
  EXPECT_EQ(claims->types.at("dequantize"), (std::set<std::uint8_t>{0x12}));
  EXPECT_EQ(claims->types.at("quantize"), (std::set<std::uint8_t>{0x13}));
  EXPECT_TRUE(claims->operations.contains("normalize"));
  EXPECT_TRUE(claims->calls.contains("offset"));
  EXPECT_TRUE(claims->calls.contains("fill"));
  EXPECT_EQ(claims->max_line, 4096u);
  EXPECT_EQ(claims->unknown, std::vector<std::string>{"colour"});
}

TEST(ReadClaims, WordsThatNobodyKnowsAreNotedAndClaimNothing) {
  const Claims claims =
      claims_of("ops=convert,normalze calls=fill,gard types.decod=10 layots=2 layouts=2");
  std::vector<std::string> unknown = claims.unknown;
  std::ranges::sort(unknown);
  EXPECT_EQ(unknown,
            (std::vector<std::string>{"calls=gard", "layots", "ops=normalze", "types.decod"}));
  EXPECT_TRUE(claims_of("ops=normalize,sweep,pack,unpack,packed_bytes,widen,convert,decode_tensor,"
                        "encode_tensor,dequantize_tensor "
                        "calls=offset,fill,guard,null,fenv,threads,capacity,repeat,repeat.large,"
                        "none,guard.input,offset.tensor,threads.tensor "
                        "modes=permissive layouts=1 schemes=1 types.element=10 types.tensor=10")
                  .unknown.empty());
}

TEST(ReadClaims, WhatIsAbsentIsNotClaimed) {
  const Claims claims = claims_of("");
  EXPECT_TRUE(claims.types.empty());
  EXPECT_TRUE(claims.operations.empty());
  EXPECT_TRUE(claims.calls.empty());
  EXPECT_EQ(claims.max_line, 65536u);
}

TEST(ReadClaims, EveryMalformedHelloIsRefusedByItsKey) {
  // The reason has to lead an adapter's author to the place.
  const struct {
    const char* fields;
    const char* names;
  } kMalformed[] = {
      {"name=x contract=hurray", "version=1"},
      {"version= name=x contract=hurray", "version=1"},
      {"version=2 name=x contract=hurray", "version=1"},
      {"version=01 name=x contract=hurray", "version=1"},
      {"version=1 contract=hurray", "name="},
      {"version=1 name= contract=hurray", "name="},
      {"version=1 name=x", "contract"},
      {"version=1 name=x contract=", "contract"},
      {"version=1 name=x contract=,", "contract"},
      {"version=1 name=x contract=acme", "acme"},
      {"version=1 name=x contract=hurray,acme", "acme"},
      {"version=1 name=x contract=HURRAY", "contract="},
      {"version=1 name=x contract=hurray schemes=one", "schemes="},
      {"version=1 name=x contract=hurray schemes=256", "schemes="},
      {"version=1 name=x contract=hurray schemes=-1", "schemes="},
      {"version=1 name=x contract=hurray types.decode=1", "types.decode="},
      {"version=1 name=x contract=hurray types.decode=int8", "types.decode="},
      {"version=1 name=x contract=hurray types.encode=0x10", "types.encode="},
      {"version=1 name=x contract=hurray types.dequantize=10,1g", "types.dequantize="},
      {"version=1 name=x contract=hurray types.quantize=10;11", "types.quantize="},
      {"version=1 name=x contract=hurray max_line=", "max_line="},
      {"version=1 name=x contract=hurray max_line=4095", "max_line="},
      {"version=1 name=x contract=hurray max_line=-1", "max_line="},
      {"version=1 name=x contract=hurray max_line=64k", "max_line="},
      {"version=1 name=x contract=hurray max_line=99999999999999999999", "max_line="},
  };
  for (const auto& each : kMalformed) {
    std::string error;
    EXPECT_FALSE(read(each.fields, error)) << each.fields;
    EXPECT_NE(error.find(each.names), std::string::npos) << each.fields << ": " << error;
  }
}

TEST(ReadClaims, AHelloThatIsNotOkIsRefused) {
  for (const char* body : {"reject", "unsupported version=1 name=x contract=hurray"}) {
    std::string error;
    EXPECT_FALSE(read_claims(*parse_answer_body(body, error), error));
    EXPECT_NE(error.find("ok"), std::string::npos);
  }
}

// --- The probe

TEST(UnknownKeyProbe, AsksForSomethingThatIsClaimedAndWouldBeAnswered) {
  // A verb that the target does not know would be `unsupported` for the wrong reason.
  EXPECT_TRUE(unknown_key_probe(claims_of("types.decode=12")).starts_with("decode type=12 "));
  EXPECT_TRUE(unknown_key_probe(claims_of("types.encode=11")).starts_with("encode type=11 "));
  EXPECT_TRUE(
      unknown_key_probe(claims_of("types.dequantize=48")).starts_with("dequantize type=48 "));
  EXPECT_TRUE(unknown_key_probe(claims_of("types.quantize=10")).starts_with("quantize type=10 "));
  EXPECT_TRUE(unknown_key_probe(claims_of("ops=normalize")).starts_with("normalize "));
  EXPECT_TRUE(unknown_key_probe(claims_of("")).starts_with("ra8 "));
  for (const char* more :
       {"types.decode=10", "types.encode=10", "types.quantize=10", "ops=normalize", ""}) {
    EXPECT_NE(unknown_key_probe(claims_of(more)).find(" never_defined="), std::string::npos)
        << more;
  }
}

// --- What is asked

TEST(ReasonToSkip, WhatIsClaimedIsAsked) {
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"), kDecodeInt8), "asked");
  EXPECT_EQ(skip_reason(claims_of("ops=normalize"),
                        "normalize bits=4 bias=1 order=low-first count=0 packed="),
            "asked");
}

TEST(ReasonToSkip, EachThingThatIsNotClaimedIsNamed) {
  // The report tells an implementer what to claim in order to be asked.
  EXPECT_EQ(skip_reason(claims_of(""), kDecodeInt8), "decode is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.decode="), kDecodeInt8), "decode is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"), kDecodeInt16),
            "decode of int16 is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"),
                        "dequantize type=10 scale=3f000000 zero_point=0 count=0 q="),
            "dequantize is not claimed");
  EXPECT_EQ(skip_reason(claims_of(""), "normalize bits=4 bias=1 order=low-first count=0 packed="),
            "normalize is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"),
                        "ra8 fn=quantize_i8 scale=3f000000 zero_point=0 count=0 in="),
            "contract ra8 is not claimed");
}

TEST(ReasonToSkip, DescriptorsAreAskedOfWhoeverClaimsTheirScheme) {
  EXPECT_EQ(skip_reason(claims_of("types.decode=10 schemes=2,3"), kDecodeInt8),
            "scheme 1, per-tensor affine, is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.decode=10 schemes=1,3"), kDecodeInt8), "asked");
  EXPECT_EQ(skip_reason(claims_of("types.quantize=10 schemes="),
                        "quantize type=10 scale=3f000000 zero_point=0 count=0 in="),
            "asked");
}

TEST(ReasonToSkip, OnlyTheFirmwareContractIsAskedOfFirmware) {
  std::string error;
  const auto claims = read("version=1 name=x contract=ra8 types.decode=10", error);
  ASSERT_TRUE(claims);
  EXPECT_EQ(skip_reason(*claims, kDecodeInt8), "contract hurray is not claimed");
  EXPECT_EQ(skip_reason(*claims, "ra8 fn=quantize_i8 scale=3f000000 zero_point=0 count=0 in="),
            "asked");
}

TEST(ReasonToSkip, ASweepNeedsItsOperationAndWhatItQuantizes) {
  const std::string rest = " scale=3f000000 zero_point=0 first=00000000 count=1";
  const std::string format = "sweep op=quantize type=10" + rest;
  EXPECT_EQ(skip_reason(claims_of("ops=sweep types.quantize=10"), format), "asked");
  EXPECT_EQ(skip_reason(claims_of("ops=normalize types.quantize=10"), format),
            "sweep is not claimed");
  EXPECT_EQ(skip_reason(claims_of("ops=sweep types.dequantize=10"), format),
            "quantize is not claimed");
  EXPECT_EQ(skip_reason(claims_of("ops=sweep types.quantize=11"), format),
            "quantize of int8 is not claimed");
  const std::string firmware = "sweep fn=quantize_i8" + rest;
  EXPECT_EQ(skip_reason(claims_of("ops=sweep types.quantize=10"), firmware),
            "contract ra8 is not claimed");
  std::string error;
  EXPECT_EQ(skip_reason(*read("version=1 name=x contract=ra8 ops=sweep", error), firmware),
            "asked");
  EXPECT_EQ(skip_reason(*read("version=1 name=x contract=ra8", error), firmware),
            "sweep is not claimed");
  EXPECT_EQ(skip_reason(*read("version=1 name=x contract=ra8 ops=sweep", error), format),
            "contract hurray is not claimed");
}

TEST(ReasonToSkip, ASweepOverCodesIsClaimedByItself) {
  const std::string codes =
      "sweep op=dequantize type=10 scale=3f000000 zero_point=0 first=00000000 count=1";
  EXPECT_EQ(skip_reason(claims_of("ops=sweep.dequantize types.dequantize=10"), codes), "asked");
  EXPECT_EQ(skip_reason(claims_of("ops=sweep types.quantize=10 types.dequantize=10"), codes),
            "sweep.dequantize is not claimed");
  EXPECT_EQ(skip_reason(claims_of("ops=sweep.dequantize types.quantize=10"), codes),
            "dequantize is not claimed");
  EXPECT_EQ(skip_reason(claims_of("ops=sweep.dequantize types.dequantize=11"), codes),
            "dequantize of int8 is not claimed");
  EXPECT_EQ(skip_reason(claims_of("ops=sweep.dequantize types.quantize=10"),
                        "sweep op=quantize type=10 scale=3f000000 zero_point=0 first=00000000 "
                        "count=1"),
            "sweep is not claimed");
  EXPECT_TRUE(claims_of("ops=sweep,sweep.dequantize").unknown.empty());
}

TEST(ReasonToSkip, ACallThatTheAttachmentCannotObserveIsNotSent) {
  const std::string base = "dequantize type=10 scale=3f000000 zero_point=0 count=1 q=00 ";
  const std::pair<const char*, const char*> kKeys[] = {
      {"in_off=1", "offset"},   {"out_off=1", "offset"}, {"fill=a5", "fill"},
      {"guard=after", "guard"}, {"null=in", "null"},     {"fenv=upward", "fenv"},
      {"threads=2", "threads"}};
  for (const auto& [key, word] : kKeys) {
    EXPECT_EQ(
        skip_reason(claims_of("types.dequantize=10"), base + key),
        std::string("not observable through this attachment: calls=") + word + " is not claimed");
    EXPECT_EQ(skip_reason(claims_of(std::string("types.dequantize=10 calls=") + word), base + key),
              "asked");
  }
  const std::string encode = "encode type=10 scheme=1 scale=3f000000 zero_point=0 capacity=15";
  EXPECT_EQ(skip_reason(claims_of("types.encode=10 calls=fill"), encode),
            "not observable through this attachment: calls=capacity is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.encode=10 calls=capacity"), encode), "asked");
}

TEST(ReasonToSkip, WhatIsAskedOfTensorsIsAWordOfItsOwn) {
  const std::pair<const char*, const char*> kKeys[] = {{"in_off=1", "offset.tensor"},
                                                       {"threads=2", "threads.tensor"},
                                                       {"guard=input", "guard.input"},
                                                       {"guard=after", "guard"}};
  for (const auto& [key, word] : kKeys) {
    const std::string request = std::string("decode_tensor bytes=00 ") + key;
    EXPECT_EQ(
        skip_reason(claims_of("ops=decode_tensor calls=offset,threads"), request),
        std::string("not observable through this attachment: calls=") + word + " is not claimed");
    EXPECT_EQ(skip_reason(claims_of(std::string("ops=decode_tensor calls=") + word), request),
              "asked");
  }
  EXPECT_EQ(skip_reason(claims_of("types.decode=10 calls=guard"),
                        kDecodeInt8 + std::string(" guard=input")),
            "not observable through this attachment: calls=guard.input is not claimed");
}

TEST(ReasonToSkip, ArraysOfMoreThanFiveMebibytesAreAWordOfTheirOwn) {
  const std::string base =
      "dequantize type=10 scale=3f000000 zero_point=0 count=8 q=0001020304050607 ";
  const Claims small = claims_of("types.dequantize=10 calls=repeat");
  EXPECT_EQ(skip_reason(small, base + "repeat=131072"), "asked");  // 4 MiB
  const std::string longer =
      "dequantize type=10 scale=3f000000 zero_point=0 count=16 "
      "q=000102030405060708090a0b0c0d0e0f repeat=";
  EXPECT_EQ(skip_reason(small, longer + "81920"), "asked");  // 5 MiB
  EXPECT_EQ(skip_reason(small, longer + "81921"),
            "not observable through this attachment: calls=repeat.large is not claimed");
  EXPECT_EQ(
      skip_reason(claims_of("types.dequantize=10 calls=repeat,repeat.large"), longer + "81921"),
      "asked");
}

TEST(ReasonToSkip, ALineThatTheTargetCannotHoldIsNotSent) {
  const std::string request =
      "dequantize type=10 scale=3f000000 zero_point=0 count=2500 q=" + std::string(5000, '0');
  EXPECT_EQ(skip_reason(claims_of("types.dequantize=10 max_line=4096"), request),
            "the request is longer than max_line");
  EXPECT_EQ(skip_reason(claims_of("types.dequantize=10 max_line=5200"), request), "asked");
}

TEST(ReasonToSkip, EveryStepOfACaseHasToBeClaimed) {
  const Case item = case_of({kDecodeInt8, "encode type=10 scheme=1 scale=3f000000 zero_point=3"});
  EXPECT_EQ(reason_to_skip(claims_of("types.decode=10"), item, {}), "encode is not claimed");
  EXPECT_FALSE(reason_to_skip(claims_of("types.decode=10 types.encode=10"), item, {}));
}

TEST(ReasonToSkip, TypesOfTier1AreAskedOfEveryReader) {
  // HQ-PTA-016: claiming int8 alone does not excuse a reader from int16.
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"), kDecodeInt16, {.types = true}), "asked");
  EXPECT_EQ(skip_reason(claims_of(""), kDecodeInt16, {.types = true}), "decode is not claimed");
}

TEST(ReasonToSkip, TagsThatAreNoStorageTypesAreEverybodysDuty) {
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"), "decode type=ff bytes="), "asked");
}

// --- Optional types

TEST(MustRefuse, AReaderRefusesOptionalTypesThatItDoesNotClaim) {
  // A61: to accept int4 without claiming it is a violation, not a gift.
  const Claims claims = claims_of("types.decode=10");
  EXPECT_TRUE(must_refuse(claims, case_of({kDecodeInt4})));
  EXPECT_FALSE(must_refuse(claims_of("types.decode=10,48"), case_of({kDecodeInt4})));
}

TEST(MustRefuse, TypesOfTier1AreNoneOfThem) {
  EXPECT_FALSE(must_refuse(claims_of("types.decode=10"), case_of({kDecodeInt16})));
  EXPECT_FALSE(must_refuse(claims_of("types.decode=10"), case_of({"decode type=ff bytes="})));
}

TEST(MustRefuse, WhoeverDoesNotClaimASchemeRefusesIt) {
  const std::string per_block =
      "decode type=10 bytes=030100000100000008000000010000000200000003000000";
  EXPECT_TRUE(must_refuse(claims_of("types.decode=10"), case_of({per_block})));
  EXPECT_FALSE(must_refuse(claims_of("types.decode=10 schemes=1,3"), case_of({per_block})));
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"), per_block),
            "scheme 3, per-block affine, is not claimed");
  EXPECT_EQ(skip_reason(claims_of("types.decode=10"), per_block, {.schemes = true}), "asked");
}

TEST(ReasonToSkip, TensorsAreAskedByTypeLayoutAndScheme) {
  const std::string tensor =
      "decode_tensor "
      "bytes=48525259010059000000010000004903010000000800000000000000000000000000000001"
      "0000000000000002040000000000000040000000000000000400000000000000400000000000000010000000"
      "04010000000000000800000001000000";
  EXPECT_EQ(skip_reason(claims_of("types.tensor=49 schemes=1,4 layouts=3"), tensor),
            "decode_tensor is not claimed");
  const std::string ops = "ops=decode_tensor ";
  EXPECT_EQ(skip_reason(claims_of(ops + "types.tensor=49 schemes=1,4 layouts=3"), tensor), "asked");
  EXPECT_EQ(skip_reason(claims_of(ops + "types.tensor=49 layouts=3"), tensor),
            "scheme 4, NF4, is not claimed");
  EXPECT_EQ(skip_reason(claims_of(ops + "schemes=1,4 layouts=3"), tensor),
            "tensors of uint4 are not claimed");
  EXPECT_EQ(skip_reason(claims_of(ops + "types.tensor=49 schemes=1,4"), tensor),
            "layout 3 is not claimed");
  EXPECT_EQ(skip_reason(claims_of(ops), tensor + " mode=permissive"),
            "modes=permissive is not claimed");
}

TEST(UnknownKeyProbe, IsOfAVerbThatIsClaimed) {
  for (const std::string verb :
       {"decode_tensor", "dequantize_tensor", "encode_tensor", "packed_bytes", "pack", "unpack",
        "widen", "normalize", "convert"}) {
    const std::string probe = unknown_key_probe(claims_of("ops=" + verb + " types.element=48"));
    EXPECT_TRUE(probe.starts_with(verb + " ")) << probe;
    EXPECT_TRUE(probe.ends_with(" never_defined=1")) << probe;
    // Without the unknown key it is a request that the oracle has answers to.
    EXPECT_FALSE(expected_answers(read_request(probe.substr(0, probe.rfind(' ')))).empty())
        << probe;
  }
}

TEST(ReasonToSkip, ElementsAreAskedByType) {
  EXPECT_EQ(skip_reason(claims_of("ops=pack types.element=10"), "pack type=48 count=0 values="),
            "pack of int4 is not claimed");
  EXPECT_EQ(skip_reason(claims_of("ops=pack types.element=48"), "pack type=48 count=0 values="),
            "asked");
  // What is no type is everybody's to refuse.
  EXPECT_EQ(skip_reason(claims_of("ops=packed_bytes"), "packed_bytes type=00 count=1"), "asked");
}

TEST(MustRefuse, OnlyReadersRefuse) {
  EXPECT_FALSE(must_refuse(claims_of("types.decode=10"),
                           case_of({"dequantize type=48 scale=3f000000 zero_point=0 count=0 q="})));
  // Whether it is asked at all is another question.
  EXPECT_TRUE(must_refuse(claims_of(""), case_of({kDecodeInt4})));
}

}  // namespace
}  // namespace hurray::conformance
