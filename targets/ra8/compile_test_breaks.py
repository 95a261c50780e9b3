#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does compile_test.py see what it is there to see? Breaks the header and the source that ship here, one rule at
a time, and wants exactly the rows of that rule violated; then judges files as a firmware has them."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TOOL = [sys.executable, str(HERE / "compile_test.py")]
FILES = ("ra8_npu_quant.h", "ra8_err.h", "ra8_npu_quant.c")
OF_HEADER = {"RA8-Q-023", "RA8-Q-024", "RA8-Q-025", "RA8-Q-031", "RA8-Q-032"}

# What is broken: (file, what stands there, what stands there then, rows, a part of the complaint)
BREAKS = {
    "one result may be ignored": (
        "ra8_npu_quant.h", "RA8_NODISCARD ra8_err_t ra8_npu_dequantize_u8", "ra8_err_t ra8_npu_dequantize_u8",
        {"RA8-Q-023"}, "the result of ra8_npu_dequantize_u8 may be ignored"),
    "another bound": ("ra8_npu_quant.h", "u8_max = 255", "u8_max = 256", {"RA8-Q-024"}, "u8_max is 255"),
    "a narrow enumeration": ("ra8_npu_quant.h", "UNDERLYING_INT32 : int32_t", "UNDERLYING_INT32 : int16_t", {"RA8-Q-024"},
                             "has the type int32_t"),
    "C++ linkage": ("ra8_npu_quant.h", 'extern "C" {', 'extern "C++" {', {"RA8-Q-025"},
                    "does not ask for the C symbol"),
    "needs another header first": ("ra8_npu_quant.h",
                                   '#include <stddef.h>\n#include <stdint.h>\n\n#include "ra8_err.h"\n', "",
                                   OF_HEADER | {"RA8-Q-026", "RA8-Q-033"}, "error"),
    "only with an NPU": ("ra8_npu_quant.h", "#include <stddef.h>", "#ifndef RA8_HAS_NPU\n#error no NPU\n#endif\n"
                         "#include <stddef.h>", OF_HEADER | {"RA8-Q-026", "RA8-Q-033"}, "no NPU"),
    "a function of the mathematics library": (
        "ra8_npu_quant.c", "internal_round(in / scale)", "(int64_t)roundf(in / scale)", {"RA8-Q-026"}, "needs roundf"),
    "one that optimizing makes go away": (
        "ra8_npu_quant.c", "return scale * (float)steps;", "return scale * (float)steps + 0 * fabsf(1.0f);",
        {"RA8-Q-026"}, "needs fabsf"),
    "another code": ("ra8_err.h", "0x103", "0x104", {"RA8-Q-031"}, "k_ra8_err_invalid_arg is 0x103"),
    "wide codes": ("ra8_err.h", "typedef uint16_t", "typedef uint32_t", {"RA8-Q-031"}, "ra8_err_t has 16 bits"),
    "signed codes": ("ra8_err.h", "typedef uint16_t", "typedef int16_t", {"RA8-Q-031"}, "ra8_err_t has no sign"),
    "another name": ("ra8_npu_quant.c", "// Any magnitude", "#define ra8_npu_quantize_u8 ra8_quantize_u8\n"
                     "// Any magnitude", {"RA8-Q-025", "RA8-Q-032"}, "does not define the C symbol ra8_npu_quantize_u8"),
    "a constructor": ("ra8_npu_quant.c", "// Any magnitude", "static volatile int s_calls;\n__attribute__((constructor)) "
                      "static void set_up(void) { s_calls = 1; }\n// Any magnitude", {"RA8-Q-033"}, "set_up"),
    "data that stays": ("ra8_npu_quant.c", "// Any magnitude", "__attribute__((used, retain)) static int s_calls;\n"
                        "// Any magnitude", {"RA8-Q-033"}, "more in .bss"),
}

FIRMWARE_ERR = """#pragma once
#include <stdint.h>
typedef enum ra8_err_t : uint16_t {
  k_ra8_ok = 0, k_ra8_err_invalid_arg = 0x103, k_ra8_err_null_ptr = 0x504
} ra8_err_t;
#include <ra8_check.h>
#include <ra8_log.h>
"""


class Folder:
    def __init__(self, test):
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        for name in FILES:
            shutil.copy(HERE / name, self.path)

    def change(self, name, old, new, times=1):
        path = self.path / name
        text = path.read_text()
        assert text.count(old) == times, f"{name} has {old} {text.count(old)} times"
        path.write_text(text.replace(old, new))

    def judge(self, *options, source="ra8_npu_quant.c"):
        """{row: verdict} and everything that was said."""
        done = subprocess.run([*TOOL, "--source", str(self.path / source), "--include-dir", str(self.path), *options],
                              capture_output=True, text=True)
        verdicts = dict(re.findall(r"^(RA8-Q-\d+)  (conforms|violated|not run)  ", done.stdout, re.M))
        return done.returncode, verdicts, done.stdout + done.stderr


