# SPDX-License-Identifier: Apache-2.0
"""Does `hurray-conform sweep` say what its help says: agreement, a difference and its neighbours, what cannot be swept?"""

import re
import subprocess
import unittest

import harness
from harness import conform, doing, exec_target, scripted


class Sweeps(unittest.TestCase):
    # Three blocks from 1.0 on; 3f810000 is the first input of the second.
    RANGE = ["--first", "3f800000", "--count", 150000]
    INT8 = ["--type", "int8", "--scale", "0.1", "--zero-point", 3]

    def sweep(self, target, *arguments, code):
        done = conform("sweep", "--target", target, *(arguments or [*self.INT8, *self.RANGE]))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def usage(self, *arguments, says):
        done = conform("sweep", "--target", "builtin:scalar", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        for part in says:
            self.assertIn(part, done.stderr)

    def test_0_is_agreement(self):
        text = self.sweep("builtin:scalar", code=0)
        self.assertEqual(text, "builtin:scalar: 150000 inputs, all as the reference (quotient=binary32; or "
                               "quotient=exact)\n")
        text = self.sweep("firmware=builtin:ra8", "--fn", "quantize_u8", "--scale", "3f000000", "--zero-point", -7,
                          "--first", "7f7fffff", "--count", 0x800005, code=0)
        self.assertIn("firmware: 6 inputs, all as the reference", text)

    def test_wide_types_are_swept_too(self):
        for name in ("int16", "uint16", "int32", "uint32"):
            text = self.sweep("builtin:scalar", "--type", name, "--scale", "0.001", "--zero-point", 3, *self.RANGE, code=0)
            self.assertIn(": 150000 inputs, all as the reference", text)

    def test_without_a_count_it_goes_to_the_last_input(self):
        self.assertIn(": 257 inputs,", self.sweep("builtin:scalar", *self.INT8, "--first", "ff7fff00", code=0))

    def test_1_is_a_difference_with_the_input_and_its_neighbours(self):
        # 0.5 is the first tie that rounding to even takes the other way.
        text = self.sweep("even=builtin:fault-ties-to-even", "--type", "int8", "--scale", 1, "--zero-point", 3,
                          "--first", "3efffff0", "--count", 100000, code=1)
        for part in ("even: differs at input 3f000000 (0.5)\n", "  expected  4\n", "  got       3   (-1)\n",
                     "  before    3effffff (0.49999997): 3, as expected\n",
                     "  after     3f000001 (0.50000006): 4, as expected\n", "  class     ties-to-even: ties are",
                     " on the 16 inputs before\n",
                     "  request   quantize type=10 scale=3f800000 zero_point=3 count=1 in=0000003f\n",
                     "hurray_target.quantize(0x10,"):
            self.assertIn(part, text)
        self.assertEqual((text.count("  before "), text.count("  after ")), (1, 1))

    def test_the_request_that_it_prints_shows_the_difference(self):
        text = self.sweep("builtin:fault-ties-to-even", "--type", "int8", "--scale", 1, "--zero-point", 3,
                          "--first", "3efffff0", "--count", 100000, code=1)
        request = re.search(r"request +(.*)", text)[1]
        answer = subprocess.run([harness.FAULT, "ties-to-even"], input=f"1 {request}\n", capture_output=True, text=True,
                                timeout=harness.STUCK_SECONDS).stdout
        self.assertEqual(answer, "1 ok q=03\n")

    def test_3_is_a_target_that_does_not_claim_what_is_needed(self):
        # Silence must not look like agreement, nor like a difference.
        python = exec_target("python3", harness.PYTHON_ADAPTER, name="python")
        text = self.sweep(python, code=3)
        self.assertEqual(text, "python: not judged: sweep is not claimed\n  its answer to hello has to name "
                               "contract=hurray ops=sweep types.quantize=10\n  a table in C gets that from the kit with "
                               ".contracts |= HURRAY_CONTRACT_HURRAY, .quantize_types |= HURRAY_TYPE_INT8 and .quantize\n")
        self.assertIn("contract hurray is not claimed", self.sweep("builtin:ra8", code=3))

    def test_3_is_a_broken_target(self):
        self.assertIn("broken", self.sweep(exec_target("false"), code=3))
        text = self.sweep(exec_target("sh", "-c", "echo last words >&2; exit 4"), code=3)
        self.assertIn("exited with status 4", text)
        self.assertIn("last words", text)
        text = self.sweep(scripted(*doing("say:ok digest=none", "verb:sweep")), code=3)
        self.assertIn("which has no digest= of 16 hexadecimal digits", text)

    def test_what_happens_midway_is_called_what_it_is(self):
        for deed, parts in (("crash", ["crashes at input 3f810000 (", "killed by signal 11", "class     crash:"]),
                            ("leave", ["crashes at input 3f810000 (", "exited with status 3"]),
                            ("say:reject no more", ["refuses input 3f810000 (", "got       reject no more",
                                                    "class     rejects-valid:"]),
                            ("say:unsupported no more", ["refuses input 3f810000 (", "got       unsupported no more",
                                                         "class     claims-what-it-lacks:"])):
            text = self.sweep(scripted(*doing(deed, "has:first=3f810000")), code=1)
            with self.subTest(deed):
                for part in [*parts, " on the 65536 inputs before\n", "in=0000813f"]:
                    self.assertIn(part, text)
                self.assertNotIn("differs", text)

    def test_a_silence_is_named_with_its_block(self):
        text = self.sweep(scripted(*doing("hang", "has:first=3f810000")), *self.INT8, *self.RANGE, "--timeout", 4, code=1)
        for part in ("does not answer for the 65536 inputs from 3f810000 (", "no answer within 4000 ms", "--timeout",
                     "class     hang:", "request   sweep op=quantize type=10 scale=3dcccccd zero_point=3 "
                     "first=3f810000 count=65536\n"):
            self.assertIn(part, text)

    def test_a_block_that_fails_only_as_a_whole_is_not_pinned_on_an_input(self):
        text = self.sweep(scripted(*doing("say:ok digest=0123456789abcdef", "has:count=65536")), code=1)
        for part in ("differs at the 65536 inputs from 3f800000 (1) to 3f80ffff (", "each part is as the reference",
                     "first=3f800000 count=65536\n"):
            self.assertIn(part, text)

    def test_a_fault_of_the_vector_body_is_named_by_one_plain_call(self):
        text = self.sweep("even=builtin:fault-ties-to-even-in-the-body", "--type", "int8", "--scale", 1, "--zero-point", 3,
                          "--first", "3efffffc", "--count", 100000, code=1)
        self.assertRegex(text, r"^even: differs at input 3f000000 \(0\.5\), only in calls of \d+ inputs\n")
        for part in ("  expected  4\n", "  got       3   (-1)\n", "  before    3effffff (0.49999997): 3, as expected\n",
                     "  after     3f000001 (0.50000006): 4, as expected\n", "  class     ties-to-even: ties are",
                     "in C\n", "hurray_target.quantize(0x10,"):
            self.assertIn(part, text)
        self.assertNotIn("asked again in parts", text)
        # What it prints shows it.
        request = re.search(r"request +(quantize .*)", text)[1]
        answers = [subprocess.run([program, *fault], input=f"1 {request}\n", capture_output=True, text=True,
                                  timeout=harness.STUCK_SECONDS).stdout
                   for program, fault in ((harness.FAULT, ["ties-to-even-in-the-body"]), (harness.SCALAR, []))]
        self.assertNotEqual(*answers)

    def test_a_reciprocal_and_a_zero_point_added_too_early_are_told_apart(self):
        for fault in ("reciprocal", "zero-point-before-rounding"):
            text = self.sweep(f"builtin:fault-{fault}", "--type", "int8", "--scale", "0.05", "--zero-point", 3,
                              "--first", "3ea60000", "--count", 1 << 23, code=1)
            self.assertIn(f"  class     {fault}:", text)

    def test_2_is_nothing_to_sweep(self):
        self.usage("--scale", 1, "--zero-point", 3, says=["neither --type nor --fn", "for example"])
        self.usage("--type", "float16", "--scale", 1, "--zero-point", 3, says=["--type float16", "int16", "uint2"])
        self.usage("--type", "int7", "--scale", 1, "--zero-point", 3, says=["--type int7", "int8"])
        self.usage("--type", "int8", "--fn", "quantize_i8", "--scale", 1, "--zero-point", 3, says=["--type", "--fn"])
        self.usage("--type", "int8", "--scale", 1, "--zero-point", 128, says=["--zero-point 128", "-128 to 127"])
        for scale in ("0", "-1", "inf", "nan", "7f800000", "one"):
            self.usage("--type", "int8", "--scale", scale, "--zero-point", 3, says=["--scale", "for example"])

    def test_2_is_a_range_that_is_none(self):
        for range, says in ((["--count", 0], ["--count 0", "at least one"]),
                            (["--count", "-5"], ["--count"]),
                            (["--count", "many"], ["--count"]),
                            (["--count", 1 << 33], ["--count 8589934592", "4294967296 inputs"]),
                            (["--count", (1 << 64) - 1], ["--count 18446744073709551615"]),
                            (["--first", "fffffff0", "--count", 17], ["--count 17", "--first fffffff0", "16 inputs"]),
                            (["--first", "7f800001", "--count", 0x7fffff], ["only NaN", "7f800000"]),
                            (["--first", "ffc00000"], ["only NaN"]),
                            (["--first", "3f8"], ["--first 3f8", "for example"]),
                            (["--first", "1.5"], ["--first 1.5", "for example"])):
            self.usage(*self.INT8, *range, says=says)

    def test_a_request_has_longer_than_elsewhere(self):
        for command, seconds in (("sweep", 60), ("run", 10), ("replay", 10)):
            self.assertRegex(conform(command, "--help").stdout, rf"--timeout .*={seconds}\n")


if __name__ == "__main__":
    harness.main()
