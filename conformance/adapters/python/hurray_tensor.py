# SPDX-License-Identifier: Apache-2.0
"""Tensor descriptors, row-major, column-major and strided. A tensor is a dictionary with the keys of
PROTOCOL.md, and the fields of its quantization descriptor, if any, under `quantization`.

A strict reader: everything that the format forbids is refused. Where rulings leave a choice it accepts.
"""
import math
import struct

import hurray_schemes as schemes
from hurray_elements import BITS, group
from hurray_schemes import MXFP, NF4, PCA, PTA

DYNAMIC = 2**64 - 1
ROW_MAJOR, COLUMN_MAJOR, STRIDED = 1, 2, 3
QUANTIZATION, SHARD, EXTENSION_TYPE, STATISTICS, MEMBER = 1, 2, 4, 8, 16
PRIVATE = range(0xF0, 0xFF)
HANDLE = "<QIBBBB"  # byte_size, alignment, device, sync mode, memory class, reserved
HIGHEST_CLASS = {0: 2, 1: 3, 2: 3, 3: 2, 4: 3, 5: 0, 6: 2, 7: 3, 8: 2}  # of each device


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def read(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)  # struct.error behind the end
        self.at += struct.calcsize("<" + form)
        return values

    def number(self, form):
        return self.read(form)[0]


def refuse_if(broken, reason):
    if broken:
        raise ValueError(reason)


# --- From bytes, and to bytes


def decode(data, mode="strict"):
    magic, major, minor, length, flags, tag, layout, rank = Reader(data).read("4sBBIIBBI")
    refuse_if(magic != b"HRRY" or major != 1, "magic or version")
    refuse_if(not 20 <= length <= len(data), "descriptor_length")
    refuse_if(flags >> 5 or rank > 64 or layout not in (ROW_MAJOR, COLUMN_MAJOR, STRIDED), "flags, rank or layout")
    reader = Reader(data[:length])
    reader.at = 20
    tensor = {"length": length, "version": f"{major}.{minor}", "type": tag, "layout": layout,
              "shape": reader.read(f"{rank}Q"), "byte_offset": reader.number("Q")}
    if layout == STRIDED:
        tensor["strides"] = reader.read(f"{rank}q")
    tensor["buffers"] = read_handles(reader.number(f"{16 * reader.number('B')}s"))
    if flags & QUANTIZATION:
        section = reader.number(f"{reader.number('I')}s")
        unknown = len(section) >= 4 and section[0] not in (0, 0xFF) and section[0] not in schemes.FORMS
        if mode == "permissive" and unknown:  # stepped over by its length
            tensor["quantization"] = {"scheme": section[0]}
        else:
            tensor["quantization"] = schemes.decode(tag, section)
    if flags & SHARD:
        tensor["parent_shape"], tensor["shard_offset"] = reader.read(f"{rank}Q"), reader.read(f"{rank}Q")
    if flags & STATISTICS:
        tensor["statistics"] = reader.number("72s")
    extension = reader.number("20s") if flags & EXTENSION_TYPE else None
    if flags & MEMBER:
        tensor["member_role"], reserved = reader.read("B15s")
        refuse_if(any(reserved), "reserved bytes")
    if extension is not None:
        tensor["extension_type"] = extension
    check(tensor)
    return tensor


def encode(tensor):
    shape, quantization = tensor["shape"], tensor.get("quantization")
    section = b"" if quantization is None else schemes.encode(tensor["type"], **quantization)
    refuse_if((tensor["layout"] == STRIDED) != ("strides" in tensor), "strides")
    refuse_if(any(len(tensor.get(key, shape)) != len(shape) for key in ("strides", "parent_shape", "shard_offset")),
              "rank")
    check(tensor)
    flags, body = 0, pack("Q", shape + (tensor["byte_offset"],))
    if tensor["layout"] == STRIDED:
        body += pack("q", tensor["strides"])
    body += bytes([len(tensor["buffers"])]) + handle_bytes(tensor)
    if section:
        flags, body = QUANTIZATION, body + struct.pack("<I", len(section)) + section
    if "parent_shape" in tensor:
        flags, body = flags | SHARD, body + pack("Q", tensor["parent_shape"] + tensor["shard_offset"])
    for flag, key, form in ((STATISTICS, "statistics", "72s"), (EXTENSION_TYPE, "extension_type", "20s"),
                            (MEMBER, "member_role", "B15x")):
        if key in tensor:
            flags, body = flags | flag, body + struct.pack(form, tensor[key])
    return struct.pack("<4sBBIIBBI", b"HRRY", 1, 0, 20 + len(body), flags, tensor["type"], tensor["layout"],
                       len(shape)) + body


def pack(letter, values):
    return struct.pack(f"<{len(values)}{letter}", *values)


def read_handles(data):
    return list(struct.iter_unpack(HANDLE, data))


def handle_bytes(tensor):
    return b"".join(struct.pack(HANDLE, *handle) for handle in tensor["buffers"])


# --- Rules


