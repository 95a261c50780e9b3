# SPDX-License-Identifier: Apache-2.0
"""Tensor descriptors: which bytes, which fields, and what is wrong with them?

HQ-MD-001..019, 027..032, 039, 041..043. Handles, sizes and what a scheme asks of shape and buffers are in
buffers.py. Layouts other than row-major, column-major and strided are refused.
"""

import struct

import buffers
import elements
import schemes
from alternatives import HIDDEN, REJECT, Answer, RequestError
from defects import Defects

MAGIC = b"HRRY"
HEADER_BYTES = 20
MOST_RANK, MOST_BUFFERS = 64, 255
HAS_QUANTIZATION, HAS_SHARD, HAS_EXTENSION_TYPE, HAS_STATISTICS, HAS_COMPOSITE_MEMBER = (1 << i for i in range(5))
KNOWN_FLAGS = 31
KEYS = schemes.KEYS | {"type", "capacity", "layout", "shape", "byte_offset", "strides", "buffers", "scheme", "parent_shape",
                       "shard_offset", "statistics", "member_role", "extension_type"}


class Tensor:
    """Fields as they stand in a descriptor; a section that it does not have is None."""

    length, version = None, (1, 0)
    flags, type, layout = 0, 0, 0
    shape, strides, byte_offset, table = (), (), 0, ()
    quantization = parent_shape = shard_offset = statistics = extension_type = member = None


