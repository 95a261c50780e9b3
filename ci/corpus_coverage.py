# SPDX-License-Identifier: Apache-2.0
#
# What do the committed inputs of the fuzzers reach in the readers and judges of descriptors? Prints a table of lines,
# branches and MC/DC from llvm-cov's exports, and compares what is left with a list of it, each entry with a reason.
#
# Usage: corpus_coverage.py ROOT EXPORT.json EXPORT.lcov UNREACHED.tsv
# Exit codes: 0 all that is left is listed and all that is listed is left, 1 not so, 2 usage.

import json
import pathlib
import sys

# What reads and judges descriptors, of quantization and of tensors.
FILES = """
reference/findings.cpp reference/scheme_header.cpp reference/quantization.cpp reference/per_tensor_affine.cpp
reference/per_channel_affine.cpp reference/per_block_affine.cpp reference/nf4.cpp reference/mxfp.cpp
reference/tensor.cpp reference/tensor_buffers.cpp reference/tensor_layout.cpp reference/tensor_members.cpp
reference/tensor_quantization.cpp
targets/scalar/scalar_codec.c targets/scalar/scalar_per_tensor.c targets/scalar/scalar_per_channel.c
targets/scalar/scalar_per_block.c targets/scalar/scalar_nf4.c targets/scalar/scalar_mxfp.c targets/scalar/scalar_types.c
targets/scalar/scalar_tensor.c targets/scalar/scalar_tensor_quantization.c
targets/scalar/scalar_tensor_rules.c
""".split()


def lines_of(lcov):
    """By file: counts by line."""
    counts, current = {}, None
    for row in lcov.splitlines():
        kind, _, rest = row.partition(":")
        if kind == "SF":
            current = counts.setdefault(rest, {})
        elif kind == "DA":
            line, count = rest.split(",")[:2]
            current[int(line)] = max(current.get(int(line), 0), int(count))
    return counts


def branches_of(file):
    """Counts by (line, column, outcome). A condition that is a constant has no outcomes to reach."""
    counts = {}
    for line, column, _, _, taken, not_taken, *_ in file["branches"]:
        for outcome, count in (("true", taken), ("false", not_taken)):
            key = (line, column, outcome)
            counts[key] = counts.get(key, 0) + count
    return counts


def listed_in(text, where):
    """(file, kind, source text) -> reason; rows have these four, with tabs between; the second is line, true or false."""
    rows = {}
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip() or row.startswith("#"):
            continue
        parts = row.split("\t")
        if len(parts) != 4 or not all(part.strip() for part in parts):
            sys.exit(f"{where}:{number}: not file, what (line, true or false), source text and reason with tabs between")
        rows[tuple(part.strip() for part in parts[:3])] = parts[3]
    return rows


def ratio(reached, all_):
    return f"{reached} of {all_}" if reached < all_ else f"all {all_}"


def main(arguments):
    if len(arguments) != 4:
        print("usage: corpus_coverage.py ROOT EXPORT.json EXPORT.lcov UNREACHED.tsv", file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    exported = json.loads(pathlib.Path(arguments[1]).read_text())["data"][0]["files"]
    files = {file["filename"]: file for file in exported}
    lines = lines_of(pathlib.Path(arguments[2]).read_text())
    listed = listed_in(pathlib.Path(arguments[3]).read_text(), arguments[3])
    left = {}
    print("| file | lines | branches | MC/DC |\n|---|---|---|---|")
    totals = [0] * 6
    for name in FILES:
        path = str(root / name)
        if path not in files:
            sys.exit(f"{name}: not in what was measured; was it renamed? FILES of {sys.argv[0]} names it")
        text = (root / name).read_text().splitlines()
        for line, count in lines[path].items():
            if count == 0:
                left.setdefault((name, "line", text[line - 1].strip()), line)
        branches = branches_of(files[path])
        for (line, _, outcome), count in branches.items():
            if count == 0:
                left.setdefault((name, outcome, text[line - 1].strip()), line)
        mcdc = files[path]["summary"].get("mcdc", {"count": 0, "covered": 0})
        row = [sum(c > 0 for c in lines[path].values()), len(lines[path]),
               sum(c > 0 for c in branches.values()), len(branches), mcdc["covered"], mcdc["count"]]
        totals = [a + b for a, b in zip(totals, row)]
        print(f"| {name} | {ratio(*row[:2])} | {ratio(*row[2:4])} | {ratio(*row[4:])} |")
    print(f"| together | {ratio(*totals[:2])} | {ratio(*totals[2:4])} | {ratio(*totals[4:])} |")
    if left:
        print("\n| left | where | why |\n|---|---|---|")
        for key, line in sorted(left.items()):
            name, kind, source = key
            shown = source.replace("|", "\\|")
            print(f"| {kind} | {name}: `{shown}` | {listed.get(key, 'NOT LISTED')} |")
    wrong = 0
    for key, line in sorted(left.items()):
        if key not in listed:
            wrong += 1
            print(f"{key[0]}:{line}: {key[1]} never reached, and not in {arguments[3]}: {key[2]}", file=sys.stderr)
    for key in sorted(set(listed) - set(left)):
        wrong += 1
        print(f"{arguments[3]}: reached now, or gone: {'  '.join(key)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
