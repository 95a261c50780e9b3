# SPDX-License-Identifier: Apache-2.0
"""The conversion recipe: which tensor does a foreign one become, and which cannot become one?

HQ-ZP-002..015. The result is judged by the rules of per-block affine as a writer's (HQ-ZP-014). A partial
last group is not judged.
"""

import math
import struct

import buffers
import elements
import exact
import kernels
import schemes
import small_floats
import tensors
from alternatives import HIDDEN, REJECT, Answer, RequestError
from defects import Defects

KEYS = {"type", "shape", "axis", "group_size", "bits", "bias", "order", "group_major", "word_bytes",
        "scale_type_tag", "weights", "scales", "plane", "group_index", "super_scales"}
ORDERS = ("low-first", "high-first")


def described(request):
    """The tensor without the sizes of its buffers, which only a legal one has."""
    tensor = tensors.Tensor()
    tensor.type, tensor.layout, tensor.shape = request.bits("type", 2), buffers.ROW_MAJOR, request.array("shape", "Q")
    tensor.quantization = {"scheme": schemes.PBA, "version": 1, "flags": 0, "axis": request.natural("axis", 32),
                           "block_size": request.natural("group_size", 32), "scale_buffer_index": 1,
                           "zero_point_buffer_index": 2, "scale_type_tag": 0x03, "reserved": bytes(3),
                           "longer": False}
    return tensor


def is_legal(tensor, sizes):
    """HQ-ZP-014: by all rules of per-block affine. Sizes are those that the shape asks for."""
    tensor.table = [buffers.Handle(size, 64, buffers.CPU, 0, 0, 0) for size in sizes]
    defects = Defects()
    tensors.judge(tensor, defects)
    return not (defects.must or defects.soft)


def has_a_form(tensor):
    """Whether there are blocks to count at all."""
    section = tensor.quantization
    return (tensor.type in schemes.STORAGE_TYPES[schemes.PBA] and section["axis"] < len(tensor.shape)
            and section["block_size"] > 0 and len(tensor.shape) <= tensors.MOST_RANK
            and buffers.DYNAMIC not in tensor.shape)


def plane_fields(plane, bits, order, word_bytes, run, runs):
    """`runs` times `run` fields; None if there are fewer (HQ-ZP-005, 006, 015)."""
    if word_bytes == 1 or run == 0:
        run, runs = run * runs, 1  # they all follow each other
    needed = kernels.packed_bytes(bits, run)
    stride = needed + -needed % word_bytes
    if len(plane) < stride * runs:
        return None
    shifts = range(0, 8, bits) if order == "low-first" else range(8 - bits, -1, -bits)
    mask, out = (1 << bits) - 1, []
    for i in range(runs):
        start = i * stride
        out += [byte >> shift & mask for byte in plane[start:start + needed] for shift in shifts][:run]
    return out


def in_block_order(values, rows, groups, group_major):
    """Scales or zero points as Hurray's blocks follow each other: HQ-ZP-013."""
    if not group_major or not values:
        return values
    return [values[group * rows + row] for row in range(rows) for group in range(groups)]


def widened_scales(request, count):
    """HQ-ZP-004 and HQ-PBA-028: binary32 patterns, or None if there are not `count` legal ones."""
    scale_type, data = request.bits("scale_type_tag", 2), request.data("scales")
    width = schemes.SCALE_BYTES.get(scale_type)
    if width is None or len(data) != count * width:
        return None
    codes = [int.from_bytes(data[i:i + width], "little") for i in range(0, len(data), width)]
    scales = [small_floats.widened(scale_type, code) for code in codes]
    if any(exact.is_nan(scale) or exact.is_inf(scale) or exact.is_zero(scale) for scale in scales):
        return None
    return scales


def keeps_runs(request, size, group_size):
    """HQ-ZP-011, 012: groups are runs along the axis, and scales have no scales."""
    if "super_scales" in request and request.data("super_scales"):
        return False
    if "group_index" not in request:
        return True
    return request.array("group_index", "I") == tuple(i // group_size for i in range(size))


def convert(request, choose):
    bits, bias, order = request.number("bits"), request.int32("bias"), request.text("order")
    word_bytes, group_major = request.natural("word_bytes", 32), request.natural("group_major", 32) != 0
    tensor = described(request)
    is_recipe = (bits == 4 and order == "low-first" and word_bytes == 1 and not group_major
                 and elements.BITS.get(tensor.type, 8) >= 8)
    if not is_recipe and choose(HIDDEN + "other-form", "known", "unsupported") == "unsupported":
        return Answer("unsupported")  # A27; A61 for the storage types
    if bits not in (2, 4, 8) or order not in ORDERS or word_bytes not in (1, 4) or not has_a_form(tensor):
        return REJECT
    section, weights = tensor.quantization, request.data("weights")
    size, group_size = tensor.shape[section["axis"]], section["block_size"]
    rows, groups = math.prod(buffers.other_dimensions(tensor)), buffers.blocks_per_axis(tensor)
    count, weights_bytes = rows * groups, elements.packed_size(tensor.type, math.prod(tensor.shape))
    if not is_legal(tensor, (weights_bytes, 4 * count, 4 * count)) or len(weights) != weights_bytes:
        return REJECT
    if not keeps_runs(request, size, group_size):
        return REJECT
    if size % group_size:
        raise RequestError("a partial last group is not judged")
    scales = widened_scales(request, count)
    run, runs = (rows, groups) if group_major else (groups, rows)
    fields = plane_fields(request.data("plane"), bits, order, word_bytes, run, runs)
    if scales is None or fields is None:
        return REJECT
    zero_points = [field + bias for field in fields]  # HQ-ZP-007, 008
    if any(n != kernels.wrap_int32(n) for n in zero_points):
        return REJECT
    scales, zero_points = (in_block_order(values, rows, groups, group_major) for values in (scales, zero_points))
    return Answer("ok", [("bytes", tensors.write(tensor).hex()), ("b0", weights.hex()),  # HQ-ZP-003
                         ("b1", struct.pack(f"<{count}I", *scales).hex()),
                         ("b2", struct.pack(f"<{count}i", *zero_points).hex())])
