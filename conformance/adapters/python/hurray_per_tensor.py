# SPDX-License-Identifier: Apache-2.0
"""Arrays with one scale and one zero point: the per-tensor affine scheme, the plane of a foreign
toolchain's zero points, and the four functions of the firmware header.
"""
import math
import struct

from hurray_elements import INTEGERS, float32, pack, unpack

TYPES = {tag: integer for tag, integer in INTEGERS.items() if tag not in (0x16, 0x17, 0x20)}


def check_parameters(tag, scale, zero_point):
    if tag not in TYPES:
        raise ValueError("storage type")
    if not math.isfinite(scale) or scale == 0:
        raise ValueError("scale is zero, infinite or not a number")
    if not TYPES[tag][1] <= zero_point <= TYPES[tag][2]:
        raise ValueError("zero point outside the storage type")


def real_value(scale, q, zero_point):
    return float32(scale * float32(q - zero_point))  # two roundings: the difference, then the product


def dequantize(tag, scale, zero_point, count, data):
    if tag not in TYPES:
        raise ValueError("storage type")
    return struct.pack(f"<{count}f", *[real_value(scale, q, zero_point) for q in unpack(tag, count, data)])


def quantize(tag, scale, zero_point, count, data, checked=True):
    if checked:  # what no descriptor can carry is refused here too
        check_parameters(tag, scale, zero_point)
    _, low, high = TYPES[tag]

    def code(x):
        quotient = 0.0 if math.isnan(x / scale) else float32(x / scale)
        steps = max(-2.0**40, min(quotient, 2.0**40))  # no int32 brings more back into range
        # To nearest, ties away from zero; then the zero point; then the bounds.
        return min(max(int(steps + math.copysign(0.5, steps)) + zero_point, low), high)

    return pack(tag, [code(x) for x in struct.unpack(f"<{count}f", data)])


def plane_fields(bits, order, count, packed):
    """The first `count` fields of a plane as they are stored."""
    known = bits in (2, 4, 8) and order in ("low-first", "high-first")
    if not known or len(packed) * 8 < count * bits:
        raise ValueError("bits, order or too few bytes")
    shifts = range(0, 8, bits) if order == "low-first" else range(8 - bits, -1, -bits)
    return [byte >> shift & (1 << bits) - 1 for byte in packed for shift in shifts][:count]


def normalize(bits, bias, order, count, packed):
    return struct.pack(f"<{count}i", *[field + bias for field in plane_fields(bits, order, count, packed)])


def ra8(function, scale, zero_point, count, data):
    tag = 0x10 if function.endswith("i8") else 0x11
    if function.startswith("dequantize"):
        return {"code": "0000", "out": dequantize(tag, scale, zero_point, count, data)}
    if not 0 < scale < math.inf:
        return {"code": "0103"}  # invalid_arg, nothing written
    return {"code": "0000", "out": quantize(tag, scale, zero_point, count, data, checked=False)}
