#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// An adapter in JavaScript, one file for node 18 or newer and no packages. It answers the lines of
// conformance/PROTOCOL.md for kernels, quantization descriptors of all schemes, element types, foreign
// zero points and the firmware's functions; tensors and their conversion are not claimed.
//
// To have a library of your own judged, keep the last part (text and verbs) and let its rows call yours. What
// you do not have goes from VERBS and from `hello`: what is not claimed is not asked.

"use strict";

class Rejected extends Error {}
class Unsupported extends Error {}

function rejectIf(broken, reason) {
  if (broken) throw new Rejected(reason);
}

// --- Element types: sub-byte elements fill a byte from its low bits, four of 6 bits fill three bytes

const signed = (bits) => ({ bits, low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 });
const unsigned = (bits) => ({ bits, low: 0, high: 2 ** bits - 1 });
// special: whether the highest exponent stands for infinity and NaN, or the highest pattern for NaN, or neither.
const float = (bits, fraction, bias, special) => ({ ...unsigned(bits), fraction, bias, special });
const ELEMENTS = new Map([
  [0x01, float(16, 10, 15, "ieee")], [0x02, float(16, 7, 127, "ieee")], [0x03, float(32, 23, 127, "ieee")],
  [0x04, float(64, 52, 1023, "ieee")], [0x10, signed(8)], [0x11, unsigned(8)], [0x12, signed(16)],
  [0x13, unsigned(16)], [0x14, signed(32)], [0x15, unsigned(32)], [0x16, signed(64)], [0x17, unsigned(64)],
  [0x20, unsigned(1)], [0x40, float(8, 3, 7, "one NaN")], [0x41, float(8, 2, 15, "ieee")],
  [0x42, { bits: 8, low: 1, high: 254, isExponent: true }], [0x43, float(4, 1, 1)], [0x44, float(6, 3, 1)],
  [0x45, float(6, 2, 3)], [0x48, signed(4)], [0x49, unsigned(4)], [0x4a, signed(2)], [0x4b, unsigned(2)],
  [0x50, { ...unsigned(64), isComplex: true }]]);
const AFFINE = [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b];

function elementOf(tag) {
  rejectIf(!ELEMENTS.has(tag), "element type");
  return ELEMENTS.get(tag);
}

function packedBytes(tag, count) {
  const { bits } = elementOf(tag), n = BigInt(count);
  const bytes = bits === 6 ? (n + 3n) / 4n * 3n : (n * BigInt(bits) + 7n) / 8n;
  rejectIf(bytes >= 1n << 64n, "more bytes than 64 bits count");
  return bytes;
}

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// Numbers, of 64-bit types BigInt: integers with their sign, all others as their bit pattern.
function unpack(tag, count, data) {
  const { bits, low, isExponent } = elementOf(tag), view = viewOf(data);
  rejectIf(packedBytes(tag, count) !== BigInt(data.length), "number of bytes");
  const mask = 2 ** bits - 1;
  const load = {
    8: (i) => data[i], 16: (i) => view.getUint16(2 * i, true), 32: (i) => view.getUint32(4 * i, true),
    64: (i) => (low < 0 ? view.getBigInt64(8 * i, true) : view.getBigUint64(8 * i, true)),
  }[bits] || ((i) => ((data[i * bits >> 3] | data[(i * bits >> 3) + 1] << 8) >> i * bits % 8) & mask);
  return Array.from({ length: Number(count) }, (_, i) => {
    const code = load(i);
    rejectIf(isExponent && (code === 0 || code === 255), "no float8_e8m0");
    return bits < 64 && low < 0 && code > mask / 2 ? code - mask - 1 : code;
  });
}

function pack(tag, values) {
  const { bits } = elementOf(tag), out = Buffer.alloc(Number(packedBytes(tag, values.length))), view = viewOf(out);
  const store = {
    8: (i, value) => view.setUint8(i, value), 16: (i, value) => view.setUint16(2 * i, value, true),
    32: (i, value) => view.setUint32(4 * i, value, true),
    64: (i, value) => view.setBigUint64(8 * i, BigInt.asUintN(64, value), true),
  }[bits] || ((i, value) => {
    const word = (value & 2 ** bits - 1) << i * bits % 8;
    out[i * bits >> 3] |= word;
    if (word > 255) out[(i * bits >> 3) + 1] |= word >> 8;
  });
  values.forEach((value, i) => store(i, value));
  return out;
}

