#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the images serve, flush where they must, catch what they must, and take sources from outside?

Builds what it needs by ci/firmware.sh and asks each image through FIFOs, as the runner does. Needs
qemu-system-arm beside the compilers.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = str(ROOT / "ci/firmware.sh")
SCALE_HALF = "scale=3f000000 zero_point=3"

# A header as a firmware writes it, with a typed enumeration, and functions that count on being given
# everything by stubs/.
HEADER = """
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "ra8_err.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef enum ra8_npu_quant_range_t : int32_t { k_min = -128, k_max = 127 } ra8_npu_quant_range_t;
[[nodiscard]] ra8_err_t ra8_npu_quantize_i8(const float*, int8_t*, size_t, float, int32_t);
[[nodiscard]] ra8_err_t ra8_npu_dequantize_i8(const int8_t*, float*, size_t, float, int32_t);
[[nodiscard]] ra8_err_t ra8_npu_quantize_u8(const float*, uint8_t*, size_t, float, int32_t);
[[nodiscard]] ra8_err_t ra8_npu_dequantize_u8(const uint8_t*, float*, size_t, float, int32_t);
#ifdef __cplusplus
}
#endif
"""
SOURCE = """
#include "ra8_npu_quant.h"
#include "ra8_check.h"
#include "ra8_log.h"
static const char* s_tag = "QUANT";
#define FUNCTION(NAME, IN, OUT)                                                                   \\
  ra8_err_t NAME(const IN* in, OUT* out, size_t count, float scale, int32_t zero_point) {         \\
    RA8_CHECK_NULL_PTR(in, s_tag);                                                                \\
    RA8_CHECK_NULL_PTR(out, s_tag, "no output");                                                  \\
    if (!(scale > 0.0f)) {                                                                        \\
      ra8_log_error(s_tag, "scale %d", (int)scale);                                               \\
      return k_ra8_err_invalid_arg;                                                               \\
    }                                                                                             \\
    FAULT                                                                                         \\
    for (size_t i = 0; i < count; ++i) out[i] = (OUT)(scale * (float)in[i] + (float)zero_point);  \\
    return k_ra8_ok;                                                                              \\
  }
FUNCTION(ra8_npu_quantize_i8, float, int8_t)
FUNCTION(ra8_npu_dequantize_i8, int8_t, float)
FUNCTION(ra8_npu_quantize_u8, float, uint8_t)
FUNCTION(ra8_npu_dequantize_u8, uint8_t, float)
"""
TYPED_ERRORS = """
#pragma once
#include <stdint.h>
typedef enum ra8_err_t : uint16_t {
  k_ra8_ok = 0, k_ra8_err_invalid_arg = 0x103, k_ra8_err_null_ptr = 0x504
} ra8_err_t;
"""

# What is done instead of quantizing: the code, the discipline, the exit code, the line.
FAULTS = {
    "reads-behind": ("(void)*(const volatile IN*)(in + count);", "guard=after", 68,
                     "memory management, data access, address"),
    "reads-before": ("(void)*(const volatile IN*)(in - 1);", "guard=before", 68,
                     "memory management, data access, address"),
    "writes-behind": ("*(volatile OUT*)(out + count) = 0;", "guard=after", 68,
                      "memory management, data access, address"),
    "reads-null": ("(void)*(const volatile IN*)NULL;", "", 68,
                   "memory management, data access, address 00000000"),
    "undefined": ('__asm__ volatile("udf #0");', "", 70, "usage, undefined instruction, pc"),
    "loses-the-stack": ('__asm__ volatile("mov sp, %0" ::"r"(64)); __asm__ volatile("push {r0}");',
                        "", 70, "usage, stack overflow"),
    "stops-for-a-debugger": ('__asm__ volatile("bkpt #1");', "", 67, "hard fault, pc"),
}


