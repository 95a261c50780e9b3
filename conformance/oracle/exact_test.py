#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the integer arithmetic of the second oracle correctly rounded? Compared with rational numbers (the
neighbours of each result are no nearer) and, where a double holds the exact result, with the host.
"""

import random
import struct
import unittest
from fractions import Fraction

import exact


class ExactArithmetic(unittest.TestCase):
    EDGES = [0, 1, 2, 3, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x1000000, 0x33800000, 0x3EFFFFFF,
             0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x4B000001, 0x4B800000,
             0x7E800000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000]
    EDGES += [bits | exact.SIGN for bits in EDGES]

    @staticmethod
    def value(bits):
        """A finite pattern as a rational, read off the host's unpacking."""
        return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])

    def operands(self, count):
        random.seed(20)
        yield from ((a, b) for a in self.EDGES for b in self.EDGES)
        for _ in range(count):
            a, b = random.getrandbits(32), random.getrandbits(32)
            # Every fourth pair close together or subnormal, where results meet the ends of the range.
            yield from [(a, b)] if a & 3 else [(a, a ^ random.getrandbits(9)), (a & 0x80FFFFFF, b)]

    def assert_nearest(self, bits, wanted, sign):
        """`bits` is the binary32 nearest to the rational `wanted`, ties to even."""
        self.assertEqual(bits & exact.SIGN, sign)
        magnitude, wanted = bits & 0x7FFFFFFF, abs(wanted)
        overflow = Fraction(2) ** 128 - Fraction(2) ** 103  # half a step above the largest number
        if magnitude == exact.INF:
            self.assertGreaterEqual(wanted, overflow)
            return
        self.assertLess(wanted, overflow)
        error = abs(self.value(magnitude) - wanted)
        neighbours = [magnitude - 1] * (magnitude > 0) + [magnitude + 1] * (magnitude < 0x7F7FFFFF)
        for other in neighbours:
            distance = abs(self.value(other) - wanted)
            self.assertLessEqual(error, distance, f"{bits:08x} is not nearest")
            if error == distance:
                self.assertEqual(magnitude & 1, 0, f"{bits:08x} is the odd one of a tie")

    def test_products_and_quotients_are_nearest_even(self):
        finite = lambda bits: bits & 0x7FFFFFFF < exact.INF
        for a, b in self.operands(20000):
            if not (finite(a) and finite(b)):
                continue
            sign = (a ^ b) & exact.SIGN
            self.assert_nearest(exact.multiply(a, b), self.value(a) * self.value(b), sign)
            if not exact.is_zero(b):
                self.assert_nearest(exact.divide(a, b), self.value(a) / self.value(b), sign)

    def test_products_as_the_host_rounds_the_exact_double(self):
        for a, b in self.operands(20000):
            x, y = struct.unpack("<ff", struct.pack("<II", a, b))
            try:
                host = int.from_bytes(struct.pack("<f", x * y), "little")
            except OverflowError:
                host = (a ^ b) & exact.SIGN | exact.INF
            mine = exact.multiply(a, b)
            self.assertTrue(mine == host or exact.is_nan(mine) and exact.is_nan(host), f"{a:08x} {b:08x}")

    def test_special_operands(self):
        inf, nan, zero, one, minus = exact.INF, exact.NAN, 0, 0x3F800000, exact.SIGN
        for a, b, product, quotient in [
                (inf, zero, nan, inf), (zero, inf, nan, zero), (inf, inf, inf, nan), (zero, zero, zero, nan),
                (one, zero, zero, inf), (one, minus, minus, minus | inf), (one, minus | inf, minus | inf, minus),
                (minus | inf, one, minus | inf, minus | inf), (0x7F800001, one, nan, nan), (one, 0xFFFFFFFF, nan, nan)]:
            with self.subTest(a=f"{a:08x}", b=f"{b:08x}"):
                self.assertEqual((exact.multiply(a, b), exact.divide(a, b)), (product, quotient))

    def test_integers_convert_nearest_even(self):
        edges = [base + offset for base in (0, 1 << 23, 1 << 24, 1 << 25, 1 << 31, 1 << 32, 3 << 31)
                 for offset in range(-300, 301)]
        random.seed(21)
        for n in edges + [random.getrandbits(34) - (1 << 33) for _ in range(20000)]:
            sign = exact.SIGN if n < 0 else 0
            self.assert_nearest(exact.from_int(n), Fraction(n), sign)

    def test_rounding_is_to_nearest_with_ties_away(self):
        def away(r):
            n = (abs(r) + Fraction(1, 2)).__floor__()
            return -n if r < 0 else n

        for a, b in self.operands(20000):
            if a & 0x7FFFFFFF < exact.INF:
                self.assertEqual(exact.round_away(a), away(self.value(a)))
                if b & 0x7FFFFFFF < exact.INF and not exact.is_zero(b):
                    self.assertEqual(exact.round_quotient_away(a, b), away(self.value(a) / self.value(b)))

    def test_every_half_up_to_a_thousand_rounds_away(self):
        for k in range(1000):
            for sign in (1, -1):
                bits = int.from_bytes(struct.pack("<f", sign * (k + 0.5)), "little")
                self.assertEqual(exact.round_away(bits), sign * (k + 1))


if __name__ == "__main__":
    unittest.main()
