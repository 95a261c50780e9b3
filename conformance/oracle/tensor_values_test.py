#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle compute the values of whole tensors as the texts say? Each value here is written
down, or follows from a formula over the host's floats in which every step is exact.
"""

import itertools
import math
import struct
import unittest

import by_hand
from by_hand import DYNAMIC, MXFP, NF4, PBA, PCA, PTA, edit, open_choice, tensor

LEVELS = ("bf800000 bf3239b1 bf066b30 beca32a0 be91a24d be3d353f bdba7871 00000000 3da2faff 3e24cae3 3e7c04dd 3ead033a "
          "3ee1a4b8 3f1007ab 3f3913b3 3f800000").split()
RECIPE = ("4852525901007900000001000000100102000000020000000000000010000000000000000000000000000000"
          "03200000000000000040000000000000001000000000000000400000000000000010000000000000004000000000000000"
          "18000000030100000100000008000000010000000200000003000000")
RECIPE_SCALES = "0ad7a33c8fc2753ccdcccc3c0ad7233c"


def f32(*numbers):
    return struct.pack(f"<{len(numbers)}f", *numbers)


def i32(*numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers)


def request(data, count, *contents, more=""):
    """Contents: bytes, or the text of `none:N` and `null`."""
    table = "".join(f" b{i}={each if isinstance(each, str) else each.hex()}" for i, each in enumerate(contents))
    return f"dequantize_tensor bytes={data if isinstance(data, str) else data.hex()} count={count}{table}{more}"


class Values(unittest.TestCase):
    def assert_out(self, line, wanted, verdict="pass", shows=None):
        wanted = wanted if isinstance(wanted, str) else f32(*wanted).hex()
        answers = [a for a in by_hand.ask(line) if a[0].startswith("ok")]
        self.assertEqual(answers, [(f"ok out={wanted}", verdict, shows or {})])

    def assert_outcomes(self, line, expected):
        self.assertEqual(by_hand.outcomes(line), expected, line)

    def test_recipe_and_its_twin(self):
        """HQ-ZP-010: without normalizing, every element is one scale step of its block away."""
        weights = bytes(range(-16 % 256, 256)) + bytes(range(16))
        scales = struct.unpack("<4f", bytes.fromhex(RECIPE_SCALES))
        rounded = lambda x: struct.unpack("<f", f32(x))[0]
        for zero_points in ((8, 7, 9, 8), (7, 6, 8, 7)):
            wanted = [rounded(scales[i // 8] * (i - 16 - zero_points[i // 8])) for i in range(32)]
            self.assert_out(request(RECIPE, 32, weights, bytes.fromhex(RECIPE_SCALES), i32(*zero_points)), wanted)

    def test_per_tensor(self):
        self.assert_out(request(tensor(0x10, (2,), [2], PTA), 2, b"\x00\xff"), (-1.5, -2))
        self.assert_out(request(tensor(0x49, (3,), [4], PTA, byte_offset=1), 3, b"\xff\x73\x05\xff"), (0, 2, 1))

    def test_per_channel_on_every_axis_and_layout(self):
        shape, strides = (2, 3, 2), (1, 2, 7)
        for axis, layout in itertools.product(range(3), (1, 2, 3)):
            size = shape[axis]
            scales, zeros = [2.0 ** c for c in range(size)], [10 * c for c in range(size)]
            section = edit(PCA, 4, f"{axis:02x}")
            wanted, data = [], bytearray(14)
            for n, index in enumerate(itertools.product(*map(range, shape))):
                at = {1: n, 2: index[0] + 2 * index[1] + 6 * index[2],
                      3: sum(i * s for i, s in zip(index, strides))}[layout]
                data[at] = n + 50
                wanted.append(scales[index[axis]] * (n + 50 - zeros[index[axis]]))
            described = tensor(0x11, shape, [14, 4 * size, 4 * size], section, layout, strides if layout == 3 else None)
            self.assert_out(request(described, 12, bytes(data), f32(*scales), i32(*zeros)), wanted)

    def test_per_block_on_every_axis(self):
        shape, block = (4, 4, 2), 2
        for axis in range(3):
            others = [d for d in range(3) if d != axis]
            per_axis = shape[axis] // block
            section = edit(edit(PBA, 4, f"{axis:02x}"), 8, "02")
            blocks = 16
            scales, zeros = [float(b + 1) for b in range(blocks)], [b - 8 for b in range(blocks)]
            wanted = []
            for n, index in enumerate(itertools.product(*map(range, shape))):
                outer = index[others[0]] * shape[others[1]] + index[others[1]]
                b = outer * per_axis + index[axis] // block
                wanted.append(scales[b] * (n - zeros[b]))
            described = tensor(0x10, shape, [32, 64, 64], section)
            self.assert_out(request(described, 32, bytes(range(32)), f32(*scales), i32(*zeros)), wanted)

    def test_scales_of_16_bits(self):
        for tag, scales, wanted in [("01", "0100" "003c", (2.0**-24, 1)), ("02", "0100" "803f", (2.0**-133, 1)),
                                    ("01", "ffbb" "ff7b", (-0.99951171875, 65504))]:
            section = edit(edit(edit(PBA, 4, "00"), 8, "02"), 20, tag)
            described = tensor(0x10, (4,), [4, 4, 8], section)
            wanted = [wanted[0], wanted[0], wanted[1], wanted[1]]
            self.assert_out(request(described, 4, b"\x01\x01\x03\x03", bytes.fromhex(scales), i32(0, 2)), wanted)

    def test_symmetric_and_shared(self):
        symmetric = edit(edit(PCA, 2, "01"), 12, "ffffffff")
        self.assert_out(request(tensor(0x10, (2,), [2, 8], symmetric), 2, b"\x03\xff", f32(.5, 2)), (1.5, -2))
        shared = request(tensor(0x10, (2,), [2, 16], edit(PCA, 12, "01")), 2, b"\x03\xff", f32(.5, 2) + i32(1, -1))
        self.assert_out(shared, (1, 0), shows={"shared-parameter-buffer": ["accept"]})

    def test_nf4(self):
        codes = bytes.fromhex("1032547698badcfe")
        described = tensor(0x49, (16,), [8, 8], NF4)
        wanted = "".join(bytes.fromhex(level)[::-1].hex() for level in LEVELS)
        self.assert_out(request(described, 16, codes, f32(1, 1)), wanted)
        half = request(described, 16, codes, f32(.5, 1))
        self.assertEqual(by_hand.ask(half)[0][0][7:15], "000000bf")
        zero = request(described, 16, codes, f32(0, 1))
        rest = wanted[64:]
        self.assertEqual(by_hand.ask(zero), [
            (f"ok out={'00' * 32}{rest}", "pass", {"nf4-zero-sign": ["positive"]}),
            (f"ok out={'00000080' * 7}00000000{rest}", "pass", {"nf4-zero-sign": ["ieee"]})])
        self.assertEqual([shows for _, _, shows in by_hand.ask(request(described, 16, codes, f32(-0.0, 1)))], [
            {"nf4-negative-zero-scale": ["accept"], "nf4-zero-sign": ["positive"]},
            {"nf4-negative-zero-scale": ["accept"], "nf4-zero-sign": ["ieee"]},
            {"nf4-negative-zero-scale": ["refuse"]}])
        for scale in (math.nan, math.inf, -1.0, -1e-45):
            self.assertEqual(by_hand.ask(request(described, 16, codes, f32(scale, 1)))[-1], ("reject", "pass", {}))
            self.assert_out(request(described, 16, bytes(8), f32(scale, 1)), (-scale,) * 8 + (-1,) * 8 if scale == scale
                            else "0000c07f" * 8 + "000080bf" * 8, "warn")

    def test_mxfp(self):
        for tag, code, scale, word in [
                (0x40, 0x38, 127, "3f800000"), (0x40, 0x01, 1, "00004000"), (0x40, 0xFE, 127, "c3e00000"),
                (0x40, 0x7E, 254, "7f800000"), (0x40, 0x7F, 127, "7fc00000"), (0x41, 0xFC, 1, "ff800000"),
                (0x41, 0x01, 1, "00000080"), (0x10, 0x80, 127, "c3000000"), (0x10, 0xFF, 254, "ff000000"),
                (0x40, 0x80, 254, "80000000"),
                (0x10, 0x7F, 254, "7f800000"), (0x43, 0x77, 128, "41400000"), (0x48, 0x88, 127, "c1000000")]:
            size = 16 if tag in (0x43, 0x48) else 32
            line = request(tensor(tag, (32,), [size, 1], MXFP), 32, bytes([code]) * size, bytes([scale]))
            self.assert_out(line, bytes.fromhex(word)[::-1].hex() * 32)
        for tag, largest in ((0x44, 7.5), (0x45, 28.0)):
            line = request(tensor(tag, (64,), [48, 2], MXFP), 64, bytes.fromhex("dff77d") * 16, b"\x7f\x80")
            self.assert_out(line, (largest,) * 32 + (2 * largest,) * 32)
        for scales in (b"\x00\x7f", b"\x7f\xff"):
            line = request(tensor(0x40, (64,), [64, 2], MXFP), 64, bytes(64), scales)
            self.assert_outcomes(line, by_hand.REJECTED)

    def test_contents_of_affine_arrays(self):
        for number in (math.nan, math.inf, -math.inf, 0.0, -0.0):
            pca = request(tensor(0x10, (2,), [2, 8, 8], PCA), 2, b"\x01\x01", f32(1, number), i32(0, 0))
            self.assert_outcomes(pca, by_hand.REJECTED)
            pba = request(tensor(0x10, (2,), [2, 4, 4], edit(edit(PBA, 4, "00"), 8, "02")), 2, b"\x01\x01", f32(number),
                          i32(0))
            self.assert_outcomes(pba, by_hand.WARNED)  # A54
        for zero_point in (128, -129):
            self.assert_outcomes(request(tensor(0x10, (2,), [2, 8, 8], PCA), 2, b"\1\1", f32(1, 1), i32(0, zero_point)),
                                 by_hand.REJECTED)
        line = request(tensor(0x49, (2,), [1, 4, 4], edit(edit(PBA, 4, "00"), 8, "02")), 2, b"\x0f", f32(1), i32(16))
        self.assert_outcomes(line, by_hand.DISCOURAGED)  # A24
        self.assert_out(line, (-1, -16))

    def test_differences_beyond_int32(self):
        pba = request(tensor(0x10, (2,), [2, 4, 4], edit(edit(PBA, 4, "00"), 8, "02")), 2, b"\x7f\x00", f32(1),
                      i32(-2**31))
        self.assertEqual([(a[0], a[2]) for a in by_hand.ask(pba)], [
            (f"ok out={f32(2147483775, 2147483648).hex()}", {"int32-difference": ["widen"]}),
            (f"ok out={f32(-2147483521, -2147483648).hex()}", {"int32-difference": ["wrap"]}), ("reject", {})])
        pca = request(tensor(0x15, (1,), [4, 4, 4], PCA), 1, b"\0\0\0\x80", f32(1), i32(1))
        self.assertEqual([(a[0], a[2]) for a in by_hand.ask(pca)], [
            ("ok out=0000004f", {"int32-difference+uint32-codes": ["widen+unsigned", "wrap+reinterpret",
                                                                   "wrap+unsigned"]}),
            ("ok out=000000cf", {"int32-difference": ["widen"], "uint32-codes": ["reinterpret"]})])

    def test_unused_bits_and_filler(self):
        line = request(tensor(0x49, (3,), [2], PTA), 3, b"\x73\x15")
        self.assert_outcomes(line, open_choice("unused-bits", "ignore"))
        self.assert_out(line, (0, 2, 1), shows={"unused-bits": ["ignore"]})
        self.assert_outcomes(request(tensor(0x49, (3,), [2], PTA), 3, b"\x73\x05"), by_hand.ACCEPTED)
        partial = tensor(0x49, (9,), [8, 8], NF4)  # two blocks, the second with one element and seven of filler
        for filler in (b"\x0f\0\0\0", b"\xff\xff\xff\xff"):
            [ok, reject] = by_hand.ask(request(partial, 9, b"\xff" * 4 + filler, f32(1, 1)))
            self.assertEqual((ok, reject), ((f"ok out={f32(*[1] * 9).hex()}", "pass", {}),
                                            ("reject", "pass", {"partial-block-data": ["unpadded"]})))

    def test_soft_defects_are_computed_with_a_warning(self):
        long = request(tensor(0x10, (2,), [2, 9, 8], PCA), 2, b"\1\2", f32(1, 2) + b"\0", i32(0, 0))
        self.assert_outcomes(long, by_hand.WARNED)
        self.assert_out(long, (1, 4), "warn")
        short = request(tensor(0x10, (2,), [1], PTA), 2, b"\1")
        self.assert_outcomes(short, by_hand.REJECTED)  # A47: there is nothing to answer with

    def test_empty_tensors_touch_nothing(self):
        for nothing in ("null", "none:0", ""):
            for described, buffers in [(tensor(0x10, (0,), [0, 0, 0], PCA), 3), (tensor(0x10, (3, 0), [0], PTA), 1),
                                       (tensor(0x49, (0,), [0, 0], NF4), 2), (tensor(0x10, (2, 0), [0, 0, 0], PBA), 3)]:
                self.assert_outcomes(request(described, 0, *[nothing] * buffers), by_hand.ACCEPTED)
        self.assert_out(request(tensor(0x10, (0,), [0, 0, 0], PCA), 0, *["null"] * 3, more=" fill=a5"),
                        " under=0 over=0 in_changed=0")

    def test_what_has_no_values(self):
        described = tensor(0x10, (2,), [2], PTA)
        self.assert_outcomes(request(described, 3, b"\0\0"), by_hand.REJECTED)
        self.assert_outcomes(request(tensor(0x10, (DYNAMIC,), [2], PTA), 2, b"\0\0"), by_hand.REJECTED)
        self.assert_outcomes(request(edit(described.hex(), 0, "00"), 2, b"\0\0"), by_hand.REJECTED)
        unknown = tensor(0x10, (2,), [2], "060100000000")
        self.assert_outcomes(request(unknown, 2, "none:2"), by_hand.REJECTED)
        self.assertEqual(by_hand.ask(request(unknown, 2, "none:2", more=" mode=permissive")),
                         [("reject", "pass", {}), ("unsupported", "pass", {})])


if __name__ == "__main__":
    unittest.main()
