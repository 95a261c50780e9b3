#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shortest use of the vectors: consume.py COMMAND FILE.json…, where COMMAND speaks the line protocol, and a file
has many vectors, or one as `hurray-conform fuzz --out` writes it."""
import json, subprocess, sys
from fnmatch import fnmatchcase

if len(sys.argv) < 3:
    print(__doc__, 'For example: python3 consume.py "./my_adapter" decode.json quantize.json', sep="\n", file=sys.stderr)
    sys.exit(2)
files = [json.load(open(path, encoding="utf-8")) for path in sys.argv[2:]]
vectors = [vector for file in files for vector in file.get("vectors", [file])]
steps = [(vector, step) for vector in vectors for step in vector["steps"]]
requests = "".join(f"{i} {step['request']}\n" for i, (vector, step) in enumerate(steps))
lines = subprocess.run(sys.argv[1], shell=True, input=requests, stdout=subprocess.PIPE, text=True).stdout.splitlines()
answers = dict(line.split(" ", 1) for line in lines if " " in line)
def fits(answer, expected):
    patterns = expected.get("patterns", [expected["answer"] + "*" * (not expected["answer"].startswith("ok"))])
    return any(fnmatchcase(answer, pattern) for pattern in patterns)
wrong = [(vector["id"], step["request"], answers.get(str(i))) for i, (vector, step) in enumerate(steps)
         if not any(fits(answers.get(str(i), ""), expected) for expected in step["expect"])]
unsupported = [each for each in wrong if (each[2] or "").startswith("unsupported")]
for name, request, answer in [each for each in wrong if each not in unsupported]:
    print(f"{name}\n  request  {request[:200]}\n  answer   {(answer or 'none')[:200]}")
print(f"{len(steps)} requests, {len(steps) - len(wrong)} as expected, {len(unsupported)} unsupported, "
      f"{len(wrong) - len(unsupported)} wrong")
sys.exit(len(wrong) > len(unsupported) or len(wrong) == len(steps))
