# SPDX-License-Identifier: Apache-2.0
"""Does a list of known deviations gate as REPORTS.md says, and does --update-known write one that does?"""

import json
import os
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import harness

SELECT = ["--select", "HC-QNT-002"]
WRONG = ["--target", "mine=builtin:fault-ties-to-even"]


# Quantizes everything to nothing, and ends at every request once it has answered twenty, whichever process that was in.
FALLS_SILENT = """import os, sys
for line in sys.stdin:
    number, verb, *words = line.split()
    keys = dict(word.split("=", 1) for word in words)
    if verb == "hello" and set(keys) == {"version"}:
        print(number, "ok version=1 name=silent contract=hurray types.quantize=10", flush=True)
    elif verb != "quantize" or not set(keys) <= {"type", "scale", "zero_point", "count", "in"}:
        print(number, "unsupported", flush=True)
    else:
        with open(__file__ + ".count", "a+") as count:
            count.write("x")
            if count.tell() > 20:
                os._exit(1)
        print(number, "ok q=" + "00" * int(keys["count"]), flush=True)
"""


class Known(harness.InFolder):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.written = os.path.join(folder.name, "known.toml")
        done = harness.conform("run", "--table-only", *WRONG, *SELECT, "--known", cls.written, "--update-known")
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)

    def setUp(self):
        super().setUp()
        self.list = self.path("known.toml")
        shutil.copy(self.written, self.list)

    def gate(self, *arguments, target=WRONG):
        return harness.conform("run", "--table-only", *target, *SELECT, "--known", self.list, *arguments)

    def text(self):
        with open(self.list, encoding="utf-8") as file:
            return file.read()

    def change(self, pattern, by, count=1):
        text, changed = re.subn(pattern, by, self.text(), count=count)
        self.assertTrue(changed, pattern)
        with open(self.list, "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_list_that_was_written_opens_the_gate_and_stays_as_it_is(self):
        done = self.gate("--jobs", "1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("all as known: ", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^mine .* non-conformant$")
        before = self.text()
        self.assertEqual(self.gate("--update-known").returncode, 0)
        self.assertEqual(self.text(), before)

    def test_it_is_closed_where_a_target_fell_silent_among_listed_failures(self):
        silent = self.path("silent.py")
        with open(silent, "w", encoding="utf-8") as file:
            file.write(FALLS_SILENT)
        target = ["--target", f'mine=exec:"{sys.executable}" {silent}', "--jobs", "1", "--one-at-a-time"]
        os.unlink(self.list)
        # More cases than the runner waits for failure by failure.
        done = harness.conform("run", *target, "--select", "HC-QNT-*", "--known", self.list, "--update-known")
        self.assertIn("gave up", done.stdout)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("non-conformant", done.stdout)
        self.assertIn("stays as it is: not every target could be judged", done.stdout)
        self.assertFalse(os.path.exists(self.list))

    def test_what_closes_it_is_told_line_by_line(self):
        # Each way by itself: known_test.cpp.
        entry = self.text().split("[[known]]")[1]
        self.change(r"matches = \d+", "matches = 3")
        self.change(r'fingerprint = "\w+"', 'fingerprint = "0000000000000000"')
        self.change(r"expires = .*", "expires = 2001-01-01")
        with open(self.list, "a", encoding="utf-8") as file:
            file.write("\n[[known]]" + entry.replace('target = "mine"', 'target = "yours"'))
        done = self.gate()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for part in (r"matches \d+ cases, the list says 3", "wrong in another way: fingerprint ",
                     "expired after 2001-01-01", "no target that was run is named yours"):
            self.assertRegex(done.stdout, r"(?m)^not as known: .*" + part)
        self.assertRegex(done.stdout, r"(?m)^mine .* non-conformant$")

    def test_an_empty_list_lists_nothing(self):
        with open(self.list, "w", encoding="utf-8"):
            pass
        done = self.gate()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"not as known: mine: HC-QNT-002 is violated by \d+ cases that are not listed, ")

    def test_what_is_right_must_not_stay_listed(self):
        done = self.gate(target=["--target", "mine=builtin:scalar"])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"not as known: mine: .* cases are right now, the first: ")
        done = self.gate("--update-known", target=["--target", "mine=builtin:scalar"])
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("[[known]]", self.text())

    def test_what_people_wrote_stays(self):
        self.change(r'reason = ".*"', 'reason = "it is so"\nnote = "really"\nlink = "https://tracker.example/1"')
        self.change(r"expires = .*", "expires = 2099-12-31")
        self.change(r"^", "# Ours, since 2026.\n\n")
        self.change(r'fingerprint = "\w+"', 'fingerprint = "0000000000000000"')
        self.assertEqual(self.gate("--update-known").returncode, 0)
        for part in ('reason = "it is so"', 'note = "really"', "https://tracker.example/1", "2099-12-31"):
            self.assertIn(part, self.text())
        self.assertTrue(self.text().startswith("# Ours, since 2026.\n"))

    def test_a_comment_that_would_be_lost_is_an_error(self):
        self.change(r"(matches = \d+)", r"\1  # all of them")
        before = self.text()
        done = self.gate("--update-known")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("has a comment, which rewriting would lose", done.stderr)
        self.assertEqual(self.text(), before)

    def test_a_broken_target_is_broken_and_the_list_stays(self):
        before = self.text()
        done = self.gate("--update-known", target=["--target", harness.exec_target("false", name="mine")])
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("stays as it is", done.stdout)
        self.assertEqual(self.text(), before)

    def test_what_cannot_be_a_list_is_told_before_the_run(self):
        for content, parts in (("[[known]]\nmatches = 0\n", ["line 1", "`pattern` is missing", "for example"]),
                               ("[[known]\n", ["line 1"]), ("known = 1\n", ["`known` does not belong"]),
                               ("\0", ["line 1"])):
            with open(self.list, "w", encoding="utf-8") as file:
                file.write(content)
            done = self.gate()
            self.assertEqual((done.returncode, done.stdout), (2, ""), content)
            for part in ["--known " + self.list, *parts]:
                self.assertIn(part, done.stderr)
        os.remove(self.list)
        self.assertEqual(self.gate().returncode, 2)
        for more in (["--fail-fast"], ["--expect", self.list]):
            self.assertEqual(self.gate(*more).returncode, 2)
        done = harness.conform("run", *WRONG, "--update-known")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--known", done.stderr)

    def test_reports_say_what_is_known(self):
        folder = self.path("report")
        done = harness.conform("run", *WRONG, *SELECT, "--known", self.list, "--report-dir", folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"mine: HC-QNT-002 violated, as known \(\d+ of \d+ cases\): ties-to-even")

        def read(name):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return file.read()

        junit = ElementTree.fromstring(read("junit.xml"))
        self.assertEqual((junit.get("failures"), junit.get("errors")), ("0", "0"))
        skipped = [each.get("message") for each in junit.findall(".//skipped")]
        self.assertTrue(any(each.startswith("known deviation: ties-to-even") for each in skipped), skipped)
        results = json.loads(read("report.sarif"))["runs"][0]["results"]
        self.assertTrue(results)
        for each in results:
            self.assertEqual(each["suppressions"][0]["kind"], "external")
            self.assertEqual(each["level"], "note")
        report = json.loads(read("report.json"))
        self.assertEqual(report["known"]["problems"], [])
        self.assertEqual(report["targets"][0]["verdict"], "non-conformant", "a list changes no verdict")
        self.assertIn("Known deviations", read("report.html"))
        # And what is not as it says, where CI systems look.
        self.change(r"matches = \d+", "matches = 3")
        harness.conform("run", *WRONG, *SELECT, "--known", self.list, "--report-dir", folder)
        self.assertGreater(int(ElementTree.fromstring(read("junit.xml")).get("failures")), 0)
        self.assertIn("the list says 3", read("summary.md"))

    def test_two_targets_may_share_entries(self):
        both = ["--target", "a=builtin:fault-ties-to-even",
                "--target", harness.exec_target(harness.FAULT, "ties-to-even", name="b")]
        self.change('target = "mine"', 'target = "[ab]"', count=0)
        done = self.gate(target=both)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    harness.main()
