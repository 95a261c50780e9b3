#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Archives of inputs (archive.h) as the zip that fuzzing services take: one member for each input.

Only Python's own library, as this runs where nothing is installed; a zip of the same inputs is the same bytes.
"""

import sys
import zipfile

USAGE = "Usage: seed_zip.py ARCHIVE… OUT.zip\nAn archive is a line for each input: a name, a space, hexadecimal bytes."


def inputs_of(path):
    """The inputs of an archive in their order; raises ValueError with the file and line."""
    inputs = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            name, space, digits = line.rstrip("\n").partition(" ")
            try:
                if not name or not space:
                    raise ValueError
                inputs.append(bytes.fromhex(digits))
            except ValueError:
                raise ValueError(f"{path}: line {number} is not a name, a space and hexadecimal bytes, "
                                 "as `decode/golden 10010100…`") from None
    return inputs


def write_zip(path, inputs):
    """Distinct inputs, numbered. Names of cases hold slashes, which would become folders."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(dict.fromkeys(inputs)):
            archive.writestr(zipfile.ZipInfo(f"{number:05}", (1980, 1, 1, 0, 0, 0)), data)


def main(arguments):
    if len(arguments) < 2 or not arguments[-1].endswith(".zip"):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        inputs = [each for path in arguments[:-1] for each in inputs_of(path)]
        if not inputs:
            raise ValueError(f"no inputs in {', '.join(arguments[:-1])}")
        write_zip(arguments[-1], inputs)
    except (OSError, ValueError) as error:
        print(f"seed_zip.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
