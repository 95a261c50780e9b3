# SPDX-License-Identifier: Apache-2.0
"""Does everything that ships get the verdict that it is meant to have, and is a wrong meaning noticed?"""

import os
import re
import shlex
import tempfile

import harness
from reports_test import page_problems

CONFORMANCE = os.path.join(harness.SOURCE, "conformance")
LIST = os.path.join(CONFORMANCE, "bundled.toml")


def blocks():
    """{name: the text of its block} of the list that ships, but for firmware images: those are judged with all
    others of their kind, by the tier `firmware` of ci/test.sh."""
    with open(LIST, encoding="utf-8") as file:
        text = file.read()
    parts = ["[[target]]" + part.split("\n#")[0] for part in text.split("[[target]]")[1:]]
    return {re.search(r'name = "(.*)"', part)[1]: part.replace("{here}", CONFORMANCE) for part in parts
            if 'attachment = "qemu:' not in part}


class Bundled(harness.InFolder):
    def run_list(self, text, *arguments, table=True):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "list.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return harness.conform("run", *["--table-only"] * table, "--expect", path, *arguments)

    def test_every_verdict_is_the_one_that_is_meant(self):
        reports = self.path("reports")
        done = self.run_list("\n".join(blocks().values()), "--report-dir", reports)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        elsewhere = len(re.findall(r"^not here: ", done.stdout, re.M))
        self.assertIn(f"all {len(blocks()) - elsewhere} targets have the verdict that they are meant to have", done.stdout)
        # And its page is one that opens everywhere.
        with open(os.path.join(reports, "report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page_problems(page), [])
        self.assertLess(len(page.encode()), 3_000_000)
        for name in blocks():
            if f"not here: {name}," not in done.stdout:
                self.assertIn(f">{name}<", page)

    def check_changed(self, name, old, new, message):
        text = blocks()["scalar"] if name != "scalar" else ""
        self.assertIn(old, blocks()[name])
        done = self.run_list(text + blocks()[name].replace(old, new), "--select", "HQ-PTA-0*")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        unmet = [line for line in done.stdout.splitlines() if line.startswith("not as meant: ")]
        self.assertEqual(unmet, ["not as meant: " + message])

    def test_another_verdict_is_named(self):
        self.check_changed("scalar", '"conformant"', '"non-conformant"',
                           "scalar: meant to be non-conformant, is conformant")

    def test_a_requirement_that_is_not_violated_is_named(self):
        self.check_changed("zero-point-unchecked", '"HQ-PTA-011"', '"HQ-PTA-011", "HQ-PTA-006"',
                           "zero-point-unchecked: meant to violate HQ-PTA-006, does not")

    def test_what_a_placeholder_stood_for_is_in_the_replay_line(self):
        done = self.run_list(
            '[[target]]\nname = "wrong"\nverdict = "non-conformant"\n'
            'attachment = "exec:{bin}/targets/faults/hurray-fault zero-point-unchecked"\n',
            "--select", "HQ-PTA-011", table=False)
        line = re.search(r"replay +hurray-conform (.*)", done.stdout)[1]
        replayed = harness.conform(*shlex.split(line))
        self.assertEqual(replayed.returncode, 1, line + replayed.stdout + replayed.stderr)

    def test_one_of_the_list_can_be_run_by_its_name(self):
        done = self.run_list("\n".join(blocks().values()), "--target", "zero-point-unchecked")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("all 1 targets", done.stdout)

    def test_what_select_left_out_is_not_meant(self):
        text = "\n".join(blocks().values()).replace("{here}", os.path.dirname(LIST))
        done = self.run_list(text, "--select", "HQ-PTA-*")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_an_id_that_is_no_requirement_is_named(self):
        self.check_changed("zero-point-unchecked", '"HQ-PTA-011"', '"HQ-PTA-999"',
                           "zero-point-unchecked: meant to violate HQ-PTA-999, which is no requirement")

    def test_another_reason_is_named(self):
        self.check_changed(
            "liar-dies", "ended before", "ended after",
            "liar-dies: meant to be broken because of `ended after it answered `hello version=1``, the reason is "
            "`ended before it answered `hello version=1`: exited with status 1`")

    def test_a_target_that_turns_out_conformant_though_meant_broken_is_named(self):
        done = self.run_list(blocks()["scalar"].replace('"conformant"', '"broken"\nreason = "x"'), "--select",
                             "HQ-PTA-001")
        self.assertEqual(done.returncode, 1)
        self.assertIn("scalar: meant to be broken, is conformant", done.stdout)

    def test_a_target_that_is_not_listed_is_named(self):
        done = self.run_list(blocks()["scalar"], "--select", "HQ-PTA-001", "--target", "other=builtin:reference")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not as meant: other: not in the list of --expect", done.stdout)

    def test_a_requirement_id_that_nobody_knows_is_no_silent_agreement(self):
        done = self.run_list(blocks()["ties-to-even"].replace("RA8-Q-003", "RA8-Q-999"), "--select", "RA8-Q-003")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("RA8-Q-999", done.stdout + done.stderr)


if __name__ == "__main__":
    harness.main()