function packChecked(tag, values) {
  const { bits, low, high } = elementOf(tag);
  if (bits === 64) return pack(tag, values);
  rejectIf(values.some((value) => value < low || value > high), "value outside the type");
  return pack(tag, values.map(Number));
}

// The real value, rounded once. More than 53 bits would be rounded twice: what is cut off is kept as one bit.
function widen(tag, value) {
  const { bits, fraction, bias, special, isExponent, isComplex } = elementOf(tag);
  rejectIf(isComplex, "no real numbers");
  if (isExponent) return 2 ** (value - 127);
  if (fraction === undefined) {
    if (bits < 64) return Math.fround(value);
    const magnitude = value < 0n ? -value : value;
    const kept = magnitude >> 12n | (magnitude & 0xfffn && 1n), real = Number(magnitude >> 53n ? kept : magnitude);
    return Math.fround((value < 0n ? -1 : 1) * (magnitude >> 53n ? real * 4096 : real));
  }
  if (bits === 64) return Math.fround(Buffer.from(pack(0x17, [value])).readDoubleLE());
  const magnitude = value % 2 ** (bits - 1), sign = value === magnitude ? 1 : -1;
  const exponent = Math.floor(magnitude / 2 ** fraction), low = magnitude % 2 ** fraction;
  const highest = 2 ** (bits - 1 - fraction) - 1;
  if (special === "ieee" && exponent === highest) return low ? NaN : sign * Infinity;
  if (special === "one NaN" && magnitude === 2 ** (bits - 1) - 1) return NaN;
  const whole = exponent ? low + 2 ** fraction : low;
  return sign * whole * 2 ** (Math.max(exponent, 1) - bias - fraction);
}

// --- Kernels

function affineElement(tag) {
  rejectIf(!AFFINE.includes(tag), "storage type");
  return ELEMENTS.get(tag);
}

function checkParameters(tag, scale, zeroPoint) {
  const { low, high } = affineElement(tag);
  rejectIf(!Number.isFinite(scale) || scale === 0, "scale is zero, infinite or not a number");
  rejectIf(zeroPoint < low || zeroPoint > high, "zero point outside the storage type");
}

function dequantize(tag, scale, zeroPoint, count, data) {
  affineElement(tag);
  // Two roundings: of the difference to binary32, then of the product.
  return unpack(tag, count, data).map((q) => Math.fround(scale * Math.fround(q - zeroPoint)));
}

function quantize(tag, scale, zeroPoint, input) {
  const { low, high } = affineElement(tag);
  return pack(tag, input.map((x) => {
    const quotient = Math.fround(x / scale);
    if (Number.isNaN(quotient)) return Math.min(Math.max(zeroPoint, low), high);
    // To nearest, ties away from zero, then the zero point, then the bounds. Math.round takes ties upwards.
    const steps = Math.trunc(quotient + (quotient < 0 ? -0.5 : 0.5));
    return Math.min(Math.max(steps + zeroPoint, low), high);
  }));
}

function normalize(bits, bias, order, count, packed) {
  rejectIf(![2, 4, 8].includes(bits) || !["low-first", "high-first"].includes(order), "bits or order");
  rejectIf(BigInt(packed.length) * 8n < count * BigInt(bits), "too few bytes");
  const perByte = 8 / bits;
  return Array.from({ length: Number(count) }, (_, i) => {
    const place = order === "low-first" ? i % perByte : perByte - 1 - i % perByte;
    const zeroPoint = (packed[Math.floor(i / perByte)] >> place * bits & 2 ** bits - 1) + bias;
    rejectIf(zeroPoint > 2 ** 31 - 1, "beyond int32");
    return zeroPoint;
  });
}

function ra8(name, scale, zeroPoint, count, data) {
  const tag = name.endsWith("i8") ? 0x10 : 0x11;
  if (!/^(de)?quantize_[iu]8$/.test(name)) throw new Unsupported();
  if (name.startsWith("de")) return { code: "0000", out: floatBytes(dequantize(tag, scale, zeroPoint, count, data)) };
  if (!(scale > 0 && scale < Infinity)) return { code: "0103" };
  return { code: "0000", out: quantize(tag, scale, zeroPoint, floats(data, count)) };
}

// --- Quantization descriptors: scheme, version and flags, then 32-bit words