class Truncated(Exception):
    """The descriptor ends before its content does."""


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size_bytes):
        start, self.at = self.at, self.at + size_bytes
        if self.at > len(self.data):
            raise Truncated  # HQ-MD-008
        return self.data[start:self.at]

    def read(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def number(self, form):
        return self.read(form)[0]


def read(data, permissive=False):
    """(the tensor, its defects so far); the tensor is None if it cannot be read to its end."""
    tensor, defects, reader = Tensor(), Defects(), Reader(data)
    try:
        magic, major, minor, length, tensor.flags, tensor.type, tensor.layout, rank = reader.read("4sBBIIBBI")
        # HQ-MD-004, 005, 007, 010, 027
        if (magic != MAGIC or major > 1 or length < HEADER_BYTES or tensor.flags & ~KNOWN_FLAGS
                or rank > MOST_RANK):
            return None, defects
        tensor.length, tensor.version = length, (major, minor)
        defects.soft_if(major == 0)            # A49
        defects.soft_if(length > len(data))    # A51: it says more than there is, and yet nothing may be missing
        defects.refusal_warns = major == 1 and minor > 0  # HQ-MD-006
        reader.data = data[:length]
        read_body(tensor, rank, reader, defects, permissive)
    except Truncated:
        return None, defects
    defects.open_if(reader.at < len(reader.data) and not defects.refusal_warns, "trailing-bytes")  # A50
    return tensor, defects


def read_body(tensor, rank, reader, defects, permissive):
    tensor.shape = reader.read(f"{rank}Q")
    tensor.byte_offset = reader.number("Q")
    if tensor.layout == buffers.STRIDED:
        tensor.strides = reader.read(f"{rank}q")
    elif tensor.layout not in (buffers.ROW_MAJOR, buffers.COLUMN_MAJOR):
        raise Truncated  # HQ-MD-031, 032: where the rest stands cannot be known
    tensor.table = buffers.handles(reader.take(16 * reader.number("B")))
    if tensor.flags & HAS_QUANTIZATION:
        section = reader.take(reader.number("I"))  # HQ-MD-002
        tensor.quantization = schemes.read(section)
        if tensor.quantization is None and permissive and can_be_skipped(section):
            tensor.quantization = {"scheme": section[0]}
        defects.must_if(tensor.quantization is None)
    if tensor.flags & HAS_SHARD:
        tensor.parent_shape, tensor.shard_offset = reader.read(f"{rank}Q"), reader.read(f"{rank}Q")
    if tensor.flags & HAS_STATISTICS:
        tensor.statistics = reader.take(72)
    if tensor.flags & HAS_EXTENSION_TYPE:
        tensor.extension_type = reader.take(20)
    if tensor.flags & HAS_COMPOSITE_MEMBER:
        tensor.member = reader.take(16)


def can_be_skipped(section):
    """HQ-HDR-006, 011: an unknown scheme with a whole header."""
    return len(section) >= 4 and section[0] not in (0x00, 0xFF) and section[0] not in schemes.FORMS


def judge(tensor, defects):
    """What is wrong with the fields; only once no framing is."""
    buffers.judge_handles(tensor.table, defects)
    judge_type(tensor, defects)
    # HQ-MD-028, A60
    defects.soft_if(not tensor.shape and tensor.layout != buffers.ROW_MAJOR)
    judge_sections(tensor, defects)
    if defects.must:
        return
    if tensor.quantization is None:
        defects.soft_if(len(tensor.table) > 1)  # HQ-MD-017, A21
    elif not buffers.is_opaque(tensor):
        schemes.judge(tensor.quantization, tensor.type, defects)
        buffers.judge_quantization(tensor, defects)
    if not defects.must:
        buffers.judge_data(tensor, defects)


def judge_type(tensor, defects):
    private, extended = tensor.type in elements.PRIVATE, tensor.extension_type is not None
    defects.must_if(tensor.type not in elements.BITS and not private)  # HQ-PACK-028, 029
    defects.must_if(private and tensor.quantization is not None)       # A62
    defects.soft_if(private != extended)                               # HQ-MD-030, A60
    defects.open_if(private and extended, "private-type")


def judge_sections(tensor, defects):
    if tensor.parent_shape is not None:  # HQ-MD-041, in exact integers
        for size, offset, parent in zip(tensor.shape, tensor.shard_offset, tensor.parent_shape):
            known = buffers.DYNAMIC not in (size, parent)  # HQ-MD-012
            defects.must_if(known and offset + size > parent)
    if tensor.statistics is not None:
        mask = int.from_bytes(tensor.statistics[:4], "little")
        defects.must_if(mask >> 6)  # HQ-MD-042
    if tensor.member is not None:
        defects.must_if(tensor.member[0] > 1 or any(tensor.member[1:]))  # HQ-MD-043


def answer_fields(tensor):
    """PROTOCOL.md, in its order."""
    def array(letter, values):
        return struct.pack(f"<{len(values)}{letter}", *values).hex()

    fields = [("length", tensor.length), ("version", "%d.%d" % tensor.version), ("type", f"{tensor.type:02x}"),
              ("layout", tensor.layout), ("shape", array("Q", tensor.shape)), ("byte_offset", tensor.byte_offset)]
    if tensor.layout == buffers.STRIDED:
        fields.append(("strides", array("q", tensor.strides)))
    fields.append(("buffers", table_bytes(tensor).hex()))
    if tensor.quantization is not None:
        fields += ([("scheme", tensor.quantization["scheme"])] if buffers.is_opaque(tensor)
                   else schemes.answer_fields(tensor.quantization))
    if tensor.parent_shape is not None:
        fields += [("parent_shape", array("Q", tensor.parent_shape)),
                   ("shard_offset", array("Q", tensor.shard_offset))]
    if tensor.statistics is not None:
        fields.append(("statistics", tensor.statistics.hex()))
    if tensor.member is not None:
        fields.append(("member_role", f"{tensor.member[0]:02x}"))
    if tensor.extension_type is not None:
        fields.append(("extension_type", tensor.extension_type.hex()))
    return fields


def table_bytes(tensor):
    return b"".join(struct.pack(buffers.HANDLE_FORM, *handle) for handle in tensor.table)


def write(tensor):
    """HQ-MD-011, 039; HQ-HDR-003: version 1.0, sections in their order and of their exact length."""
    rank = len(tensor.shape)
    body = struct.pack(f"<{rank}QQ", *tensor.shape, tensor.byte_offset)
    body += struct.pack(f"<{len(tensor.strides)}q", *tensor.strides)
    body += bytes([len(tensor.table)]) + table_bytes(tensor)
    flags = 0
    if tensor.quantization is not None:
        flags |= HAS_QUANTIZATION
        section = schemes.write(tensor.quantization)
        body += struct.pack("<I", len(section)) + section
    if tensor.parent_shape is not None:
        flags |= HAS_SHARD
        body += struct.pack(f"<{2 * rank}Q", *tensor.parent_shape, *tensor.shard_offset)
    for flag, data in ((HAS_STATISTICS, tensor.statistics), (HAS_EXTENSION_TYPE, tensor.extension_type),
                       (HAS_COMPOSITE_MEMBER, tensor.member)):
        if data is not None:
            flags |= flag
            body += data
    return struct.pack("<4sBBIIBBI", MAGIC, 1, 0, HEADER_BYTES + len(body), flags, tensor.type, tensor.layout,
                       rank) + body


def asked(request):
    """The tensor that the keys of `encode_tensor` describe."""
    tensor = Tensor()
    tensor.type, tensor.layout = request.bits("type", 2), request.natural("layout", 8)
    tensor.shape, tensor.byte_offset = request.array("shape", "Q"), request.natural("byte_offset", 64)
    rank = len(tensor.shape)
    if tensor.layout == buffers.STRIDED:
        tensor.strides = request.array("strides", "q", rank)
    table = request.data("buffers")
    if len(table) % 16:
        raise RequestError(f"buffers should have a multiple of 16 bytes, got {len(table)}")
    tensor.table = buffers.handles(table)
    if "scheme" in request:
        tensor.quantization = schemes.asked(request)
        if tensor.quantization is None:
            raise RequestError("a field of the scheme is missing")
    if "parent_shape" in request or "shard_offset" in request:
        tensor.parent_shape = request.array("parent_shape", "Q", rank)
        tensor.shard_offset = request.array("shard_offset", "Q", rank)
    if "statistics" in request:
        tensor.statistics = request.data("statistics", 72)
    if "extension_type" in request:
        tensor.extension_type = request.data("extension_type", 20)
    if "member_role" in request:
        tensor.member = request.data("member_role", 1) + bytes(15)
    return tensor


def is_permissive(request):
    mode = request.keys.get("mode", "strict")
    if mode not in ("strict", "permissive"):
        raise RequestError(f"mode should be strict or permissive, got {mode[:40]!r}")
    return mode == "permissive"


def accepted(request, choose):
    """(an answer that refuses or None, the tensor, the verdict that accepting it is worth)."""
    tensor, defects = read(request.data("bytes"), is_permissive(request))
    if tensor is None:
        return REJECT, None, None
    judge(tensor, defects)
    refusal, verdict = defects.settle(choose)
    return refusal, tensor, verdict


def decode_tensor(request, choose):
    refusal, tensor, verdict = accepted(request, choose)
    if refusal:
        return refusal
    if buffers.is_opaque(tensor) and choose("unknown-scheme", "refuse", "skip") == "refuse":
        return Answer(choose(HIDDEN + "unknown-scheme", "reject", "unsupported"))  # A52
    return Answer("ok", answer_fields(tensor), verdict)


def encode_tensor(request, choose):
    tensor, defects = asked(request), Defects()
    if (tensor.layout not in (buffers.ROW_MAJOR, buffers.COLUMN_MAJOR, buffers.STRIDED)
            or len(tensor.shape) > MOST_RANK or len(tensor.table) > MOST_BUFFERS):  # HQ-MD-019, 027, 032
        return REJECT
    if tensor.quantization is not None:
        if buffers.is_opaque(tensor):
            return REJECT  # HQ-HDR-029
        schemes.for_a_writer(tensor.quantization, defects)
    judge(tensor, defects)
    return schemes.written(request, defects, write, tensor, choose)
