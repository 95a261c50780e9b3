# SPDX-License-Identifier: Apache-2.0
"""Quantization descriptors of the five schemes. A descriptor is a dictionary of the fields that its scheme
has, in the order of the wire. What shape and buffers have to do with them is in hurray_tensor.py.
"""
import struct

from hurray_per_tensor import TYPES, check_parameters

SYMMETRIC, NO_BUFFER = 1, 0xFFFFFFFF
PTA, PCA, PBA, NF4, MXFP = 1, 2, 3, 4, 5
# scheme: (format, its last part the reserved bytes; fields)
FORMS = {PTA: ("<BBHfi4s", "scheme version flags scale zero_point"),
         PCA: ("<BBHIIIB3s", "scheme version flags axis scale_buffer_index zero_point_buffer_index scale_type_tag"),
         PBA: ("<BBHIIIIB3s", "scheme version flags axis block_size scale_buffer_index zero_point_buffer_index "
                              "scale_type_tag"),
         NF4: ("<BBHIII0s", "scheme version flags axis block_size scale_buffer_index"),
         MXFP: ("<BBHIII0s", "scheme version flags axis block_size scale_buffer_index")}
STORAGE = {PTA: set(TYPES), PCA: set(TYPES), PBA: {0x10, 0x11, 0x48, 0x49, 0x4A, 0x4B}, NF4: {0x49},
           MXFP: {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48}}
SCALE_TYPES = {PCA: {3}, PBA: {1, 2, 3}}
BLOCK_SIZES = {PBA: range(2, 2**32), NF4: range(8, 2**32), MXFP: range(16, 2049)}


def field_names(scheme):
    """Those of the protocol: no version, and flags only where one is defined."""
    hidden = {"version"} if scheme in (PCA, PBA) else {"version", "flags"}
    return [name for name in FORMS[scheme][1].split() if name not in hidden]


def is_symmetric(fields):
    return fields["scheme"] in (PCA, PBA) and bool(fields["flags"] & SYMMETRIC)


def decode(tag, section):
    """The fields of a valid section; bytes behind those of its scheme are skipped."""
    if not section or section[0] not in FORMS:
        raise ValueError("scheme")
    form, names = FORMS[section[0]]
    *values, reserved = struct.unpack(form, section[:struct.calcsize(form)])
    if any(reserved):
        raise ValueError("reserved bytes")
    fields = dict(zip(names.split(), values))
    check(tag, fields)
    return {name: fields[name] for name in field_names(fields["scheme"])}


def check(tag, fields):
    """What a section and the storage type say by themselves."""
    scheme, flags = fields["scheme"], fields["flags"]
    if fields["version"] != 1:
        raise ValueError("version")
    if flags & ~(SYMMETRIC if scheme in (PCA, PBA) else 0):
        raise ValueError("flags")
    if tag not in STORAGE[scheme]:
        raise ValueError("storage type")
    if scheme == PTA:
        check_parameters(tag, fields["scale"], fields["zero_point"])
    if scheme in (PCA, PBA):
        if fields["scale_type_tag"] not in SCALE_TYPES[scheme]:
            raise ValueError("type of the scales")
        # Whoever is symmetric has no zero points; of PBA an index is ignored then, of PCA refused.
        has_none = fields["zero_point_buffer_index"] == NO_BUFFER
        if has_none != is_symmetric(fields) and not (scheme == PBA and is_symmetric(fields)):
            raise ValueError("index of the zero points")
    size = fields.get("block_size")
    if size is not None and (size not in BLOCK_SIZES[scheme] or size & size - 1):
        raise ValueError("block size")


def encode(tag, scheme, **fields):
    if scheme not in FORMS or set(fields) != set(field_names(scheme)) - {"scheme"}:
        raise ValueError("scheme or its fields")
    fields = dict({"flags": 0}, **fields, scheme=scheme, version=1)
    if is_symmetric(fields) and fields["zero_point_buffer_index"] != NO_BUFFER:
        raise ValueError("symmetric with an index of zero points")
    check(tag, fields)
    form, names = FORMS[scheme]
    return struct.pack(form, *[fields[name] for name in names.split()], b"")  # padded with zeros
