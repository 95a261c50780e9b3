#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A complete adapter in Python, judged over the line protocol of conformance/PROTOCOL.md.

What is under judgement are the modules that it imports: put yours in their place. This file has one row for
each verb, turns text into values and values into text, and can stay as it is.
"""
import os
import struct

import hurray_elements as elements
import hurray_per_tensor as per_tensor
import hurray_schemes as schemes
import hurray_tensor as tensors
from hurray_convert import convert
from hurray_values import dequantize as dequantize_tensor

SCHEME_KEYS = ("flags scale zero_point axis block_size scale_buffer_index zero_point_buffer_index "
               "scale_type_tag").split()


def tags(numbers):
    return ",".join(f"{tag:02x}" for tag in sorted(numbers))


def hello(version):
    affine, described = tags(per_tensor.TYPES), tags(set.union(*schemes.STORAGE.values()))
    return {"version": 1, "name": "python", "contract": "hurray,ra8", "schemes": "1,2,3,4,5",
            "ops": "normalize,pack,unpack,packed_bytes,widen,convert,decode_tensor,encode_tensor,dequantize_tensor",
            "types.decode": described, "types.encode": described, "types.dequantize": affine,
            "types.quantize": affine, "types.element": tags(t for t, bits in elements.BITS.items() if bits <= 64),
            "types.tensor": tags(elements.BITS), "layouts": "1,2,3", "modes": "permissive"}


def decode_tensor(data, mode="strict"):
    tensor = tensors.decode(data, mode)
    tensor["buffers"] = tensors.handle_bytes(tensor)
    answer = {}
    for key, value in tensor.items():  # the fields of a quantization descriptor stand among the others
        answer.update(value if key == "quantization" else {key: value})
    return answer


def encode_tensor(tag, layout, shape, byte_offset, buffers, scheme=None, **more):
    quantization = {key: more.pop(key) for key in SCHEME_KEYS if key in more}
    tensor = dict(more, type=tag, layout=layout, shape=shape, byte_offset=byte_offset,
                  buffers=tensors.read_handles(buffers))
    if scheme is not None:
        tensor["quantization"] = dict(quantization, scheme=scheme)
    return tensors.encode(tensor)


# Verb: the function, its keys in the order of its parameters, keys that may be absent and are passed by
# name, and the key of the result where the function does not name it.
VERBS = {
    "hello": (hello, "version", "", ""),
    "decode": (schemes.decode, "type bytes", "", ""),
    "encode": (schemes.encode, "type scheme", " ".join(SCHEME_KEYS), "bytes"),
    "dequantize": (per_tensor.dequantize, "type scale zero_point count q", "", "out"),
    "quantize": (per_tensor.quantize, "type scale zero_point count in", "", "q"),
    "normalize": (per_tensor.normalize, "bits bias order count packed", "", "zero_points"),
    "ra8": (per_tensor.ra8, "fn scale zero_point count in", "", ""),
    "pack": (elements.pack_checked, "type count values", "", "packed"),
    "unpack": (elements.unpack_to_int64, "type count packed", "", "values"),
    "packed_bytes": (elements.packed_bytes, "type count", "", "bytes"),
    "widen": (elements.widen, "type count packed", "", "out"),
    "decode_tensor": (decode_tensor, "bytes", "mode", ""),
    "encode_tensor": (encode_tensor, "type layout shape byte_offset buffers",
                      "scheme strides parent_shape shard_offset "
                      "statistics member_role extension_type " + " ".join(SCHEME_KEYS), "bytes"),
    "dequantize_tensor": (dequantize_tensor, "bytes count", "mode " + " ".join(f"b{i}" for i in range(255)), "out"),
    "convert": (convert,
                "type shape axis group_size bits bias order group_major word_bytes scale_type_tag weights scales "
                "plane", "group_index super_scales", "")}


def array_of(letter):
    def read(text):
        data = bytes.fromhex(text)
        return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)
    return read


def buffer(text):
    if text.startswith("n"):  # `null` and `none:…` are for adapters that claim calls=none
        raise NotImplementedError("no such buffers")
    return bytes.fromhex(text)


FROM_TEXT = {**dict.fromkeys("type flags scale_type_tag member_role".split(), lambda text: int(text, 16)),
             **dict.fromkeys("fn order mode".split(), str),
             **dict.fromkeys("shape parent_shape shard_offset".split(), array_of("Q")),
             **dict.fromkeys("bytes q in packed values buffers statistics extension_type weights scales plane "
                             "super_scales".split(), bytes.fromhex),
             **dict.fromkeys((f"b{i}" for i in range(255)), buffer),
             "strides": array_of("q"), "group_index": array_of("I"),
             "scale": lambda text: struct.unpack(">f", bytes.fromhex(text))[0]}  # not listed: decimal
DIGITS = {"type": "02x", "flags": "04x", "scale_type_tag": "02x", "member_role": "02x"}


def to_text(key, value):
    if isinstance(value, tuple):
        value = tensors.pack("q" if key == "strides" else "Q", value)
    elif isinstance(value, float):
        value = struct.pack(">f", value)
    return value.hex() if isinstance(value, bytes) else format(value, DIGITS.get(key, ""))


def answer(line):
    request_id, verb, *pairs = line.decode("ascii").split()
    texts = dict(pair.split("=", 1) for pair in pairs)
    function, required, optional, result_key = VERBS.get(verb, (None, "", "", ""))
    required = required.split()
    if function is None or not set(required) <= texts.keys() <= {*required, *optional.split()}:
        return f"{request_id} unsupported\n"
    try:
        values = {key: FROM_TEXT.get(key, int)(text) for key, text in texts.items()}
        result = function(*[values.pop(key) for key in required], **values)
    except NotImplementedError as reason:
        return f"{request_id} unsupported {reason}\n"
    except (ValueError, KeyError, struct.error) as reason:
        return f"{request_id} reject {reason}\n"
    result = {result_key: result} if result_key else result
    return f"{request_id} ok " + " ".join(f"{key}={to_text(key, value)}" for key, value in result.items()) + "\n"


rest = b""
while chunk := os.read(0, 1 << 16):
    *lines, rest = (rest + chunk).split(b"\n")
    print("".join(map(answer, lines)), end="", flush=True)  # no complete request waits now
