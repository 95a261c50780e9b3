#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shortest use of the vectors: consume.py COMMAND FILE.json…, where COMMAND speaks the line protocol."""
import json, subprocess, sys
from fnmatch import fnmatchcase

vectors = [vector for path in sys.argv[2:] for vector in json.load(open(path, encoding="utf-8"))["vectors"]]
steps = [(vector, step) for vector in vectors for step in vector["steps"]]
requests = "".join(f"{i} {step['request']}\n" for i, (vector, step) in enumerate(steps))
lines = subprocess.run(sys.argv[1], shell=True, input=requests, capture_output=True, text=True).stdout.splitlines()
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
