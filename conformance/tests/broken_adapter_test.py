# SPDX-License-Identifier: Apache-2.0
"""Is an adapter that cannot be judged called broken, and is the reason one that a person can act on?

Exit code 3 and never a verdict about conformance: a silent or deaf adapter must not look like a wrong or,
worse, a right implementation.
"""

import json
import os
import stat
import tempfile
import unittest

import harness
from harness import Run, doing, exec_target, scripted

HELLO = "version=1 name=scripted contract=hurray schemes=1 types.decode=10,11,12,13,14,15"
SELECT = ["--select", "decode/scale/*"]


class BrokenAdapters(unittest.TestCase):
    def check(self, target, *in_reason, limits=()):
        run = Run("--target", target, *SELECT, *limits)
        self.assertEqual((run.code, run.target["verdict"]), (3, "broken"), run.text)
        for part in in_reason:
            self.assertIn(part, run.target["reason"])
        self.assertIn(run.target["reason"], run.process.stdout, "the reason is not shown")
        self.assertEqual(run.outcomes(), {}, "cases were judged all the same")
        self.assertIn(b'type="broken"', run.junit)

    def hello(self, text, *in_reason):
        self.check(scripted(*doing("say:" + text, "hello")), *in_reason)

    def test_a_program_that_is_not_there(self):
        self.check(exec_target("/nonexistent/adapter"), "hello version=1", "exited with status 127")
        shown = harness.conform("run", "--target", exec_target("/nonexistent/adapter"), *SELECT).stdout
        self.assertIn("not found", shown)

    def test_a_file_that_is_not_executable(self):
        with tempfile.NamedTemporaryFile("w") as file:
            os.chmod(file.name, stat.S_IRUSR)
            self.check(exec_target(file.name), "exited with status 126")

    def test_a_program_that_exits_with_127(self):
        self.check(exec_target("sh", "-c", "exit 127"), "exited with status 127")

    def test_a_program_that_crashes_before_hello(self):
        self.check(scripted(*doing("crash", "hello")), "killed by signal 11")

    def test_a_program_that_says_why_it_ends(self):
        # The last line of standard error stands in what people see.
        run = Run("--target", exec_target("sh", "-c", "echo no such model >&2; exit 5"), *SELECT)
        self.assertEqual(run.code, 3)
        self.assertIn("no such model", run.process.stdout)

    def test_a_program_that_does_not_answer_hello(self):
        # The usual cause is named: output that is not flushed.
        self.check(scripted(*doing("hang", "hello")), "no answer to `hello version=1`", "flush",
                   limits=["--timeout", 2])

    def test_a_program_that_answers_hello_with_something_else(self):
        self.hello("hi there", "expected ok, reject or unsupported")
        self.hello("reject", "hello was not answered `ok`")

    def test_another_version(self):
        self.hello("ok version=2 name=x contract=hurray", "version=1")

    def test_no_version(self):
        self.hello("ok name=x contract=hurray", "version=1")

    def test_no_name(self):
        self.hello("ok version=1 contract=hurray", "name=")

    def test_no_contract(self):
        self.hello("ok version=1 name=x types.decode=10", "contract")

    def test_a_contract_that_nobody_knows(self):
        self.hello("ok version=1 name=x contract=acme", "acme")

    def test_a_max_line_that_is_too_small(self):
        self.hello(f"ok {HELLO} max_line=4095", "max_line", "4096")

    def test_a_target_that_claims_nothing(self):
        run = Run("--target", scripted("--hello", "version=1 name=x contract=hurray"))
        self.assertEqual((run.code, run.target["verdict"]), (3, "broken"), run.text)
        self.assertIn("claims nothing", run.target["reason"])

    def test_an_unknown_verb_that_is_not_answered_unsupported(self):
        for answer in ("say:ok", "say:reject"):
            self.check(scripted(*doing(answer, "unknown-verb")), "unknown verb")

    def test_an_unknown_key_that_is_ignored(self):
        # Who ignores what it does not know would pass every case on call discipline without an answer.
        self.check(scripted(*doing("forget-unknown-key", "unknown-key")), "unknown key")

    def test_silence_at_the_probes(self):
        for probe in ("unknown-verb", "unknown-key"):
            self.check(scripted(*doing("hang", probe)), "never", limits=["--timeout", 2])

    def test_a_crash_at_the_probes(self):
        for probe in ("unknown-verb", "unknown-key"):
            self.check(scripted(*doing("crash", probe)), "killed by signal 11")

    def test_standard_error_of_a_broken_target_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            harness.conform("run", "--report-dir", folder, *SELECT, "--target",
                            exec_target("sh", "-c", "echo first line >&2; echo last line >&2; exit 5"))
            with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
                target = json.load(file)["targets"][0]
            self.assertEqual(target.get("standard_error"), "first line\nlast line\n")

    def test_other_targets_of_the_run_are_judged_all_the_same(self):
        run = Run("--target", exec_target("/nonexistent/adapter", name="gone"), "--target", "builtin:scalar",
                  *SELECT)
        self.assertEqual(run.code, 3)
        self.assertEqual([each["verdict"] for each in run.report["targets"]], ["broken", "conformant"])


if __name__ == "__main__":
    harness.main()