def check(tensor):
    tag, shape, quantization = tensor["type"], tensor["shape"], tensor.get("quantization")
    private = tag in PRIVATE
    refuse_if(tag not in BITS and not private, "element type")
    refuse_if(private != ("extension_type" in tensor) or private and quantization is not None, "private element type")
    refuse_if(tensor["layout"] not in (ROW_MAJOR, COLUMN_MAJOR, STRIDED), "layout")
    refuse_if(len(shape) > 64 or not shape and tensor["layout"] != ROW_MAJOR, "rank")
    check_handles(tensor["buffers"])
    check_sections(tensor)
    known = quantization is None or quantization["scheme"] in schemes.FORMS
    if quantization is None:
        refuse_if(len(tensor["buffers"]) != 1, "number of buffers")
    elif known:
        check_quantization(tensor)
    first, end = data_range(tensor) if known and not private and DYNAMIC not in shape else (0, 0)
    refuse_if(tensor["byte_offset"] + first < 0 or tensor["byte_offset"] + end > tensor["buffers"][0][0], "data buffer")


def check_handles(handles):
    refuse_if(not 1 <= len(handles) <= 255, "number of buffers")
    for size, alignment, device, sync, memory, reserved in handles:
        refuse_if(alignment == 0 or alignment & alignment - 1 or size and alignment < 64, "alignment")
        private = device in PRIVATE and memory in PRIVATE
        highest = 0 if device in PRIVATE else HIGHEST_CLASS.get(device, -1)
        refuse_if(memory > highest and not private, "device or memory class")
        refuse_if(sync > (2 if device else 0) or reserved, "sync mode or reserved byte")
    refuse_if(len({(handle[2], handle[4]) for handle in handles}) != 1, "buffers in several places")


def check_sections(tensor):
    for size, offset, parent in zip(tensor["shape"], tensor.get("shard_offset", ()), tensor.get("parent_shape", ())):
        refuse_if(DYNAMIC not in (size, parent) and offset + size > parent, "shard outside its parent")
    refuse_if(int.from_bytes(tensor.get("statistics", b"")[:4], "little") >> 6, "statistics mask")
    refuse_if(tensor.get("member_role", 0) > 1, "member role")


def check_quantization(tensor):
    """What a scheme asks of shape and buffers."""
    fields, shape, handles = tensor["quantization"], tensor["shape"], tensor["buffers"]
    if fields["scheme"] == PTA:
        refuse_if(len(handles) != 1, "number of buffers")
        return
    axis, size = fields["axis"], fields.get("block_size")
    refuse_if(axis >= len(shape) or shape[axis] == DYNAMIC, "axis")
    if fields["scheme"] == MXFP:
        refuse_if(shape[axis] == 0 or shape[axis] % size, "not a multiple of the block size")
    elif size:
        refuse_if(0 < shape[axis] < size, "blocks longer than the axis")
    needed = parameter_sizes(tensor)
    refuse_if(0 in needed or len(handles) != 1 + len(needed), "index of a buffer, or number of buffers")
    counted = shape if size else shape[axis:axis + 1]  # blocks depend on all dimensions, channels on one
    for index, size_bytes in needed.items():
        refuse_if(index >= len(handles), "index of a buffer")
        refuse_if(DYNAMIC not in counted and handles[index][0] != size_bytes, "size of a parameter buffer")


def parameter_indices(fields):
    if fields["scheme"] in (NF4, MXFP) or schemes.is_symmetric(fields):
        return [fields["scale_buffer_index"]]
    return [fields["scale_buffer_index"], fields["zero_point_buffer_index"]]


def scale_bytes(fields):
    return {NF4: 4, MXFP: 1}.get(fields["scheme"]) or {1: 2, 2: 2, 3: 4}[fields["scale_type_tag"]]


def blocks_on_axis(tensor):
    """Of per-channel every index is a block; the last block may be a partial one."""
    fields = tensor["quantization"]
    return -(-tensor["shape"][fields["axis"]] // fields.get("block_size", 1))


def parameter_count(tensor):
    fields, shape = tensor["quantization"], tensor["shape"]
    if fields["scheme"] == PCA:
        return blocks_on_axis(tensor)
    return blocks_on_axis(tensor) * math.prod(shape[:fields["axis"]] + shape[fields["axis"] + 1:])


def parameter_sizes(tensor):
    """{buffer index: bytes}; both arrays may lie in one buffer, the scales first."""
    sizes = {}
    for index, width in zip(parameter_indices(tensor["quantization"]), (scale_bytes(tensor["quantization"]), 4)):
        sizes[index] = sizes.get(index, 0) + width * parameter_count(tensor)
    return sizes


def data_range(tensor):
    """(first, end) of the data's bytes, counted from byte_offset."""
    (elements, size), shape = group(tensor["type"]), tensor["shape"]
    if 0 in shape:
        return 0, 0
    low, high = 0, math.prod(shape) - 1
    if tensor["layout"] == STRIDED:
        reach = [(extent - 1) * stride for extent, stride in zip(shape, tensor["strides"])]
        low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    return low // elements * size, (high // elements + 1) * size
