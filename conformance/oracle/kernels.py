# SPDX-License-Identifier: Apache-2.0
"""Element types, packing, and the two per-tensor affine maps on whole arrays.

Which codes or binary32 patterns does an array give under one fixed choice of options? Rules:
HQ-PACK-002..009, HQ-PTA-018..021, RA8-Q-001..008, RA8-Q-019..021. Which options a ruling leaves open,
and what is refused, is decided in verbs.py.
"""

import struct
from functools import lru_cache

import exact

# tag: (bits, signed). HQ-PTA-016, HQ-PACK-003. Every other tag is refused (HQ-PTA-017).
STORAGE = {0x10: (8, True), 0x11: (8, False), 0x12: (16, True), 0x13: (16, False),
           0x14: (32, True), 0x15: (32, False), 0x48: (4, True), 0x49: (4, False),
           0x4A: (2, True), 0x4B: (2, False)}
INT32, UINT32 = 0x14, 0x15

# Stands for an infinite quotient: beyond every bound and every int32 zero point, sign kept (R04).
SATURATES = 1 << 64

ARRAY_FORMAT = {8: "B", 16: "H", 32: "I"}


def bounds(tag):
    bits, signed = STORAGE[tag]
    low = -(1 << bits - 1) if signed else 0
    return low, low + (1 << bits) - 1


def packed_bytes(bits, count):
    return (count * bits + 7) // 8  # HQ-PACK-012, HQ-PACK-013


def words(data):
    """binary32 patterns of little-endian bytes."""
    return struct.unpack(f"<{len(data) // 4}I", data)


def unpack_unsigned(bits, count, data):
    """Codes as unsigned numbers. Unused bits of the last byte are not looked at (A43)."""
    if bits >= 8:
        return struct.unpack(f"<{count}{ARRAY_FORMAT[bits]}", data)
    mask, shifts = (1 << bits) - 1, range(0, 8, bits)
    return [byte >> shift & mask for byte in data for shift in shifts][:count]


def unpack(tag, count, data):
    bits, signed = STORAGE[tag]
    codes = unpack_unsigned(bits, count, data)
    if not signed:
        return codes
    top = 1 << bits - 1
    return [(code ^ top) - top for code in codes]  # two's complement


def pack(tag, codes):
    bits, _ = STORAGE[tag]
    mask = (1 << bits) - 1
    if bits >= 8:
        return struct.pack(f"<{len(codes)}{ARRAY_FORMAT[bits]}", *[code & mask for code in codes])
    out = bytearray(packed_bytes(bits, len(codes)))  # zeros, so unused bits are 0 (HQ-PACK-006, 009)
    for i, code in enumerate(codes):
        out[i * bits // 8] |= (code & mask) << i * bits % 8
    return bytes(out)


def wrap_int32(n):
    return (n + 0x80000000 & 0xFFFFFFFF) - 0x80000000


@lru_cache(maxsize=1 << 17)
def real_value(scale, difference, flush_operands, flush_results):
    """HQ-PTA-020: convert, then multiply, each rounded once. The flushes are R15's, firmware only."""
    if flush_operands:
        scale = exact.flush(scale)
    product = exact.multiply(scale, exact.from_int(difference))
    return exact.flush(product) if flush_results else product


def dequantize(codes, scale, zero_point, difference_of=None, flush_operands=False, flush_results=False):
    """binary32 patterns. `difference_of` narrows q - zero_point (A01); without it it is exact (R10)."""
    differences = [q - zero_point for q in codes]
    if difference_of:
        differences = map(difference_of, differences)
    return [real_value(scale, d, flush_operands, flush_results) for d in differences]


@lru_cache(maxsize=1 << 17)
def rounded_quotients(x, scale, flush_operands):
    """round(x / scale) as integers by either quotient of R06: of the binary32, of the exact one.

    +-SATURATES for an infinite quotient, None for one that is not a number. R15's flush of results needs
    no place here: a subnormal quotient rounds to 0 either way.
    """
    if flush_operands:
        x, scale = exact.flush(x), exact.flush(scale)
        if exact.is_zero(x):
            return 0, 0  # R04: 0 gives the zero point, even over a scale taken as zero
    quotient = exact.divide(x, scale)
    magnitude = quotient & 0x7FFFFFFF
    if magnitude > exact.INF:
        return None, None
    if magnitude == exact.INF:  # an infinite input, a zero divisor, or overflow of the binary32 quotient
        return (-SATURATES, -SATURATES) if quotient & exact.SIGN else (SATURATES, SATURATES)
    if exact.is_inf(scale):
        return 0, 0
    return exact.round_away(quotient), exact.round_quotient_away(x, scale)


@lru_cache(maxsize=8)
def quantize(inputs, tag, scale, zero_point, quotient, flush_operands=False):
    """(codes, free): clamp(round(x / scale) + zero_point, min, max), the sum exact (RA8-Q-004..008).

    `free` lists the positions whose quotient is not a number; their code is the clamped zero point.
    """
    (low, high), kind = bounds(tag), ("binary32", "exact").index(quotient)
    rounded = [rounded_quotients(x, scale, flush_operands)[kind] for x in inputs]
    free = tuple(i for i, n in enumerate(rounded) if n is None) if None in rounded else ()
    for i in free:
        rounded[i] = 0
    return tuple(min(max(n + zero_point, low), high) for n in rounded), free
