# SPDX-License-Identifier: Apache-2.0
"""IEEE 754 binary32 on bit patterns, by integers alone.

Which 32 bits does a correctly rounded operation give? A number here is an int below 2^32, the
pattern as it is stored; nearest-even throughout, subnormals kept. No Python float occurs, so neither
the host's float unit nor its mode can colour a result. Every NaN result is the one pattern NAN.
"""

SIGN, INF, NAN = 0x80000000, 0x7F800000, 0x7FC00000
SMALLEST_NORMAL = 0x00800000


def is_nan(bits):
    return bits & 0x7FFFFFFF > INF


def is_inf(bits):
    return bits & 0x7FFFFFFF == INF


def is_zero(bits):
    return bits & 0x7FFFFFFF == 0


def is_subnormal(bits):
    return 0 < bits & 0x7FFFFFFF < SMALLEST_NORMAL


def flush(bits):
    """A subnormal becomes the zero of its sign; everything else stays."""
    return bits & SIGN if is_subnormal(bits) else bits


def split(bits):
    """(m, e) with magnitude = m * 2^e exactly, for a finite pattern."""
    exponent, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    return (fraction | 0x800000, exponent - 150) if exponent else (fraction, -149)


def assemble(sign, m, e, sticky=0):
    """The pattern nearest to m * 2^e, ties to even.

    `sticky` says that the true magnitude lies a little above m * 2^e, by less than one unit of m; the
    caller then supplies at least 26 bits in m, so that the lost part stays below half of the last place.
    """
    if m == 0:
        return sign
    # Bits that do not fit: more than 24 significant ones, or worth less than 2^-149.
    drop = max(m.bit_length() - 24, -149 - e)
    if drop <= 0:
        kept = m << -drop
    else:
        kept = m >> drop
        rest, half = m & ((1 << drop) - 1), 1 << (drop - 1)
        if rest > half or (rest == half and (sticky or kept & 1)):
            kept += 1
    # kept counts units of 2^(e + drop). The addition lets a carry run into the exponent field, and
    # gives exponent field 0 to a subnormal, whose leading bit is missing and whose unit is 2^-149.
    magnitude = (e + drop + 149 << 23) + kept
    return sign | min(magnitude, INF)


def from_int(n):
    """int to binary32: the conversion of HQ-PTA-020 and R16, for an integer of any size."""
    return assemble(SIGN if n < 0 else 0, abs(n), 0)


def multiply(a, b):
    sign = (a ^ b) & SIGN
    if is_nan(a) or is_nan(b):
        return NAN
    if is_inf(a) or is_inf(b):
        return NAN if is_zero(a) or is_zero(b) else sign | INF
    (ma, ea), (mb, eb) = split(a), split(b)
    return assemble(sign, ma * mb, ea + eb)


def divide(a, b):
    sign, x, y = (a ^ b) & SIGN, a & 0x7FFFFFFF, b & 0x7FFFFFFF
    if not (0 < x < INF and 0 < y < INF):
        return special_quotient(sign, x, y)
    (mx, ex), (my, ey) = split(x), split(y)
    # 2^50 over a 24-bit divisor leaves at least 27 bits, enough for the sticky rule of assemble.
    quotient, rest = divmod(mx << 50, my)
    return assemble(sign, quotient, ex - ey - 50, rest != 0)


def special_quotient(sign, x, y):
    """The quotient of two magnitudes of which one is zero, infinite or not a number."""
    if x > INF or y > INF or (x == y and x in (0, INF)):
        return NAN
    return sign | INF if x == INF or y == 0 else sign


def round_away(bits):
    """A finite binary32 to the nearest integer, ties away from zero (RA8-Q-003)."""
    m, e = split(bits)
    n = m << e if e >= 0 else (m + (1 << -e - 1)) >> -e
    return -n if bits & SIGN else n


def round_quotient_away(a, b):
    """a / b, never rounded to binary32, to the nearest integer, ties away; finite a, finite b not 0."""
    (ma, ea), (mb, eb) = split(a), split(b)
    e = ea - eb
    numerator, denominator = (ma << e, mb) if e >= 0 else (ma, mb << -e)
    n = (2 * numerator + denominator) // (2 * denominator)
    return -n if (a ^ b) & SIGN else n
