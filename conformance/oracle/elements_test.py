#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle pack, unpack, measure and widen elements as the texts say? Goldens by hand; small
floats also against the host's arithmetic, in which every one of them is exact.
"""

import math
import struct
import unittest

from by_hand import ask, open_choice, outcomes

TAGS = ["01", "02", "03", "04", "10", "11", "12", "13", "14", "15", "16", "17", "20", "40", "41", "42", "43", "44",
        "45", "48", "49", "4a", "4b", "50"]


def int64(*numbers):
    return struct.pack(f"<{len(numbers)}q", *numbers).hex()


def pack(tag, *numbers):
    return ask(f"pack type={tag} count={len(numbers)} values={int64(*numbers)}")


def unpack(tag, count, packed):
    return ask(f"unpack type={tag} count={count} packed={packed}")


class Packing(unittest.TestCase):
    GOLDEN = [("49", (5, 12, 3), "c503"), ("4b", (3, 1, 2), "27"), ("44", (1, 2, 4, 8), "814020"),
              ("20", (1, 0, 1, 1, 0), "0d"), ("48", (-8, 7, -1), "780f"), ("4a", (0, 1, -2, -1, 1), "e401"),
              ("45", (0x3F,), "3f0000"), ("45", (0x3F, 1), "7f0000"), ("44", (0, 0, 0, 0x3F, 5), "0000fc050000"),
              ("43", (15, 0, 9), "0f09"), ("10", (-128, 127), "807f"), ("12", (-2,), "feff"),
              ("17", (-1,), "ff" * 8), ("16", (-(1 << 63),), "0000000000000080"), ("01", (0x7C01,), "017c"),
              ("04", (0x3FF0000000000000,), "000000000000f03f"), ("20", (1,) * 9, "ff01"),
              ("50", (1,), "01" + "00" * 7)]

    def test_golden_both_ways(self):
        for tag, values, packed in self.GOLDEN:
            self.assertEqual(pack(tag, *values), [(f"ok packed={packed}", "pass", {})])
            self.assertEqual(unpack(tag, len(values), packed), [(f"ok values={int64(*values)}", "pass", {})])

    def test_nothing_packs_to_nothing(self):
        for tag in TAGS:
            self.assertEqual((pack(tag), unpack(tag, 0, "")),
                             ([("ok packed=", "pass", {})], [("ok values=", "pass", {})]))

    def test_what_is_out_of_range_is_refused(self):
        for tag, low, high in [("10", -128, 127), ("11", 0, 255), ("12", -32768, 32767), ("13", 0, 65535),
                               ("14", -1 << 31, (1 << 31) - 1), ("15", 0, (1 << 32) - 1), ("48", -8, 7), ("49", 0, 15),
                               ("4a", -2, 1), ("4b", 0, 3), ("20", 0, 1), ("43", 0, 15), ("44", 0, 63), ("45", 0, 63),
                               ("40", 0, 255), ("42", 1, 254), ("01", 0, 65535), ("03", 0, (1 << 32) - 1)]:
            for value, word in [(low, "ok"), (high, "ok"), (low - 1, "reject"), (high + 1, "reject")]:
                self.assertEqual(pack(tag, low, value)[0][0].split()[0], word, (tag, value))

    def test_unused_bits(self):
        for tag, count, packed in [("49", 1, "15"), ("4b", 3, "e7"), ("20", 5, "2d"), ("44", 1, "014000"),
                                   ("45", 3, "000004"), ("43", 1, "80")]:
            for verb in ("unpack", "widen"):
                self.assertEqual(outcomes(f"{verb} type={tag} count={count} packed={packed}"),
                                 open_choice("unused-bits", "ignore"))
        self.assertEqual(unpack("49", 2, "15"), [(f"ok values={int64(5, 1)}", "pass", {})])

    def test_sizes(self):
        for tag, count, size in [("44", 1, 3), ("44", 4, 3), ("44", 5, 6), ("45", 0, 0), ("49", 3, 2), ("4b", 5, 2),
                                 ("20", 9, 2), ("15", 3, 12), ("51", 2, 32), ("46", 1, 16), ("50", 1, 8),
                                 ("10", 2**64 - 1, 2**64 - 1), ("20", 2**64 - 1, 1 << 61),
                                 ("44", 2**64 - 1, 3 * 2**62), ("17", 2**61 - 1, 2**64 - 8)]:
            self.assertEqual(ask(f"packed_bytes type={tag} count={count}"), [(f"ok bytes={size}", "pass", {})])
        for tag, count in [("17", 1 << 61), ("51", 1 << 60), ("12", 1 << 63), ("47", 0), ("f0", 1), ("ff", 0)]:
            self.assertEqual(ask(f"packed_bytes type={tag} count={count}"), [("reject", "pass", {})])

    def test_no_element_type(self):
        for tag in ("00", "05", "18", "21", "47", "4c", "52", "80", "ef", "f0", "fe", "ff"):
            for line in (f"pack type={tag} count=0 values=", f"unpack type={tag} count=0 packed=",
                         f"widen type={tag} count=0 packed="):
                self.assertEqual(ask(line), [("reject", "pass", {})])


class Values(unittest.TestCase):
    def widened(self, tag, count, packed):
        [(answer, verdict, _)] = ask(f"widen type={tag} count={count} packed={packed}")
        self.assertEqual((answer[:7], verdict), ("ok out=", "pass"))
        return struct.unpack(f"<{count}f", bytes.fromhex(answer[7:]))

    def test_e2m1(self):
        magnitudes = (0, .5, 1, 1.5, 2, 3, 4, 6)
        got = self.widened("43", 16, "1032547698badcfe")
        self.assertEqual(got, magnitudes + tuple(-m for m in magnitudes))
        self.assertEqual(math.copysign(1, got[8]), -1)

    def test_small_floats_by_their_formula(self):
        for tag, exponent_bits, fraction_bits, bias, largest in [
                ("40", 4, 3, 7, 448), ("41", 5, 2, 15, 57344), ("44", 2, 3, 1, 7.5), ("45", 3, 2, 3, 28)]:
            bits = 1 + exponent_bits + fraction_bits
            packed = sum(code << bits * code for code in range(1 << bits)).to_bytes((bits << bits) // 8, "little")
            got = self.widened(tag, 1 << bits, packed.hex())
            for code, value in enumerate(got):
                sign = -1 if code >> bits - 1 else 1
                exponent, fraction = code >> fraction_bits & (1 << exponent_bits) - 1, code & (1 << fraction_bits) - 1
                if tag == "40" and code & 0x7F == 0x7F or tag == "41" and exponent == 31 and fraction:
                    self.assertTrue(math.isnan(value))
                    continue
                if exponent:
                    wanted = (1 + fraction / (1 << fraction_bits)) * 2.0 ** (exponent - bias)
                else:
                    wanted = fraction / (1 << fraction_bits) * 2.0 ** (1 - bias)
                if tag == "41" and exponent == 31:
                    wanted = math.inf
                self.assertEqual((value, math.copysign(1, value)), (sign * wanted, sign), (tag, code))
            self.assertEqual(max(v for v in got if math.isfinite(v)), largest)

    def test_wide_floats_as_the_host_reads_them(self):
        for code in list(range(0, 1 << 16, 7)) + [0x0001, 0x03FF, 0x0400, 0x7BFF, 0x7C00, 0x8000, 0xFC00]:
            packed = struct.pack("<H", code)
            for tag, wanted in (("01", struct.unpack("<e", packed)[0]),
                                ("02", struct.unpack("<f", b"\0\0" + packed)[0])):
                [got] = self.widened(tag, 1, packed.hex())
                self.assertTrue(got == wanted or math.isnan(got) and math.isnan(wanted), (tag, code))
        for number in (0.1, -1e-45, 3.4028235677973366e38, 1e300, 2.0**-150, 1 + 2.0**-24):
            try:
                wanted = struct.unpack("<f", struct.pack("<f", number))[0]
            except OverflowError:
                wanted = math.inf
            self.assertEqual(self.widened("04", 1, struct.pack("<d", number).hex()), (wanted,))

    def test_e8m0(self):
        self.assertEqual(self.widened("42", 4, "017f80fe"), (2.0**-126, 1, 2, 2.0**127))
        for packed in ("00", "ff"):
            self.assertEqual(ask(f"widen type=42 count=1 packed={packed}"), [("reject", "pass", {})])

    def test_e8m0_patterns_that_are_no_numbers(self):
        for packed, values in [("00", (0,)), ("ff", (255,)), ("7fff01", (127, 255, 1)), ("00ff", (0, 255))]:
            self.assertEqual(unpack("42", len(values), packed),
                             [(f"ok values={int64(*values)}", "pass", {"e8m0-patterns": ["accept"]}),
                              ("reject", "pass", {"e8m0-patterns": ["refuse"]})])
        self.assertEqual(unpack("42", 2, "01fe"), [(f"ok values={int64(1, 254)}", "pass", {})])
        self.assertEqual(unpack("11", 2, "00ff"), [(f"ok values={int64(0, 255)}", "pass", {})])

    def test_integers_are_rounded_once(self):
        for tag, packed, value in [("48", "08", -8), ("4a", "02", -2), ("20", "01", 1), ("11", "ff", 255),
                                   ("15", "ffffffff", 2.0**32), ("14", "01000001", 16777216), ("16", "ff" * 8, -1),
                                   ("17", "ff" * 8, 2.0**64), ("17", "0100008000000000", 2147483648),
                                   ("16", "0100008000008000", 2.0**55 + 2.0**32)]:  # by way of a double: 2^55
            self.assertEqual(self.widened(tag, 1, packed), (value,))


if __name__ == "__main__":
    unittest.main()
