# SPDX-License-Identifier: Apache-2.0
"""Does the runner survive whatever a target does, and does each case keep the outcome that is its own?

Scripted targets misbehave on chosen requests and answer all others correctly. The chosen cases have to
fail with the right outcome, all others to pass, the run to end, and no process of the target to be left.
"""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import harness
from harness import Run, doing, scripted, survivors

SELECT = "decode/*"
PREFIX = "decode/"
# Few enough to wait for, and in different places of the order.
CULPRITS = "hash:150"
FEW_CULPRITS = "hash:400"
QUICK = ["--timeout", 20, "--memory", 400]
WAITING = ["--timeout", 3, "--memory", 400]
MOST_RUNNER_KIB = 400 << 10


class Misbehaviour:
    """One scripted target in a run of its own, watched while it runs."""

    def __init__(self, what, when, limits, backend=(harness.SCALAR,), select=SELECT):
        self.what, self.when = what, when
        self.marker = harness.new_marker()
        started = time.monotonic()
        self.run = Run("--target", scripted(*doing(what, when), backend=backend, marker=self.marker),
                       "--select", select, *limits)
        self.seconds = time.monotonic() - started
        self.left = survivors(self.marker)


# deed: (which requests, limits, outcome of the cases it is done on)
DEEDS = {
    "crash": (CULPRITS, QUICK, "crashed"),
    "leave": (CULPRITS, QUICK, "crashed"),
    "hang": (FEW_CULPRITS, WAITING, "timed out"),
    "swap": (CULPRITS, QUICK, "garbled"),
    "twice": (CULPRITS, QUICK, "garbled"),
    "chatter-before": (CULPRITS, QUICK, "garbled"),
    "chatter-behind": (CULPRITS, QUICK, "garbled"),
    "noise": (CULPRITS, QUICK, "garbled"),
    "huge-line": (CULPRITS, QUICK, "garbled"),
    "flood-errors": (CULPRITS, QUICK, None),
    "leave-child": (CULPRITS, QUICK, "crashed"),
    "leave-daemon": (FEW_CULPRITS, QUICK, "crashed"),
    "ignore-sigterm": (FEW_CULPRITS, WAITING, "timed out"),
    "take-memory": (FEW_CULPRITS, QUICK, "crashed"),
}


