# SPDX-License-Identifier: Apache-2.0
"""The buffers of a tensor: which handles are legal, how many bytes belong into each buffer, and where do
the elements of the data buffer lie?

HQ-MD-014..018, 020..025, 033, 034, 036; HQ-HDR-017..024; the rules of HQ-PCA, HQ-PBA, HQ-NF4 and HQ-MX on
axis, blocks, indices and sizes. What a quantization descriptor says by itself is in schemes.py.
"""

import itertools
import math
import struct
from collections import namedtuple

import elements
import schemes
from schemes import MXFP, NF4, PBA, PCA, PTA

DYNAMIC = (1 << 64) - 1
ROW_MAJOR, COLUMN_MAJOR, STRIDED = 1, 2, 3
CPU = 0
PRIVATE = range(0xF0, 0xFF)

Handle = namedtuple("Handle", "byte_size alignment device_tag sync_mode memory_class reserved")
HANDLE_FORM = "<QIBBBB"

# HQ-MD-022, 025: the memory classes that go with each device.
CLASSES = {0: (0, 1, 2), 1: (0, 1, 2, 3), 2: (0, 1, 2, 3), 3: (0, 1, 2), 4: (0, 1, 2, 3), 5: (0,),
           6: (0, 1, 2), 7: (0, 1, 2, 3), 8: (0, 1, 2)}
CLASSES.update((device, (0, *PRIVATE)) for device in PRIVATE)


def handles(data):
    return [Handle(*fields) for fields in struct.iter_unpack(HANDLE_FORM, data)]


def judge_handles(table, defects):
    defects.must_if(not table)  # HQ-MD-016
    for handle in table:
        power_of_two = schemes.is_power_of_two(handle.alignment)
        defects.must_if(not power_of_two)  # HQ-MD-020
        if power_of_two and handle.alignment < 64:
            defects.soft_if(handle.byte_size > 0)  # A60
            defects.open_if(handle.byte_size == 0, "empty-buffer-alignment")  # A23
        defects.must_if(handle.memory_class not in CLASSES.get(handle.device_tag, ()))
        defects.must_if(handle.sync_mode > 2 or (handle.device_tag == CPU and handle.sync_mode))  # HQ-MD-024
        defects.must_if(handle.reserved)  # HQ-MD-021
        defects.open_if(handle.sync_mode or handle.memory_class, "handle-bytes")  # A22
    for name in ("device_tag", "memory_class"):  # HQ-HDR-024, HQ-MD-023
        defects.must_if(len({getattr(handle, name) for handle in table}) > 1)


# --- The data buffer


def linear_index(tensor, index):
    if tensor.layout == STRIDED:
        return sum(i * stride for i, stride in zip(index, tensor.strides))
    order = zip(index, tensor.shape)
    linear = 0
    for i, size in order if tensor.layout == ROW_MAJOR else reversed(list(order)):
        linear = linear * size + i
    return linear


def all_indices(shape):
    """Of every element, in logical row-major order."""
    return itertools.product(*map(range, shape))


def extent(tensor, shape):
    """(first, end) of the bytes behind byte_offset that a data buffer of this shape has; (0, 0) if empty."""
    count = math.prod(shape)
    if count == 0:
        return 0, 0
    low, high = 0, count - 1
    if tensor.layout == STRIDED:
        reach = [(size - 1) * stride for size, stride in zip(shape, tensor.strides)]
        low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    per_group, group_bytes = elements.group(tensor.type)
    return low // per_group * group_bytes, (high // per_group + 1) * group_bytes


def judge_data(tensor, defects):
    available = tensor.table[0].byte_size
    defects.soft_if(tensor.byte_offset > available)  # HQ-MD-014, A48
    if tensor.type not in elements.BITS or DYNAMIC in tensor.shape or is_opaque(tensor):
        return  # HQ-MD-012: no arithmetic on what is not known yet
    first, end = extent(tensor, tensor.shape)
    defects.soft_if(tensor.byte_offset + first < 0 or tensor.byte_offset + end > available)  # A47
    padded = padded_count(tensor)
    if padded is not None and not defects.soft:
        _, padded_end = extent(tensor, (padded,))
        if padded_end > end:
            spare = available - tensor.byte_offset - padded_end
            defects.partial_block = "padded" if spare < 0 else "unpadded" if spare == 0 else None  # A28


def padded_count(tensor):
    """Elements that whole blocks would have, if the last one of a rank-1 tensor is partial; else None."""
    section = tensor.quantization
    if section is None or section["scheme"] not in (PBA, NF4) or len(tensor.shape) != 1:
        return None
    block_size = section["block_size"]
    if block_size == 0 or tensor.shape[0] % block_size == 0:
        return None
    return blocks_per_axis(tensor) * block_size


