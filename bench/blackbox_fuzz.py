#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many wrong implementations does `hurray-conform fuzz` find, who sees them only over exec:, and how soon?

Usage: blackbox_fuzz.py BUILD_FOLDER [--every N] [--seconds S] [--seed S] [--table FILE], for example
       blackbox_fuzz.py build/release --every 10 --table bench/blackbox_fuzz.md

Of the faults that `list faults` names and hurray-fault serves, every Nth in the order of the table is asked until its
first finding or for S seconds, one after the other. `fuzz` uses all processors for one target.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import time


def conform(build, *arguments):
    return subprocess.run([f"{build}/conformance/hurray-conform", *map(str, arguments)], capture_output=True, text=True)


def faults_of(build):
    listed = json.loads(conform(build, "list", "faults", "--json").stdout)["faults"]
    return [each for each in listed if each["attachment"].startswith("builtin:fault-")]


def ask(build, fault, seconds, seed):
    """(exit code, seconds until the end, cases asked, class of the first finding)."""
    name = fault["attachment"].removeprefix("builtin:fault-")
    target = f"it=exec:exec {os.path.abspath(build)}/targets/faults/hurray-fault {name}"
    strict = ["--strict"] if fault["strict"] else []
    start = time.perf_counter()
    done = conform(build, "fuzz", "--target", target, "--fail-fast", "--seconds", seconds, "--seed", seed, *strict)
    taken = time.perf_counter() - start
    cases = next((int(line.split()[1]) for line in done.stdout.splitlines() if " cases, " in line), 0)
    first = next((line for line in done.stdout.splitlines() if line.startswith(("it: fail ", "it: warn "))), "")
    return done.returncode, taken, cases, first.split(": ")[2].split(" (")[0] if first else ""


def rows_of(path):
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if line.startswith("builtin:fault-"):
                rows[words[0]] = int(words[1]), float(words[2]), int(words[4]), " ".join(words[6:])
    return rows


def table(rows, arguments, suite_seconds, chosen):
    groups = collections.defaultdict(list)
    for fault, code, taken, cases, kind in rows:
        groups[fault["requirements"][0].rsplit("-", 1)[0]].append((fault, code, taken, cases, kind))
    found = [row for row in rows if row[1] in (1, 3)]
    lines = ["# What `fuzz` finds", "",
             f"Made by [blackbox_fuzz.py](blackbox_fuzz.py): every {arguments.every}th fault that `hurray-fault` serves, over "
             f"`exec:`, until its first finding or for {arguments.seconds:g} seconds, seed {arguments.seed}. "
             "Faults that a ruling softens are asked with `--strict`.", "",
             f"**{len(found)} of {len(rows)} found**, {100 * len(found) / len(rows):.1f} %. "
             + (f"The sample has {chosen}: the run was stopped. " if chosen > len(rows) else "") + "Seconds include about "
             f"{suite_seconds:.1f} of loading the seeds.", "",
             "| requirements | faults | found | median seconds | most seconds | median cases |", "|---|---|---|---|---|---|"]
    for group in sorted(groups):
        hit = [each for each in groups[group] if each[1] in (1, 3)]
        seconds, cases = sorted(each[2] for each in hit), sorted(each[3] for each in hit)
        middle = len(hit) // 2
        lines.append(f"| {group} | {len(groups[group])} | {len(hit)} | " +
                     (f"{seconds[middle]:.1f} | {seconds[-1]:.1f} | {cases[middle]} |" if hit else "– | – | – |"))
    missed = [row for row in rows if row[1] not in (1, 3)]
    lines += ["", "Not found:" if missed else "None was missed.", ""]
    lines += [f"* `{fault['attachment'].removeprefix('builtin:fault-')}` ({fault['requirements'][0]}): {fault['wrong']} "
              f"[{cases} cases]" for fault, code, taken, cases, kind in missed]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", help="write the table to this file")
    parser.add_argument("--read", help="what an earlier run printed: its faults are not asked again")
    parser.add_argument("--limit", type=float, default=1e9, help="stop after so many seconds in all")
    arguments = parser.parse_args()
    begin = time.perf_counter()
    right = conform(arguments.build, "fuzz", "--target", "builtin:scalar", "--runs", 1)
    if right.returncode != 0:
        sys.exit(f"the scalar target has findings, or does not work:\n{right.stdout}{right.stderr}")
    loading = time.perf_counter() - begin
    rows, known = [], rows_of(arguments.read) if arguments.read else {}
    chosen = faults_of(arguments.build)[arguments.offset::arguments.every]
    for fault in chosen:
        if fault["attachment"] in known:
            rows.append((fault, *known[fault["attachment"]]))
            continue
        if time.perf_counter() - begin > arguments.limit:
            print("stopped by --limit: the table is of those that were asked", file=sys.stderr)
            break
        code, taken, cases, kind = ask(arguments.build, fault, arguments.seconds, arguments.seed)
        rows.append((fault, code, taken, cases, kind))
        print(f"{fault['attachment']:55} {code} {taken:6.1f} s {cases:8} cases  {kind}", flush=True)
    text = table(rows, arguments, loading, len(chosen))
    print(text)
    if arguments.table:
        with open(arguments.table, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
