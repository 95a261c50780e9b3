# SPDX-License-Identifier: Apache-2.0
"""The real values of a tensor: which binary32 stands at each place, and which contents of the
buffers forbid that there is one?

HQ-PTA-018..021; HQ-PCA-019..023; HQ-PBA-020, 024..028; HQ-NF4-007..011; HQ-MX-009..014. Whether the
descriptor is accepted is decided in tensors.py, and comes first.
"""

import math
import struct

import buffers
import elements
import exact
import kernels
import small_floats
import tensors
from alternatives import HIDDEN, REJECT, Answer, RequestError
from schemes import MXFP, NF4, PBA, PCA, PTA

NF4_LEVELS = (0xBF800000, 0xBF3239B1, 0xBF066B30, 0xBECA32A0, 0xBE91A24D, 0xBE3D353F, 0xBDBA7871, 0x00000000,
              0x3DA2FAFF, 0x3E24CAE3, 0x3E7C04DD, 0x3EAD033A, 0x3EE1A4B8, 0x3F1007AB, 0x3F3913B3, 0x3F800000)
KEYS = {"bytes", "count", "mode"} | {f"b{i}" for i in range(tensors.MOST_BUFFERS)}


class Contents:
    """The buffers of a request: bytes, none at all (`null`), or some that nobody may look at (`none:N`)."""

    def __init__(self, request, count):
        self.request = request
        self.sizes = [self.size(f"b{i}") for i in range(count)]

    def size(self, key):
        text = self.request.text(key)
        if text == "null":
            return 0
        if text.startswith("none:"):
            try:
                return int(text[5:])
            except ValueError:
                raise RequestError(f"{key} should be none:N, got {text[:40]!r}") from None
        return len(self.request.data(key))

    def data(self, index):
        text = self.request.text(f"b{index}")
        if text == "null" or self.sizes[index] == 0:
            return b""
        if text.startswith("none:"):
            raise RequestError(f"b{index} is needed and cannot be read")
        return self.request.data(f"b{index}")


def parameters(tensor, contents):
    """(scales as binary32 patterns, for MXFP as bytes; zero points or None), one for each entry."""
    section = tensor.quantization
    count, width = buffers.parameter_count(tensor), buffers.scale_bytes(section)
    indices = buffers.parameter_indices(section)
    data = contents.data(indices[0])[:count * width]
    scales = [int.from_bytes(data[i:i + width], "little") for i in range(0, count * width, width)]
    if section["scheme"] == PBA:  # HQ-PBA-027: exactly, before anything else
        scales = [small_floats.widened(section["scale_type_tag"], scale) for scale in scales]
    if not buffers.has_zero_points(section):
        return scales, None
    start = count * width if indices[0] == indices[1] else 0  # HQ-HDR-022
    data = contents.data(indices[1])[start:start + 4 * count]
    return scales, struct.unpack(f"<{count}i", data)


def judge_contents(tensor, scales, zero_points, choose):
    """(the answer that refuses or None, whether accepting is a warning): what a scheme asks of its arrays."""
    scheme = tensor.quantization["scheme"]
    not_finite = any(exact.is_nan(scale) or exact.is_inf(scale) for scale in scales)
    zero = any(map(exact.is_zero, scales))
    low, high = kernels.bounds(tensor.type) if tensor.type in kernels.STORAGE else (0, 0)
    outside = any(not low <= zero_point <= high for zero_point in zero_points or ())
    if scheme == MXFP:
        return (REJECT, False) if any(scale in (0x00, 0xFF) for scale in scales) else (None, False)  # HQ-MX-010
    if scheme == PCA:
        return (REJECT, False) if not_finite or zero or outside else (None, False)  # HQ-PCA-019, 020
    if scheme == PBA:
        soft = not_finite or zero  # HQ-PBA-028, A54
        if outside and choose(HIDDEN + "zero-point-range", "accept", "refuse") == "refuse":
            return Answer("reject", verdict="warn"), False  # A24: PBA has no such rule
    else:
        soft = not_finite or any(scale > exact.SIGN for scale in scales)  # HQ-NF4-011, A54
        if not soft and exact.SIGN in scales:
            if choose("nf4-negative-zero-scale", "accept", "refuse") == "refuse":
                return REJECT, False  # A35
    if soft and choose(HIDDEN + "contents", "accept", "refuse") == "refuse":
        return REJECT, False
    return None, soft