# --- Parameter buffers


def is_opaque(tensor):
    """A scheme that a permissive reader stepped over."""
    return tensor.quantization is not None and tensor.quantization["scheme"] not in schemes.FORMS


def other_dimensions(tensor):
    axis = tensor.quantization["axis"]
    return tensor.shape[:axis] + tensor.shape[axis + 1:]


def blocks_per_axis(tensor):
    section = tensor.quantization
    return -(-tensor.shape[section["axis"]] // section["block_size"])  # HQ-PBA-019, A30


def parameter_count(tensor):
    """Entries of the scale array, and of the zero points if there are any."""
    if tensor.quantization["scheme"] == PCA:
        return tensor.shape[tensor.quantization["axis"]]  # HQ-PCA-010
    return blocks_per_axis(tensor) * math.prod(other_dimensions(tensor))  # HQ-PBA-019, HQ-MX-008


def parameter_place(tensor, index):
    """Which entry belongs to the element at `index`: HQ-PCA-022, HQ-PBA-020, HQ-NF4-015, HQ-MX-017."""
    section = tensor.quantization
    axis = section["axis"]
    if section["scheme"] == PCA:
        return index[axis]
    outer = 0
    for dimension, size in enumerate(tensor.shape):
        if dimension != axis:
            outer = outer * size + index[dimension]
    return outer * blocks_per_axis(tensor) + index[axis] // section["block_size"]


def scale_bytes(section):
    if section["scheme"] == MXFP:
        return 1
    return schemes.SCALE_BYTES[section["scale_type_tag"]] if section["scheme"] == PBA else 4


def has_zero_points(section):
    return section["scheme"] in (PCA, PBA) and not schemes.is_symmetric(section)


def parameter_indices(section):
    names = [] if section["scheme"] == PTA else ["scale_buffer_index"]
    return [section[name] for name in names + ["zero_point_buffer_index"] * has_zero_points(section)]


def judge_quantization(tensor, defects):
    """What scheme, shape and buffer table say together. The section alone is judged before."""
    section, shape = tensor.quantization, tensor.shape
    axis = section.get("axis")
    if axis is None:
        defects.open_if(DYNAMIC in shape, "dynamic-dimension")  # A32
    else:
        if axis >= len(shape):  # HQ-PCA-004, HQ-PBA-004, HQ-NF4-003, HQ-MX-003; rank 0: A57
            defects.must_if(True)
            return
        defects.must_if(shape[axis] == DYNAMIC)  # HQ-MD-013
        defects.open_if(DYNAMIC in other_dimensions(tensor), "dynamic-dimension")
        judge_blocks(tensor, defects)
    indices = parameter_indices(section)
    shared = len(indices) == 2 and indices[0] == indices[1]
    defects.open_if(shared, "shared-parameter-buffer")  # A20
    for index in indices:
        defects.must_if(index == 0 or index >= len(tensor.table))  # HQ-HDR-020, HQ-PCA-014..017
    defects.soft_if(len(tensor.table) > 1 + len(set(indices)))  # HQ-MD-018, A21
    # Blocks are counted over all dimensions, channels along the axis alone: A32.
    counted = shape if section["scheme"] != PCA else (shape[axis],)
    if not defects.must and indices and DYNAMIC not in counted:
        judge_parameter_sizes(tensor, indices, defects)


def judge_blocks(tensor, defects):
    section = tensor.quantization
    size, block_size = tensor.shape[section["axis"]], section.get("block_size")
    if not block_size:
        return
    if section["scheme"] == MXFP:  # HQ-MX-005: whole blocks, at least one
        defects.soft_if(size == 0)  # A33
        defects.must_if(size % block_size)
    elif size and block_size > size:  # HQ-PBA-007, 008; HQ-NF4-005
        empty = 0 in other_dimensions(tensor)
        defects.soft_if(empty)  # A34
        defects.must_if(not empty)


def judge_parameter_sizes(tensor, indices, defects):
    """HQ-PCA-011, 013; HQ-PBA-009, 017, 018; HQ-NF4-009, 016; HQ-MX-007. Too long is forbidden, no more (A60)."""
    count = parameter_count(tensor)
    needed = {}
    for index, width in zip(indices, (scale_bytes(tensor.quantization), 4)):
        needed[index] = needed.get(index, 0) + count * width  # the sum if they share an entry: A20
    for index, size_bytes in needed.items():
        defects.must_if(tensor.table[index].byte_size < size_bytes)
        defects.soft_if(tensor.table[index].byte_size > size_bytes)
