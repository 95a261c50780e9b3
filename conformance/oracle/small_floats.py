# SPDX-License-Identifier: Apache-2.0
"""Which binary32 is the value of an element, whatever its type?

Floats below binary32 are widened exactly, integers and float64 rounded once, to nearest-even.
HQ-PACK-017..022, 025, 026; HQ-PBA-027, HQ-MX-011..013. Integers alone, as in exact.py.
"""

import exact

E8M0 = 0x42

# type tag: (exponent bits, fraction bits, bias, what the highest exponent means)
#   "ieee"   infinity and NaN
#   "nan"    a number, but for all fraction bits set, which is NaN (e4m3)
#   ""       a number
FLOATS = {0x01: (5, 10, 15, "ieee"), 0x02: (8, 7, 127, "ieee"), 0x03: (8, 23, 127, "ieee"),
          0x04: (11, 52, 1023, "ieee"), 0x40: (4, 3, 7, "nan"), 0x41: (5, 2, 15, "ieee"),
          0x43: (2, 1, 1, ""), 0x44: (2, 3, 1, ""), 0x45: (3, 2, 3, "")}


def scaled(type_tag, code, power=0):
    """2^power times the value of a float's pattern, rounded to binary32."""
    exponent_bits, fraction_bits, bias, special = FLOATS[type_tag]
    sign = exact.SIGN if code >> exponent_bits + fraction_bits & 1 else 0
    exponent = code >> fraction_bits & (1 << exponent_bits) - 1
    fraction = code & (1 << fraction_bits) - 1
    if exponent == (1 << exponent_bits) - 1:
        if special == "ieee":
            return exact.NAN if fraction else sign | exact.INF
        if special == "nan" and fraction == (1 << fraction_bits) - 1:
            return exact.NAN
    if exponent == 0:  # subnormal: no leading one, and the exponent of 1
        return exact.assemble(sign, fraction, 1 - bias - fraction_bits + power)
    return exact.assemble(sign, fraction | 1 << fraction_bits, exponent - bias - fraction_bits + power)


def widened(type_tag, code):
    """The value of one element as unpacked: integers as they are, floats as their pattern."""
    if type_tag == E8M0:
        return exact.assemble(0, 1, code - 127)  # HQ-PACK-020
    return scaled(type_tag, code) if type_tag in FLOATS else exact.from_int(code)


def times_power_of_two(type_tag, code, power):
    """2^power times the value of an element of MXFP: HQ-MX-012, 013. Overflow gives infinity (A39)."""
    if type_tag in FLOATS:
        return scaled(type_tag, code, power)
    return exact.assemble(exact.SIGN if code < 0 else 0, abs(code), power)