class EveryOtherCaseKeepsItsVerdict(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Most of them wait most of the time, so they do it together.
        with ThreadPoolExecutor(4) as pool:
            started = {what: pool.submit(Misbehaviour, what, when, limits)
                       for what, (when, limits, _) in DEEDS.items()}
            cls.all = {what: future.result() for what, future in started.items()}

    def check(self, what):
        when, _, outcome = DEEDS[what]
        done = self.all[what]
        self.assertIsNotNone(done.run.report, f"no report, code {done.run.code}: {done.run.text[-500:]}")
        culprits = harness.cases_hit(when, PREFIX)
        self.assertGreater(len(culprits), 1, "the script picks nothing to judge the runner by")
        expected = harness.requirements_of(culprits) if outcome else {}
        failed = done.run.failed()
        self.assertEqual({id: set(cases) for id, cases in failed.items()}, expected)
        self.assertEqual(set(done.run.outcomes().values()), {outcome} if outcome else set())
        if outcome == "garbled":
            self.assertEqual((done.run.code, done.run.target["verdict"]), (3, "broken"))
            self.assertEqual(done.run.target["reason"], harness.GARBLED_REASON)
        elif outcome:
            self.assertEqual((done.run.code, done.run.target["verdict"]), (1, "non-conformant"))
        else:
            self.assertEqual((done.run.code, done.run.target["verdict"]), (0, "conformant"))
        self.assertEqual(done.left, [], "processes of the target are still there")
        self.assertLess(done.seconds, harness.STUCK_SECONDS)


def add(what):
    setattr(EveryOtherCaseKeepsItsVerdict, f"test_{what.replace('-', '_')}", lambda self: self.check(what))


for each in DEEDS:
    add(each)


class TheRunnerSurvives(unittest.TestCase):
    def test_answers_that_drip_in_time_out_though_bytes_keep_coming(self):
        # The limit holds for an answer, not for the silence between its bytes: 43 bytes take 4 s.
        done = Misbehaviour("drip", "has:type=11 bytes=010100000000003f0300000000000000", WAITING,
                            select="decode/header/*")
        self.assertEqual(done.run.outcomes(), {"decode/header/golden": "timed out"})
        self.assertEqual((done.run.code, done.left), (1, []))

    def test_a_target_that_closes_its_input_and_stays_is_given_up(self):
        # Writing to it raises SIGPIPE, which must not end the runner; the requests have to be more than
        # a pipe holds. Every process serves three cases, so there is progress and then a silence.
        done = Misbehaviour("close-input", "every:3", ["--timeout", 1.5], select="dequantize/count/int32*")
        self.assertIsNotNone(done.run.report, f"no report, code {done.run.code}: {done.run.text[-500:]}")
        self.assertIn(done.run.code, (1, 3))
        self.assertLessEqual(set(done.run.outcomes().values()), {"timed out"})
        self.assertEqual(done.left, [])

    def test_a_target_that_leaves_while_requests_are_written_to_it(self):
        # A broken pipe under the writing hand is the target's end, never the runner's.
        for _ in range(3):
            done = Misbehaviour("leave", "every:40", QUICK, select="dequantize/count/int32*")
            self.assertIsNotNone(done.run.report, f"no report, code {done.run.code}: {done.run.text[-500:]}")
            self.assertEqual(done.run.code, 1)
            self.assertEqual(set(done.run.outcomes().values()), {"crashed"})

    def test_a_crash_at_every_50th_request_is_booked_as_such_and_on_few(self):
        # By counting, no case is to blame: each crash is booked on one case, with its outcome, and says so.
        done = Misbehaviour("crash", "every:50", QUICK)
        outcomes = done.run.outcomes()
        cases = sum(case["name"].startswith(PREFIX) for case in harness.all_cases())
        self.assertEqual(set(outcomes.values()), {"crashed"})
        self.assertGreaterEqual(len(outcomes), cases // 100)
        self.assertLessEqual(len(outcomes), cases // 50 + 1)
        self.assertIn("but not when asked alone", done.run.bytes.decode())

    def test_faults_of_the_target_are_still_found_beside_its_crashes(self):
        # What fails in a quiet run fails in this one too, and the crashes come on top.
        backend = (harness.FAULT, "zero-point-unchecked")
        quiet = Run("--target", harness.exec_target(*backend), "--select", SELECT)
        done = Misbehaviour("crash", CULPRITS, QUICK, backend=backend)
        self.assertIn("HQ-PTA-011", quiet.violated())
        expected = {id: set(cases) for id, cases in quiet.failed().items()}
        for id, cases in harness.requirements_of(harness.cases_hit(CULPRITS, PREFIX)).items():
            expected[id] = expected.get(id, set()) | cases
        self.assertEqual({id: set(cases) for id, cases in done.run.failed().items()}, expected)

    def test_a_target_that_crashes_on_all_it_is_asked_is_given_up(self):
        # Very many crashes in a row (kCrashesInARow of interview.cpp) and no answer between them are the
        # target's, and cost no more time.
        done = Misbehaviour("crash", "has:decode", QUICK)
        self.assertEqual((done.run.code, done.run.target["verdict"]), (3, "broken"))
        self.assertIn("gave up", done.run.target["reason"])
        self.assertEqual(done.left, [])

    def test_huge_output_does_not_make_the_runner_huge(self):
        # Lines of 6 MiB, megabytes of standard error, and targets as large as their limit: the largest
        # process of the whole run, targets included, stays below the bound.
        for what in ("huge-line", "flood-errors", "take-memory"):
            target = scripted(*doing(what, FEW_CULPRITS))
            process = subprocess.Popen(
                [harness.PROGRAM, "run", "--target", target, "--select", SELECT, "--memory", "200"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
            self.assertGreater(usage.ru_maxrss, 1 << 10)
            self.assertLess(usage.ru_maxrss, MOST_RUNNER_KIB, what)

    def test_a_runner_that_is_killed_takes_its_targets_along(self):
        # SIGKILL leaves the runner no last word; the targets hang, ignore SIGTERM and left their session.
        for what in ("hang", "ignore-sigterm", "leave-daemon"):
            marker = harness.new_marker()
            process = subprocess.Popen(
                [harness.PROGRAM, "run", "--target", scripted(*doing(what, CULPRITS), marker=marker),
                 "--select", SELECT, "--timeout", "60"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertTrue(has_started(marker, what), "the target never started")
            time.sleep(0.5)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertEqual(survivors(f"--marker {marker}"), [], what)
            self.assertEqual(survivors(marker), [], what)

    def test_a_runner_that_is_interrupted_takes_its_targets_along(self):
        # Ctrl-C and a CI system's SIGTERM end the runner, and with it all that it started.
        for number in (signal.SIGINT, signal.SIGTERM):
            marker = harness.new_marker()
            process = subprocess.Popen(
                [harness.PROGRAM, "run", "--target", scripted(*doing("hang", CULPRITS), marker=marker),
                 "--select", SELECT, "--timeout", "60"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertTrue(has_started(marker, "hang"), "the target never started")
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), -number)
            self.assertEqual(survivors(marker), [], number)

    def test_signals_that_the_runner_inherited_change_nothing(self):
        # Blocked or ignored by whoever started the runner: targets still end, and their ends are still seen.
        def block():
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD})
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        marker = harness.new_marker()
        arguments = ["--target", scripted(*doing("crash", CULPRITS), marker=marker), "--select", SELECT, *QUICK]
        usual = Run(*arguments)
        blocked = Run(*arguments, preexec_fn=block)
        self.assertEqual(usual.bytes, blocked.bytes)
        process = subprocess.Popen(
            [harness.PROGRAM, "run", "--target", scripted(*doing("hang", CULPRITS), marker=marker),
             "--select", SELECT, "--timeout", "60"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=block)
        self.assertTrue(has_started(marker, "hang"), "the target never started")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(survivors(marker), [])

    def test_closed_standard_streams_of_the_runner_do_not_reach_the_target(self):
        # Started by a daemon, the runner may have no streams 0, 1, 2; pipes then get those numbers.
        for closed in ("<&-", "2>&-", "<&- 2>&-"):
            with tempfile.TemporaryDirectory() as folder:
                line = f'exec "$0" run --target builtin:scalar --select "HQ-PTA-01*" --report-dir "$1" {closed}'
                done = subprocess.run(["/bin/sh", "-c", line, harness.PROGRAM, folder], capture_output=True,
                                      text=True, timeout=harness.STUCK_SECONDS)
                self.assertEqual(done.returncode, 0, f"{closed}: {done.stdout}{done.stderr}")
                self.assertTrue(re.search(r"conformant", done.stdout), closed)


def has_started(marker, what):
    """Waits for a process of the scripted target; it may be gone again when this says so."""
    deadline = time.monotonic() + harness.STUCK_SECONDS
    while time.monotonic() < deadline:
        if any_process(marker, what):
            return True
        time.sleep(0.05)
    return False


def any_process(marker, what):
    """Whether a process of the scripted target runs (not just the shell that is about to become it)."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if marker.encode() in words and what.encode() in words:
            return True
    return False


if __name__ == "__main__":
    harness.main()
