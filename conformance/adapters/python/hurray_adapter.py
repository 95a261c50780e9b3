#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A complete adapter in Python: per-tensor affine quantization, judged over the line protocol.

The upper part is the implementation under judgement: put yours in its place. The lower part, from
"Protocol" on, speaks conformance/PROTOCOL.md and can stay as it is.
"""
import math
import os
import struct

# tag: (bits, lowest value, highest value)
TYPES = {0x10: (8, -128, 127), 0x11: (8, 0, 255), 0x12: (16, -32768, 32767), 0x13: (16, 0, 65535),
         0x14: (32, -2**31, 2**31 - 1), 0x15: (32, 0, 2**32 - 1),
         0x48: (4, -8, 7), 0x49: (4, 0, 15), 0x4A: (2, -2, 1), 0x4B: (2, 0, 3)}


def float32(x):
    # A product or quotient of two binary32 may be taken in double before: 53 bits are enough.
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def check_parameters(tag, scale, zero_point):
    if tag not in TYPES:
        raise ValueError("storage type")
    if not math.isfinite(scale) or scale == 0:
        raise ValueError("scale is zero, infinite or not a number")
    if not TYPES[tag][1] <= zero_point <= TYPES[tag][2]:
        raise ValueError("zero point outside the storage type")


def decode(tag, section):
    if len(section) < 16:
        raise ValueError("too short")
    scheme, version, flags, scale, zero_point, reserved = struct.unpack("<BBHfiI", section[:16])
    if (scheme, version, flags, reserved) != (1, 1, 0, 0):
        raise ValueError("header or reserved bytes")
    check_parameters(tag, scale, zero_point)
    return scheme, scale, zero_point


def encode(tag, scheme, scale, zero_point):
    if scheme != 1:
        raise ValueError("scheme")
    check_parameters(tag, scale, zero_point)
    return struct.pack("<BBHfiI", 1, 1, 0, scale, zero_point, 0)


def split_bytes(data, bits):
    return [byte >> shift & (1 << bits) - 1 for byte in data for shift in range(0, 8, bits)]


def unpack(tag, count, data):
    bits, low, _ = TYPES[tag]
    codes = split_bytes(data, bits)[:count] if bits < 8 else (
        struct.unpack(f"<{count}{'BHI'[bits // 16]}", data))
    return [(q - low) % (1 << bits) + low for q in codes]  # two's complement where low < 0


def pack(tag, values):
    bits = TYPES[tag][0]
    codes = [value % (1 << bits) for value in values]
    if bits >= 8:
        return struct.pack(f"<{len(codes)}{'BHI'[bits // 16]}", *codes)
    return bytes(sum(q << shift for q, shift in zip(codes[i:i + 4], range(0, 8, bits)))
                 for i in range(0, len(codes), 8 // bits))


def dequantize(tag, scale, zero_point, count, data):
    if tag not in TYPES:
        raise ValueError("storage type")
    # Two roundings: the difference to binary32, then the product.
    return struct.pack(f"<{count}f", *[float32(scale * float32(q - zero_point))
                                       for q in unpack(tag, count, data)])


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


def normalize(bits, bias, order, count, packed):
    known = bits in (2, 4, 8) and order in ("low-first", "high-first")
    if not known or len(packed) * 8 < count * bits:
        raise ValueError("bits, order or too few bytes")
    stored, turn = split_bytes(packed, bits), 8 // bits - 1 if order == "high-first" else 0
    return struct.pack(f"<{count}i", *[stored[i ^ turn] + bias for i in range(count)])


def ra8(function, scale, zero_point, count, data):
    tag = 0x10 if function.endswith("i8") else 0x11
    if function.startswith("dequantize"):
        return "0000", dequantize(tag, scale, zero_point, count, data)
    if not 0 < scale < math.inf:
        return ("0103",)  # invalid_arg, nothing written
    return "0000", quantize(tag, scale, zero_point, count, data, checked=False)


# Protocol. One row for each verb: the keys in the order of the parameters, the keys of the result.
CLAIM = (1, "python", "hurray,ra8", 1, "normalize", *[",".join(f"{tag:02x}" for tag in TYPES)] * 4)
VERBS = {
    "hello": (lambda version: CLAIM, "version", "version name contract schemes ops "
              "types.decode types.encode types.dequantize types.quantize"),
    "decode": (decode, "type bytes", "scheme scale zero_point"),
    "encode": (encode, "type scheme scale zero_point", "bytes"),
    "dequantize": (dequantize, "type scale zero_point count q", "out"),
    "quantize": (quantize, "type scale zero_point count in", "q"),
    "normalize": (normalize, "bits bias order count packed", "zero_points"),
    "ra8": (ra8, "fn scale zero_point count in", "code out")}
FROM_TEXT = {"type": lambda text: int(text, 16), "fn": str, "order": str,  # not listed: decimal
             "scale": lambda text: struct.unpack(">f", bytes.fromhex(text))[0],
             **dict.fromkeys(["bytes", "q", "in", "packed"], bytes.fromhex)}


def to_text(value):
    value = struct.pack(">f", value) if isinstance(value, float) else value
    return value.hex() if isinstance(value, bytes) else str(value)


def answer(line):
    request_id, verb, *pairs = line.decode("ascii").split()
    texts = dict(pair.split("=", 1) for pair in pairs)
    function, keys, result_keys = VERBS.get(verb, (None, "", ""))
    if function is None or texts.keys() != set(keys.split()):
        return f"{request_id} unsupported\n"
    try:
        result = function(*[FROM_TEXT.get(key, int)(texts[key]) for key in keys.split()])
    except (ValueError, struct.error) as reason:
        return f"{request_id} reject {reason}\n"
    pairs = zip(result_keys.split(), result if isinstance(result, tuple) else (result,))
    return f"{request_id} ok " + " ".join(f"{key}={to_text(value)}" for key, value in pairs) + "\n"


rest = b""
while chunk := os.read(0, 1 << 16):
    *lines, rest = (rest + chunk).split(b"\n")
    print("".join(map(answer, lines)), end="", flush=True)  # no complete request waits now
