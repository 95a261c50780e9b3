# SPDX-License-Identifier: Apache-2.0
"""Does the judgement of every liar end as it is meant to, whatever it does to the runner?"""

import concurrent.futures
import os
import re
import resource
import subprocess
import unittest

import harness

LIST = os.path.join(harness.SOURCE, "targets", "liars", "liars.toml")
LIAR = os.path.join(harness.BUILD, "targets", "liars", "liar")
MOST_MEMORY_KIB = 200 * 1024


class Liars(unittest.TestCase):
    def test_each_ends_in_its_outcome_within_bounded_memory(self):
        with open(LIST, encoding="utf-8") as file:
            names = re.findall(r'^name = "(.*)"$', file.read(), re.M)
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            runs = pool.map(lambda name: (name, harness.conform(
                "run", "--jobs", "1", "--table-only", "--expect", LIST, "--target", name)), names)
            for name, done in runs:
                with self.subTest(name):
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("all 1 targets have the verdict that they are meant to have", done.stdout)
        # The largest of all runners, guardians and liars.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MOST_MEMORY_KIB)

    def test_the_list_has_every_kind(self):
        usage = subprocess.run([LIAR], capture_output=True, text=True).stderr
        kinds = re.findall(r"^  (\S+) ", usage, re.M)
        with open(LIST, encoding="utf-8") as file:
            listed = re.findall(r"/liar (\S+)\"$", file.read(), re.M)
        self.assertEqual(listed, kinds)
        self.assertGreaterEqual(len(kinds), 20)

    def test_another_outcome_would_be_noticed(self):
        done = harness.conform("run", "--table-only", "--expect", LIST,
                               "--target", "prints=builtin:scalar")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not as meant: prints: meant to be broken, is conformant", done.stdout)


if __name__ == "__main__":
    harness.main()
