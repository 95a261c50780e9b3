# SPDX-License-Identifier: Apache-2.0
"""Requests for the tests of the second oracle, put together from bytes and nothing of the oracle's.

`tensor()` lays out a descriptor as wire-formats and the metadata clauses do; whatever is to be wrong in it
is passed in wrong.
"""

import struct

import second_oracle

DYNAMIC = (1 << 64) - 1
PTA = "010100000000003f0300000000000000"                                  # scale 0.5, zero point 3
PCA = "0201000000000000010000000200000003000000"                          # axis 0, buffers 1 and 2
PBA = "030100000100000008000000010000000200000003000000"                  # axis 1, blocks of 8: the recipe
NF4 = "04010000000000000800000001000000"                                  # axis 0, blocks of 8
MXFP = "05010000000000002000000001000000"                                 # axis 0, blocks of 32
OK = "pass"


def edit(text, position, replacement):
    """Hexadecimal `text` with other bytes from `position` on."""
    return text[:2 * position] + replacement + text[2 * position + len(replacement):]


def handle(byte_size, alignment=64, device=0, sync=0, memory=0, reserved=0):
    return struct.pack("<QIBBBB", byte_size, alignment, device, sync, memory, reserved)


def u64(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def tensor(type_tag, shape, table, section=None, layout=1, strides=None, byte_offset=0, flags=0, tail=b"",
           version=(1, 0), longer_by=0, section_length=None):
    """Bytes of a descriptor. `table`: sizes or whole handles; `tail`: the sections behind quantization."""
    body = u64(*shape, byte_offset) + (struct.pack(f"<{len(shape)}q", *strides) if strides is not None else b"")
    table = [entry if isinstance(entry, bytes) else handle(entry) for entry in table]
    body += bytes([len(table)]) + b"".join(table)
    if section is not None:
        section, flags = bytes.fromhex(section), flags | 1
        body += struct.pack("<I", len(section) if section_length is None else section_length) + section
    body += tail
    return struct.pack("<4sBBIIBBI", b"HRRY", *version, 20 + len(body) + longer_by, flags, type_tag, layout,
                       len(shape)) + body


def ask(line):
    """[(answer, verdict, shows)], as the oracle sorts them."""
    return [(a["answer"], a["verdict"], a["shows"]) for a in second_oracle.ask(line)]


def outcomes(line):
    """{first word of the answer: (verdict, shows)}."""
    found = second_oracle.ask(line)
    words = {a["answer"].split()[0]: (a["verdict"], a["shows"]) for a in found}
    assert len(words) == len(found), found
    return words


REJECTED = {"reject": ("pass", {})}
ACCEPTED = {"ok": ("pass", {})}
WARNED = {"ok": ("warn", {}), "reject": ("pass", {})}
DISCOURAGED = {"ok": ("pass", {}), "reject": ("warn", {})}


def open_choice(behaviour, accepting="accept"):
    return {"ok": ("pass", {behaviour: [accepting]}), "reject": ("pass", {behaviour: ["refuse"]})}
