# SPDX-License-Identifier: Apache-2.0
"""Is a converter told its mistake in words that its author understands? The Python adapter, with the mistakes that
authors of converters make, one at a time.
"""

import os
import sys
import unittest

from harness import PYTHON_ADAPTER, conform, exec_target, main

# What replaces `fields` of the adapter's converter, to which it then adds the bias; or `convert` itself.
FIELDS = """
right = hurray_convert.fields
def fields(bits, order, word_bytes, plane, run, runs):
    {}
hurray_convert.fields = fields
"""
UNORDERED = """
right = hurray_convert.convert
def convert(*arguments, group_index=None, **more):
    return right(*arguments, **more)
hurray_convert.convert = convert
"""
ALL = "right(bits, order, word_bytes, plane, run, runs)"


def with_fields(expression):
    return FIELDS.format(f"return [{expression} for f in {ALL}]")


# The mistake, the requirement that it violates, and words that have to stand in what is printed about it.
MISTAKES = {
    "forgets the + 1": (with_fields("f - 1"), "HQ-ZP-007", "the toolchain's bias is left in: every element is off by"),
    "wraps 15 to 0": (with_fields("(f + 1) % 16 - 1"), "HQ-ZP-008", "a stored 15 becomes 0 instead of 16"),
    "clamps 15 to 15": (with_fields("min(15, f + 1) - 1"), "HQ-ZP-008", "a stored 15 stays 15 instead of becoming 16"),
    "swaps nibbles": (FIELDS.format("return right(bits, 'high-first', word_bytes, plane, run, runs)"), "HQ-ZP-006",
                      "elements of a byte are taken from the wrong end"),
    "adds on the packed byte": (
        FIELDS.format("plane = bytes((byte + 0x11) & 255 for byte in plane); "
                      f"return [f - 1 for f in {ALL}]"), "HQ-ZP-008",
        "the bias is added to the packed byte, and a 15 carries into its neighbour"),
    "reads signed nibbles": (with_fields("(f ^ 8) - 8"), "HQ-ZP-006", "codes are sign-extended where they must not be"),
    "maps an activation-order file": (UNORDERED, "HQ-ZP-011", "Groups in activation order are refused"),
}


def converter(mistake):
    """A target that is the adapter with a mistake in it."""
    folder, _ = os.path.split(PYTHON_ADAPTER)
    program = (f"import runpy, sys\nsys.path.insert(0, {folder!r})\nimport hurray_convert\n{mistake}\n"
               f"runpy.run_path({PYTHON_ADAPTER!r}, run_name='__main__')\n")
    return exec_target(sys.executable, "-c", program)


class Converters(unittest.TestCase):
    def run_on(self, mistake):
        return conform("run", "--target", converter(mistake), "--select", "convert/*")

    def test_the_right_one_passes(self):
        done = self.run_on("")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_mistake_is_failed_in_its_words(self):
        for name, (mistake, requirement, words) in MISTAKES.items():
            with self.subTest(name):
                done = self.run_on(mistake)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                findings = done.stdout.split("it: ")
                about = [finding for finding in findings if finding.startswith(f"{requirement} violated")]
                self.assertEqual(len(about), 1, done.stdout)
                self.assertIn(words, about[0])


if __name__ == "__main__":
    main()
