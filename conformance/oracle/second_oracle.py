#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does an independent computation agree with every expectation of the suite?

Reads the cases as `hurray-conform list cases --json` prints them, answers each request anew from its
line alone (verbs.py), and compares with what the suite expects. README.md says what is compared.
Exit codes: 0 agreement, 1 a difference or no cases at all, 2 usage or unreadable input.
"""

import argparse
import json
import multiprocessing
import os
import sys

import alternatives
import verbs

SHOWN_CHARACTERS = 200


def ask(line):
    """The alternatives for one request line."""
    return verbs.alternatives(*alternatives.parse(line))


def shortened(text):
    hidden = len(text) - SHOWN_CHARACTERS
    return text if hidden <= 0 else f"{text[:SHOWN_CHARACTERS]}… ({hidden} more characters)"


def parting(said, other):
    """`said` as text, cut so that the place where it leaves `other` stays in view."""
    said, other = (json.dumps(value, ensure_ascii=False) for value in (said, other))
    common = len(os.path.commonprefix([said, other]))
    start = max(0, common - SHOWN_CHARACTERS // 2)
    return ("…" if start else "") + shortened(said[start:])


def compared(case):
    """(requests, elements, the difference in a line or None) of one case."""
    elements, differences = 0, []
    for step in case["steps"]:
        request = step["request"]
        # `free` and `shows` may be left out where they are empty.
        suite = [dict(expected, shows=expected.get("shows", {})) for expected in step["expect"]]
        for expected in suite:
            if not expected.get("free", True):
                del expected["free"]
        try:
            oracle = ask(request)
            verb, keys = alternatives.parse(request)
            elements += int(keys.get("count", 0)) if verb != "packed_bytes" else 0  # there it is a number, no array
        except alternatives.RequestError as error:
            oracle = f"cannot answer: {error}"
        if suite != oracle:
            differences.append(f"{case['name']}: {shortened(request)}: suite {parting(suite, oracle)}: "
                               f"second oracle {parting(oracle, suite)}")
    if len(differences) > 1:
        differences[0] += f" (and {len(differences) - 1} more requests of this case)"
    return len(case["steps"]), elements, differences[0] if differences else None


def read_cases(path):
    """The cases of a file, or ValueError in words for a person."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise ValueError('expected a JSON object with a list "cases"')
    for i, case in enumerate(document["cases"]):
        try:
            well_formed = isinstance(case["name"], str) and len(case["steps"]) > 0 and all(
                isinstance(step["request"], str) and isinstance(step["expect"], list) and
                all(isinstance(expected["answer"], str) for expected in step["expect"])
                for step in case["steps"])
        except (KeyError, TypeError, IndexError):
            well_formed = False
        if not well_formed:
            raise ValueError(f'case {i}: expected a "name" and "steps", each with "request" and "expect"')
    return document["cases"]


def compare_all(cases, jobs):
    if jobs == 1:
        return list(map(compared, cases))
    with multiprocessing.Pool(jobs) as pool:
        return list(pool.imap(compared, cases, chunksize=8))


def main(arguments):
    parser = argparse.ArgumentParser(
        description="Recomputes the suite's expectations with exact integers and compares.",
        epilog='example: second_oracle.py --ask '
               '"dequantize type=10 scale=3f000000 zero_point=3 count=2 q=00ff"')
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("cases", nargs="?", metavar="CASES.json",
                      help="output of: hurray-conform list cases --json")
    what.add_argument("--ask", metavar="REQUEST", help="print the alternatives for one request line")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="number of processes (default: one per processor)")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs should be at least 1, got {options.jobs}")

    if options.ask is not None:
        try:
            print(json.dumps(ask(options.ask), indent=2))
        except alternatives.RequestError as error:
            print(f"second_oracle.py: {error}", file=sys.stderr)
            return 2
        return 0

    try:
        cases = read_cases(options.cases)
    except (OSError, ValueError) as error:
        print(f"second_oracle.py: {options.cases}: {error}", file=sys.stderr)
        return 2
    if not cases:
        print(f"second_oracle.py: {options.cases}: no cases, nothing was compared", file=sys.stderr)

    results = compare_all(cases, options.jobs)
    differences = [line for _, _, line in results if line]
    for line in differences:
        print(line)
    print(f"{len(cases)} cases, {sum(r[0] for r in results)} requests, "
          f"{sum(r[1] for r in results)} elements, {len(differences)} differences")
    return 0 if cases and not differences else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
