// SPDX-License-Identifier: Apache-2.0
//
// What all other files share: how a request is refused, and arrays as little-endian bytes.

"use strict";

class Rejected extends Error {}
class Unsupported extends Error {}

function rejectIf(broken, reason) {
  if (broken) throw new Rejected(reason);
}

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// `kind` as DataView names it: Float32, Int32, BigUint64 …
const widthOf = (kind) => Number(kind.match(/\d+$/)[0]) / 8;

function bytesOf(kind, values) {
  const width = widthOf(kind), out = Buffer.alloc(width * values.length), view = viewOf(out);
  values.forEach((value, i) => view[`set${kind}`](width * i, value, true));
  return out;
}

function arrayOf(kind, data, count = Math.floor(data.length / widthOf(kind))) {
  const width = widthOf(kind), view = viewOf(data);
  rejectIf(Number(count) * width !== data.length, "number of elements");
  return Array.from({ length: Number(count) }, (_, i) => view[`get${kind}`](width * i, true));
}

module.exports = { Rejected, Unsupported, rejectIf, viewOf, bytesOf, arrayOf };
