// SPDX-License-Identifier: Apache-2.0
//
// Does the kit speak the protocol: hello, every verb, every malformed line, any cutting of the
// stream?
//
// Call discipline is in kit_call_test.cpp.

#include <gtest/gtest.h>

#include "kit_test_target.h"

namespace kit_test {
namespace {

TEST(KitHello, AnswersWhatTheTableClaims) {
  EXPECT_EQ(ask("hello version=1"),
            "ok version=1 name=plain contract=hurray,ra8 schemes=1 types.decode=10 types.encode=10 "
            "types.dequantize=10,11,12,49 types.quantize=10,11 "
            "ops=normalize,sweep,sweep.dequantize calls=offset,fill,null,fenv,threads,capacity "
            "max_line=65536");
}

TEST(KitHello, LeavesOutWhatIsNotClaimed) {
  Target target = good_target();
  target.name = "two words";
  target.contracts = HURRAY_CONTRACT_HURRAY;
  target.encode = nullptr;
  target.quantize_types = 0;
  target.ra8 = nullptr;
  target.normalize_zero_points = nullptr;
  target.schemes = 0;
  MemoryHost memory("1 hello version=1\n");
  memory.host.enter_fenv = nullptr;
  memory.host.run_threads = nullptr;
  memory.host.line.size = 4096;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
  EXPECT_EQ(memory.written,
            "1 ok version=1 name=two?words contract=hurray types.decode=10 "
            "types.dequantize=10,11,12,49 ops=sweep.dequantize calls=offset,fill,null "
            "max_line=4096\n");
}

TEST(KitHello, NamesEveryStorageTypeInTheOrderOfTheTable) {
  Target target = good_target();
  target.decode_types = 0xffffffff;
  target.schemes = 0x3e;
  const std::string answer = ask(target, "hello version=1");
  EXPECT_NE(answer.find(" schemes=1,2,3,4,5 "), std::string::npos);
  EXPECT_NE(answer.find(" types.decode=10,11,12,13,14,15,48,49,4a,4b,40,41,43,44,45 "),
            std::string::npos);
}

TEST(KitHello, RefusesOtherVersions) {
  EXPECT_EQ(ask("hello version=2"), "unsupported version 1 only");
  EXPECT_EQ(ask("hello"), "unsupported missing key version");
}

TEST(KitHello, ReadsMembersBeyondAnOlderTableAsNull) {
  Target target = good_target();
  target.struct_bytes = offsetof(Target, encode);
  EXPECT_EQ(ask(target, "hello version=1"),
            "ok version=1 name=plain contract=hurray schemes=1 types.decode=10 "
            "calls=offset,fill,null,fenv,threads max_line=65536");
  EXPECT_EQ(ask(target, "encode type=10 scheme=1 scale=3f000000 zero_point=3"),
            "unsupported operation not claimed");
  EXPECT_EQ(ask(target, "ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=0 in="),
            "unsupported operation not claimed");
  target.struct_bytes += 3;  // no member ends here
  EXPECT_EQ(ask(target, "encode type=10 scheme=1 scale=3f000000 zero_point=3"),
            "unsupported operation not claimed");
  target.struct_bytes = sizeof target + 64;  // a newer one
  EXPECT_EQ(ask(target, "quantize type=10 scale=3f000000 zero_point=3 count=1 in=0000c0bf"),
            "ok q=00");
}

TEST(KitVerbs, AnswerTheExamplesOfTheProtocol) {
  const std::string requests =
      "2 decode type=10 bytes=010100000000003f0300000000000000\n"
      "3 decode type=10 bytes=01010000000000000300000000000000\n"
      "4 encode type=10 scheme=1 scale=3f000000 zero_point=3\n"
      "5 dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff\n"
      "6 quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0\n"
      "7 normalize bits=4 bias=1 order=low-first count=4 packed=6778\n"
      "8 ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0\n"
      "9 sweep op=quantize type=10 scale=3f000000 zero_point=3 first=3f800000 count=4096\n"
      "10 sweep fn=quantize_i8 scale=3f000000 zero_point=3 first=3f800000 count=4096\n";
  EXPECT_EQ(serve(good_target(), requests),
            "2 ok scheme=1 scale=3f000000 zero_point=3\n"
            "3 reject\n"
            "4 ok bytes=010100000000003f0300000000000000\n"
            "5 ok out=0000c0bf000000c0\n"
            "6 ok q=00ff\n"
            "7 ok zero_points=08000000070000000900000008000000\n"
            "8 ok code=0000 out=00ff\n"
            "9 ok digest=e8a2106fe87c7325\n"
            "10 ok digest=e8a2106fe87c7325\n");
}

TEST(KitVerbs, AnswerTheirOtherForms) {
  EXPECT_EQ(ask("decode type=10 bytes=010100000000003FFFFFFFFF00000000"),
            "ok scheme=1 scale=3f000000 zero_point=-1");
  EXPECT_EQ(ask("decode bytes= type=10"), "reject");
  EXPECT_EQ(ask("encode type=10 scheme=6 scale=3f000000 zero_point=-2147483648"), "reject");
  EXPECT_EQ(ask("dequantize type=12 scale=3f000000 zero_point=0 count=1 q=0080"),
            "ok out=000080c6");
  EXPECT_EQ(ask("dequantize type=49 scale=3f800000 zero_point=0 count=3 q=210f"),
            "ok out=0000803f0000004000007041");
  EXPECT_EQ(ask("dequantize type=10 scale=3f800000 zero_point=0 count=0 q="), "ok out=");
  EXPECT_EQ(ask("normalize bits=4 bias=-1 order=high-first count=3 packed=1234"),
            "ok zero_points=000000000100000002000000");
  EXPECT_EQ(ask("normalize bits=4 bias=0 order=low-first count=3 packed=12"), "reject");
  EXPECT_EQ(ask("normalize bits=3 bias=0 order=low-first count=1 packed=12"),
            "unsupported by the target");
  EXPECT_EQ(ask("ra8 fn=quantize_u8 scale=3f800000 zero_point=0 count=1 in=00008043"),
            "ok code=0000 out=ff");
  EXPECT_EQ(ask("ra8 fn=dequantize_i8 scale=3f800000 zero_point=0 count=1 in=ff"),
            "ok code=0000 out=000080bf");
  EXPECT_EQ(ask("ra8 fn=dequantize_u8 scale=3f800000 zero_point=0 count=1 in=ff"),
            "ok code=0000 out=00007f43");
  EXPECT_EQ(ask("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=1 in=00008043"),
            "ok code=0103");
}

TEST(KitVerbs, LeaveTypesThatNothingClaimsToTheDecoder) {
  EXPECT_EQ(ask("decode type=40 bytes=010100000000003f0300000000000000"), "reject");
  EXPECT_EQ(ask("dequantize type=40 scale=3f800000 zero_point=0 count=1 q=00"),
            "unsupported operation not claimed for this type");
  EXPECT_EQ(ask("quantize type=12 scale=3f800000 zero_point=0 count=1 in=00000000"),
            "unsupported operation not claimed for this type");
  EXPECT_EQ(ask("quantize type=ff scale=3f800000 zero_point=0 count=1 in=00000000"),
            "unsupported operation not claimed for this type");
}

TEST(KitVerbs, AnswerOtherStatusesAsRejections) {
  Target target = good_target();
  target.decode = [](uint8_t, const uint8_t*, size_t, hurray_descriptor*) -> hurray_status {
    return -5;
  };
  EXPECT_EQ(ask(target, "decode type=10 bytes="), "reject status=-5");
}

TEST(KitVerbs, AnswerAtMostTheCapacityOfAnEncoder) {
  Target target = good_target();
  target.encode = [](uint8_t, const hurray_descriptor*, uint8_t* out, size_t capacity,
                     size_t* written) -> hurray_status {
    std::memset(out, 0x11, capacity);
    *written = capacity + 1;
    return HURRAY_OK;
  };
  std::string expected = "ok bytes=";
  for (int i = 0; i < 64; ++i) expected += "11";
  EXPECT_EQ(ask(target, "encode type=10 scheme=1 scale=3f000000 zero_point=3"), expected);
}

TEST(KitLines, RefuseWhatIsNotInTheProtocol) {
  const std::string base = "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff";
  const std::pair<std::string, std::string> cases[] = {
      {"requantize op=quantize", "unknown verb requantize"},
      {"", "unknown verb "},
      {"hello version=1 colour=red", "unknown key colour"},
      {base + " null=in", "unknown key null"},
      {base + " bytes=00", "unknown key bytes"},
      {base + " =1", "unknown key "},
      {base + " count=2", "duplicate key count"},
      {base + " fill", "no value for key fill"},
      {base + " fill=", "malformed value of fill"},
      {base + " fill=123", "malformed value of fill"},
      {base + " in_off=64", "malformed value of in_off"},
      {base + " out_off=-1", "malformed value of out_off"},
      {base + " guard=behind", "malformed value of guard"},
      {base + " fenv=up", "malformed value of fenv"},
      {base + " threads=1", "malformed value of threads"},
      {base + " threads=17", "malformed value of threads"},
      {"dequantize type=1 scale=3f000000 zero_point=3 count=2 q=00ff", "malformed value of type"},
      {"dequantize type=10 scale=3f00000g zero_point=3 count=2 q=00ff", "malformed value of scale"},
      {"dequantize type=10 scale=3f000000 zero_point=2147483648 count=2 q=00ff",
       "malformed value of zero_point"},
      {"dequantize type=10 scale=3f000000 zero_point=- count=2 q=00ff",
       "malformed value of zero_point"},
      {"dequantize type=10 scale=3f000000 zero_point=+3 count=2 q=00ff",
       "malformed value of zero_point"},
      {"dequantize type=10 scale=3f000000 zero_point=3 count=18446744073709551616 q=00ff",
       "malformed value of count"},
      {"dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00f", "malformed value of q"},
      {"dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00fg", "malformed array"},
      {"dequantize type=10 scale=3f000000 zero_point=3 count=2", "missing key q"},
      {"dequantize type=10 scale=3f000000 zero_point=3 count=3 q=00ff",
       "count and array length disagree"},
      {"dequantize type=10 scale=3f000000 zero_point=3 count=18446744073709551615 q=00ff",
       "count and array length disagree"},
      {"quantize type=10 scale=3f000000 zero_point=3 count=1 in=00ff",
       "count and array length disagree"},
      {"quantize type=10 scale=3f000000 zero_point=3 count=1073741824 in=",
       "count and array length disagree"},
      {"encode type=10 scheme=256 scale=3f000000 zero_point=3", "malformed value of scheme"},
      {"normalize bits=4294967296 bias=0 order=low-first count=1 packed=00",
       "malformed value of bits"},
      {"normalize bits=4 bias=x order=low-first count=1 packed=00", "malformed value of bias"},
      {"normalize bits=4 bias=0 order=middle count=1 packed=00", "malformed value of order"},
      {"normalize bits=4 bias=0 order=low-first count=70000 packed=00", "too large"},
      {"normalize bits=4 bias=0 order=low-first count=4611686018427387905 packed=00", "too large"},
      {"ra8 fn=quantize_i4 scale=3f000000 zero_point=3 count=0 in=", "malformed value of fn"},
      {"ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=0 in= null=both",
       "malformed value of null"},
  };
  for (const auto& [request, hint] : cases)
    EXPECT_EQ(ask(request), "unsupported " + hint) << request;
}

TEST(KitLines, AreAnsweredWithoutAnId) {
  using namespace std::string_literals;
  EXPECT_EQ(
      serve(good_target(), "\n \nhello version=1\n4294967296 hello version=1\n\0\xff\n-1 hello\n"s),
      "0 unsupported line without an id\n0 unsupported line without an id\n"
      "0 unsupported line without an id\n0 unsupported line without an id\n"
      "0 unsupported line without an id\n0 unsupported line without an id\n");
  EXPECT_EQ(serve(good_target(), "5 he\0lo\x7f version=1\n5\n"s),
            "5 unsupported unknown verb he?lo?\n5 unsupported unknown verb \n");
}

TEST(KitLines, MayEndInCarriageReturnAndHoldExtraSpaces) {
  EXPECT_EQ(
      serve(good_target(), "  9  decode  bytes= type=10 \r\n4294967295 decode type=10 bytes=\r\n"),
      "9 reject\n4294967295 reject\n");
}

TEST(KitLines, LongerThanTheBufferAreSkippedToTheirEnd) {
  const std::string full = "1 decode type=10 bytes=" + std::string(65536 - 24, '0') + "\n";
  ASSERT_EQ(full.size(), 65536u);
  const std::string longer = "2 decode type=10 bytes=" + std::string(65536 - 23, '0') + "\n";
  const std::string longest = "3 decode type=10 bytes=" + std::string(200000, '0') + "\n";
  const std::string nameless = std::string(65537, '4') + "\n";
  EXPECT_EQ(serve(good_target(), full + longer + longest + nameless + "5 decode type=10 bytes=\n"),
            "1 reject\n2 unsupported line too long\n3 unsupported line too long\n"
            "0 unsupported line too long\n5 reject\n");
}

TEST(KitStream, GivesTheSameAnswersHoweverItIsCut) {
  const std::string requests =
      "1 hello version=1\n\n2 decode type=10 bytes=010100000000003f0300000000000000\r\n"
      "3 dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff fill=a5\n4 what\n";
  const std::string expected = serve(good_target(), requests);
  const Target target = good_target();
  for (size_t cut = 1; cut < requests.size(); ++cut) {
    MemoryHost memory(requests, {cut});
    EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
    EXPECT_EQ(memory.written, expected) << cut;
  }
  MemoryHost memory(requests, std::vector<size_t>(requests.size(), 1));
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
  EXPECT_EQ(memory.written, expected);
}

TEST(KitStream, IsFlushedExactlyWhenNoCompleteRequestWaits) {
  const std::string one = "1 decode type=10 bytes=\n";
  const Target target = good_target();
  MemoryHost memory(one + one + one + one, {3 * one.size() + 5});
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
  EXPECT_EQ(memory.writes, (std::vector<size_t>{27, 9}));
  ASSERT_EQ(memory.written_before.size(), 3u);
  EXPECT_EQ(memory.written_before[1], "1 reject\n1 reject\n1 reject\n");
}

TEST(KitStream, GetsAnswersLargerThanItsBufferInPieces) {
  const std::string zeros(20000, '0');
  const Target target = good_target();
  MemoryHost memory("1 dequantize type=11 scale=3f800000 zero_point=0 count=10000 q=" + zeros +
                    "\n");
  memory.host.answer.size = 65;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
  EXPECT_EQ(memory.written, "1 ok out=" + std::string(80000, '0') + "\n");
}

TEST(KitStream, DropsALineThatTheInputEndsWithout) {
  EXPECT_EQ(serve(good_target(), "1 decode type=10 bytes=\n2 decode type=10 bytes="), "1 reject\n");
}

TEST(KitStream, ReportsErrorsApart) {
  const Target target = good_target();
  MemoryHost memory("1 hello version=1\n");
  memory.fail_write = true;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_WRITE_FAILED);
  memory.fail_read = true;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_READ_FAILED);
  memory.host.line.size = 100;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_BAD_SETUP);
  EXPECT_EQ(hurray_kit_serve(nullptr, &memory.host), HURRAY_KIT_BAD_SETUP);
  memory.host.line.size = 4096;
  Target stump = good_target();
  stump.struct_bytes = offsetof(Target, decode) - 1;
  EXPECT_EQ(hurray_kit_serve(&stump, &memory.host), HURRAY_KIT_BAD_SETUP);
}

TEST(KitHello, DoesNotServeATableOfAnotherVersion) {
  MemoryHost memory("1 hello version=1\n");
  Target target = good_target();
  for (const uint32_t abi : {0u, HURRAY_TARGET_ABI + 1, 0xffffffffu}) {
    target.abi = abi;
    EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_BAD_SETUP);
  }
  EXPECT_EQ(memory.written, "");
}

}  // namespace
}  // namespace kit_test