const NO_BUFFER = 0xffffffff, PCA = 2, PBA = 3;
const INDICES = ["scale_buffer_index", "zero_point_buffer_index", "scale_type_tag"];
// The three bytes behind scale_type_tag are zero: read as one word with it they need no rule of their own.
const SCHEMES = new Map([
  [1, { words: ["scale", "zero_point", "reserved"], storage: AFFINE }],
  [PCA, { words: ["axis", ...INDICES], storage: AFFINE, scaleTypes: [3] }],
  [PBA, { words: ["axis", "block_size", ...INDICES], storage: [0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b],
          scaleTypes: [1, 2, 3], sizes: [2, 2 ** 32] }],
  [4, { words: ["axis", "block_size", "scale_buffer_index"], storage: [0x49], sizes: [8, 2 ** 32] }],
  [5, { words: ["axis", "block_size", "scale_buffer_index"], storage: [0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48],
        sizes: [16, 2048] }]]);
const KEYS = ["flags", "scale", "zero_point", "axis", "block_size", ...INDICES];

function keysOf(scheme) {
  rejectIf(!SCHEMES.has(scheme), "scheme");
  const { words, scaleTypes } = SCHEMES.get(scheme);
  return [...(scaleTypes ? ["flags"] : []), ...words.filter((name) => name !== "reserved")];
}

function check(tag, scheme, fields, writes) {
  const { storage, scaleTypes, sizes } = SCHEMES.get(scheme), { flags } = fields;
  rejectIf(flags > (scaleTypes ? 1 : 0) || !storage.includes(tag) || fields.reserved, "flags, type or reserved bytes");
  if (scheme === 1) checkParameters(tag, fields.scale, fields.zero_point);
  if (scaleTypes) {
    rejectIf(!scaleTypes.includes(fields.scale_type_tag), "type of the scales");
    // A reader of a symmetric PBA descriptor overlooks the index; of PCA, and a writer, it has one value.
    const isOverlooked = scheme === PBA && flags === 1 && !writes;
    rejectIf((fields.zero_point_buffer_index === NO_BUFFER) !== (flags === 1) && !isOverlooked, "index");
  }
  const size = fields.block_size;
  rejectIf(sizes && (size < sizes[0] || size > sizes[1] || (size & size - 1) !== 0), "block size");
}

const READ = { scale: "getFloat32", zero_point: "getInt32" }, WRITE = { scale: "setFloat32", zero_point: "setInt32" };

function decode(tag, data) {
  rejectIf(data.length < 4 || !SCHEMES.has(data[0]) || data[1] !== 1, "scheme or version");
  const { words } = SCHEMES.get(data[0]), view = viewOf(data);
  rejectIf(data.length < 4 + 4 * words.length, "too short");
  const fields = { scheme: data[0], flags: view.getUint16(2, true) };
  words.forEach((name, i) => { fields[name] = view[READ[name] || "getUint32"](4 + 4 * i, true); });
  check(tag, data[0], fields, false);
  return Object.fromEntries(["scheme", ...keysOf(data[0])].map((key) => [key, fields[key]]));
}

function encode(tag, scheme, given) {
  const keys = keysOf(scheme), { words } = SCHEMES.get(scheme);
  rejectIf(!keys.every((key) => key in given) || Object.keys(given).length !== keys.length, "fields of the scheme");
  const fields = { flags: 0, reserved: 0, ...given }, out = Buffer.alloc(4 + 4 * words.length), view = viewOf(out);
  check(tag, scheme, fields, true);
  out.set([scheme, 1, fields.flags, 0]);
  words.forEach((name, i) => view[WRITE[name] || "setUint32"](4 + 4 * i, fields[name], true));
  return out;
}

// --- Text and values

function integer(low, high) {
  return (text) => {
    rejectIf(!/^-?\d+$/.test(text) || Number(text) < low || Number(text) > high, `${text} is not in range`);
    return Number(text);
  };
}

function hexadecimal(text) {
  rejectIf(!/^([0-9a-f]{2})*$/i.test(text), "not hexadecimal");
  return Buffer.from(text, "hex");
}

const hexNumber = (text) => hexadecimal(text).reduce((number, byte) => number * 256 + byte, 0);
function natural(text) {
  rejectIf(!/^\d+$/.test(text), `${text} is no number`);
  return BigInt(text);
}

const int32 = integer(-(2 ** 31), 2 ** 31 - 1);
const FROM_TEXT = {
  fn: String, order: String, count: natural, type: hexNumber, flags: hexNumber, scale_type_tag: hexNumber,
  scale: (text) => viewOf(hexadecimal(text)).getFloat32(0), zero_point: int32, bias: int32,
  ...Object.fromEntries(["bytes", "q", "in", "packed", "values"].map((key) => [key, hexadecimal])),
};  // all others: uint32
const DIGITS = { flags: 4, scale_type_tag: 2 };

