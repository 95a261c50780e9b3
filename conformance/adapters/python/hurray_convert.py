# SPDX-License-Identifier: Apache-2.0
"""The conversion recipe: weights of a foreign toolchain become a per-block affine tensor. Weights are
copied, scales carried value for value, and zero points normalized, because Hurray subtracts them as stored.
"""
import math
import struct

import hurray_tensor as tensors
from hurray_elements import packed_bytes, real
from hurray_per_tensor import plane_fields
from hurray_schemes import PBA, STORAGE

SCALE_BYTES = {1: 2, 2: 2, 3: 4}


def convert(tag, shape, axis, group_size, bits, bias, order, group_major, word_bytes, scale_type_tag, weights, scales,
            plane, group_index=None, super_scales=b""):
    refuse_if = tensors.refuse_if
    refuse_if(bits not in (2, 4, 8) or order not in ("low-first", "high-first") or word_bytes not in (1, 4), "plane")
    refuse_if(tag not in STORAGE[PBA] or axis >= len(shape) or group_size == 0 or tensors.DYNAMIC in shape, "form")
    groups, rows = -(-shape[axis] // group_size), math.prod(shape[:axis] + shape[axis + 1:])
    count = groups * rows
    refuse_if(len(weights) != packed_bytes(tag, math.prod(shape)), "bytes of weights")
    refuse_if(super_scales, "scales of scales")
    refuse_if(group_index is not None and group_index != tuple(i // group_size for i in range(shape[axis])),
              "groups that are no runs")
    # In the order of the source: all groups of a row, or all rows of a group.
    run, runs = (rows, groups) if group_major else (groups, rows)
    zero_points = [field + bias for field in fields(bits, order, word_bytes, plane, run, runs)]
    widened = widen(scale_type_tag, scales, count)
    if group_major and count:
        places = [group * rows + row for row in range(rows) for group in range(groups)]
        zero_points, widened = [zero_points[i] for i in places], [widened[i] for i in places]
    descriptor = tensors.encode({
        "type": tag, "layout": tensors.ROW_MAJOR, "shape": shape, "byte_offset": 0,
        "buffers": [(size, 64, 0, 0, 0, 0) for size in (len(weights), 4 * count, 4 * count)],
        "quantization": {"scheme": PBA, "flags": 0, "axis": axis, "block_size": group_size, "scale_buffer_index": 1,
                         "zero_point_buffer_index": 2, "scale_type_tag": 3}})
    if shape[axis] % group_size:
        raise NotImplementedError("a partial last group")
    return {"bytes": descriptor, "b0": weights, "b1": struct.pack(f"<{count}f", *widened),
            "b2": struct.pack(f"<{count}i", *zero_points)}


def fields(bits, order, word_bytes, plane, run, runs):
    if word_bytes == 1 or run * runs == 0:
        return plane_fields(bits, order, run * runs, plane)
    run_bytes = -(-run * bits // 32) * 4  # each run starts in a word of its own
    tensors.refuse_if(len(plane) < runs * run_bytes, "bytes of the plane")
    return [field for i in range(runs)
            for field in plane_fields(bits, order, run, plane[i * run_bytes:(i + 1) * run_bytes])]


def widen(tag, scales, count):
    size = SCALE_BYTES.get(tag, 0)
    tensors.refuse_if(size == 0 or len(scales) != size * count, "type or bytes of scales")
    values = [real(tag, int.from_bytes(scales[i:i + size], "little")) for i in range(0, len(scales), size)]
    tensors.refuse_if(not all(math.isfinite(value) and value != 0 for value in values), "scale")
    return values
