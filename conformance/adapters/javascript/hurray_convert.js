// SPDX-License-Identifier: Apache-2.0
//
// The conversion recipe: weights of a foreign toolchain become a per-block affine tensor. Weights are copied, scales
// carried value for value, and zero points normalized, because Hurray subtracts them as stored.

"use strict";

const { Unsupported, rejectIf, bytesOf } = require("./hurray_basics.js");
const { FLOAT32, packedBytes, unpack, widen } = require("./hurray_elements.js");
const { planeFields, withBias } = require("./hurray_per_tensor.js");
const { PBA, SCHEMES } = require("./hurray_schemes.js");
const { DYNAMIC, ROW_MAJOR, product, encode } = require("./hurray_tensor.js");

// `foreign` has the keys of PROTOCOL.md.
function convert(foreign) {
  const { type, shape, axis, group_size: groupSize, group_major: isGroupMajor, weights } = foreign;
  const { storage, scaleTypes } = SCHEMES.get(PBA);
  rejectIf(![2, 4, 8].includes(foreign.bits) || !["low-first", "high-first"].includes(foreign.order), "plane");
  rejectIf(![1, 4].includes(foreign.word_bytes), "bytes of a word");
  rejectIf(!storage.includes(type) || axis >= shape.length || groupSize === 0 || shape.includes(DYNAMIC), "form");
  rejectIf(!scaleTypes.includes(foreign.scale_type_tag), "type of the scales");
  rejectIf(BigInt(weights.length) !== packedBytes(type, product(shape)), "bytes of weights");
  rejectIf(foreign.super_scales?.length, "scales of scales");
  rejectIf(!isOfRuns(foreign), "groups that are no runs");

  const groups = Math.ceil(Number(shape[axis]) / groupSize), rows = Number(product(shape.filter((_, i) => i !== axis)));
  const count = groups * rows;
  let zeroPoints = withBias(fieldsOf(foreign, ...(isGroupMajor ? [rows, groups] : [groups, rows])), foreign.bias);
  let scales = unpack(foreign.scale_type_tag, count, foreign.scales)
    .map((code) => widen(foreign.scale_type_tag, code));
  rejectIf(!scales.every((scale) => Number.isFinite(scale) && scale !== 0), "scale");
  if (isGroupMajor) {  // all rows of a group become all groups of a row
    const transposed = (list) => list.map((_, i) => list[i % groups * rows + Math.floor(i / groups)]);
    [zeroPoints, scales] = [transposed(zeroPoints), transposed(scales)];
  }
  const bytes = encode({
    type, layout: ROW_MAJOR, shape, byte_offset: 0n,
    buffers: Buffer.concat([weights.length, 4 * count, 4 * count].map(handle)),
    quantization: { scheme: PBA, flags: 0, axis, block_size: groupSize, scale_buffer_index: 1,
                    zero_point_buffer_index: 2, scale_type_tag: FLOAT32 } });
  if (shape[axis] % BigInt(groupSize) !== 0n) throw new Unsupported("a partial last group");
  return { bytes, b0: weights, b1: bytesOf("Float32", scales), b2: bytesOf("Int32", zeroPoints) };
}

function isOfRuns({ shape, axis, group_size: groupSize, group_index: groups }) {
  return !groups || BigInt(groups.length) === shape[axis] &&
                    groups.every((group, i) => group === Math.floor(i / groupSize));
}

// The fields of the plane, in the order of the source.
function fieldsOf({ bits, order, word_bytes: wordBytes, plane }, run, runs) {
  if (wordBytes === 1 || run * runs === 0) return planeFields(bits, order, run * runs, plane);
  const runBytes = Math.ceil(run * bits / 32) * 4;  // each run starts in a word of its own
  rejectIf(plane.length < runs * runBytes, "bytes of the plane");
  return Array.from({ length: runs }, (_, i) => planeFields(bits, order, run, plane.subarray(i * runBytes))).flat();
}

// Of a buffer in the memory of the CPU.
function handle(byteSize) {
  return Buffer.concat([bytesOf("BigUint64", [BigInt(byteSize)]), bytesOf("Uint32", [64, 0])]);
}

module.exports = { convert };
