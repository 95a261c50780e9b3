# SPDX-License-Identifier: Apache-2.0
"""Do `inspect` and `lint` do at the command line what their help says, whatever the file is?

Tensor files are written by the lines of Python that `lint --help` gives to users.
"""

import json
import os
import random
import struct
import unittest

import harness
from harness import InFolder, conform

# The recipe's tensor: int8 [2, 16] in blocks of 8.
TENSOR = ("4852525901007900000001000000100102000000020000000000000010000000000000000000000000000000"
          "032000000000000000400000000000000010000000000000004000000000000000100000000000000040000000"
          "0000000018000000030100000100000008000000010000000200000003000000")
GARBAGE = {"empty": b"", "text": b"hello, world\n" * 20, "magic": b"HRRY", "zeros": bytes(4096), "ones": b"\xff" * 4096,
           "long": bytes.fromhex(TENSOR)[:6] + b"\xff" * 8000, "random": random.Random(1).randbytes(5000)}


def plane(offset=0, blocks=512, group=32):
    """Weights, scales and zero points of symmetric 4-bit quantization, as bytes; `offset` is added to each 8."""
    draw = random.Random(3)
    codes, scales = [], []
    for _ in range(blocks):
        weights = [draw.gauss(0, 0.02) for _ in range(group)]
        scale = 2 * max(map(abs, weights)) / 15
        codes += [max(0, min(15, round(weight / scale) + 8)) for weight in weights]
        scales.append(scale)
    return {"weights": bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2])),
            "scales": struct.pack(f"<{blocks}f", *scales), "zero_points": struct.pack("<i", 8 + offset) * blocks}


def recipe():
    """The lines of Python in the help."""
    text = conform("lint", "--help").stdout
    return text[text.index("import struct"):text.index("\nExample:")]


