# SPDX-License-Identifier: Apache-2.0
"""Do the lists of images hold together, and does the trap show what it is there to show?

That every image has its verdict is checked by the tier `firmware` of ci/test.sh, which prints the table.
"""

import hashlib
import os
import re
import tomllib
import unittest

import firmware
import harness
from harness import Run

BUNDLED = os.path.join(harness.SOURCE, "conformance", "bundled.toml")
IMAGES = os.path.join(harness.SOURCE, "targets", "ra8", "firmware", "images.toml")
TABLE = os.path.join(harness.SOURCE, "ci", "firmware-images.txt")


def rows_of(path):
    with open(path, "rb") as file:
        return {each["name"]: each for each in tomllib.load(file)["target"] if each["attachment"].startswith("qemu:")}


class Lists(unittest.TestCase):
    def test_every_image_that_is_built_is_judged(self):
        with open(TABLE, encoding="utf-8") as file:
            built = [line.split()[0] for line in file if re.match(r"\w", line)]
        self.assertEqual(list(rows_of(IMAGES)), built)
        self.assertEqual(len(built), 13)

    def test_what_ships_means_the_same_as_the_list_of_all(self):
        shown, every = rows_of(BUNDLED), rows_of(IMAGES)
        self.assertGreaterEqual(len(shown), 5)
        self.assertEqual(shown, {name: every[name] for name in shown})


class Trap(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runs = {name: cls.run_image(name) for name in ("m85-plain-o2", "m85-plain-tail")}

    @staticmethod
    def run_image(name, *options):
        return Run("--target", firmware.target(firmware.image(name)), *options)

    @staticmethod
    def failed(run, row):
        return next(each["failed"] for each in run.target["requirements"] if each["id"] == row)

    def test_subnormals_are_flushed_under_the_format(self):
        for name, run in self.runs.items():
            with self.subTest(name):
                self.assertEqual((run.code, run.target["verdict"]), (1, "non-conformant"))
                self.assertEqual({each["class"] for each in self.failed(run, "HQ-PTA-020")}, {"flush-to-zero"})
                alone = self.run_image(name, "--select", "dequantize/all-codes/*/scale-00000001")
                first = self.failed(alone, "HQ-PTA-020")[0]
                self.assertEqual(first["class"], "flush-to-zero")
                self.assertIn(" scale=00000001 ", first["counter_example"]["request"])

    def test_body_and_tail_differ_under_the_firmware_contract(self):
        for row in ("RA8-Q-019", "RA8-Q-020"):
            self.assertEqual({each["class"] for each in self.failed(self.runs["m85-plain-tail"], row)}, {"inconsistent"})
        # Both values are legal; the tail begins at the element that shows the other one.
        alone = self.run_image("m85-plain-tail", "--select", "ra8/dequantize-i8/subnormal-scale")
        first = self.failed(alone, "RA8-Q-019")[0]["counter_example"]
        self.assertIn(" scale=00000001 ", first["request"])
        self.assertEqual((first["element"], first["expected"][:8], first["got"][:8]), (16, "00000000", "00000003"))

    def test_who_flushes_everywhere_keeps_the_firmware_contract(self):
        run = self.runs["m85-plain-o2"]
        self.assertEqual({row for row in run.violated() if row.startswith("RA8-")}, set())
        self.assertEqual(run.target["behaviours"]["subnormals(dequantize_i8)"], "flush|flush-operands")

    def test_the_report_says_what_was_executed(self):
        with open(firmware.image("m85-plain-tail"), "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        told = self.runs["m85-plain-tail"].target["execution"]
        self.assertEqual(told["image_sha256"], digest)
        self.assertEqual(told["model"], "Cortex-M55 model, not silicon")
        self.assertEqual(told["machine"], "mps3-an547")
        self.assertEqual(told["kernels"], "plain")
        self.assertEqual(told["flags"], "-O2 -mcpu=cortex-m85+nolob")
        self.assertRegex(told["compiler"], r"^clang 19\.")
        self.assertRegex(told["emulator"], r"^QEMU emulator version \d+\.")


if __name__ == "__main__":
    harness.main()
