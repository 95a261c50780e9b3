# SPDX-License-Identifier: Apache-2.0
"""Quantization descriptors of all five schemes: which bytes, which fields, which rules?

Judged here is what a section and the storage type say by themselves. What they say together with a
shape and a table of buffers is in buffers.py. Rules: HQ-HDR-001..014, HQ-PTA, HQ-PCA, HQ-PBA, HQ-NF4
and HQ-MX, those on the descriptor.
"""

import struct

import exact
import kernels
from alternatives import HIDDEN, REJECT, Answer
from defects import Defects

PTA, PCA, PBA, NF4, MXFP = 1, 2, 3, 4, 5
SYMMETRIC = 1          # flag bit 0 of PCA and PBA
NO_BUFFER = 0xFFFFFFFF

HEADER = ("scheme", "version", "flags")
_BUFFERS = ("scale_buffer_index", "zero_point_buffer_index", "scale_type_tag", "reserved")
# scheme: (struct format, fields behind the header in the order of the wire)
FORMS = {PTA: ("<BBHIi4s", ("scale", "zero_point", "reserved")),
         PCA: ("<BBHIIIB3s", ("axis",) + _BUFFERS),
         PBA: ("<BBHIIIIB3s", ("axis", "block_size") + _BUFFERS),
         NF4: ("<BBHIII", ("axis", "block_size", "scale_buffer_index")),
         MXFP: ("<BBHIII", ("axis", "block_size", "scale_buffer_index"))}

AFFINE_TYPES = frozenset(kernels.STORAGE)  # HQ-PTA-016, HQ-PCA-024
# HQ-PBA-030, HQ-NF4-014, HQ-MX-016
STORAGE_TYPES = {PTA: AFFINE_TYPES, PCA: AFFINE_TYPES, PBA: {0x10, 0x11, 0x48, 0x49, 0x4A, 0x4B},
                 NF4: {0x49}, MXFP: {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48}}
SCALE_BYTES = {0x01: 2, 0x02: 2, 0x03: 4}  # float16, bfloat16, float32
SCALE_TYPES = {PCA: {0x03}, PBA: set(SCALE_BYTES)}  # HQ-PCA-008, HQ-PBA-011

KEYS = {"scale", "zero_point", "flags", "axis", "block_size", "scale_buffer_index", "zero_point_buffer_index",
        "scale_type_tag"}  # of requests, next to `scheme`


def read(data):
    """The fields of a section, or None if it is too short for its scheme or of no known one."""
    if not data or data[0] not in FORMS:
        return None  # HQ-HDR-004, 005, 011
    form, names = FORMS[data[0]]
    size = struct.calcsize(form)
    if len(data) < size:
        return None  # HQ-PTA-015, A14
    return dict(zip(HEADER + names, struct.unpack(form, data[:size])), longer=len(data) > size)


def write(section):
    form, names = FORMS[section["scheme"]]
    return struct.pack(form, *[section[name] for name in HEADER + names])


def asked(request):
    """The fields that a request of `encode` or `encode_tensor` gives, or None if it lacks some."""
    scheme = request.natural("scheme", 8)
    section = {"scheme": scheme, "version": 1, "flags": 0, "longer": False}
    readers = {"flags": lambda: request.bits("flags", 4), "scale": lambda: request.bits("scale", 8),
               "scale_type_tag": lambda: request.bits("scale_type_tag", 2),
               "zero_point": lambda: request.int32("zero_point"), "reserved": lambda: bytes(4)}
    needed = FORMS[scheme][1] if scheme in FORMS else ()
    needed += ("flags",) if scheme in (PCA, PBA) else ()
    if any(name not in request for name in needed if name != "reserved"):
        return None
    for name in needed:
        section[name] = readers[name]() if name in readers else request.natural(name, 32)
    return section


def answer_fields(section):
    """PROTOCOL.md: the fields that a scheme has, the header's flags only where a flag is defined."""
    scheme = section["scheme"]
    texts = {"scale": "08x", "flags": "04x", "scale_type_tag": "02x"}
    names = (("flags",) if scheme in (PCA, PBA) else ()) + FORMS[scheme][1]
    return [("scheme", scheme)] + [(name, format(section[name], texts.get(name, "d")))
                                   for name in names if name != "reserved"]


def is_symmetric(section):
    return section["scheme"] in (PCA, PBA) and section["flags"] & SYMMETRIC != 0


