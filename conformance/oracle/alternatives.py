# SPDX-License-Identifier: Apache-2.0
"""Requests as lines, and the walk through everything that the rulings leave open.

A verb (verbs.py) is a plain function that asks `choose(behaviour, options…)` where a ruling allows
several results. `walk` runs it once for each path of choices and merges equal answers into the list of
alternatives that README.md describes. A behaviour that a path never asks about is open on that path:
walking paths gives the same list as the product of all options, and costs less.
"""

import itertools

# Behaviours that a target is bound by and whose options are known here: only these are tied together.
TIED = {"int32-difference", "uint32-codes", "longer-section", "quotient", "subnormals", "null-with-count-0",
        "bad-scale-with-count-0", "shared-parameter-buffer", "symmetric-index", "handle-bytes",
        "empty-buffer-alignment", "dynamic-dimension", "private-type", "nf4-negative-zero-scale", "unused-bits",
        "e8m0-patterns"}
HIDDEN = "."  # first character of a question that is none of README.md's behaviours: never shown
VERDICTS = ("pass", "warn", "record")  # best first; a merged answer keeps the best


class RequestError(Exception):
    """The line is not a request that an oracle can answer."""


class Answer:
    """One answer: `ok` with fields, or `reject`; `free` as in README.md."""

    def __init__(self, word, fields=(), verdict="pass", free=()):
        self.word, self.fields, self.verdict, self.free = word, list(fields), verdict, list(free)

    def line(self, suffix):
        return " ".join([self.word] + [f"{key}={value}" for key, value in self.fields + suffix])


REJECT = Answer("reject")


def parse(line):
    """(verb, {key: text}) of a request line without id."""
    verb, *pairs = line.split() or [""]
    request = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or key in request:
            raise RequestError(f"expected key=value, each key once, got {pair[:40]!r}")
        request[key] = value
    return verb, request


def tie(paths, options_of):
    """What the paths to one answer exclude together and not one by one, as a behaviour of its own."""
    names = sorted(TIED & options_of.keys())
    left = set()
    for chosen in paths:
        left.update(itertools.product(*([chosen[name]] if name in chosen else options_of[name]
                                        for name in names)))
    one_by_one = itertools.product(*({combination[i] for combination in left} for i in range(len(names))))
    if left.issuperset(one_by_one):
        return {}
    return {"+".join(names): sorted("+".join(combination) for combination in left)}


def walk(verb):
    """Alternatives of `verb`, a function of `choose` that returns an Answer and its line."""
    options_of, paths = {}, []
    unexplored = [[]]
    while unexplored:
        script = unexplored.pop()  # which option to take at the first, second, … new question
        chosen = {}

        def choose(behaviour, *options):
            options_of[behaviour] = options
            if behaviour not in chosen:
                depth = len(chosen)
                if depth == len(script):
                    unexplored.extend(script + [i] for i in range(1, len(options)))
                    script.append(0)
                chosen[behaviour] = options[script[depth]]
            return chosen[behaviour]

        answer, line = verb(choose)
        paths.append((line, answer, chosen))

    merged = {}
    for line, answer, chosen in paths:
        entry = merged.setdefault(line, {"verdicts": set(), "free": answer.free, "paths": []})
        entry["verdicts"].add(answer.verdict)
        entry["paths"].append(chosen)

    out = []
    for line, entry in sorted(merged.items()):
        shows = {}
        for behaviour, options in sorted(options_of.items()):
            if behaviour.startswith(HIDDEN):
                continue
            compatible = {option for chosen in entry["paths"]
                          for option in ([chosen[behaviour]] if behaviour in chosen else options)}
            # nan-input=value is for the judge to name: it reads the value at the free positions.
            if len(compatible) < len(options) and compatible != {"value"}:
                shows[behaviour] = sorted(compatible)
        shows.update(tie(entry["paths"], options_of))
        alternative = {"answer": line, "verdict": min(entry["verdicts"], key=VERDICTS.index),
                       "shows": shows}
        if entry["free"]:
            alternative["free"] = entry["free"]
        out.append(alternative)
    return out
