// SPDX-License-Identifier: Apache-2.0
//
// The real values of a tensor, in row-major order of its shape whatever its layout.

"use strict";

const { rejectIf } = require("./hurray_basics.js");
const { INT32, elementOf, elementReader, unpack, widen } = require("./hurray_elements.js");
const { checkParameters, realValue } = require("./hurray_per_tensor.js");
const { PTA, PCA, PBA, NF4, MXFP, SCHEMES, scaleTypeOf, parameterIndices } = require("./hurray_schemes.js");
const { DYNAMIC, ROW_MAJOR, STRIDED, product, decode, handlesOf, blocksOnAxis, parameterCount } =
  require("./hurray_tensor.js");

// NF4, as bit patterns of binary32.
const LEVELS = new Float32Array(new Uint32Array([
  0xbf800000, 0xbf3239b1, 0xbf066b30, 0xbeca32a0, 0xbe91a24d, 0xbe3d353f, 0xbdba7871, 0x00000000,
  0x3da2faff, 0x3e24cae3, 0x3e7c04dd, 0x3ead033a, 0x3ee1a4b8, 0x3f1007ab, 0x3f3913b3, 0x3f800000]).buffer);

// The keys b0, b1 … are the buffers of the descriptor.
function dequantize(data, count, { mode, ...buffers }) {
  const tensor = decode(data, mode), { type, shape, quantization } = tensor;
  rejectIf(quantization && !SCHEMES.has(quantization.scheme), "no scheme to compute with");
  rejectIf(shape.includes(DYNAMIC) || product(shape) !== count, "number of elements");
  const contents = handlesOf(tensor).map(({ byteSize }, i) => {
    const content = buffers[`b${i}`] ?? Buffer.alloc(0);
    rejectIf(content.length < byteSize, "a buffer is shorter than its handle says");
    return content;
  });
  if (count === 0n) return [];
  rejectIf(elementOf(type).isOpaque, "no real numbers");
  const sizes = shape.map(Number), strides = stridesOf(tensor, sizes);
  const code = elementReader(type, contents[0], Number(tensor.byte_offset)), real = realOf(tensor, contents, sizes);
  return Array.from({ length: Number(count) }, (_, n) => {
    const index = indexOf(n, sizes);
    return real(code(index.reduce((at, each, dimension) => at + each * strides[dimension], 0)), index);
  });
}

// The index of the nth element in row-major order.
function indexOf(n, sizes) {
  return sizes.reduceRight((index, size) => {
    index.unshift(n % size);
    n = Math.floor(n / size);
    return index;
  }, []);
}

function stridesOf({ layout, strides }, sizes) {
  if (layout === STRIDED) return strides.map(Number);
  const fastestFirst = layout === ROW_MAJOR ? [...sizes.keys()].reverse() : [...sizes.keys()], steps = [];
  fastestFirst.reduce((step, dimension) => {
    steps[dimension] = step;
    return step * sizes[dimension];
  }, 1);
  return steps;
}

// A function from the code and the index of an element to its value.
function realOf(tensor, contents, sizes) {
  const { type, quantization } = tensor;
  if (!quantization) return (code) => widen(type, code);
  const { scheme } = quantization, { scales, zeroPoints } = parameters(tensor, contents);
  const place = parameterPlace(tensor, sizes);
  if (scheme === NF4) return (code, index) => Math.fround(scales[place(index)] * LEVELS[code]);
  if (scheme === MXFP) return (code, index) => Math.fround(scales[place(index)] * widen(type, code));
  return (code, index) => realValue(scales[place(index)], code, zeroPoints[place(index)]);
}

// A scale and a zero point for every place; what a scheme excludes is refused.
function parameters(tensor, contents) {
  const { type, quantization } = tensor, { scheme } = quantization;
  if (scheme === PTA) return { scales: [quantization.scale], zeroPoints: [quantization.zero_point] };
  const count = Number(parameterCount(tensor)), scaleType = scaleTypeOf(quantization);
  const scaleBytes = count * elementOf(scaleType).bits / 8, indices = parameterIndices(quantization);
  const scales = unpack(scaleType, count, contents[indices[0]].subarray(0, scaleBytes))
    .map((code) => widen(scaleType, code));
  let zeroPoints = Array(count).fill(0);
  if (indices.length === 2) {
    const start = indices[0] === indices[1] ? scaleBytes : 0;
    zeroPoints = unpack(INT32, count, contents[indices[1]].subarray(start, start + 4 * count));
  }
  scales.forEach((scale, i) => {
    if (scheme === PCA) checkParameters(type, scale, zeroPoints[i]);
    rejectIf(!Number.isFinite(scale) || scheme === PBA && scale === 0 || scheme === NF4 && scale < 0, "scale");
  });
  return { scales, zeroPoints };
}

// A function from the index of an element to the place of its channel or block.
function parameterPlace(tensor, sizes) {
  const { scheme, axis, block_size: size } = tensor.quantization;
  if (scheme === PTA) return () => 0;
  if (scheme === PCA) return (index) => index[axis];
  const blocks = Number(blocksOnAxis(tensor));
  return (index) => {
    const outer = index.reduce((at, each, dimension) => (dimension === axis ? at : at * sizes[dimension] + each), 0);
    return outer * blocks + Math.floor(index[axis] / size);
  };
}

module.exports = { dequantize };
