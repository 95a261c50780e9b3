# SPDX-License-Identifier: Apache-2.0
"""Element types: how wide, how packed, and the four operations on packed elements.

HQ-PACK-002..033 but for the values of small floats (small_floats.py). Sub-byte elements fill a byte from
its low bits; 6-bit elements fill groups of three bytes, four to a group.
"""

import struct

import small_floats
from alternatives import HIDDEN, REJECT, Answer

# tag: bits. Everything else is no element type (HQ-PACK-028, 029) but for the private f0..fe.
BITS = {0x01: 16, 0x02: 16, 0x03: 32, 0x04: 64, 0x10: 8, 0x11: 8, 0x12: 16, 0x13: 16, 0x14: 32, 0x15: 32,
        0x16: 64, 0x17: 64, 0x20: 1, 0x40: 8, 0x41: 8, 0x42: 8, 0x43: 4, 0x44: 6, 0x45: 6, 0x46: 128,
        0x48: 4, 0x49: 4, 0x4A: 2, 0x4B: 2, 0x50: 64, 0x51: 128}
SIGNED = {0x10, 0x12, 0x14, 0x16, 0x48, 0x4A}
PRIVATE = range(0xF0, 0xFF)
COMPLEX64 = 0x50


def group(type_tag):
    """(elements, bytes) of the smallest run that begins and ends on a byte boundary."""
    bits = BITS[type_tag]
    if bits == 6:
        return 4, 3
    return (8 // bits, 1) if bits < 8 else (1, bits // 8)


def packed_size(type_tag, count):
    """HQ-PACK-012..014, 016. Whole groups only for 6 bits; everything else ends with its last byte."""
    elements, size_bytes = group(type_tag)
    return -(-count // elements) * size_bytes


def code_at(type_tag, data, i):
    """Element i as an unsigned pattern; None if it lies outside `data`. HQ-PACK-004, 007, 010, 033."""
    elements, size_bytes = group(type_tag)
    start = i // elements * size_bytes
    run = data[start:start + size_bytes] if start >= 0 else b""
    if len(run) < size_bytes:
        return None
    bits = BITS[type_tag]
    return int.from_bytes(run, "little") >> i % elements * bits & (1 << bits) - 1


def signed(type_tag, code):
    """The integer of a pattern where the type has a sign; every other pattern stands for itself."""
    top = 1 << BITS[type_tag] - 1
    return (code ^ top) - top if type_tag in SIGNED else code  # HQ-PACK-002, 005, 008


def unpack(type_tag, count, data):
    return [signed(type_tag, code_at(type_tag, data, i)) for i in range(count)]


def pack(type_tag, values):
    """HQ-PACK-006, 009, 011: what no element fills stays zero."""
    elements, size_bytes = group(type_tag)
    bits, out = BITS[type_tag], b""
    for start in range(0, len(values), elements):
        run = sum((value & (1 << bits) - 1) << bits * j for j, value in enumerate(values[start:start + elements]))
        out += run.to_bytes(size_bytes, "little")
    return out


def has_unused_bits_set(type_tag, count, data):
    """A43: of the last byte or group behind `count` elements."""
    elements, size_bytes = group(type_tag)
    used = count % elements
    if used == 0:
        return False
    last = packed_size(type_tag, count)
    return int.from_bytes(data[last - size_bytes:last], "little") >> used * BITS[type_tag] != 0


def bounds(type_tag):
    """Of the integers that `pack` takes: the patterns of floats count as integers without a sign."""
    bits = BITS[type_tag]
    low = -(1 << bits - 1) if type_tag in SIGNED else 0
    return low, low + (1 << bits) - 1


def is_invalid(type_tag, value):
    return type_tag == small_floats.E8M0 and value in (0x00, 0xFF)  # HQ-PACK-021, A37


def not_asked(type_tag, choose):
    """The answer for a type that the operations on values are not for, or None."""
    if type_tag not in BITS:
        return REJECT
    if BITS[type_tag] > 64:
        return Answer(choose(HIDDEN + "wide-type", "reject", "unsupported"))
    return None


def ask_pack(request, choose):
    type_tag, count = request.bits("type", 2), request.count()
    values = request.array("values", "q", count)
    refusal = not_asked(type_tag, choose)
    if refusal:
        return refusal
    if BITS[type_tag] == 64:
        return Answer("ok", [("packed", struct.pack(f"<{count}q", *values).hex())])
    low, high = bounds(type_tag)
    if any(not low <= value <= high or is_invalid(type_tag, value) for value in values):
        return REJECT
    return Answer("ok", [("packed", pack(type_tag, values).hex())])


def unpacked(request, choose):
    """(an answer that refuses or None, type tag, values) of a request with `packed`."""
    type_tag, count = request.bits("type", 2), request.count()
    refusal = not_asked(type_tag, choose)
    if refusal:
        return refusal, type_tag, None
    data = request.data("packed", packed_size(type_tag, count))
    values = unpack(type_tag, count, data)
    if has_unused_bits_set(type_tag, count, data) and choose("unused-bits", "ignore", "refuse") == "refuse":
        return REJECT, type_tag, None
    return None, type_tag, values


def ask_unpack(request, choose):
    refusal, type_tag, values = unpacked(request, choose)
    if refusal:
        return refusal
    if any(is_invalid(type_tag, value) for value in values) and choose("e8m0-patterns", "accept", "refuse") == "refuse":
        return REJECT  # A63: patterns are handed over, not numbers
    data = b"".join((value & (1 << 64) - 1).to_bytes(8, "little") for value in values)
    return Answer("ok", [("values", data.hex())])


def ask_packed_bytes(request, choose):
    type_tag, count = request.bits("type", 2), request.natural("count", 64)
    if type_tag not in BITS:
        return REJECT
    size_bytes = packed_size(type_tag, count)
    return Answer("ok", [("bytes", size_bytes)]) if size_bytes < 1 << 64 else REJECT


def ask_widen(request, choose):
    refusal, type_tag, values = unpacked(request, choose)
    if refusal:
        return refusal
    if any(is_invalid(type_tag, value) for value in values):
        return REJECT
    if type_tag == COMPLEX64:  # no element has a value in binary32
        return Answer(choose(HIDDEN + "complex", "reject", "unsupported"))
    words = [small_floats.widened(type_tag, value) for value in values]
    return Answer("ok", [("out", struct.pack(f"<{len(words)}I", *words).hex())])
