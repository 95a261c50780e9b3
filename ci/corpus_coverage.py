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


def functions_left(functions, path):
    """First and last line of each function of the file that was never called, without those inside another one."""
    calls = {}
    for function in functions:
        first = function["regions"][0]
        if function["filenames"][first[5]] == path:
            lines = first[0], first[2]
            calls[lines] = calls.get(lines, 0) + function["count"]
    never = [lines for lines, count in calls.items() if count == 0]
    return [(first, last) for first, last in never
            if not any(a <= first and last <= b and (a, b) != (first, last) for a, b in never)]


def unreached(functions, lines, branches):
    """(line, kind) of what is left; of a function that was never called only its first line."""
    inside = {line for first, last in functions for line in range(first, last + 1)}
    return ([(first, "function") for first, _ in functions] +
            [(line, "line") for line, count in lines.items() if count == 0 and line not in inside] +
            [(line, outcome) for (line, _, outcome), count in branches.items() if count == 0 and line not in inside])


def listed_in(text, where):
    """(file, kind, source text) -> reasons; rows have these four, with tabs between. Lines that read alike have a row each.
    """
    rows = {}
    for number, row in enumerate(text.splitlines(), 1):
        if not row.strip() or row.startswith("#"):
            continue
        parts = row.split("\t")
        if len(parts) != 4 or not all(part.strip() for part in parts):
            sys.exit(f"{where}:{number}: not file, what (function, line, true or false), text and reason with tabs between")
        rows.setdefault(tuple(part.strip() for part in parts[:3]), []).append(parts[3])
    return rows


def ratio(reached, all_):
    return f"{reached} of {all_}" if reached < all_ else f"all {all_}"


def measured(root, export, lcov):
    """Prints the table, and returns what is left: (file, kind, source text) -> lines of the file."""
    files = {file["filename"]: file for file in export["files"]}
    lines = lines_of(lcov)
    left, totals = {}, [0] * 6
    print("| file | lines | branches | MC/DC |\n|---|---|---|---|")
    for name in FILES:
        path = str(root / name)
        if path not in files:
            sys.exit(f"{name}: not in what was measured; was it renamed? FILES of {sys.argv[0]} names it")
        text = (root / name).read_text().splitlines()
        branches = branches_of(files[path])
        for line, kind in unreached(functions_left(export["functions"], path), lines[path], branches):
            left.setdefault((name, kind, text[line - 1].strip()), []).append(line)
        mcdc = files[path]["summary"].get("mcdc", {"count": 0, "covered": 0})
        row = [sum(c > 0 for c in lines[path].values()), len(lines[path]),
               sum(c > 0 for c in branches.values()), len(branches), mcdc["covered"], mcdc["count"]]
        totals = [a + b for a, b in zip(totals, row)]
        print(f"| {name} | {ratio(*row[:2])} | {ratio(*row[2:4])} | {ratio(*row[4:])} |")
    print(f"| together | {ratio(*totals[:2])} | {ratio(*totals[2:4])} | {ratio(*totals[4:])} |")
    if totals[5] == 0:
        sys.exit("no MC/DC in what was measured; build with -fcoverage-mcdc (cmake --preset coverage)")
    return left


def print_left(left, listed):
    print("\n| left | where | why |\n|---|---|---|")
    for key, at in sorted(left.items()):
        name, kind, source = key
        shown = source.replace("|", "\\|")
        for i in range(len(at)):
            why = listed.get(key, [])[i:i + 1] or ["NOT LISTED"]
            print(f"| {kind} | {name}: `{shown}` | {why[0]} |")


def differences(left, listed, where):
    """A sentence for each line that is left and not listed, or listed and not left."""
    found = []
    for key in sorted(set(left) | set(listed)):
        name, kind, source = key
        at, reasons = sorted(left.get(key, [])), listed.get(key, [])
        if len(at) > len(reasons):
            numbers = ", ".join(str(line) for line in at)
            found.append(f"{name}:{numbers}: {kind} never reached, {len(at)} of them, and {len(reasons)} in {where}: {source}")
        elif len(at) < len(reasons):
            found.append(f"{where}: reached now, or gone: {'  '.join(key)}")
    return found


def main(arguments):
    if len(arguments) != 4:
        print("usage: corpus_coverage.py ROOT EXPORT.json EXPORT.lcov UNREACHED.tsv", file=sys.stderr)
        return 2
    root, export, lcov, where = map(pathlib.Path, arguments)
    listed = listed_in(where.read_text(), where)
    left = measured(root, json.loads(export.read_text())["data"][0], lcov.read_text())
    if left:
        print_left(left, listed)
    wrong = differences(left, listed, where)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
