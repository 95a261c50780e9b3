// SPDX-License-Identifier: Apache-2.0
//
// Quantization descriptors of the five schemes: scheme, version and flags, then 32-bit words. A descriptor is an object
// with the keys of PROTOCOL.md. What shape and buffers have to do with it is in hurray_tensor.js.

"use strict";

const { rejectIf, viewOf } = require("./hurray_basics.js");
const { FLOAT32, E8M0 } = require("./hurray_elements.js");
const { AFFINE, checkParameters } = require("./hurray_per_tensor.js");

const PTA = 1, PCA = 2, PBA = 3, NF4 = 4, MXFP = 5, SYMMETRIC = 1, NO_BUFFER = 0xffffffff;
const INDICES = ["scale_buffer_index", "zero_point_buffer_index", "scale_type_tag"];
// The three bytes behind scale_type_tag are zero: read as one word with it they need no rule of their own.
const SCHEMES = new Map([
  [PTA, { words: ["scale", "zero_point", "reserved"], storage: AFFINE }],
  [PCA, { words: ["axis", ...INDICES], storage: AFFINE, scaleTypes: [FLOAT32] }],
  [PBA, { words: ["axis", "block_size", ...INDICES], storage: [0x10, 0x11, 0x48, 0x49, 0x4a, 0x4b],
          scaleTypes: [0x01, 0x02, FLOAT32], sizes: [2, 2 ** 32] }],
  [NF4, { words: ["axis", "block_size", "scale_buffer_index"], storage: [0x49], sizes: [8, 2 ** 32] }],
  [MXFP, { words: ["axis", "block_size", "scale_buffer_index"], storage: [0x10, 0x40, 0x41, 0x43, 0x44, 0x45, 0x48],
           sizes: [16, 2048] }]]);
const SCHEME_KEYS = ["flags", "scale", "zero_point", "axis", "block_size", ...INDICES];

function keysOf(scheme) {
  rejectIf(!SCHEMES.has(scheme), "scheme");
  const { words, scaleTypes } = SCHEMES.get(scheme);
  return ["scheme", ...(scaleTypes ? ["flags"] : []), ...words.filter((name) => name !== "reserved")];
}

const isSymmetric = ({ flags }) => flags === SYMMETRIC;

const scaleTypeOf = ({ scheme, scale_type_tag: tag = FLOAT32 }) => (scheme === MXFP ? E8M0 : tag);

// Indices of the parameter buffers, the one of the scales first.
function parameterIndices(fields) {
  const { scale_buffer_index: scales, zero_point_buffer_index: zeroPoints } = fields;
  return zeroPoints === undefined || isSymmetric(fields) ? [scales] : [scales, zeroPoints];
}

function check(tag, fields, writes) {
  const { storage, scaleTypes, sizes } = SCHEMES.get(fields.scheme), { flags } = fields;
  rejectIf(flags > (scaleTypes ? SYMMETRIC : 0) || !storage.includes(tag) || fields.reserved,
           "flags, type or reserved bytes");
  if (fields.scheme === PTA) checkParameters(tag, fields.scale, fields.zero_point);
  if (scaleTypes) {
    rejectIf(!scaleTypes.includes(fields.scale_type_tag), "type of the scales");
    // A reader of a symmetric PBA descriptor overlooks the index; of PCA, and a writer, it has one value.
    const isOverlooked = fields.scheme === PBA && isSymmetric(fields) && !writes;
    rejectIf((fields.zero_point_buffer_index === NO_BUFFER) !== isSymmetric(fields) && !isOverlooked, "index");
  }
  const size = fields.block_size;
  rejectIf(sizes && (size < sizes[0] || size > sizes[1] || (size & size - 1) !== 0), "block size");
}

const READ = { scale: "getFloat32", zero_point: "getInt32" }, WRITE = { scale: "setFloat32", zero_point: "setInt32" };

// Bytes behind those of the scheme are skipped.
function decode(tag, data) {
  rejectIf(data.length < 4 || !SCHEMES.has(data[0]) || data[1] !== 1, "scheme or version");
  const { words } = SCHEMES.get(data[0]), view = viewOf(data);
  rejectIf(data.length < 4 + 4 * words.length, "too short");
  const fields = { scheme: data[0], flags: view.getUint16(2, true) };
  words.forEach((name, i) => { fields[name] = view[READ[name] || "getUint32"](4 + 4 * i, true); });
  check(tag, fields, false);
  return Object.fromEntries(keysOf(fields.scheme).map((key) => [key, fields[key]]));
}

function encode(tag, given) {
  const keys = keysOf(given.scheme), { words } = SCHEMES.get(given.scheme);
  rejectIf(!keys.every((key) => key in given) || Object.keys(given).length !== keys.length, "fields of the scheme");
  const fields = { flags: 0, reserved: 0, ...given }, out = Buffer.alloc(4 + 4 * words.length), view = viewOf(out);
  check(tag, fields, true);
  out.set([fields.scheme, 1, fields.flags, 0]);
  words.forEach((name, i) => view[WRITE[name] || "setUint32"](4 + 4 * i, fields[name], true));
  return out;
}

module.exports = { PTA, PCA, PBA, NF4, MXFP, SCHEMES, SCHEME_KEYS, scaleTypeOf, parameterIndices, decode, encode };