def is_power_of_two(n):
    return n > 0 and n & n - 1 == 0


def judge(section, type_tag, defects):
    """What is wrong with these fields for a tensor of this storage type."""
    scheme, flags = section["scheme"], section["flags"]
    defects.must_if(section["version"] > 1)        # HQ-HDR-008
    defects.soft_if(section["version"] == 0)       # A11
    defects.must_if(flags & ~(SYMMETRIC if scheme in (PCA, PBA) else 0))  # HQ-HDR-009
    defects.must_if(type_tag not in STORAGE_TYPES[scheme])
    defects.open_if(section["longer"], "longer-section", "skip")  # A12
    reserved_is_used = any(section.get("reserved", b""))
    if scheme == PBA:
        defects.soft_if(reserved_is_used)          # HQ-PBA-012, A60
    else:
        defects.must_if(reserved_is_used)          # HQ-PTA-013, HQ-PCA-009
    if scheme == PTA:
        judge_parameters(section["scale"], section["zero_point"], type_tag, defects)
    if scheme in (PCA, PBA):
        defects.must_if(section["scale_type_tag"] not in SCALE_TYPES[scheme])
        judge_zero_point_index(section, defects)
    if "block_size" in section:
        judge_block_size(scheme, section["block_size"], defects)


def judge_parameters(scale, zero_point, type_tag, defects):
    """One scale and zero point: HQ-PTA-006..009, 011; HQ-PCA-019, 020."""
    defects.must_if(exact.is_nan(scale) or exact.is_inf(scale) or exact.is_zero(scale))  # -0.0 too: A07
    if type_tag in kernels.STORAGE:
        low, high = kernels.bounds(type_tag)
        defects.must_if(not low <= zero_point <= high)  # uint32 ends at 2147483647 by itself: A03


def judge_zero_point_index(section, defects):
    index = section["zero_point_buffer_index"]
    if not is_symmetric(section):
        defects.must_if(index == NO_BUFFER)        # A19
    elif section["scheme"] == PCA:
        defects.must_if(index == 0)                # A18
        defects.soft_if(index != NO_BUFFER)
    else:
        defects.open_if(index != NO_BUFFER, "symmetric-index", "ignore")  # A17


def judge_block_size(scheme, block_size, defects):
    defects.must_if(block_size == 0)
    well_formed = is_power_of_two(block_size)
    if scheme == MXFP:
        defects.must_if(not well_formed or not 16 <= block_size <= 2048)  # HQ-MX-004
    else:
        smallest = 2 if scheme == PBA else 8       # HQ-PBA-005, 006; HQ-NF4-004
        defects.soft_if(not well_formed or block_size < smallest)  # A60


def for_a_writer(section, defects):
    """A writer that is told SYMMETRIC and an index refuses, or writes that there is none (A17, A18)."""
    if is_symmetric(section) and section["zero_point_buffer_index"] != NO_BUFFER:
        section["zero_point_buffer_index"] = NO_BUFFER
        defects.open_if(True, "symmetric-index", "ignore")


def decode(request, choose):
    type_tag, section = request.bits("type", 2), read(request.data("bytes"))
    if section is None:
        return REJECT
    defects = Defects()
    judge(section, type_tag, defects)
    refusal, verdict = defects.settle(choose)
    return refusal or Answer("ok", answer_fields(section), verdict)


def written(request, defects, write, what, choose):
    """What a writer answers: bytes, or a refusal by its rules, by choice, or for want of room.

    hurray_target.h: room for so many bytes. That it is too little makes no input invalid, and tells nothing
    of what else the writer would choose.
    """
    if defects.must or defects.soft:
        return REJECT
    data = write(what)
    if "capacity" in request and request.number("capacity") < len(data):
        return Answer(choose(HIDDEN + "no-room", "reject", "unsupported"))
    if defects.settle_for_a_writer(choose):
        return REJECT
    return Answer("ok", [("bytes", data.hex())])


def encode(request, choose):
    type_tag, scheme, defects = request.bits("type", 2), request.natural("scheme", 8), Defects()
    section = asked(request)
    if section is None:
        # Asked with the fields of another scheme, which no target has to make sense of.
        return Answer(choose(HIDDEN + "other-fields", "reject", "unsupported"))
    if scheme not in FORMS:
        return REJECT  # HQ-HDR-012, 013, 029
    for_a_writer(section, defects)
    judge(section, type_tag, defects)
    return written(request, defects, write, section, choose)
