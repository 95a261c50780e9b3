# SPDX-License-Identifier: Apache-2.0
"""Does a sweep over an image find the one input of millions at which its source is wrong?"""

import os
import tempfile
import unittest

import firmware
import harness

ALL = ["--fn", "quantize_i8", "--scale", "0.05", "--zero-point", "3"]
RANGE = ["--first", "3f000000", "--count", "4194304"]
FAULT = 0x3f1d2b17  # far from every tie and every end of a block


def sweep(image, *arguments):
    return harness.conform("sweep", "--target", firmware.target(image), *arguments)


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.wrong = firmware.build(os.path.join(cls.folder.name, "wrong.elf"), f"FAULT_ONE_INPUT=0x{FAULT:08x}")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, image, code, *says, arguments=(*ALL, *RANGE)):
        done = sweep(image, *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for part in says:
            self.assertIn(part, done.stdout)

    def test_one_wrong_input_of_four_million_is_named(self):
        # 0.613939702 / 0.05 is 12.28, so 12 + 3.
        self.check(self.wrong, 1, "differs at input 3f1d2b17", "expected  15", "in=172b1d3f",
                   "ra8_npu_quantize_i8")

    def test_the_same_through_the_format(self):
        arguments = ["--type", "uint8", "--scale", "3d4ccccd", "--zero-point", "200", *RANGE]
        self.check(self.wrong, 1, "differs at input 3f1d2b17", "expected  212", arguments=arguments)

    def test_elsewhere_the_same_image_is_right(self):
        self.check(self.wrong, 0, "4194304 inputs, all as the reference",
                   arguments=[*ALL, "--first", "bf000000", "--count", "4194304"])

    def test_images_that_are_right_are_right_on_every_input_of_a_range(self):
        for name in ("m85-portable-o2", "m85-helium-o2", "m55-gcc-o2", "m33-gcc-o2"):
            with self.subTest(name):
                self.check(firmware.image(name), 0, "4194304 inputs, all as the reference")

    def test_an_input_of_which_the_image_dies_is_found_like_a_wrong_one(self):
        image = firmware.build(os.path.join(self.folder.name, "dies.elf"), f"FAULT_HARD_FAULT=0x{FAULT:08x}")
        self.check(image, 1, "crashes at input 3f1d2b17", "fault: usage, undefined instruction, pc ")


if __name__ == "__main__":
    harness.main()