class TensorFiles(InFolder):
    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def tensor_file(self, name, offset=0):
        exec(recipe().replace("weights.hrry", self.path(name)), plane(offset))
        return self.path(name)

    def check(self, code, *arguments, says=()):
        done = conform(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for part in says:
            self.assertIn(part, done.stdout + done.stderr)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        return done


class Lint(TensorFiles):
    def test_the_help_has_ten_lines_of_python(self):
        self.assertEqual(len(recipe().strip().splitlines()), 10)

    def test_0_is_nothing_suspicious(self):
        self.check(0, "lint", self.tensor_file("good.hrry"),
                   says=["uint4 [64, 256]", "nothing speaks for a missing bias", "nothing suspicious"])

    def test_1_is_a_forgotten_bias_with_the_values_that_it_should_have(self):
        self.check(1, "lint", self.tensor_file("bad.hrry", offset=-1),
                   says=["zero-point-bias", "look un-normalized", "of all 512 blocks are 7, one less than 8",
                         "7 7 7 7 7 7 7 7 … -> 8 8 8 8 8 8 8 8 … (add 1 to each of 512)", "HQ-ZP-002", "A26"])

    def test_2_is_a_file_that_cannot_be_read(self):
        good = self.tensor_file("good.hrry")
        for name, content in GARBAGE.items():
            with self.subTest(name):
                done = self.check(2, "lint", self.write(name, content), says=[name, "cannot be read"])
                self.assertEqual(done.stdout, "")
        self.check(2, "lint", self.path("missing"), says=["missing", "No such file"])
        self.check(2, "lint", self.folder, says=["folder"])
        self.check(2, "lint", "--json", good, self.path("missing"))
        self.check(2, "lint", self.write("short", b"HRRY" * 4), says=["16 bytes", "at least 20"])
        self.check(2, "lint", self.write("broken", bytes.fromhex(TENSOR).replace(b"HRRY", b"HRRX")),
                   says=["inspect --tensor --file"])
        self.check(2, "lint", "/dev/zero", says=["/dev/zero", "cannot be read"])  # and that at once
        with open(good, "rb") as file:
            whole = file.read()
        self.check(2, "lint", self.write("cut", whole[:-1]), says=["buffer 2 of 2048 bytes starts at byte"])

    def test_2_is_wrong_usage(self):
        self.check(2, "lint", says=["FILE"])
        self.check(2, "lint", "", says=["empty"])
        self.check(2, "lint", "--bogus", self.tensor_file("good.hrry"), says=["--bogus"])

    def test_the_worst_of_several_files_counts(self):
        good, bad = self.tensor_file("good.hrry"), self.tensor_file("bad.hrry", offset=-1)
        self.check(1, "lint", bad, good, says=["nothing suspicious", "zero-point-bias"])
        self.check(2, "lint", self.path("missing"), bad, good, says=["nothing suspicious", "zero-point-bias"])

    def test_machines_get_all_of_it(self):
        bad, missing = self.tensor_file("bad.hrry", offset=-1), self.path("missing")
        done = self.check(2, "lint", "--json", bad, missing)
        files = json.loads(done.stdout)["files"]
        self.assertEqual([file["file"] for file in files], [bad, missing])
        finding, = files[0]["findings"]
        self.assertEqual(finding["id"], "zero-point-bias")
        self.assertEqual(finding["correction"], {"add": 1, "zero_points": 512, "first": [7] * 8,
                                                 "first_corrected": [8] * 8})
        self.assertTrue(finding["evidence"])
        self.assertIn("problem", files[1])

    def test_edited_files_are_survived(self):
        with open(self.tensor_file("good.hrry"), "rb") as file:
            whole = bytearray(file.read())
        draw = random.Random(5)
        for _ in range(150):
            at = draw.randrange(128)  # descriptor and padding
            before, whole[at] = whole[at], draw.randrange(256)
            done = conform("lint", "--json", self.write("edited", whole))
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            json.loads(done.stdout)
            whole[at] = before


class Inspect(TensorFiles):
    def test_a_tensor_is_known_by_its_magic(self):
        done = self.check(0, "inspect", TENSOR, says=["tensor descriptor of 121 bytes: int8 [2, 16], row-major"])
        for section in ("header", "shape", "buffer table", "quantization"):
            self.assertIn(f"\n{section}\n", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  @105 +block_size +08000000 +8$")

    def test_all_broken_rules_are_shown_with_their_bytes(self):
        # A reserved flag, blocks longer than the axis, no device 9.
        broken = bytearray.fromhex(TENSOR)
        broken[12], broken[105], broken[57] = 1, 32, 9
        done = self.check(1, "inspect", broken.hex(), says=["HQ-MD-010", "HQ-PBA-007", "HQ-MD-022", "must be refused"])
        for field in ("@10 +flags", "@105 +block_size", r"@57 +buffers\[0\].device_tag"):
            self.assertRegex(done.stdout, rf"(?m)^! {field} .*<- \(\d\)")

    def test_the_flag_says_that_it_is_a_tensor(self):
        hex = "00" + TENSOR[2:]
        self.check(1, "inspect", "--tensor", hex, says=["breaks HQ-MD-004"])
        self.check(2, "inspect", hex, says=["--type", "--tensor"])
        self.check(2, "inspect", "--tensor", "--type", "int8", hex, says=["--type"])
        self.check(2, "inspect", "--type", "int8", TENSOR, says=["--type is for a quantization descriptor"])

    def test_all_schemes_are_taken_apart(self):
        for scheme, type, hex in (("per-channel affine", "int8", "0201000001000000010000000200000003000000"),
                                  ("per-block affine", "uint4", "030100000100000008000000010000000200000003000000"),
                                  ("NF4", "uint4", "04010000000000004000000001000000"),
                                  ("MXFP", "float8_e4m3", "05010000000000002000000001000000")):
            self.check(0, "inspect", "--type", type, hex, says=[scheme, "axis", "scale_buffer_index", "valid"])

    def test_spaces_between_bytes_are_fine(self):
        self.check(0, "inspect", "--type", "int8", "0101 0000 0000003f 03000000\n00000000", says=["valid"])

    def test_a_file_is_read_as_it_is(self):
        self.check(0, "inspect", "--file", self.tensor_file("good.hrry"),
                   says=["tensor descriptor of 121 bytes: uint4 [64, 256]", "behind the descriptor", "lint"])
        self.check(0, "inspect", "--type", "int8", "--file",
                   self.write("alone", bytes.fromhex("010100000000003f0300000000000000")), says=["0.5, normal"])

    def test_2_is_wrong_usage(self):
        self.check(2, "inspect", says=["--file", "for example"])
        self.check(2, "inspect", "--file", self.path("missing"), says=["missing", "No such file"])
        self.check(2, "inspect", "--file", self.folder, says=["folder"])
        self.check(2, "inspect", "--file", self.tensor_file("good.hrry"), TENSOR, says=["--file"])
        self.check(2, "inspect", "--html", self.folder, TENSOR, says=["folder"])
        self.check(2, "inspect", "48525z", says=["hexadecimal"])
        self.check(2, "inspect", self.tensor_file("good.hrry"), says=["is a file", "--file"])

    def test_garbage_is_taken_apart_too(self):
        for name, content in GARBAGE.items():
            with self.subTest(name):
                page = self.path(name + ".html")
                self.check(1, "inspect", "--tensor", "--file", self.write(name, content), "--html", page,
                           says=["invalid", "must be refused"])
                self.assertTrue(os.path.exists(page))
                if not content.startswith(b"HRRY"):
                    self.check(1, "inspect", "--type", "int8", "--file", self.path(name), says=["invalid"])

    def test_the_page_is_a_single_file_for_light_and_dark(self):
        page = self.path("page.html")
        broken = bytearray.fromhex(TENSOR)
        broken[105] = 32
        self.check(1, "inspect", broken.hex(), "--html", page)
        with open(page, encoding="utf-8") as file:
            html = file.read()
        for part in ("<!doctype html>", "prefers-color-scheme: dark", "HQ-PBA-007", " broken\"", "block_size"):
            self.assertIn(part, html)
        for outside in ("http:", "https:", "<script", "<link", "src="):
            self.assertNotIn(outside, html)


if __name__ == "__main__":
    harness.main()
