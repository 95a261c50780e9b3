// SPDX-License-Identifier: Apache-2.0
//
// Does the kit see what a target does besides answering: writes outside, changed input, output on
// an error, a lost floating-point mode, state shared between threads, accesses behind the end?
//
// Each case is a target with one such fault, and the right one beside it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cfenv>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "hurray_kit_posix.h"
#include "kit_test_target.h"

namespace kit_test {
namespace {

const std::string kDequantize = "dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff";
const std::string kQuantize =
    "quantize type=10 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0";
const std::string kBadQuantize =
    "quantize type=10 scale=00000000 zero_point=3 count=2 in=0000c0bf000000c0";
const std::string kDecode = "decode type=10 bytes=010100000000003f0300000000000000";
const std::string kEncode = "encode type=10 scheme=1 scale=3f000000 zero_point=3";
const std::string kNormalize = "normalize bits=4 bias=1 order=low-first count=4 packed=6778";
const std::string kRa8 =
    "ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=2 in=0000c0bf000000c0";

TEST(KitFill, ReportsNothingForTheRightTarget) {
  const std::string clean = " under=0 over=0 in_changed=0";
  for (const auto& request : {kDequantize, kQuantize, kDecode, kEncode, kNormalize, kRa8}) {
    EXPECT_EQ(ask(request + " fill=a5"), ask(request) + clean);
  }
  EXPECT_EQ(ask(kBadQuantize + " fill=a5"), "reject" + clean + " changed=0");
  EXPECT_EQ(ask("decode type=10 bytes= fill=a5"), "reject" + clean + " changed=0");
  EXPECT_EQ(ask("encode type=10 scheme=9 scale=3f000000 zero_point=3 fill=a5"),
            "reject" + clean + " changed=0");
  EXPECT_EQ(
      ask("ra8 fn=quantize_i8 scale=00000000 zero_point=0 count=2 in=0000803f0000803f fill=a5"),
      "ok code=0103 out=a5a5" + clean);
}

TEST(KitFill, CountsBytesWrittenOutsideTheOutput) {
  Target target = good_target();
  target.quantize = [](uint8_t, float, int32_t, const float*, void* q,
                       size_t count) -> hurray_status {
    auto* bytes = static_cast<uint8_t*>(q);
    std::memset(bytes - 1, 7, count + 4);
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, kQuantize + " fill=a5"), "ok q=0707 under=1 over=3 in_changed=0");
  EXPECT_EQ(ask(target, kQuantize + " fill=07"), "ok q=0707 under=0 over=0 in_changed=0");
}

TEST(KitFill, CountsWhatAnEncoderWritesBehindItsDescriptor) {
  Target target = good_target();
  // Inside the room that it was given, and outside what it says it wrote.
  target.encode = [](uint8_t type, const hurray_descriptor* descriptor, uint8_t* out,
                     size_t capacity, size_t* written) -> hurray_status {
    std::memset(out, 0, std::min<size_t>(capacity, 20));
    return encode(type, descriptor, out, capacity, written);
  };
  const std::string answer = ask(kEncode);
  EXPECT_EQ(ask(target, kEncode + " fill=a5"), answer + " under=0 over=4 in_changed=0");
  EXPECT_EQ(ask(target, kEncode + " capacity=17 fill=a5"), answer + " under=0 over=1 in_changed=0");
  EXPECT_EQ(ask(target, kEncode + " capacity=16 fill=a5"), answer + " under=0 over=0 in_changed=0");
}

TEST(KitFill, CountsFieldsThatTheSchemeDoesNotHave) {
  Target target = good_target();
  target.decode = [](uint8_t type, const uint8_t* bytes, size_t length,
                     hurray_descriptor* out) -> hurray_status {
    const hurray_status status = decode(type, bytes, length, out);
    out->axis = 0x01000002;
    out->flags = 3;
    return status;
  };
  EXPECT_EQ(ask(target, kDecode + " fill=a5"), ask(kDecode) + " under=0 over=3 in_changed=0");
}

TEST(KitCapacity, TheNumberOfBytesIsAnOutputToo) {
  Target target = good_target();
  target.encode = [](uint8_t, const hurray_descriptor*, uint8_t*, size_t,
                     size_t* written) -> hurray_status {
    *written = 16;
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(ask(target, kEncode + " fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=" + std::to_string(sizeof(size_t)));
}

TEST(KitCapacity, IsWhatTheEncoderGets) {
  Target target = good_target();
  EXPECT_EQ(ask(target, kEncode + " capacity=16"), ask(kEncode));
  EXPECT_EQ(ask(target, kEncode + " capacity=15"), "reject");
  EXPECT_EQ(ask(target, kEncode + " capacity=0 fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=0");
  EXPECT_EQ(ask(target, kEncode + " capacity=131073"), "unsupported malformed value of capacity");
  EXPECT_EQ(ask(target, kEncode + " capacity=131072"), ask(kEncode));
  EXPECT_EQ(ask(target, kDecode + " capacity=16"), "unsupported unknown key capacity");
  // Does not look at it: every byte behind the room counts.
  target.encode = [](uint8_t type, const hurray_descriptor* descriptor, uint8_t* out, size_t,
                     size_t* written) -> hurray_status {
    return encode(type, descriptor, out, 16, written);
  };
  EXPECT_EQ(ask(target, kEncode + " capacity=12 fill=a5"),
            "ok bytes=010100000000003f03000000 under=0 over=4 in_changed=0");
}

TEST(KitFill, ReportsAChangedInput) {
  Target target = good_target();
  target.quantize = [](uint8_t, float, int32_t, const float* in, void*,
                       size_t count) -> hurray_status {
    if (count > 0) const_cast<float*>(in)[count - 1] = 0;
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, kQuantize + " fill=a5"), "ok q=a5a5 under=0 over=0 in_changed=1");
  target.encode = [](uint8_t, const hurray_descriptor* descriptor, uint8_t*, size_t,
                     size_t*) -> hurray_status {
    const_cast<hurray_descriptor*>(descriptor)->axis = 1;
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(ask(target, kEncode + " fill=a5"), "reject under=0 over=0 in_changed=1 changed=0");
}

TEST(KitFill, CountsOutputTouchedOnAnError) {
  Target target = good_target();
  target.decode = [](uint8_t, const uint8_t*, size_t, hurray_descriptor* out) -> hurray_status {
    out->zero_point = 0;
    out->scheme_tag = 1;
    return HURRAY_REJECTED;
  };
  EXPECT_EQ(ask(target, kDecode + " fill=a5"), "reject under=0 over=0 in_changed=0 changed=5");
  target.quantize = [](uint8_t, float, int32_t, const float*, void* q, size_t) -> hurray_status {
    *static_cast<uint8_t*>(q) = 0;
    return 9;
  };
  EXPECT_EQ(ask(target, kQuantize + " fill=a5"),
            "reject under=0 over=0 in_changed=0 changed=1 status=9");
}

TEST(KitFill, ShowsUnwrittenElementsWithoutBeingAsked) {
  Target target = good_target();
  target.quantize = [](uint8_t, float, int32_t, const float*, void*, size_t) -> hurray_status {
    return HURRAY_OK;
  };
  const std::string answers = serve(target, "1 " + kQuantize + "\n2 " + kQuantize + "\n");
  EXPECT_EQ(answers, "1 ok q=f8f8\n2 ok q=9595\n");
}

TEST(KitOffset, PlacesBothBuffersPastABoundary) {
  Target target = good_target();
  // Answers where its buffers are.
  target.quantize = [](uint8_t, float, int32_t, const float* in, void* q,
                       size_t count) -> hurray_status {
    if (count < 2) return HURRAY_REJECTED;
    static_cast<uint8_t*>(q)[0] = reinterpret_cast<uintptr_t>(in) % 64;
    static_cast<uint8_t*>(q)[1] = reinterpret_cast<uintptr_t>(q) % 64;
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, kQuantize), "ok q=0000");
  EXPECT_EQ(ask(target, kQuantize + " in_off=60 out_off=63"), "ok q=3c3f");
  EXPECT_EQ(ask(target, kQuantize + " in_off=4 out_off=1 fill=a5"),
            "ok q=0401 under=0 over=0 in_changed=0");
}

TEST(KitOffset, RefusesToMisalignWhatHasAnAlignment) {
  EXPECT_EQ(ask(kQuantize + " in_off=1"), "unsupported in_off would misalign the input");
  EXPECT_EQ(ask(kDequantize + " out_off=2"), "unsupported out_off would misalign the output");
  EXPECT_EQ(ask(kEncode + " in_off=2"), "unsupported in_off would misalign the input");
  EXPECT_EQ(ask(kDecode + " out_off=2"), "unsupported out_off would misalign the output");
  EXPECT_EQ(ask(kDecode + " in_off=3"), "ok scheme=1 scale=3f000000 zero_point=3");
}

TEST(KitNull, PassesNullPointers) {
  EXPECT_EQ(ask(kRa8 + " null=in"), "ok code=0504");
  EXPECT_EQ(ask(kRa8 + " null=out fill=a5"), "ok code=0504 out=a5a5 under=0 over=0 in_changed=0");
  EXPECT_EQ(ask("ra8 fn=quantize_i8 scale=3f000000 zero_point=3 count=2 null=in,out"),
            "ok code=0504");
  EXPECT_EQ(ask("ra8 fn=dequantize_u8 scale=3f000000 zero_point=3 count=2 in= null=in fill=01"),
            "ok code=0504 out=0101010101010101 under=0 over=0 in_changed=0");
  EXPECT_EQ(ask("ra8 fn=dequantize_u8 scale=3f000000 zero_point=3 count=2 in=00 null=in"),
            "unsupported count and array length disagree");
}

TEST(KitFenv, IsSetForTheCallAndRestoredBehindIt) {
  for (const char* mode : {"nearest", "upward", "downward", "toward-zero"}) {
    EXPECT_EQ(ask(kDequantize + " fenv=" + mode), ask(kDequantize) + " fenv=kept");
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  }
  const std::string third = "dequantize type=10 scale=3eaaaaab zero_point=0 count=1 q=03";
  EXPECT_EQ(ask(third + " fenv=nearest"), "ok out=0000803f fenv=kept");
  EXPECT_EQ(ask(third + " fenv=upward"), "ok out=0100803f fenv=kept");
  EXPECT_EQ(ask("decode type=10 bytes= fill=a5 fenv=upward"),
            "reject under=0 over=0 in_changed=0 changed=0 fenv=kept");
}

TEST(KitFenv, IsLeftAloneWhenTheHostDoesNotHaveTheMode) {
  std::fesetround(FE_DOWNWARD);
  EXPECT_NE(hurray_kit_posix_enter_fenv(nullptr, HURRAY_KIT_FENV_FLUSH + 1), 0);
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
}

TEST(KitFenv, SeesAModeThatWasNotGivenBack) {
  Target target = good_target();
  target.quantize = [](uint8_t, float, int32_t, const float*, void* q,
                       size_t count) -> hurray_status {
    std::memset(q, 0, count);
    std::fesetround(FE_TOWARDZERO);
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, kQuantize + " fenv=upward"), "ok q=0000 fenv=changed");
  EXPECT_EQ(ask(target, kQuantize + " fenv=toward-zero"), "ok q=0000 fenv=kept");
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

#if defined(__SSE2__)
TEST(KitFenv, SeesARegisterOfTheOldUnitThatIsTaken) {
  Target target = good_target();
  target.quantize = [](uint8_t type, float scale, int32_t zero_point, const float* in, void* q,
                       size_t count) -> hurray_status {
    __asm__ volatile("fldz");
    return quantize(type, scale, zero_point, in, q, count);
  };
  const std::string request =
      "1 " + kQuantize + " fenv=upward\n2 " + kDequantize + " fenv=nearest\n";
  const std::string right = serve(good_target(), request);
  EXPECT_EQ(serve(target, request), "1 ok q=00ff fenv=changed" + right.substr(right.find('\n')));
}

TEST(KitFenv, FlushesSubnormalsAndStops) {
  const std::string tiny = "dequantize type=10 scale=00000001 zero_point=0 count=1 q=03";
  EXPECT_EQ(serve(good_target(), "1 " + tiny + " fenv=flush\n2 " + tiny + "\n"),
            "1 ok out=00000000 fenv=kept\n2 ok out=03000000\n");
}

// A program that was linked so as to flush subnormals does so before and after a call in a mode of
// the caller's: to install the default afterwards would hide it.
TEST(KitFenv, ReturnsToTheEnvironmentOfTheStart) {
  fenv_t before;
  std::fegetenv(&before);
  _mm_setcsr(_mm_getcsr() | 0x8040u);
  hurray_kit_posix_keep_fenv();
  const std::string tiny = "dequantize type=10 scale=00000001 zero_point=0 count=1 q=03";
  EXPECT_EQ(serve(good_target(), "1 " + tiny + "\n2 " + tiny + " fenv=nearest\n3 " + tiny + "\n"),
            "1 ok out=00000000\n2 ok out=03000000 fenv=kept\n3 ok out=00000000\n");
  std::fesetenv(&before);
  hurray_kit_posix_keep_fenv();
}
#endif

TEST(KitThreads, AnswerTheSameForTheRightTarget) {
  for (const auto& request : {kDequantize, kQuantize, kDecode, kEncode, kNormalize, kRa8}) {
    EXPECT_EQ(ask(request + " threads=4"), ask(request));
    EXPECT_EQ(ask(request + " threads=16 fill=a5 fenv=nearest"),
              ask(request + " fill=a5 fenv=nearest"));
  }
  EXPECT_EQ(ask(kRa8 + " null=in,out threads=2"), "ok code=0504");
  EXPECT_EQ(ask(kBadQuantize + " threads=2"), "reject");
}

TEST(KitThreads, CatchStateSharedBetweenCalls) {
  Target target = good_target();
  // Keeps the zero point of the first call: a call alone is right whatever comes later.
  static int32_t kept;
  static unsigned calls;
  kept = 0;
  calls = 0;
  target.quantize = [](uint8_t, float, int32_t zero_point, const float*, void* q,
                       size_t count) -> hurray_status {
    if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 3 == 0) {
      __atomic_store_n(&kept, zero_point, __ATOMIC_RELAXED);
    }
    std::memset(q, __atomic_load_n(&kept, __ATOMIC_RELAXED), count);
    return HURRAY_OK;
  };
  EXPECT_EQ(ask(target, kQuantize), "ok q=0303");
  EXPECT_EQ(ask(target, kQuantize + " threads=8"), "ok q=0202");
}

TEST(KitThreads, AreRefusedWithoutRoomOrHost) {
  const Target target = good_target();
  MemoryHost memory("1 " + kQuantize + " threads=2\n2 " + kQuantize + "\n");
  memory.host.output.size = 320;
  EXPECT_EQ(hurray_kit_serve(&target, &memory.host), HURRAY_KIT_OK);
  EXPECT_EQ(memory.written, "1 unsupported too large for threads\n2 ok q=00ff\n");
  MemoryHost without("1 " + kQuantize + " threads=2\n2 " + kQuantize + " fenv=upward\n3 " +
                     kQuantize + " guard=after\n");
  without.host.run_threads = nullptr;
  without.host.leave_fenv = nullptr;
  EXPECT_EQ(hurray_kit_serve(&target, &without.host), HURRAY_KIT_OK);
  EXPECT_EQ(
      without.written,
      "1 unsupported no threads here\n2 unsupported no fenv here\n3 unsupported no guard here\n");
}

TEST(KitRepeat, AnswersTheSameForTheRightTarget) {
  const std::string codes =
      "dequantize type=10 scale=3f000000 zero_point=3 count=8 q=00ff010203040506";
  EXPECT_EQ(ask(codes + " repeat=3"), ask(codes));
  EXPECT_EQ(ask(codes + " repeat=300 fill=a5 in_off=3"), ask(codes + " fill=a5 in_off=3"));
  EXPECT_EQ(
      ask("ra8 fn=dequantize_i8 scale=3f000000 zero_point=3 count=8 in=00ff010203040506 repeat=2"),
      ask("ra8 fn=dequantize_i8 scale=3f000000 zero_point=3 count=8 in=00ff010203040506"));
  const std::string plane = "normalize bits=4 bias=1 order=low-first count=8 packed=67781234";
  EXPECT_EQ(ask(plane + " repeat=5"), ask(plane));
}

TEST(KitRepeat, AnswersThePartThatDiffers) {
  Target target = good_target();
  // Counts in eight bits.
  target.dequantize = [](uint8_t, float, int32_t, const void*, float* out,
                         size_t count) -> hurray_status {
    for (size_t i = 0; i < (count & 255); ++i) out[i] = 1.0f;
    return HURRAY_OK;
  };
  const std::string request =
      "dequantize type=10 scale=3f000000 zero_point=3 count=8 q=0101010101010101 fill=a5";
  const std::string right = ask(target, request);
  EXPECT_EQ(ask(target, request + " repeat=31"), right);
  EXPECT_NE(ask(target, request + " repeat=32"), right);
  // The first eight are written, the others are not: 264 is 8.
  std::string untouched = "ok out=";
  for (int i = 0; i < 32; ++i) untouched += "a5";
  EXPECT_EQ(ask(target, request + " repeat=33").substr(0, untouched.size()), untouched);
}

TEST(KitRepeat, IsRefusedWhereItCannotBeDone) {
  EXPECT_EQ(ask(kDequantize + " repeat=2"), "unsupported repeat needs whole bytes");
  EXPECT_EQ(ask(kRa8 + " null=in repeat=2"), "unsupported repeat of a null pointer");
  EXPECT_EQ(ask(kDecode + " repeat=2"), "unsupported unknown key repeat");
  EXPECT_EQ(ask(kDequantize + " repeat=1"), "unsupported malformed value of repeat");
  EXPECT_EQ(ask("normalize bits=4 bias=1 order=low-first count=8 packed=6778123400 repeat=2"),
            "unsupported repeat needs whole bytes");
  EXPECT_EQ(ask("normalize bits=4 bias=1 order=low-first count=8 packed=67781234 repeat=131072"),
            "unsupported too large to repeat");
}

// Serves `requests` through two files, as hurray_kit_main does through pipes.
std::string serve_fds(const Target& target, const std::string& requests) {
  FILE* in = std::tmpfile();
  FILE* out = std::tmpfile();
  std::fwrite(requests.data(), 1, requests.size(), in);
  std::rewind(in);
  EXPECT_EQ(hurray_kit_serve_fds(&target, fileno(in), fileno(out)), HURRAY_KIT_OK);
  std::string answers(1 << 16, '\0');
  answers.resize(static_cast<size_t>(pread(fileno(out), answers.data(), answers.size(), 0)));
  std::fclose(in);
  std::fclose(out);
  return answers;
}

TEST(KitGuard, LetsTheRightTargetPass) {
  for (const auto& request : {kDequantize, kQuantize, kDecode, kEncode, kNormalize, kRa8}) {
    for (const char* guard : {" guard=after", " guard=before", " guard=after fill=a5 threads=2"}) {
      std::string expected = "3 " + ask(request);
      if (std::strlen(guard) > 15) expected += " under=0 over=0 in_changed=0";
      EXPECT_EQ(serve_fds(good_target(), "3 " + request + guard + "\n"), expected + "\n");
    }
  }
  EXPECT_EQ(serve_fds(good_target(), "3 " + kDecode + " guard=after in_off=1\n"),
            "3 unsupported guard with an offset\n");
}

TEST(KitGuard, SeesWritesOnTheAccessibleSide) {
  Target target = good_target();
  target.quantize = [](uint8_t, float, int32_t, const float*, void* q,
                       size_t count) -> hurray_status {
    std::memset(static_cast<uint8_t*>(q) - 2, 0, count + 2);
    return HURRAY_OK;
  };
  EXPECT_EQ(serve_fds(target, "3 " + kQuantize + " guard=after fill=a5\n"),
            "3 ok q=0000 under=2 over=0 in_changed=0\n");
}

TEST(KitGuardDeathTest, CrashesWhatReachesAcrossAnEnd) {
  Target behind = good_target();
  behind.decode = [](uint8_t, const uint8_t* bytes, size_t length,
                     hurray_descriptor*) -> hurray_status {
    return *const_cast<const volatile uint8_t*>(bytes + length) == 0 ? HURRAY_REJECTED
                                                                     : HURRAY_REJECTED;
  };
  EXPECT_EQ(serve_fds(behind, "3 " + kDecode + " guard=before\n"), "3 reject\n");
  EXPECT_DEATH(serve_fds(behind, "3 " + kDecode + " guard=after\n"), "");
  Target before = good_target();
  before.quantize = [](uint8_t, float, int32_t, const float*, void* q, size_t) -> hurray_status {
    *(static_cast<volatile uint8_t*>(q) - 1) = 0;
    return HURRAY_OK;
  };
  EXPECT_DEATH(serve_fds(before, "3 " + kQuantize + " guard=before\n"), "");
}

TEST(KitGuardDeathTest, TheOutputAloneLetsTheInputBeReadBeyond) {
  Target reads = good_target();
  reads.quantize = [](uint8_t, float, int32_t, const float* in, void*,
                      size_t count) -> hurray_status {
    return const_cast<const volatile float*>(in)[count] == 0 ? HURRAY_REJECTED : HURRAY_REJECTED;
  };
  EXPECT_EQ(serve_fds(reads, "3 " + kQuantize + " guard=output\n"), "3 reject\n");
  EXPECT_DEATH(serve_fds(reads, "3 " + kQuantize + " guard=after\n"), "");
  Target writes = good_target();
  writes.quantize = [](uint8_t, float, int32_t, const float*, void* q,
                       size_t count) -> hurray_status {
    volatile uint8_t* behind = static_cast<uint8_t*>(q) + count;
    *behind = *behind;
    return HURRAY_OK;
  };
  EXPECT_DEATH(serve_fds(writes, "3 " + kQuantize + " guard=output\n"), "");
}

TEST(KitPosix, ReportsAReaderThatIsGone) {
  int in[2];
  int out[2];
  ASSERT_EQ(pipe(in), 0);
  ASSERT_EQ(pipe(out), 0);
  ASSERT_EQ(write(in[1], "1 hello version=1\n", 18), 18);
  close(in[1]);
  close(out[0]);
  const Target target = good_target();
  EXPECT_EQ(hurray_kit_serve_fds(&target, in[0], out[1]), HURRAY_KIT_WRITE_FAILED);
  EXPECT_EQ(hurray_kit_serve_fds(&target, -1, out[1]), HURRAY_KIT_READ_FAILED);
  close(in[0]);
  close(out[1]);
}

}  // namespace
}  // namespace kit_test