def affine(tensor, codes, scales, zero_points, choose):
    """HQ-PTA-018..020, HQ-PCA-022, HQ-PBA-025: `codes`, `scales` and `zero_points` of each element."""
    int32_range = range(-1 << 31, 1 << 31)
    if tensor.type == kernels.UINT32 and choose("uint32-codes", "reinterpret", "unsigned") == "reinterpret":
        codes = [kernels.wrap_int32(code) for code in codes]  # A02
    differences = [code - zero_point for code, zero_point in zip(codes, zero_points)]
    # Storage of 32 bits, or the free zero points of PBA.
    if tensor.type in (kernels.INT32, kernels.UINT32) or any(d not in int32_range for d in differences):
        if choose("int32-difference", "widen", "wrap") == "wrap":
            differences = map(kernels.wrap_int32, differences)  # A01
    return [kernels.real_value(scale, d, False, False) for scale, d in zip(scales, differences)]


def nf4(codes, scales, choose):
    """HQ-NF4-007, 010."""
    words = [exact.multiply(scale, NF4_LEVELS[code]) for code, scale in zip(codes, scales)]
    if choose("nf4-zero-sign", "ieee", "positive") == "positive":
        words = [0 if exact.is_zero(word) else word for word in words]  # A36
    return words


def element_codes(tensor, contents):
    """The data buffer's codes in logical row-major order, or None if it ends before them."""
    data = contents.data(0)
    per_group, group_bytes = elements.group(tensor.type)
    codes = []
    for index in buffers.all_indices(tensor.shape):
        linear = buffers.linear_index(tensor, index)
        start = tensor.byte_offset + linear // per_group * group_bytes
        run = data[start:start + group_bytes] if start >= 0 else b""
        code = elements.code_at(tensor.type, run, linear % per_group)
        if code is None:
            return None  # A47
        codes.append(elements.signed(tensor.type, code))
    return codes


def has_unused_bits_set(tensor, contents):
    """A43, where the elements lie one behind the other. The filler of a partial block is ignored: HQ-PBA-024."""
    if tensor.layout == buffers.STRIDED:
        return False
    data, count = contents.data(0)[tensor.byte_offset:], math.prod(tensor.shape)
    padded = buffers.padded_count(tensor)
    if padded is not None and len(data) >= elements.packed_size(tensor.type, padded):
        count = padded
    return elements.has_unused_bits_set(tensor.type, count, data)


def values(tensor, contents, choose):
    """(the answer that refuses or None, binary32 patterns, whether they are a warning)."""
    if tensor.quantization is None:
        codes = element_codes(tensor, contents)
        if codes is None:
            return REJECT, None, False
        if has_unused_bits_set(tensor, contents) and choose("unused-bits", "ignore", "refuse") == "refuse":
            return REJECT, None, False
        return None, [small_floats.widened(tensor.type, code) for code in codes], False
    scheme, soft = tensor.quantization["scheme"], False
    if scheme == PTA:
        every = tensor.quantization
        places, scales, zero_points = None, every["scale"], every["zero_point"]
    else:
        scales, zero_points = parameters(tensor, contents)
        refusal, soft = judge_contents(tensor, scales, zero_points, choose)
        if refusal:
            return refusal, None, soft
        places = [buffers.parameter_place(tensor, index) for index in buffers.all_indices(tensor.shape)]
    codes = element_codes(tensor, contents)
    if codes is None:
        return REJECT, None, soft
    if has_unused_bits_set(tensor, contents) and choose("unused-bits", "ignore", "refuse") == "refuse":
        return REJECT, None, soft
    of_each = [scales] * len(codes) if places is None else [scales[place] for place in places]
    if scheme == NF4:
        return None, nf4(codes, of_each, choose), soft
    if scheme == MXFP:
        return None, [small_floats.times_power_of_two(tensor.type, code, scale - 127)
                      for code, scale in zip(codes, of_each)], soft
    if places is None:
        zeros = [zero_points] * len(codes)
    else:
        zeros = [zero_points[place] if zero_points else 0 for place in places]  # HQ-PCA-023
    return None, affine(tensor, codes, of_each, zeros, choose), soft


def dequantize_tensor(request, choose):
    refusal, tensor, verdict = tensors.accepted(request, choose)
    count = request.count()
    if refusal:
        return refusal
    if buffers.is_opaque(tensor) or tensor.type not in elements.BITS or elements.BITS[tensor.type] > 64 \
            or tensor.type == elements.COMPLEX64:
        # Nothing to compute with; in permissive mode the data is not even looked at (HQ-HDR-007).
        return Answer(choose(HIDDEN + "no-scheme", "reject", "unsupported"))
    if buffers.DYNAMIC in tensor.shape or math.prod(tensor.shape) != count:
        return REJECT
    contents = Contents(request, len(tensor.table))
    if any(size < handle.byte_size for size, handle in zip(contents.sizes, tensor.table)):
        return REJECT
    words = ()
    if count:
        refusal, words, soft = values(tensor, contents, choose)
        if refusal:
            return refusal
        verdict = "warn" if soft else verdict
    return Answer("ok", [("out", struct.pack(f"<{len(words)}I", *words).hex())], verdict)
