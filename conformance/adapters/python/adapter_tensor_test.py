#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the Python adapter agree with the second oracle on descriptors of all schemes, element types,
tensors and conversion? Random requests, most of them valid or nearly so: legal ones with a byte changed, a
size off by one, a field out of its range. One test for each group of verbs, held against the alternatives
with verdict `pass` and against each other, as in adapter_test.py.
"""

import random
import struct
import unittest

from adapter_test import ask_all, matches, second_oracle  # which also finds the oracle
import by_hand
import elements
import schemes

# May differ from case to case.
FREE = {"trailing-bytes", "partial-block-data", "unknown-scheme", "nf4-zero-sign", "writer-choice"}
SCALES = [0x3F800000, 0x3F000000, 0x3DCCCCCD, 0x00000001, 0x7F7FFFFF, 0xBF000000]


def packed(letter, numbers):
    return struct.pack(f"<{len(numbers)}{letter}", *numbers)


class Case:
    """A random tensor, legal as a rule; `bad()` says now and then that something should be off."""

    def __init__(self, rng, carelessness):
        self.rng, self.carelessness = rng, carelessness
        self.scheme = rng.choice(list(schemes.FORMS))
        self.type = rng.choice(sorted(schemes.STORAGE_TYPES[self.scheme]))
        self.block = 1 << rng.randrange(4, 6) if self.scheme == 5 else 8 if self.scheme == 4 else 2 << rng.randrange(3)
        rank = rng.choice([1, 1, 2, 3]) if self.scheme > 1 else rng.randrange(4)
        self.shape = [rng.randrange(1, 4) for _ in range(rank)]
        self.axis = rng.randrange(rank) if rank else 0
        if self.scheme > 2:
            self.shape[self.axis] = self.block * rng.randrange(1, 3)
        if self.scheme in (3, 4) and rank == 1 and rng.random() < 0.2:
            self.shape[0] += rng.randrange(1, self.block)
        if rank and self.bad():
            self.shape[rng.randrange(rank)] = rng.choice([0, 1, 31])
        if rank and rng.random() < 0.05:
            self.shape[rng.randrange(rank)] = (1 << 64) - 1  # dynamic
        self.layout = rng.choice([1, 1, 2, 3]) if rank else 1
        self.strides = None
        if self.layout == 3:  # dense in some order, reversed in some dimensions, or all over the place
            self.strides, step = [0] * rank, rng.choice([1, 1, 2])
            for dimension in rng.sample(range(rank), rank):
                self.strides[dimension] = step * rng.choice([1, 1, -1])
                step *= min(self.shape[dimension], 40)
        self.sections()

    def bad(self):
        return self.rng.random() < self.carelessness

    def off(self, n):
        return max(0, n + self.rng.choice([-1, 1])) if self.bad() else n

    def sections(self):
        rng, per_axis = self.rng, 1
        symmetric = self.scheme in (2, 3) and rng.random() < 0.3
        shared = self.scheme in (2, 3) and not symmetric and rng.random() < 0.15
        self.scale_type = rng.choice([1, 2, 3]) if self.scheme == 3 else 3
        self.width = {1: 0, 5: 1, 3: {1: 2, 2: 2, 3: 4}[self.scale_type]}.get(self.scheme, 4)
        if self.scheme > 1:
            per_axis = -(-self.shape[self.axis] // (self.block if self.scheme > 2 else 1))
        self.entries = per_axis
        for dimension, size in enumerate(self.shape):
            self.entries *= size if dimension != self.axis and self.scheme > 2 else 1
        self.entries = min(self.entries, 4000)
        self.count = min(elements_of(self.shape), 4000)
        self.offset = rng.choice([0, 0, 1, 5])
        first, end = self.extent()
        self.offset += max(0, -first)
        sizes = [self.off(self.offset + end)]
        if self.width:
            zeros = 0 if symmetric else 4 * self.entries
            sizes += ([self.off(self.width * self.entries + zeros)] if shared else
                      [self.off(self.width * self.entries)] + ([] if symmetric else [self.off(zeros)]))
        self.contents = [rng.randbytes(size) for size in sizes]
        self.sizes = sizes
        if self.width:
            self.contents[1] = self.parameters(symmetric, shared)[0][:sizes[1]].ljust(sizes[1], b"\1")
            if len(sizes) > 2:
                self.contents[2] = self.parameters(symmetric, shared)[1][:sizes[2]].ljust(sizes[2], b"\1")
        index = (1 << 32) - 1 if symmetric else 1 if shared else 2
        if self.bad():
            index = rng.choice([0, 1, 2, 3, (1 << 32) - 1])
        self.fields = {"flags": f"{symmetric + 0:04x}", "axis": self.axis, "block_size": self.block,
                       "scale_buffer_index": 1,
                       "zero_point_buffer_index": index, "scale_type_tag": f"{self.scale_type:02x}",
                       "scale": f"{rng.choice(SCALES):08x}", "zero_point": rng.choice([0, 1, 1, -2, 300])}
        if self.bad():
            self.fields["axis"] = rng.randrange(4)
            self.fields["block_size"] = rng.choice([0, 1, 3, 4, 16, 64])
        names = (("flags",) if self.scheme in (2, 3) else ()) + schemes.FORMS[self.scheme][1]
        self.fields = {name: self.fields[name] for name in names if name in self.fields}

    def extent(self):
        per_group, size = elements.group(self.type)
        low, high = 0, self.count - 1
        if self.strides is not None:
            reach = [(min(extent, 4000) - 1) * stride for extent, stride in zip(self.shape, self.strides)]
            low, high = sum(min(0, r) for r in reach), sum(max(0, r) for r in reach)
        if self.count == 0:
            return 0, 0
        return low // per_group * size, (high // per_group + 1) * size

    def parameters(self, symmetric, shared):
        rng, n = self.rng, self.entries
        if self.scheme == 5:
            scales = bytes(rng.randrange(0 if self.bad() else 1, 255) for _ in range(n))
        elif self.width == 2:
            scales = packed("H", [rng.randrange(1, 0x7C00) for _ in range(n)])
        else:
            scales = packed("I", [rng.choice(SCALES if self.scheme != 4 else SCALES[:5] + [0]) for _ in range(n)])
            scales = packed("I", [rng.getrandbits(32)] * n) if self.bad() else scales
        low, high = (-2, 2) if self.bad() else (0, 2)
        zeros = packed("i", [rng.randrange(low, high) for _ in range(n)])
        if self.scheme == 3 and rng.random() < 0.1:
            zeros = packed("i", [rng.choice([-2**31, 2**31 - 1]) for _ in range(n)])
        return (scales + zeros, b"") if shared else (scales, zeros)

    def section(self):
        form, names = schemes.FORMS[self.scheme]
        values = [int(self.fields[name], 16) if name in ("scale", "scale_type_tag") else bytes(4) if name == "reserved"
                  else self.fields[name] for name in names]
        data = struct.pack(form, self.scheme, 1, int(self.fields.get("flags", "0"), 16), *values)
        if self.bad():
            data = self.changed(data)
        return (data + (self.rng.randbytes(3) if self.bad() else b"")).hex()

    def changed(self, data):
        data = bytearray(data)
        data[self.rng.randrange(len(data))] ^= 1 << self.rng.randrange(8)
        return bytes(data)

    def table(self):
        place = self.rng.choice([(0, 0, 0)] * 9 + [(0, 0, 1), (1, 2, 3)])  # device, sync mode, memory class
        handles = [by_hand.handle(size, self.rng.choice([64, 128]), *place) for size in self.sizes]
        if self.bad():
            at = self.rng.randrange(len(handles))
            handles[at] = by_hand.handle(self.sizes[at], self.rng.choice([0, 1, 32, 64, 65]), *self.rng.choice(
                [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 3), (9, 0, 0), (0, 0, 3), (0, 0, 0, 1)]))
        return handles

    def tail(self):
        """(flags, bytes, keys) of the sections behind quantization."""
        rng, rank = self.rng, len(self.shape)
        flags, data, keys = 0, b"", {}
        if rng.random() < 0.1:
            parent = [min(size + rng.randrange(3), (1 << 64) - 1) for size in self.shape]
            offset = [rng.randrange(3 if self.bad() else 1) for _ in range(rank)]
            flags, data = 2, packed("Q", parent + offset)
            keys.update(parent_shape=packed("Q", parent).hex(), shard_offset=packed("Q", offset).hex())
        if rng.random() < 0.1:
            statistics = packed("I", [rng.randrange(128 if self.bad() else 64)]) + rng.randbytes(68)
            flags, data = flags | 8, data + statistics
            keys["statistics"] = statistics.hex()
        if rng.random() < 0.1:
            role = rng.randrange(3 if self.bad() else 2)
            flags, data = flags | 16, data + bytes([role]) + bytes(15)
            keys["member_role"] = f"{role:02x}"
        return flags, data, keys

    def descriptor(self):
        flags, tail, _ = self.tail()
        quantized = self.rng.random() < 0.9
        data = by_hand.tensor(self.type, self.shape, self.table(), self.section() if quantized else None, self.layout,
                              self.strides, self.offset, flags, tail + (b"\0" if self.bad() else b""),
                              (1, self.rng.choice([0, 0, 0, 1]) if self.bad() else 0))
        return self.changed(data) if self.bad() else data

    def keys_of_encode(self):
        keys = {"type": f"{self.type:02x}", "layout": self.layout, "shape": packed("Q", self.shape).hex(),
                "byte_offset": self.offset, "buffers": b"".join(self.table()).hex(), **self.tail()[2]}
        if self.strides is not None:
            keys["strides"] = packed("q", self.strides).hex()
        keys.update(scheme=self.scheme, **self.fields)
        return " ".join(f"{key}={value}" for key, value in keys.items())


def elements_of(shape):
    count = 1
    for size in shape:
        count *= size
    return count


def of_schemes(rng):
    case = Case(rng, rng.choice([0, 0.1]))
    fields = " ".join(f"{key}={value}" for key, value in case.fields.items())
    return rng.choice([f"decode type={case.type:02x} bytes={case.section()}",
                       f"encode type={case.type:02x} scheme={case.scheme} {fields}"])


def of_tensors(rng):
    case = Case(rng, rng.choice([0, 0, 0.05, 0.1]))
    data, count = case.descriptor().hex(), case.off(case.count)
    contents = " ".join(f"b{i}={content.hex()}" for i, content in enumerate(case.contents))
    mode = rng.choice(["", "", " mode=strict", " mode=permissive"])
    return rng.choice([f"decode_tensor bytes={data}{rng.choice(['', '00'])}{mode}",
                       f"encode_tensor {case.keys_of_encode()}",
                       f"dequantize_tensor bytes={data} count={count} {contents}{mode}"])


def of_elements(rng):
    tag, n = rng.choice([*elements.BITS, 0x47, 0xF0]), rng.randrange(12)
    bits = elements.BITS.get(tag, 8)
    data = rng.randbytes(elements.packed_size(tag, n)) if tag in elements.BITS else b""
    bits = min(rng.choice([bits, bits - 1, bits + 1]), 63)
    values = [rng.getrandbits(max(bits, 1)) - rng.choice([0, 0, 1 << max(bits - 1, 0)]) for _ in range(n)]
    if tag == elements.COMPLEX64 or elements.BITS.get(tag, 0) > 64:
        return f"packed_bytes type={tag:02x} count={rng.getrandbits(64)}"
    return rng.choice([f"pack type={tag:02x} count={n} values={packed('q', values).hex()}",
                       f"unpack type={tag:02x} count={n} packed={data.hex()}",
                       f"widen type={tag:02x} count={n} packed={data.hex()}",
                       f"packed_bytes type={tag:02x} count={rng.getrandbits(rng.choice([8, 64]))}"])


def of_conversion(rng):
    bad = (lambda: rng.random() < 0.04) if rng.random() < 0.5 else (lambda: False)
    group_size, rank = 2 << rng.randrange(3), rng.randrange(1, 4)
    shape, axis = [rng.randrange(1, 4) for _ in range(rank)], rng.randrange(rank)
    shape[axis] = group_size * rng.randrange(1, 4)
    groups, count = shape[axis] // group_size, elements_of(shape) // group_size
    rows, group_major, word_bytes, bits = count // groups, rng.randrange(2), rng.choice([1, 4]), rng.choice([2, 4, 8])
    run, runs = (rows, groups) if group_major else (groups, rows)
    plane_bytes = -(-run * bits // 32) * 4 * runs if word_bytes == 4 else -(-count * bits // 8)
    tag, scale_type = rng.choice(sorted(schemes.STORAGE_TYPES[3])), rng.choice([1, 2, 3])
    weights = elements.pack(tag, [rng.getrandbits(8) for _ in range(elements_of(shape))])
    scales = (packed("I", [rng.choice(SCALES) for _ in range(count)]) if scale_type == 3 else
              packed("H", [rng.randrange(0 if bad() else 1, 0x7C00) for _ in range(count)]))
    keys = {"type": f"{tag:02x}", "shape": packed("Q", shape).hex(), "axis": rng.randrange(4) if bad() else axis,
            "group_size": rng.choice([0, 1, 3, 64]) if bad() else group_size, "bits": 3 if bad() else bits,
            "bias": rng.choice([0, 1, -1, 2**31 - 2]), "order": rng.choice(["low-first", "high-first"]),
            "group_major": group_major, "word_bytes": 2 if bad() else word_bytes, "scale_type_tag": f"{scale_type:02x}",
            "weights": (weights[1:] if bad() else weights).hex(), "scales": (scales + b"\1" if bad() else scales).hex(),
            "plane": rng.randbytes(max(0, plane_bytes + (-1 if bad() else rng.randrange(3)))).hex()}
    if rng.random() < 0.2:
        group_index = [i // group_size for i in range(shape[axis])]
        if bad():
            rng.shuffle(group_index)
        keys["group_index"] = packed("I", group_index).hex()
    if rng.random() < 0.1:
        keys["super_scales"] = "0000803f" if bad() else ""
    return "convert " + " ".join(f"{key}={value}" for key, value in keys.items())


class Agreement(unittest.TestCase):
    def check(self, make, count, least_accepted):
        rng = random.Random(20251)
        requests, accepted, shown = [], 0, {}
        while len(requests) < count:
            request = make(rng)
            try:
                second_oracle.ask(request)
                requests.append(request)
            except second_oracle.alternatives.RequestError:
                continue  # a buffer that is missing, or a partial group: nobody is asked
        for request, answer in zip(requests, ask_all(requests)):
            alternatives = second_oracle.ask(request)
            matching = [a for a in alternatives if a["verdict"] == "pass" and matches(request, answer, a)]
            self.assertTrue(matching, f"{request}\n  adapter: {answer}\n  oracle: {alternatives}")
            accepted += answer.startswith("ok")
            for behaviour, options in matching[0]["shows"].items():
                shown[behaviour] = shown.get(behaviour, set(options)) & set(options)
                self.assertTrue(shown[behaviour] or behaviour in FREE, f"{request}: no longer one {behaviour}")
        self.assertGreater(accepted, least_accepted * count)
        return shown

    def test_schemes(self):
        self.assertIn("longer-section", self.check(of_schemes, 1500, 0.4))

    def test_elements(self):
        self.assertIn("unused-bits", self.check(of_elements, 1500, 0.4))

    def test_tensors(self):
        shown = self.check(of_tensors, 4000, 0.4)
        self.assertLessEqual({"shared-parameter-buffer", "handle-bytes", "dynamic-dimension", "int32-difference",
                              "uint32-codes", "unused-bits", "longer-section"}, shown.keys())

    def test_conversion(self):
        self.check(of_conversion, 800, 0.4)


if __name__ == "__main__":
    unittest.main()
