# SPDX-License-Identifier: Apache-2.0
"""Element types: widths, packing, values. Sub-byte elements fill a byte from its low bits, 6-bit elements
groups of three bytes; unused bits are written as zero and ignored.
"""
import math
import struct

# tag: (bits, lowest value, highest value)
INTEGERS = {0x10: (8, -128, 127), 0x11: (8, 0, 255), 0x12: (16, -32768, 32767), 0x13: (16, 0, 65535),
            0x14: (32, -2**31, 2**31 - 1), 0x15: (32, 0, 2**32 - 1), 0x16: (64, -2**63, 2**63 - 1),
            0x17: (64, 0, 2**64 - 1), 0x20: (1, 0, 1), 0x48: (4, -8, 7), 0x49: (4, 0, 15), 0x4A: (2, -2, 1),
            0x4B: (2, 0, 3)}
# tag: (exponent bits, fraction bits, bias)
FLOATS = {0x01: (5, 10, 15), 0x02: (8, 7, 127), 0x03: (8, 23, 127), 0x04: (11, 52, 1023), 0x40: (4, 3, 7),
          0x41: (5, 2, 15), 0x43: (2, 1, 1), 0x44: (2, 3, 1), 0x45: (3, 2, 3)}
E4M3, E8M0 = 0x40, 0x42
WITH_INFINITY = {0x01, 0x02, 0x03, 0x04, 0x41}

BITS = {tag: integer[0] for tag, integer in INTEGERS.items()}
BITS.update((tag, 1 + exponent + fraction) for tag, (exponent, fraction, _) in FLOATS.items())
BITS.update({E8M0: 8, 0x46: 128, 0x50: 64, 0x51: 128})
FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}  # of unsigned integers, by their bytes


def float32(x):
    # A product or quotient of two binary32 may be taken in double before: 53 bits are enough.
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def group(tag):
    """(elements, bytes) of the shortest run that fills its bytes."""
    if tag not in BITS:
        raise ValueError("element type")
    bits = BITS[tag]
    return (4, 3) if bits == 6 else (8 // bits, 1) if bits < 8 else (1, bits // 8)


def packed_bytes(tag, count):
    elements, size = group(tag)
    total = -(-count // elements) * size
    if total >= 2**64:
        raise ValueError("more bytes than 64 bits count")
    return total


def unpack_codes(tag, count, data):
    """Bit patterns, as unsigned numbers."""
    (elements, size), bits = group(tag), BITS[tag]
    if len(data) != packed_bytes(tag, count):
        raise ValueError("number of bytes")
    if elements == 1 and size in FORMATS:
        return list(struct.unpack(f"<{count}{FORMATS[size]}", data))
    runs = (int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size))
    return [run >> bits * j & (1 << bits) - 1 for run in runs for j in range(elements)][:count]


def signed(tag, codes):
    """Two's complement where the type has a sign; every other pattern stands for itself."""
    bits, low, _ = INTEGERS.get(tag, (0, 0, 0))
    return [(code - low) % (1 << bits) + low for code in codes] if low < 0 else codes


def unpack(tag, count, data):
    if tag in BITS and BITS[tag] > 64:
        raise NotImplementedError("wider than 64 bits")
    codes = unpack_codes(tag, count, data)
    if tag == E8M0 and not {0x00, 0xFF}.isdisjoint(codes):
        raise ValueError("no float8_e8m0")
    return signed(tag, codes)


def pack(tag, values):
    (elements, size), bits, out = group(tag), BITS[tag], bytearray()
    codes = [value % (1 << bits) for value in values]
    if elements == 1 and size in FORMATS:
        return struct.pack(f"<{len(codes)}{FORMATS[size]}", *codes)
    for i in range(0, len(codes), elements):
        out += sum(code << bits * j for j, code in enumerate(codes[i:i + elements])).to_bytes(size, "little")
    return bytes(out)


def pack_checked(tag, count, data):
    values = struct.unpack(f"<{count}q", data)
    elements, _ = group(tag)
    if BITS[tag] > 64:
        raise NotImplementedError("wider than 64 bits")
    low, high = INTEGERS[tag][1:] if tag in INTEGERS else (0, (1 << BITS[tag]) - 1)
    low, high = (1, 254) if tag == E8M0 else (low, high)
    if BITS[tag] < 64 and not all(low <= value <= high for value in values):
        raise ValueError("value outside the type")
    return pack(tag, values)


def unpack_to_int64(tag, count, data):
    return struct.pack(f"<{count}Q", *[value % 2**64 for value in unpack(tag, count, data)])


def real(tag, value):
    """The value of an unpacked element, exactly (an integer beyond 53 bits as its binary32)."""
    if tag in INTEGERS:
        spare = max(0, abs(value).bit_length() - 50)  # what is lost may decide a tie, and nothing else
        kept = abs(value) >> spare | (abs(value) & (1 << spare) - 1 != 0)
        return float(-kept if value < 0 else kept) * 2.0**spare
    if tag == E8M0:
        return 2.0**(value - 127)
    if tag not in FLOATS:
        raise ValueError("no real numbers")
    exponent_bits, fraction_bits, bias = FLOATS[tag]
    sign = -1.0 if value >> exponent_bits + fraction_bits else 1.0
    exponent = value >> fraction_bits & (1 << exponent_bits) - 1
    fraction = value & (1 << fraction_bits) - 1
    if tag in WITH_INFINITY and exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if tag == E4M3 and value & 0x7F == 0x7F:
        return math.nan
    if exponent:
        return sign * math.ldexp(fraction | 1 << fraction_bits, exponent - bias - fraction_bits)
    return sign * math.ldexp(fraction, 1 - bias - fraction_bits)


def widen(tag, count, data):
    return struct.pack(f"<{count}f", *[float32(real(tag, value)) for value in unpack(tag, count, data)])
