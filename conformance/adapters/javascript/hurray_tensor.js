// SPDX-License-Identifier: Apache-2.0
//
// Tensor descriptors, row-major, column-major and strided. A tensor is an object with the keys of PROTOCOL.md, 64-bit
// numbers as BigInt, and the fields of its quantization descriptor, if any, under `quantization`.
//
// A strict reader: everything that the format forbids is refused. Where rulings leave a choice it accepts.

"use strict";

const { rejectIf, bytesOf } = require("./hurray_basics.js");
const { ELEMENTS, elementOf, runOf } = require("./hurray_elements.js");
const schemes = require("./hurray_schemes.js");
const { PTA, PCA, MXFP, SCHEMES } = schemes;

const DYNAMIC = 2n ** 64n - 1n;
const ROW_MAJOR = 1, COLUMN_MAJOR = 2, STRIDED = 3, LAYOUTS = [ROW_MAJOR, COLUMN_MAJOR, STRIDED];
const QUANTIZATION = 1, SHARD = 2, EXTENSION_TYPE = 4, STATISTICS = 8, MEMBER = 16;  // flags of the sections
const HEADER_BYTES = 20, HANDLE_BYTES = 16;
const HIGHEST_CLASS = [2, 3, 3, 2, 3, 0, 2, 3, 2];  // of each device

const isPrivate = (tag) => tag >= 0xf0 && tag <= 0xfe;
const product = (sizes) => sizes.reduce((all, size) => all * size, 1n);
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0n);

// --- From bytes, and to bytes

class Reader {
  constructor(data) {
    this.rest = data;
  }

  bytes(count) {
    rejectIf(count > this.rest.length, "behind the end");
    const taken = this.rest.subarray(0, count);
    this.rest = this.rest.subarray(count);
    return taken;
  }

  u8() { return this.bytes(1)[0]; }
  u32() { return this.bytes(4).readUInt32LE(); }
  u64() { return this.bytes(8).readBigUInt64LE(); }
  u64s(count) { return Array.from({ length: count }, () => this.u64()); }
}

function decode(data, mode) {
  const start = new Reader(data);
  rejectIf(start.bytes(4).toString("latin1") !== "HRRY" || start.u8() !== 1, "magic or version");
  const version = `1.${start.u8()}`, length = start.u32();
  rejectIf(length < HEADER_BYTES || length > data.length, "descriptor_length");
  const reader = new Reader(data.subarray(10, length));
  const flags = reader.u32(), type = reader.u8(), layout = reader.u8(), rank = reader.u32();
  rejectIf(flags > 31 || rank > 64 || !LAYOUTS.includes(layout), "flags, rank or layout");
  const tensor = { length, version, type, layout, shape: reader.u64s(rank), byte_offset: reader.u64() };
  if (layout === STRIDED) tensor.strides = reader.u64s(rank).map((stride) => BigInt.asIntN(64, stride));
  tensor.buffers = reader.bytes(HANDLE_BYTES * reader.u8());
  if (flags & QUANTIZATION) tensor.quantization = decodeSection(type, reader.bytes(reader.u32()), mode);
  if (flags & SHARD) Object.assign(tensor, { parent_shape: reader.u64s(rank), shard_offset: reader.u64s(rank) });
  if (flags & STATISTICS) tensor.statistics = reader.bytes(72);
  if (flags & EXTENSION_TYPE) tensor.extension_type = reader.bytes(20);
  if (flags & MEMBER) {
    tensor.member_role = reader.u8();
    rejectIf(reader.bytes(15).some((byte) => byte !== 0), "reserved bytes");
  }
  check(tensor);
  return tensor;
}

// A permissive reader steps over the section of an unknown scheme, by its length.
function decodeSection(type, section, mode) {
  const isUnknown = section.length >= 4 && ![0, 0xff].includes(section[0]) && !SCHEMES.has(section[0]);
  return mode === "permissive" && isUnknown ? { scheme: section[0] } : schemes.decode(type, section);
}

function encode(tensor) {
  const { type, layout, shape, strides, buffers, quantization, parent_shape: parent, shard_offset: offset } = tensor;
  rejectIf((layout === STRIDED) !== Boolean(strides) || !parent !== !offset, "strides or shard");
  rejectIf([strides, parent, offset].some((list) => list && list.length !== shape.length), "rank");
  const section = quantization && schemes.encode(type, quantization);
  check(tensor);
  const sections = [
    [QUANTIZATION, section && Buffer.concat([bytesOf("Uint32", [section.length]), section])],
    [SHARD, parent && bytesOf("BigUint64", [...parent, ...offset])],
    [STATISTICS, tensor.statistics],
    [EXTENSION_TYPE, tensor.extension_type],
    [MEMBER, "member_role" in tensor && Buffer.of(tensor.member_role, ...Array(15).fill(0))],
  ].filter(([, bytes]) => bytes);
  const body = Buffer.concat([
    bytesOf("BigUint64", [...shape, tensor.byte_offset, ...(strides || [])]),
    Buffer.of(buffers.length / HANDLE_BYTES), buffers, ...sections.map(([, bytes]) => bytes)]);
  const header = Buffer.from("HRRY\x01".padEnd(HEADER_BYTES, "\0"));
  header.writeUInt32LE(HEADER_BYTES + body.length, 6);
  header.writeUInt32LE(sections.reduce((flags, [flag]) => flags | flag, 0), 10);
  header.set([type, layout, shape.length], 14);
  return Buffer.concat([header, body]);
}

function handlesOf({ buffers }) {
  return Array.from({ length: buffers.length / HANDLE_BYTES }, (_, i) => {
    const handle = buffers.subarray(HANDLE_BYTES * i), [device, sync, memory, reserved] = handle.subarray(12);
    return { byteSize: handle.readBigUInt64LE(), alignment: handle.readUInt32LE(8), device, sync, memory, reserved };
  });
}

