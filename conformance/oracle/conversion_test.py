#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle convert foreign tensors as the recipe says? The worked example, and planes and
orders of other toolchains by hand.
"""

import itertools
import struct
import unittest

import by_hand
from by_hand import REJECTED, u64

RECIPE = ("4852525901007900000001000000100102000000020000000000000010000000000000000000000000000000"
          "03200000000000000040000000000000001000000000000000400000000000000010000000000000004000000000000000"
          "18000000030100000100000008000000010000000200000003000000")
WEIGHTS = bytes(range(32)).hex()
SCALES = "0ad7a33c8fc2753ccdcccc3c0ad7233c"
WORKED = {"type": "10", "shape": u64(2, 16).hex(), "axis": 1, "group_size": 8, "bits": 4, "bias": 1,
          "order": "low-first",
          "group_major": 0, "word_bytes": 1, "scale_type_tag": "03", "weights": WEIGHTS, "scales": SCALES,
          "plane": "6778"}


def i32(*numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers).hex()


def request(**changed):
    return "convert " + " ".join(f"{key}={value}" for key, value in {**WORKED, **changed}.items())


# A27: who knows the recipe's form only may say so.
DECLINED = [("unsupported", "pass", {})]


def is_the_recipes(changed):
    return (changed.get("bits", 4) == 4 and changed.get("order", "low-first") == "low-first"
            and changed.get("group_major", 0) == 0 and changed.get("word_bytes", 1) == 1)


class Conversion(unittest.TestCase):
    def assert_arrays(self, wanted_scales, wanted_zero_points, **changed):
        (answer, verdict, shows), *others = by_hand.ask(request(**changed))
        self.assertEqual(others, [] if is_the_recipes(changed) else DECLINED)
        self.assertEqual((verdict, shows), ("pass", {}))
        fields = dict(pair.split("=") for pair in answer.split()[1:])
        self.assertEqual((fields["b1"], fields["b2"]), (wanted_scales, i32(*wanted_zero_points)))

    def test_the_worked_recipe(self):
        self.assertEqual(by_hand.ask(request()), [
            (f"ok bytes={RECIPE} b0={WEIGHTS} b1={SCALES} b2=08000000070000000900000008000000", "pass", {})])
        # What it makes is read back, and so is its twin, whose zero points nobody normalized.
        for bias in (1, 0):
            answer = dict(pair.split("=") for pair in by_hand.ask(request(bias=bias))[0][0].split()[1:])
            line = "dequantize_tensor count=32 " + " ".join(f"{key}={value}" for key, value in answer.items())
            self.assertEqual(by_hand.outcomes(line), by_hand.ACCEPTED)

    def test_fields(self):
        self.assert_arrays(SCALES, (16, 16, 16, 16), plane="ffff")  # HQ-ZP-008
        self.assert_arrays(SCALES, (8, 7, 9, 8), plane="6778ffff")
        self.assert_arrays(SCALES, (-1, 0, 1, 2), bits=2, bias=-1, plane="e4")
        self.assert_arrays(SCALES, (0, 128, 255, 7), bits=8, bias=0, plane="0080ff07")
        self.assert_arrays(SCALES, (2**31 - 1,) * 4, bias=2**31 - 1, plane="0000")
        self.assertEqual(by_hand.outcomes(request(bias=2**31 - 1)), REJECTED)  # no int32 holds it
        high = by_hand.ask(request(order="high-first", plane="7687"))
        self.assertEqual(high, by_hand.ask(request()) + [("unsupported", "pass", {})])

    def test_words(self):
        # Two runs of two fields, each in a word of its own.
        self.assert_arrays(SCALES, (8, 7, 9, 8), word_bytes=4, plane="67ffffff" "78000000")
        self.assert_arrays(SCALES, (8, 9, 7, 8), word_bytes=4, plane="87000000" "76000000", bias=1)
        for plane in ("67000000", "67000000780000", ""):
            self.assertEqual(by_hand.ask(request(word_bytes=4, plane=plane)), [("reject", "pass", {})] + DECLINED)

    def test_group_by_group(self):
        scales = [SCALES[i:i + 8] for i in range(0, 32, 8)]
        swapped = "".join(scales[i] for i in (0, 2, 1, 3))
        self.assert_arrays(SCALES, (8, 7, 9, 8), group_major=1, scales=swapped, plane="8776")
        self.assert_arrays(SCALES, (8, 7, 9, 8), group_major=1, scales=swapped, plane="87000000" "76000000",
                           word_bytes=4)

    def test_three_dimensions(self):
        shape, fields = u64(2, 4, 3).hex(), range(12)  # groups of 2 along axis 1: 2 of them for each of 6 rows
        plane = bytes(fields).hex()
        scales = struct.pack("<12f", *[n + 1 for n in fields])
        changed = {"shape": shape, "group_size": 2, "weights": "00" * 24, "bits": 8, "bias": 0, "plane": plane}
        self.assert_arrays(scales.hex(), fields, scales=scales.hex(), **changed)
        by_group = [row * 2 + group for group in range(2) for row in range(6)]
        places = [by_group.index(b) for b in range(12)]
        wanted = struct.pack("<12f", *[n + 1 for n in places]).hex()
        self.assert_arrays(wanted, places, scales=scales.hex(), group_major=1, **changed)

    def test_scales_are_widened_exactly(self):
        self.assert_arrays("00008033" "0000803f" "00e07fc7" "000000b9", (8, 7, 9, 8), scale_type_tag="01",
                           scales="0100" "003c" "fffb" "0088")
        self.assert_arrays("00000100" "0000803f" "00007fff" "000000b8", (8, 7, 9, 8), scale_type_tag="02",
                           scales="0100" "803f" "7fff" "00b8")
        for scale_type, scale in [("03", "00000000"), ("03", "00000080"), ("03", "0000807f"), ("03", "0000c07f"),
                                  ("01", "0080"), ("01", "007c"), ("02", "c07f"), ("04", "01" * 8), ("00", "")]:
            self.assertEqual(by_hand.outcomes(request(scale_type_tag=scale_type, scales=scale * 4)), REJECTED)

    def test_what_per_block_affine_cannot_express(self):
        identity = struct.pack("<16I", *[i // 8 for i in range(16)]).hex()
        self.assertEqual(by_hand.ask(request(group_index=identity, super_scales="")), by_hand.ask(request()))
        for order in ([1] * 8 + [0] * 8, [0] * 7 + [1] * 9, [0] * 15):
            group_index = struct.pack(f"<{len(order)}I", *order).hex()
            self.assertEqual(by_hand.outcomes(request(group_index=group_index)), REJECTED)
        self.assertEqual(by_hand.outcomes(request(super_scales="0000803f")), REJECTED)

    def test_what_its_rules_exclude(self):
        for changed in [{"type": "12", "weights": WEIGHTS * 2}, {"type": "43"}, {"axis": 2}, {"shape": ""},
                        {"group_size": 0},
                        {"group_size": 1}, {"group_size": 12}, {"group_size": 32}, {"bits": 3}, {"word_bytes": 2},
                        {"weights": WEIGHTS[2:]}, {"weights": WEIGHTS + "00"}, {"scales": SCALES[8:]},
                        {"scales": SCALES + "0000803f"}, {"plane": "67"}, {"plane": ""},
                        {"shape": u64(2, 2**64 - 1).hex()},
                        {"shape": u64(0, 4).hex(), "weights": "", "scales": "", "plane": ""},
                        {"shape": u64(*[1] * 63, 2, 16).hex(), "axis": 64}]:
            allowed = dict(by_hand.outcomes(request(**changed)))
            self.assertEqual({**REJECTED, **allowed}, allowed, changed)
            self.assertLessEqual(set(allowed), {"reject", "unsupported"}, changed)

    def test_empty_tensors(self):
        for shape, more in itertools.product(((2, 0), (0, 8), (1 << 62, 0), (0, 1 << 62)),
                                             ({}, {"group_major": 1}, {"word_bytes": 4})):
            empty = {"shape": u64(*shape).hex(), "weights": "", "scales": "", "plane": "", **more}
            (answer, _, _), *others = by_hand.ask(request(**empty))
            self.assertEqual(others, [] if is_the_recipes(empty) else DECLINED)
            self.assertTrue(answer.startswith("ok bytes=") and answer.endswith(" b0= b1= b2="), answer)


if __name__ == "__main__":
    unittest.main()