class Image:
    def __init__(self, path):
        self.folder = tempfile.TemporaryDirectory()
        text = pathlib.Path(path).read_bytes()
        machine = re.search(rb"hurray-firmware 1\nmachine=([a-z0-9-]+)\n", text)[1].decode()
        for name in ("request", "answer"):
            os.mkfifo(os.path.join(self.folder.name, name))
        self.process = subprocess.Popen(
            ["qemu-system-arm", "-M", machine, "-display", "none", "-monitor", "none", "-serial", "none",
             "-semihosting-config", "enable=on,target=native", "-kernel", os.path.abspath(path)],
            cwd=self.folder.name, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.request = open(os.path.join(self.folder.name, "request"), "wb", buffering=0)
        self.answer = open(os.path.join(self.folder.name, "answer"), "rb")

    def ask(self, request):
        self.request.write(b"7 " + request.encode() + b"\n")
        return self.answer.readline().decode().removeprefix("7 ").rstrip("\n")

    def end(self):
        """Exit code and what was said to standard error."""
        self.request.close()
        said = self.process.communicate(timeout=60)[1].decode()
        self.answer.close()
        self.folder.cleanup()
        return self.process.returncode, said


def build(*arguments):
    built = subprocess.run([SCRIPT, "--no-install", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if built.returncode != 0:
        raise AssertionError(f"ci/firmware.sh {' '.join(arguments)} failed")
    return [ROOT / line for line in built.stdout.split()]


class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.images = {path.parent.name: path for path in build()}

    def test_every_image_serves(self):
        for name, path in self.images.items():
            with self.subTest(name):
                image = Image(path)
                calls = "offset,fill,guard,null" + ("" if "soft" in name else ",fenv") + ",capacity"
                hello = image.ask("hello version=1")
                self.assertIn(" contract=hurray,ra8 schemes=1 types.decode=10,11,12,13,14,15 ", hello)
                self.assertIn(f" ops=sweep,sweep.dequantize calls={calls} max_line=65536", hello)
                self.assertEqual(image.ask("decode type=10 bytes=010100000000003f0300000000000000"),
                                 "ok scheme=1 " + SCALE_HALF)
                self.assertEqual(image.ask(f"encode type=10 scheme=1 {SCALE_HALF}"),
                                 "ok bytes=010100000000003f0300000000000000")
                self.assertEqual(image.ask(f"ra8 fn=quantize_i8 {SCALE_HALF} count=2 in=0000c0bf000000c0 "
                                           "guard=after fill=a5"),
                                 "ok code=0000 out=00ff under=0 over=0 in_changed=0")
                self.assertEqual(image.ask(f"dequantize type=10 {SCALE_HALF} count=2 q=00ff guard=before"),
                                 "ok out=0000c0bf000000c0")
                self.assertEqual(image.ask(f"sweep fn=quantize_i8 {SCALE_HALF} first=3f800000 count=4096"),
                                 "ok digest=e8a2106fe87c7325")
                self.assertEqual(image.end(), (0, ""))

    def test_only_the_traps_flush(self):
        codes = bytes(range(1, 12))
        kept = "".join(code.to_bytes(4, "little").hex() for code in codes)
        flushed = {"m85-plain-o2": "0" * 88, "m85-plain-tail": kept[64:].rjust(88, "0")}
        for name, path in self.images.items():
            with self.subTest(name):
                image = Image(path)
                answer = image.ask(f"dequantize type=11 scale=00000001 zero_point=0 count=11 q={codes.hex()}")
                self.assertEqual(answer, "ok out=" + flushed.get(name, kept))
                self.assertEqual(image.end()[0], 0)

    def test_modes_are_set_and_restored(self):
        tenth = "ra8 fn=dequantize_i8 scale=3dcccccd zero_point=0 count=1 in=05"
        tiny = "ra8 fn=dequantize_i8 scale=00000001 zero_point=0 count=1 in=05"
        image = Image(self.images["m85-portable-o2"])
        self.assertEqual(image.ask(tenth + " fenv=upward"), "ok code=0000 out=0100003f fenv=kept")
        self.assertEqual(image.ask(tenth + " fenv=downward"), "ok code=0000 out=0000003f fenv=kept")
        self.assertEqual(image.ask(tiny + " fenv=flush"), "ok code=0000 out=00000000 fenv=kept")
        self.assertEqual(image.ask(tiny), "ok code=0000 out=05000000")
        self.assertEqual(image.end(), (0, ""))

    def test_without_files_there_is_nothing_to_serve(self):
        image = Image(self.images["m33-gcc-o2"])
        self.assertEqual(image.end(), (0, ""))
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run([*image.process.args], cwd=empty, stdin=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (2, "firmware: cannot open the file request\n"))


class Foreign(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("ra8_npu_quant.h", HEADER)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        pathlib.Path(path).write_text(text)
        return path

    def image(self, source, *options, fault=""):
        path = self.write(source, SOURCE.replace("FAULT", fault))
        return Image(build("--source", path, "--include-dir", self.folder.name, "--name", "test", *options)[0])

    def test_c_and_cpp_with_the_stubs_and_with_codes_of_their_own(self):
        for own_codes in (False, True):
            if own_codes:
                self.write("ra8_err.h", TYPED_ERRORS)
            for source in ("quant.c", "quant.cpp"):
                for options in ((), ("--flags", "-O1 -fno-inline", "--toolchain", "clang-m33")):
                    with self.subTest(source=source, own_codes=own_codes, options=options):
                        image = self.image(source, *options)
                        ask = f"ra8 fn=dequantize_i8 {SCALE_HALF} count=1 in="
                        self.assertEqual(image.ask(ask + "02"), "ok code=0000 out=00008040")
                        self.assertEqual(image.ask(ask + "02 null=in"), "ok code=0504")
                        self.assertEqual(image.ask(ask + "02 null=out"), "ok code=0504")
                        self.assertEqual(image.ask(ask.replace("3f", "bf") + "02"), "ok code=0103")
                        self.assertEqual(image.end(), (0, ""))

    def test_faults_are_named(self):
        for toolchain in ("clang-m85", "gcc-m33-soft"):
            for name, (fault, discipline, code, line) in FAULTS.items():
                if toolchain.startswith("gcc"):
                    self.write("ra8_npu_quant.h", HEADER.replace(" : int32_t", ""))
                with self.subTest(fault=name, toolchain=toolchain):
                    image = self.image("quant.c", "--toolchain", toolchain, fault=fault)
                    answer = image.ask(f"ra8 fn=quantize_i8 {SCALE_HALF} count=2 in=0000c0bf000000c0 " + discipline)
                    self.assertEqual(answer, "")
                    ended, said = image.end()
                    self.assertEqual(ended, code)
                    self.assertRegex(said, f"^fault: {line}[^\n]*, cfsr [0-9a-f]{{8}}, hfsr [^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
