// SPDX-License-Identifier: Apache-2.0
//
// Element types: widths, packing, values. Sub-byte elements fill a byte from its low bits, four of 6 bits fill three
// bytes; unused bits are written as zero and ignored.

"use strict";

const { Unsupported, rejectIf, viewOf } = require("./hurray_basics.js");

const FLOAT32 = 0x03, INT32 = 0x14, E8M0 = 0x42;

const signed = (bits) => ({ bits, low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 });
const unsigned = (bits) => ({ bits, low: 0, high: 2 ** bits - 1 });
// special: whether the highest exponent stands for infinity and NaN, or the highest pattern for NaN, or neither.
const float = (bits, fraction, bias, special) => ({ ...unsigned(bits), fraction, bias, special });
const opaque = (bits) => ({ ...unsigned(bits), isOpaque: true });  // float128 and complex numbers: never computed with
const ELEMENTS = new Map([
  [0x01, float(16, 10, 15, "ieee")], [0x02, float(16, 7, 127, "ieee")], [FLOAT32, float(32, 23, 127, "ieee")],
  [0x04, float(64, 52, 1023, "ieee")], [0x10, signed(8)], [0x11, unsigned(8)], [0x12, signed(16)],
  [0x13, unsigned(16)], [INT32, signed(32)], [0x15, unsigned(32)], [0x16, signed(64)], [0x17, unsigned(64)],
  [0x20, unsigned(1)], [0x40, float(8, 3, 7, "one NaN")], [0x41, float(8, 2, 15, "ieee")],
  [E8M0, { bits: 8, low: 1, high: 254, isExponent: true }], [0x43, float(4, 1, 1)], [0x44, float(6, 3, 1)],
  [0x45, float(6, 2, 3)], [0x46, opaque(128)], [0x48, signed(4)], [0x49, unsigned(4)], [0x4a, signed(2)],
  [0x4b, unsigned(2)], [0x50, opaque(64)], [0x51, opaque(128)]]);

function elementOf(tag) {
  rejectIf(!ELEMENTS.has(tag), "element type");
  return ELEMENTS.get(tag);
}

// The shortest run that fills its bytes, in BigInt.
function runOf(tag) {
  const { bits } = elementOf(tag);
  if (bits === 6) return { elements: 4n, bytes: 3n };
  return bits < 8 ? { elements: BigInt(8 / bits), bytes: 1n } : { elements: 1n, bytes: BigInt(bits / 8) };
}

function packedBytes(tag, count) {
  const { elements, bytes } = runOf(tag), total = (BigInt(count) + elements - 1n) / elements * bytes;
  rejectIf(total >= 1n << 64n, "more bytes than 64 bits count");
  return total;
}

// A function from i to element i behind byte `start`; i may be negative. Elements are numbers, of 64-bit types BigInt:
// integers with their sign, all others as their bit pattern.
function elementReader(tag, data, start = 0) {
  const { bits, low, isExponent } = elementOf(tag), view = viewOf(data), mask = 2 ** bits - 1;
  if (bits > 64) throw new Unsupported("wider than 64 bits");
  const load = {
    8: (i) => data[start + i], 16: (i) => view.getUint16(start + 2 * i, true),
    32: (i) => view.getUint32(start + 4 * i, true),
    64: (i) => (low < 0 ? view.getBigInt64(start + 8 * i, true) : view.getBigUint64(start + 8 * i, true)),
  }[bits] || ((i) => {
    const at = start + (i * bits >> 3);
    return (data[at] | data[at + 1] << 8) >> (i * bits & 7) & mask;
  });
  return (i) => {
    const code = load(i);
    rejectIf(isExponent && (code === 0 || code === 255), "no float8_e8m0");
    return bits < 64 && low < 0 && code > mask / 2 ? code - mask - 1 : code;
  };
}

function unpack(tag, count, data) {
  const element = elementReader(tag, data);
  rejectIf(packedBytes(tag, count) !== BigInt(data.length), "number of bytes");
  return Array.from({ length: Number(count) }, (_, i) => element(i));
}

function pack(tag, values) {
  const { bits } = elementOf(tag), out = Buffer.alloc(Number(packedBytes(tag, values.length))), view = viewOf(out);
  const store = {
    8: (i, value) => view.setUint8(i, value), 16: (i, value) => view.setUint16(2 * i, value, true),
    32: (i, value) => view.setUint32(4 * i, value, true), 64: (i, value) => view.setBigUint64(8 * i, value, true),
  }[bits] || ((i, value) => {
    const at = i * bits >> 3, word = (value & 2 ** bits - 1) << (i * bits & 7);
    out[at] |= word;
    if (word > 255) out[at + 1] |= word >> 8;
  });
  values.forEach((value, i) => store(i, value));
  return out;
}

// `values` are BigInt.
function packChecked(tag, values) {
  const { bits, low, high } = elementOf(tag);
  if (bits > 64) throw new Unsupported("wider than 64 bits");
  if (bits === 64) return pack(tag, values);
  rejectIf(values.some((value) => value < low || value > high), "value outside the type");
  return pack(tag, values.map(Number));
}

// The real value, rounded once. More than 53 bits would be rounded twice: what is cut off is kept as one bit.
function widen(tag, value) {
  const { bits, fraction, bias, special, isExponent, isOpaque } = elementOf(tag);
  rejectIf(isOpaque, "no real numbers");
  if (isExponent) return 2 ** (value - 127);
  if (fraction === undefined) {
    if (bits < 64) return Math.fround(value);
    const magnitude = value < 0n ? -value : value;
    const kept = magnitude >> 12n | (magnitude & 0xfffn && 1n), real = Number(magnitude >> 53n ? kept : magnitude);
    return Math.fround((value < 0n ? -1 : 1) * (magnitude >> 53n ? real * 4096 : real));
  }
  if (bits === 64) return Math.fround(pack(0x17, [value]).readDoubleLE());
  const magnitude = value % 2 ** (bits - 1), sign = value === magnitude ? 1 : -1;
  const exponent = Math.floor(magnitude / 2 ** fraction), low = magnitude % 2 ** fraction;
  const highest = 2 ** (bits - 1 - fraction) - 1;
  if (special === "ieee" && exponent === highest) return low ? NaN : sign * Infinity;
  if (special === "one NaN" && magnitude === 2 ** (bits - 1) - 1) return NaN;
  const whole = exponent ? low + 2 ** fraction : low;
  return sign * whole * 2 ** (Math.max(exponent, 1) - bias - fraction);
}

module.exports = { FLOAT32, INT32, E8M0, ELEMENTS, elementOf, runOf, packedBytes, elementReader, unpack, pack,
                   packChecked, widen };