function toText(key, value) {
  if (Buffer.isBuffer(value)) return value.toString("hex");
  if (key === "scale") return floatBytes([value]).reverse().toString("hex");
  return DIGITS[key] ? value.toString(16).padStart(DIGITS[key], "0") : String(value);
}

function arrayBytes(values, size, method) {
  const out = Buffer.alloc(size * values.length), view = viewOf(out);
  values.forEach((value, i) => view[method](size * i, value, true));
  return out;
}

const floatBytes = (values) => arrayBytes(values, 4, "setFloat32");

function arrayOf(data, count, size, method) {
  rejectIf(count * BigInt(size) !== BigInt(data.length), "number of elements");
  const view = viewOf(data);
  return Array.from({ length: Number(count) }, (_, i) => view[method](size * i, true));
}

const floats = (data, count) => arrayOf(data, count, 4, "getFloat32");

// --- Verbs

function hello() {
  const tags = (list) => list.map((tag) => tag.toString(16).padStart(2, "0")).join(","), affine = tags(AFFINE);
  const stored = tags([...ELEMENTS.keys()].filter((tag) => [...SCHEMES.values()].some((s) => s.storage.includes(tag))));
  return { version: 1, name: "javascript", contract: "hurray,ra8", schemes: "1,2,3,4,5",
           ops: "normalize,pack,unpack,packed_bytes,widen", "types.decode": stored, "types.encode": stored,
           "types.dequantize": affine, "types.quantize": affine, "types.element": tags([...ELEMENTS.keys()]) };
}

// Verb: its keys, keys that may be absent and are passed together at the end, and the function.
const VERBS = {
  hello: ["version", [], hello],
  decode: ["type bytes", [], decode],
  encode: ["type scheme", KEYS, (tag, scheme, given) => ({ bytes: encode(tag, scheme, given) })],
  dequantize: ["type scale zero_point count q", [], (...given) => ({ out: floatBytes(dequantize(...given)) })],
  quantize: ["type scale zero_point count in", [], (tag, scale, zeroPoint, count, data) => {
    checkParameters(tag, scale, zeroPoint);
    return { q: quantize(tag, scale, zeroPoint, floats(data, count)) };
  }],
  normalize: ["bits bias order count packed", [], (...given) => ({
    zero_points: arrayBytes(normalize(...given), 4, "setInt32") })],
  ra8: ["fn scale zero_point count in", [], ra8],
  pack: ["type count values", [], (tag, count, values) => ({
    packed: packChecked(tag, arrayOf(values, count, 8, "getBigInt64")) })],
  unpack: ["type count packed", [], (...given) => ({
    values: arrayBytes(unpack(...given).map((value) => BigInt.asIntN(64, BigInt(value))), 8, "setBigInt64") })],
  packed_bytes: ["type count", [], (tag, count) => ({ bytes: packedBytes(tag, count) })],
  widen: ["type count packed", [], (tag, count, packed) => ({
    out: floatBytes(unpack(tag, count, packed).map((value) => widen(tag, value))) })],
};

function answer(line) {
  const [id, name, ...pairs] = line.trim().split(/\s+/);
  const texts = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s)));
  const [keys, optional, call] = Object.hasOwn(VERBS, name) ? VERBS[name] : ["", [], null];
  const required = keys.split(" ");
  // Whoever ignored a verb or key that it does not know could pass without an answer.
  const fits = call && required.every((key) => key in texts) &&
               Object.keys(texts).every((key) => required.includes(key) || optional.includes(key));
  if (!fits) return `${id} unsupported\n`;
  try {
    const value = (key) => (FROM_TEXT[key] || integer(0, 2 ** 32 - 1))(texts[key]);
    const rest = Object.keys(texts).filter((key) => !required.includes(key));
    const result = call(...required.map(value), Object.fromEntries(rest.map((key) => [key, value(key)])));
    return `${id} ok ${Object.entries(result).map(([key, each]) => `${key}=${toText(key, each)}`).join(" ")}\n`;
  } catch (error) {
    if (error instanceof Unsupported) return `${id} unsupported\n`;
    if (error instanceof Rejected) return `${id} reject ${error.message}\n`;
    throw error;
  }
}

let rest = "";
process.stdin.setEncoding("latin1").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  process.stdout.write(lines.map(answer).join("")); // no complete request waits now
});