// --- Rules

function check(tensor) {
  const { type, shape, layout, quantization, byte_offset: offset } = tensor, isPrivateType = isPrivate(type);
  rejectIf(!ELEMENTS.has(type) && !isPrivateType, "element type");
  rejectIf(isPrivateType !== "extension_type" in tensor || isPrivateType && quantization, "private element type");
  rejectIf(!LAYOUTS.includes(layout), "layout");
  rejectIf(shape.length > 64 || shape.length === 0 && layout !== ROW_MAJOR, "rank");
  const handles = handlesOf(tensor);
  checkHandles(tensor, handles);
  checkSections(tensor);
  const isKnown = !quantization || SCHEMES.has(quantization.scheme);
  if (!quantization) rejectIf(handles.length !== 1, "number of buffers");
  else if (isKnown) checkQuantization(tensor, handles);
  const isCounted = isKnown && !isPrivateType && !shape.includes(DYNAMIC);
  const { first, end } = isCounted ? dataRange(tensor) : { first: 0n, end: 0n };
  rejectIf(offset + first < 0n || offset + end > handles[0].byteSize, "data buffer");
}

function checkHandles({ buffers }, handles) {
  rejectIf(buffers.length % HANDLE_BYTES !== 0 || handles.length < 1 || handles.length > 255, "number of buffers");
  for (const { byteSize, alignment, device, sync, memory, reserved } of handles) {
    rejectIf(alignment === 0 || (alignment & alignment - 1) !== 0 || byteSize > 0n && alignment < 64, "alignment");
    const highest = isPrivate(device) ? 0 : HIGHEST_CLASS[device] ?? -1;
    rejectIf(memory > highest && !(isPrivate(device) && isPrivate(memory)), "device or memory class");
    rejectIf(sync > (device ? 2 : 0) || reserved, "sync mode or reserved byte");
    rejectIf(device !== handles[0].device || memory !== handles[0].memory, "buffers in several places");
  }
}

function checkSections({ shape, parent_shape: parent = [], shard_offset: offset, ...tensor }) {
  parent.forEach((most, i) => {
    const isOpen = most === DYNAMIC || shape[i] === DYNAMIC;
    rejectIf(!isOpen && offset[i] + shape[i] > most, "shard outside its parent");
  });
  const { statistics = Buffer.alloc(72), extension_type: extension = Buffer.alloc(20), member_role: role = 0 } = tensor;
  rejectIf(statistics.length !== 72 || extension.length !== 20, "bytes of a section");
  rejectIf(statistics.readUInt32LE() > 63, "statistics mask");
  rejectIf(role > 1, "member role");
}

// What a scheme asks of shape and buffers.
function checkQuantization(tensor, handles) {
  const { shape, quantization: { scheme, axis, block_size: size } } = tensor;
  if (scheme === PTA) {
    rejectIf(handles.length !== 1, "number of buffers");
    return;
  }
  rejectIf(axis >= shape.length || shape[axis] === DYNAMIC, "axis");
  const extent = shape[axis];
  if (scheme === MXFP) rejectIf(extent === 0n || extent % BigInt(size) !== 0n, "not a multiple of the block size");
  else rejectIf(extent > 0n && extent < size, "blocks longer than the axis");
  const needed = parameterSizes(tensor);
  rejectIf(needed.has(0) || handles.length !== 1 + needed.size, "index of a buffer, or number of buffers");
  // Blocks depend on all dimensions, channels on one, which is known.
  const isCounted = scheme === PCA || !shape.includes(DYNAMIC);
  for (const [index, bytes] of needed) {
    rejectIf(index >= handles.length, "index of a buffer");
    rejectIf(isCounted && handles[index].byteSize !== bytes, "size of a parameter buffer");
  }
}

// Of per-channel every index is a block; the last block may be a partial one.
function blocksOnAxis({ shape, quantization: { axis, block_size: size = 1 } }) {
  return (shape[axis] + BigInt(size) - 1n) / BigInt(size);
}

function parameterCount(tensor) {
  const { shape, quantization: { scheme, axis } } = tensor;
  return blocksOnAxis(tensor) * (scheme === PCA ? 1n : product(shape.filter((_, i) => i !== axis)));
}

// From the index of a buffer to its bytes; both arrays may lie in one buffer, the scales first.
function parameterSizes(tensor) {
  const { quantization } = tensor, widths = [elementOf(schemes.scaleTypeOf(quantization)).bits / 8, 4];
  const sizes = new Map();
  schemes.parameterIndices(quantization).forEach((index, i) => {
    sizes.set(index, (sizes.get(index) ?? 0n) + BigInt(widths[i]) * parameterCount(tensor));
  });
  return sizes;
}

// First and end of the data's bytes, counted from byte_offset.
function dataRange({ type, shape, strides }) {
  if (shape.includes(0n)) return { first: 0n, end: 0n };
  const { elements, bytes } = runOf(type);
  const run = (i) => (i < 0n ? i - elements + 1n : i) / elements;  // division of BigInt is towards zero
  const reach = strides ? strides.map((stride, i) => (shape[i] - 1n) * stride) : [product(shape) - 1n];
  const low = sum(reach.filter((distance) => distance < 0n)), high = sum(reach.filter((distance) => distance > 0n));
  return { first: run(low) * bytes, end: (run(high) + 1n) * bytes };
}

module.exports = { DYNAMIC, ROW_MAJOR, STRIDED, LAYOUTS, product, decode, encode, handlesOf, blocksOnAxis,
                   parameterCount };
