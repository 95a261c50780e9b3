# SPDX-License-Identifier: Apache-2.0
"""Which symbols and sections does an object file have? Reads ELF of either width, little-endian; a compiler's
own `nm` may not know the other processor's files."""

import struct
from typing import NamedTuple

SYMBOL_TABLE, UNDEFINED, ALLOCATED = 2, 0, 2
OBJECT_OR_FUNCTION = (0, 1, 2)  # also those without a type, as an assembler makes them
LOCAL = 0


class Symbol(NamedTuple):
    name: str
    section: int
    is_local: bool


class Section(NamedTuple):
    name: str
    type: int
    is_loaded: bool
    offset: int
    size: int
    link: int


def _text(data, start):
    return data[start:data.index(b"\0", start)].decode()


def read(path):
    """(symbols, sections) of a file. Marks of the assembler ($t, $d) and names of files are left out."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"\x7fELF" or data[5] != 1:
        raise ValueError(f"{path} is no little-endian ELF file")
    wide = data[4] == 2
    header = struct.unpack_from("<QQQIHHHHHH" if wide else "<IIIIHHHHHH", data, 24)
    first, size, count, names = header[2], header[7], header[8], header[9]
    raw = []
    for i in range(count):
        name, type, flags, _, offset, length, link = struct.unpack_from(
            "<IIQQQQI" if wide else "<IIIIIII", data, first + i * size)
        raw.append((name, type, flags & ALLOCATED != 0, offset, length, link))
    texts = raw[names][3]
    sections = [Section(_text(data, texts + each[0]), *each[1:]) for each in raw]
    symbols = []
    for table in sections:
        if table.type != SYMBOL_TABLE:
            continue
        strings, entry = sections[table.link].offset, 24 if wide else 16
        for at in range(table.offset + entry, table.offset + table.size, entry):
            if wide:
                name, info, _, section, _, _ = struct.unpack_from("<IBBHQQ", data, at)
            else:
                name, _, _, info, _, section = struct.unpack_from("<IIIBBH", data, at)
            text = _text(data, strings + name)
            if text and not text.startswith("$") and info & 15 in OBJECT_OR_FUNCTION:
                symbols.append(Symbol(text, section, info >> 4 == LOCAL))
    return symbols, sections
