#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A target that computes nothing: it answers each request as somebody else did in a transcript.

    replaying_target.py TRANSCRIPT
"""

import sys


def recording(path):
    """{request: answer}, both without their ids."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = [line.rstrip("\n").split(" ", 1)[1] for line in file]
    return dict(zip(lines[::2], lines[1::2]))


def main(path):
    answers = recording(path)
    while line := sys.stdin.readline():
        number, request = line.rstrip("\n").split(" ", 1)
        # A refusal is the likeliest right answer to what it never heard of.
        answer = answers.get(request, "unsupported" if "never" in request else "reject")
        sys.stdout.write(f"{number} {answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
