#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// A complete adapter in JavaScript, for node 18 or newer, without packages. It answers the lines of
// conformance/PROTOCOL.md; `sweep` is not claimed.
//
// Under judgement are the modules that it requires: to have a library of your own judged, copy the folder and let the
// rows of VERBS call yours. What you do not have goes from VERBS and from `hello`: what is not claimed is not asked.

"use strict";

const { Rejected, Unsupported, rejectIf, viewOf, bytesOf, arrayOf } = require("./hurray_basics.js");
const { ELEMENTS, packedBytes, unpack, packChecked, widen } = require("./hurray_elements.js");
const { AFFINE, checkParameters, dequantize, quantize, normalize, ra8 } = require("./hurray_per_tensor.js");
const schemes = require("./hurray_schemes.js");
const tensors = require("./hurray_tensor.js");
const values = require("./hurray_values.js");
const { convert } = require("./hurray_convert.js");

// --- Text and values

function integer(low, high) {
  return (text) => {
    rejectIf(!/^-?\d+$/.test(text) || Number(text) < low || Number(text) > high, `${text} is not in range`);
    return Number(text);
  };
}

function natural(text) {
  rejectIf(!/^\d+$/.test(text), `${text} is no number`);
  return BigInt(text);
}

function hexadecimal(text) {
  rejectIf(!/^([0-9a-f]{2})*$/i.test(text), "not hexadecimal");
  return Buffer.from(text, "hex");
}

function buffer(text) {
  if (text.startsWith("n")) throw new Unsupported("null and none:… are for those who claim calls=none");
  return hexadecimal(text);
}

const hexNumber = (text) => hexadecimal(text).reduce((number, byte) => number * 256 + byte, 0);
const array = (kind) => (text) => arrayOf(kind, hexadecimal(text));
const int32 = integer(-(2 ** 31), 2 ** 31 - 1);
const all = (keys, read) => Object.fromEntries(keys.map((key) => [key, read]));
const BUFFERS = Array.from({ length: 255 }, (_, i) => `b${i}`);
const FROM_TEXT = {
  ...all(["fn", "order", "mode"], String),
  ...all(["type", "flags", "scale_type_tag", "member_role"], hexNumber),
  ...all(["count", "byte_offset"], natural),
  ...all(["zero_point", "bias"], int32),
  ...all(["bytes", "q", "in", "packed", "values", "buffers", "statistics", "extension_type", "weights", "scales",
          "plane", "super_scales"], hexadecimal),
  ...all(["shape", "parent_shape", "shard_offset"], array("BigUint64")),
  ...all(BUFFERS, buffer),
  strides: array("BigInt64"), group_index: array("Uint32"), scale: (text) => viewOf(hexadecimal(text)).getFloat32(0),
};  // all others: uint32
const DIGITS = { type: 2, flags: 4, scale_type_tag: 2, member_role: 2 };

function toText(key, value) {
  // Numbers of 64 bits, with sign or without.
  if (Array.isArray(value)) return bytesOf("BigUint64", value).toString("hex");
  if (Buffer.isBuffer(value)) return value.toString("hex");
  if (key === "scale") return bytesOf("Float32", [value]).reverse().toString("hex");
  return DIGITS[key] ? value.toString(16).padStart(DIGITS[key], "0") : String(value);
}

// --- Verbs

function hello() {
  const tags = (list) => list.map((tag) => tag.toString(16).padStart(2, "0")).join(","), affine = tags(AFFINE);
  const known = [...ELEMENTS.keys()], forms = [...schemes.SCHEMES.values()];
  const stored = tags(known.filter((tag) => forms.some(({ storage }) => storage.includes(tag))));
  return { version: 1, name: "javascript", contract: "hurray,ra8", schemes: [...schemes.SCHEMES.keys()].join(","),
           ops: "normalize,pack,unpack,packed_bytes,widen,convert,decode_tensor,encode_tensor,dequantize_tensor",
           "types.decode": stored, "types.encode": stored, "types.dequantize": affine, "types.quantize": affine,
           "types.element": tags(known.filter((tag) => ELEMENTS.get(tag).bits <= 64)), "types.tensor": tags(known),
           layouts: tensors.LAYOUTS.join(","), modes: "permissive" };
}

// The fields of a quantization descriptor stand among the others.
function decodeTensor(data, { mode }) {
  const { quantization, ...rest } = tensors.decode(data, mode);
  return { ...rest, ...quantization };
}

function encodeTensor(type, layout, shape, byteOffset, buffers, { scheme, ...more }) {
  const tensor = { type, layout, shape, byte_offset: byteOffset, buffers }, quantization = { scheme };
  for (const [key, value] of Object.entries(more)) {
    (schemes.SCHEME_KEYS.includes(key) ? quantization : tensor)[key] = value;
  }
  if (scheme !== undefined) tensor.quantization = quantization;
  return tensors.encode(tensor);
}

const FOREIGN_KEYS = ["type", "shape", "axis", "group_size", "bits", "bias", "order", "group_major", "word_bytes",
                      "scale_type_tag", "weights", "scales", "plane"];

function convertForeign(...given) {
  const optional = given.pop();
  return convert({ ...optional, ...Object.fromEntries(FOREIGN_KEYS.map((key, i) => [key, given[i]])) });
}

const floatBytes = (reals) => bytesOf("Float32", reals);

// Verb: its keys, keys that may be absent and are passed together at the end, and the function.
const VERBS = {
  hello: ["version", [], hello],
  decode: ["type bytes", [], schemes.decode],
  encode: ["type scheme", schemes.SCHEME_KEYS, (tag, scheme, given) => ({
    bytes: schemes.encode(tag, { scheme, ...given }) })],
  dequantize: ["type scale zero_point count q", [], (...given) => ({ out: floatBytes(dequantize(...given)) })],
  quantize: ["type scale zero_point count in", [], (tag, scale, zeroPoint, count, data) => {
    checkParameters(tag, scale, zeroPoint);
    return { q: quantize(tag, scale, zeroPoint, arrayOf("Float32", data, count)) };
  }],
  normalize: ["bits bias order count packed", [], (...given) => ({
    zero_points: bytesOf("Int32", normalize(...given)) })],
  ra8: ["fn scale zero_point count in", [], ra8],
  pack: ["type count values", [], (tag, count, data) => ({
    packed: packChecked(tag, arrayOf("BigInt64", data, count)) })],
  unpack: ["type count packed", [], (...given) => ({ values: unpack(...given).map(BigInt) })],
  packed_bytes: ["type count", [], (tag, count) => ({ bytes: packedBytes(tag, count) })],
  widen: ["type count packed", [], (tag, count, packed) => ({
    out: floatBytes(unpack(tag, count, packed).map((value) => widen(tag, value))) })],
  decode_tensor: ["bytes", ["mode"], decodeTensor],
  encode_tensor: ["type layout shape byte_offset buffers",
                  ["strides", "scheme", ...schemes.SCHEME_KEYS, "parent_shape", "shard_offset", "statistics",
                   "member_role", "extension_type"], (...given) => ({ bytes: encodeTensor(...given) })],
  dequantize_tensor: ["bytes count", ["mode", ...BUFFERS], (...given) => ({
    out: floatBytes(values.dequantize(...given)) })],
  convert: [FOREIGN_KEYS.join(" "), ["group_index", "super_scales"], convertForeign],
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
    if (error instanceof Unsupported) return `${id} unsupported ${error.message}\n`;
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
