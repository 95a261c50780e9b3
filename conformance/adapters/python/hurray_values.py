# SPDX-License-Identifier: Apache-2.0
"""The real values of a tensor, in row-major order of its shape whatever its layout."""
import itertools
import math
import struct

import hurray_schemes as schemes
import hurray_tensor as tensors
from hurray_elements import E8M0, float32, group, real, signed, BITS
from hurray_per_tensor import check_parameters, real_value
from hurray_schemes import MXFP, NF4, PBA, PCA, PTA

LEVELS = struct.unpack(">16f", bytes.fromhex(
    "bf800000bf3239b1bf066b30beca32a0be91a24dbe3d353fbdba7871000000003da2faff3e24cae33e7c04dd3ead033a3ee1a4b83f1007ab"
    "3f3913b33f800000"))


def dequantize(data, count, mode="strict", **buffers):
    """The keywords b0, b1 … are the buffers of the descriptor."""
    tensor = tensors.decode(data, mode)
    fields, shape = tensor.get("quantization", {}), tensor["shape"]
    if fields and fields["scheme"] not in schemes.FORMS:
        raise ValueError("no scheme to compute with")
    if tensors.DYNAMIC in shape or math.prod(shape) != count:
        raise ValueError("number of elements")
    contents = [buffers.get(f"b{i}", b"") for i in range(len(tensor["buffers"]))]
    if any(len(content) < handle[0] for content, handle in zip(contents, tensor["buffers"])):
        raise ValueError("a buffer is shorter than its handle says")
    if count == 0:
        return b""
    indices = list(itertools.product(*map(range, shape)))
    codes = signed(tensor["type"], [code_at(tensor, contents[0], index) for index in indices])
    if not fields:
        return struct.pack(f"<{count}f", *[float32(real(tensor["type"], code)) for code in codes])
    scales, zero_points = parameters(tensor, contents)
    out = []
    for code, index in zip(codes, indices):
        place = parameter_place(tensor, index)
        if fields["scheme"] == NF4:
            out.append(float32(scales[place] * LEVELS[code]))
        elif fields["scheme"] == MXFP:
            out.append(float32(scales[place] * real(tensor["type"], code)))
        else:
            out.append(real_value(scales[place], code, zero_points[place]))
    return struct.pack(f"<{count}f", *out)


def parameters(tensor, contents):
    """(scales, zero points), one each for every place; what a scheme excludes is refused."""
    fields = tensor["quantization"]
    scheme = fields["scheme"]
    if scheme == PTA:
        return [fields["scale"]], [fields["zero_point"]]
    count, width = tensors.parameter_count(tensor), tensors.scale_bytes(fields)
    indices = tensors.parameter_indices(fields)
    codes = [int.from_bytes(contents[indices[0]][i:i + width], "little") for i in range(0, count * width, width)]
    zero_points = [0] * count
    if len(indices) == 2:
        start = count * width if indices[0] == indices[1] else 0
        zero_points = struct.unpack_from(f"<{count}i", contents[indices[1]], start)
    if scheme == MXFP:
        tensors.refuse_if(not {0x00, 0xFF}.isdisjoint(codes), "no float8_e8m0")
        return [real(E8M0, code) for code in codes], zero_points
    scale_type = fields["scale_type_tag"] if scheme == PBA else 0x03
    scales = [real(scale_type, code) for code in codes]
    for scale, zero_point in zip(scales, zero_points):
        if scheme == PCA:
            check_parameters(tensor["type"], scale, zero_point)
        elif not math.isfinite(scale) or (scale == 0 if scheme == PBA else scale < 0):
            raise ValueError("scale")
    return scales, zero_points


def parameter_place(tensor, index):
    """Of the block, or channel, that an element belongs to."""
    fields = tensor["quantization"]
    if fields["scheme"] == PTA:
        return 0
    axis, outer = fields["axis"], 0
    if fields["scheme"] == PCA:
        return index[axis]
    for dimension, size in enumerate(tensor["shape"]):
        if dimension != axis:
            outer = outer * size + index[dimension]
    return outer * tensors.blocks_on_axis(tensor) + index[axis] // fields["block_size"]


def code_at(tensor, data, index):
    """The bits of an element. decode has made sure that they lie in the buffer."""
    shape, linear = tensor["shape"], 0
    if tensor["layout"] == tensors.STRIDED:
        linear = sum(i * stride for i, stride in zip(index, tensor["strides"]))
    else:
        order = range(len(shape)) if tensor["layout"] == tensors.ROW_MAJOR else reversed(range(len(shape)))
        for dimension in order:
            linear = linear * shape[dimension] + index[dimension]
    (elements, size), bits = group(tensor["type"]), BITS[tensor["type"]]
    start = tensor["byte_offset"] + linear // elements * size
    return int.from_bytes(data[start:start + size], "little") >> bits * (linear % elements) & (1 << bits) - 1
