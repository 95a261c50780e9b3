# SPDX-License-Identifier: Apache-2.0
"""Are two runs with the same inputs the same report, to the byte?

Neither the number of processes, nor the order of asking, nor the speed of a target may show in
report.json. Shuffling changes the company in which a case is asked, so targets that miscount are held to
the same order.
"""

import unittest

import harness
from harness import Run, doing, exec_target, scripted

JOBS = [["--jobs", 1], ["--jobs", 2], ["--jobs", 5]]
ORDERS = [["--shuffle", 1], ["--shuffle", 2], ["--shuffle", 2, "--jobs", 5]]


class TheReportIsTheSame(unittest.TestCase):
    def check(self, target, ways, *arguments, code=0):
        first = Run("--target", target, *arguments)
        self.assertEqual(first.code, code, first.text[-500:])
        self.assertGreater(len(first.bytes), 1000)
        for way in ways:
            other = Run("--target", target, *arguments, *way)
            self.assertEqual(other.code, first.code, way)
            if other.bytes != first.bytes:
                differing = [pair for pair in zip(first.bytes.split(b"\n"), other.bytes.split(b"\n"))
                             if pair[0] != pair[1]]
                self.fail(f"{way}: {differing[:3]}")
            self.assertEqual(other.junit, first.junit, way)

    def test_of_a_conformant_target(self):
        self.check("builtin:scalar", [[], ["--one-at-a-time", "--jobs", 5]] + JOBS[:1] + ORDERS)

    def test_of_a_fault(self):
        # Failures, counter-examples made small, classes and behaviours come out alike too.
        self.check("builtin:fault-ties-to-even", [[]] + JOBS + ORDERS, "--select", "*quantize/*", code=1)

    def test_of_the_python_adapter(self):
        self.check(exec_target("python3", harness.PYTHON_ADAPTER), JOBS[2:] + ORDERS[:1], "--select",
                   "HQ-PTA-*")

    def test_of_a_target_that_crashes_on_some_requests(self):
        self.check(scripted(*doing("crash", "hash:150")), JOBS + ORDERS[:2], "--select", "decode/*", code=1)

    def test_of_a_target_that_chatters_behind_its_answers(self):
        # Whose line was it? The answer may not depend on who happened to be asked next.
        self.check(scripted(*doing("chatter-behind", "hash:150")), JOBS[2:] + ORDERS[:2], "--select",
                   "decode/*", code=3)

    def test_of_a_target_that_leaves_a_process_in_another_session(self):
        # The pipes stay open behind its back: still a crash each time, not now and then a silence.
        self.check(scripted(*doing("leave-daemon", "hash:400")), JOBS[2:] + ORDERS[:1], "--select",
                   "decode/*", code=1)

    def test_of_a_target_that_crashes_by_counting(self):
        # Of requests as long as these a pipe holds ten: how far the writing had come at the crash is chance,
        # and must not decide where the asking goes on.
        self.check(scripted(*doing("crash", "every:60")), [[], ["--jobs", 1], ["--jobs", 5], []], "--select",
                   "ra8/quantize-ties/*", code=1)

    def test_of_a_target_that_dies_with_its_process_id_on_its_lips(self):
        # Sanitizers do: what stands on standard error is for people and must not reach the report.
        target = exec_target("sh", "-c", "echo ==$$==ABORTING >&2; exit 1")
        self.check(target, [[], []], code=3)

    def test_of_several_targets_at_once(self):
        self.check("builtin:ra8", JOBS[2:] + ORDERS[1:], "--target", "builtin:scalar", "--select", "RA8-*")


if __name__ == "__main__":
    harness.main()
