// SPDX-License-Identifier: Apache-2.0
//
// Arrays with one scale and one zero point: the per-tensor affine scheme, the plane of a foreign toolchain's zero
// points, and the four functions of the firmware header.

"use strict";

const { Unsupported, rejectIf, bytesOf, arrayOf } = require("./hurray_basics.js");
const { ELEMENTS, unpack, pack } = require("./hurray_elements.js");

const AFFINE = [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x48, 0x49, 0x4a, 0x4b];

function affineElement(tag) {
  rejectIf(!AFFINE.includes(tag), "storage type");
  return ELEMENTS.get(tag);
}

function checkParameters(tag, scale, zeroPoint) {
  const { low, high } = affineElement(tag);
  rejectIf(!Number.isFinite(scale) || scale === 0, "scale is zero, infinite or not a number");
  rejectIf(zeroPoint < low || zeroPoint > high, "zero point outside the storage type");
}

// Two roundings: of the difference to binary32, then of the product.
const realValue = (scale, q, zeroPoint) => Math.fround(scale * Math.fround(q - zeroPoint));

function dequantize(tag, scale, zeroPoint, count, data) {
  affineElement(tag);
  return unpack(tag, count, data).map((q) => realValue(scale, q, zeroPoint));
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

// The first `count` fields of a plane as they are stored.
function planeFields(bits, order, count, packed) {
  rejectIf(![2, 4, 8].includes(bits) || !["low-first", "high-first"].includes(order), "bits or order");
  rejectIf(BigInt(packed.length) * 8n < BigInt(count) * BigInt(bits), "too few bytes");
  const perByte = 8 / bits;
  return Array.from({ length: Number(count) }, (_, i) => {
    const place = order === "low-first" ? i % perByte : perByte - 1 - i % perByte;
    return packed[Math.floor(i / perByte)] >> place * bits & 2 ** bits - 1;
  });
}

function withBias(fields, bias) {
  const zeroPoints = fields.map((field) => field + bias);
  rejectIf(zeroPoints.some((zeroPoint) => zeroPoint > 2 ** 31 - 1), "beyond int32");
  return zeroPoints;
}

function normalize(bits, bias, order, count, packed) {
  return withBias(planeFields(bits, order, count, packed), bias);
}

function ra8(name, scale, zeroPoint, count, data) {
  const tag = name.endsWith("i8") ? 0x10 : 0x11;
  if (!/^(de)?quantize_[iu]8$/.test(name)) throw new Unsupported("function");
  if (name.startsWith("de")) {
    return { code: "0000", out: bytesOf("Float32", dequantize(tag, scale, zeroPoint, count, data)) };
  }
  if (!(scale > 0 && scale < Infinity)) return { code: "0103" };  // invalid_arg, nothing written
  return { code: "0000", out: quantize(tag, scale, zeroPoint, arrayOf("Float32", data, count)) };
}

module.exports = { AFFINE, checkParameters, realValue, dequantize, quantize, planeFields, withBias, normalize, ra8 };
