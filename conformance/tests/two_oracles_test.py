# SPDX-License-Identifier: Apache-2.0
"""Does the second oracle agree with every expectation of the suite, and would it notice if it did not?"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import harness

SECOND_ORACLE = os.path.join(harness.SOURCE, "conformance", "oracle", "second_oracle.py")


def compare(document):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return subprocess.run([sys.executable, SECOND_ORACLE, path], capture_output=True, text=True,
                              timeout=harness.STUCK_SECONDS)


def some_cases(prefix):
    """A handful of cases below a prefix, as copies of their own."""
    chosen = [case for case in harness.all_cases() if case["name"].startswith(prefix)][:5]
    return json.loads(json.dumps(chosen))


def with_another_digit(text):
    """The text with its last hexadecimal digit changed."""
    at = max(i for i, character in enumerate(text) if character in "0123456789abcdef")
    return text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1:]


class TwoOracles(unittest.TestCase):
    def test_agree_on_every_case(self):
        cases = harness.all_cases()
        done = compare({"cases": cases})
        self.assertEqual(done.returncode, 0, done.stdout[:2000] + done.stderr)
        self.assertTrue(done.stdout.startswith(f"{len(cases)} cases, "), done.stdout)
        self.assertTrue(done.stdout.endswith(" 0 differences\n"), done.stdout)

    def test_one_digit_of_one_case_is_noticed_in_every_verb(self):
        # The named case and no other: that is where a person has to look.
        for prefix in ("decode/scale-finite/", "encode/scale/", "dequantize/all-codes/", "quantize/ties/",
                       "normalize/one-byte/", "ra8/quantize-ties/", "ra8/dequantize-all-codes/", "call/bounds/"):
            cases = some_cases(prefix)
            altered = cases[2]["steps"][0]["expect"][0]
            altered["answer"] = with_another_digit(altered["answer"])
            done = compare({"cases": cases})
            self.assertEqual(done.returncode, 1, prefix)
            *named, summary = done.stdout.splitlines()
            self.assertEqual([line.split(": ")[0] for line in named], [cases[2]["name"]], prefix)
            self.assertTrue(summary.endswith(" 1 differences"), summary)

    def test_another_verdict_or_behaviour_is_noticed_too(self):
        cases = some_cases("quantize/nan/")
        cases[1]["steps"][0]["expect"][0]["free"] = []
        self.assertEqual(compare({"cases": cases}).returncode, 1)
        cases = some_cases("decode/longer/")
        cases[0]["steps"][0]["expect"][0]["verdict"] = "warn"
        self.assertEqual(compare({"cases": cases}).returncode, 1)
        cases = some_cases("decode/longer/")
        del cases[0]["steps"][0]["expect"][0]
        self.assertEqual(compare({"cases": cases}).returncode, 1)


if __name__ == "__main__":
    harness.main()
