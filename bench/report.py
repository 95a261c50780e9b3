#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes report.md and report.html of what ./ci/bench.sh measured: a folder with machine.json, differences.json and
files of Google Benchmark, in which names are GROUP/TYPE/LEVEL/CONTENDER. What is not there is left out.

Usage: report.py FOLDER
"""

import json
import pathlib
import statistics
import sys

import report_html
from contenders import KINDS, LIMITS, PEER, SETS, kind_of

TITLES = {"dequantize": "Codes to floats", "quantize": "Floats to codes", "codec": "Descriptors",
          "requests": "Small requests", "run": "Whole runs"}
LEVELS = {"L1": "16 KiB", "L2": "1 MiB", "DRAM": "256 MiB"}


class Row:
    """What was measured side by side: {contender: items per second, the median of all repetitions}."""

    def __init__(self, group, kind, level):
        self.group, self.kind, self.level = group, kind, level
        self.samples = {}

    def rates(self):
        return {name: statistics.median(rates) for name, rates in self.samples.items()}

    def best(self):
        """The fastest set of vector kernels; nothing where there is none."""
        ours = {name: rate for name, rate in self.rates().items() if kind_of(name) == "ours"}
        return max(ours, key=ours.get, default=None)

    def limit(self):
        return max((rate for name, rate in self.rates().items() if name in LIMITS), default=None)

    def ratio(self, other):
        """How many times as fast as `other`, a contender or LIMITS, the best set is; nothing if one is missing."""
        rate = self.limit() if other is LIMITS else self.rates().get(other)
        return self.rates()[self.best()] / rate if rate and self.best() else None


def load_rows(folder):
    """{(group, kind, level): Row} of all files of Google Benchmark, in the order in which they were measured."""
    rows = {}
    for path in sorted(folder.glob("*.bench.json")):
        for each in json.loads(path.read_text())["benchmarks"]:
            if each.get("run_type") != "iteration":
                continue
            name = each["name"].removesuffix("/real_time")
            if each.get("error_occurred"):
                sys.exit(f"{path.name}: {name}: {each.get('error_message')}")
            group, kind, level, contender = name.split("/", 3)
            row = rows.setdefault((group, kind, level), Row(group, kind, level))
            row.samples.setdefault(contender, []).append(each["items_per_second"])
    return rows


def load(folder, name):
    path = folder / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def contenders_of(rows):
    """Names in one order for all rows: others as they come, sets, peers, limits."""
    order = SETS + tuple(KINDS)
    names = list(dict.fromkeys(name for row in rows for name in row.samples))
    return sorted(names, key=lambda name: order.index(name) if name in order else -1)


def number(value):
    return "" if value is None else f"{value:.2f}"


def shown(row, rate):
    """A rate in the unit of its row."""
    if row.group in ("requests", "run"):
        return f"{rate:,.0f}"
    if row.group == "codec" or row.level == "call":
        return f"{1e9 / rate:.1f}"
    return number(rate / 1e9)


def unit_of(row):
    if row.group in ("requests", "run"):
        return "requests per second" if row.group == "requests" else "cases per second"
    return "ns" if row.group == "codec" or row.level == "call" else "10^9 elements per second"


def table(rows, with_ratios):
    """Header and rows of cells, for text and page alike."""
    names = contenders_of(rows)
    header = ["", ""] + names + (["best / xnnpack", "best / limit", "best / division"] if with_ratios else [])
    lines = []
    for row in rows:
        rates = row.rates()
        cells = [row.kind, row.level] + [shown(row, rates[name]) if name in rates else "" for name in names]
        if with_ratios:
            cells += [number(row.ratio(PEER)), number(row.ratio(LIMITS)), number(row.ratio("division"))]
        lines.append(cells)
    keep = [i for i in range(len(header)) if i < 2 or any(line[i] for line in lines)]
    return [header[i] for i in keep], [[line[i] for i in keep] for line in lines]


def sections(rows):
    """(title, unit, rows, whether they have peers and limits)."""
    for group, title in TITLES.items():
        here = [row for row in rows.values() if row.group == group]
        sized = [row for row in here if row.level in LEVELS]
        calls = [row for row in here if row.level == "call"]
        if sized:
            levels = ", ".join(f"{name} {size}" for name, size in LEVELS.items())
            yield f"{title}: input and output together {levels}", unit_of(sized[0]), sized, True
        if calls:
            yield f"{title}: calls of one element", unit_of(calls[0]), calls, False
        rest = [row for row in here if row not in sized and row not in calls]
        if rest:
            yield title, unit_of(rest[0]), rest, False


def difference_lines(differences):
    for each in differences["differences"]:
        what = "binary32 inputs" if each["op"] == "quantize" else "codes"
        yield [each["target"], f"{each['op']} {each['type']}", f"{each['differ']:,}", f"{each['compared']:,} {what}"]


def markdown_table(header, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, ["---"] * len(header), *lines]) + "\n"


def markdown(machine, differences, rows):
    parts = ["# Speed\n\nMedians; a row was measured side by side, in random order. Figures belong to this machine.\n"]
    if machine:
        parts.append(markdown_table(["", ""], machine))
    if differences:
        parts.append(f"## Differences from the reference, scale {differences['scale']}, zero point "
                     f"{differences['zero_point']}\n\nNaN is left out.\n")
        parts.append(markdown_table(["target", "", "differ", "of"], difference_lines(differences)))
    for title, unit, here, has_peers in sections(rows):
        parts.append(f"## {title}\n\nIn {unit}.\n")
        parts.append(markdown_table(*table(here, has_peers)))
    return "\n".join(parts)


def main(folder):
    folder = pathlib.Path(folder)
    rows = load_rows(folder)
    machine, differences = load(folder, "machine"), load(folder, "differences")
    if not rows and not differences:
        sys.exit(f"{folder}: nothing was measured: no *.bench.json and no differences.json")
    (folder / "report.md").write_text(markdown(machine, differences, rows), encoding="utf-8")
    page = report_html.page(machine, differences and list(difference_lines(differences)), differences, sections(rows), table, shown)
    (folder / "report.html").write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