class Rows(unittest.TestCase):
    def test_they_are_those_that_the_requirements_leave_to_it(self):
        with open(ROOT / "conformance/requirements/ra8_api.toml", "rb") as file:
            rows = tomllib.load(file)["requirement"]
        wanted = {each["id"]: each["compile_test"] for each in rows if "compile_test" in each}
        listed = subprocess.run([*TOOL, "--list"], capture_output=True, text=True).stdout.split()
        self.assertEqual(wanted, {id: "targets/ra8/compile_test.py" for id in listed})

    def check_break(self, name):
        file, old, new, rows, complaint = BREAKS[name]
        folder = Folder(self)
        folder.change(file, old, new)
        if "roundf" in new or "fabsf" in new:
            folder.change("ra8_npu_quant.c", "#include <stdbool.h>", "#include <stdbool.h>\nfloat roundf(float);\n"
                          "float fabsf(float);")
        code, verdicts, said = folder.judge("--compiler", "gcc", "--older")
        self.assertEqual({id for id, verdict in verdicts.items() if verdict != "conforms"}, rows, said)
        self.assertEqual(code, 1)
        self.assertIn(complaint, said)

    def test_one_of_several_parameters(self):
        # Header and source agree, so that nothing but the row can see it.
        folder = Folder(self)
        for name in ("ra8_npu_quant.h", "ra8_npu_quant.c"):
            text = (folder.path / name).read_text()
            text = re.sub(r"(dequantize_i8\([^)]*)int32_t zero_point", r"\1int64_t zero_point", text)
            (folder.path / name).write_text(text)
        code, verdicts, said = folder.judge("--compiler", "gcc", "--older")
        self.assertEqual({id for id, verdict in verdicts.items() if verdict != "conforms"}, {"RA8-Q-032"}, said)

    def test_a_row_that_no_compiler_can_judge_is_not_said_to_hold(self):
        # gcc 12 can judge a C source in no complete language.
        code, verdicts, said = Folder(self).judge("--compiler", "gcc", "--row", "RA8-Q-026", "--row", "RA8-Q-031")
        if verdicts["RA8-Q-026"] == "conforms":
            self.skipTest("this gcc has complete C23")
        self.assertEqual((code, verdicts), (3, {"RA8-Q-026": "not run", "RA8-Q-031": "conforms"}), said)

    @unittest.skipUnless(shutil.which("clang-19"), "needs clang-19")
    def test_files_as_a_firmware_has_them_conform(self):
        for source in ("quant.c", "quant.cpp"):
            with self.subTest(source):
                folder = Folder(self)
                (folder.path / "ra8_err.h").write_text(FIRMWARE_ERR)
                header = (folder.path / "ra8_npu_quant.h").read_text()
                header = re.sub(r"#if defined\(__cplusplus\) && .*?#ifdef __cplusplus\nextern",
                                "#ifdef __cplusplus\nextern", header, flags=re.S)
                header = re.sub(r"typedef enum RA8_SIZED_INT32 (\w+) \w+ (\{.*?\}) \w+;", r"enum \1 : int32_t \2;", header,
                                flags=re.S).replace("RA8_NODISCARD", "[[nodiscard]]")
                self.assertIn("enum ra8_npu_quant_range_t : int32_t {", header)
                (folder.path / "ra8_npu_quant.h").write_text(header)
                quant = (HERE / "ra8_npu_quant_plain.c").read_text()
                quant = quant.replace("if (in == NULL || out == NULL) return k_ra8_err_null_ptr;",
                                      'RA8_CHECK_NULL_PTR(in, "q"); RA8_CHECK_NULL_PTR(out, "q");')
                self.assertIn("RA8_CHECK_NULL_PTR", quant)
                (folder.path / source).write_text(quant)
                code, verdicts, said = folder.judge(source=source)
                self.assertEqual((code, set(verdicts.values())), (0, {"conforms"}), said)
                self.assertEqual(len(verdicts), 7)

    def test_usage_errors(self):
        for options in (["--row", "RA8-Q-001"], ["--compiler", "acme"], ["--source", "/nonexistent.c"]):
            done = subprocess.run([*TOOL, *options], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(options[1], done.stderr)


def add(name):
    setattr(Rows, "test_break_" + re.sub(r"\W+", "_", name), lambda self: self.check_break(name))


for each in BREAKS:
    add(each)

if __name__ == "__main__":
    unittest.main(verbosity=2)
