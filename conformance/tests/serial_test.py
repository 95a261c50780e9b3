# SPDX-License-Identifier: Apache-2.0
"""serial: judges a board as exec: judges the program that runs on it, and exec: over a slow line takes no time for each
request. The board is a pseudo-terminal with a target behind it; the slow line a stand-in for ssh.
"""

import fcntl
import os
import pty
import select
import subprocess
import sys
import threading
import time
import tty
import unittest

import harness
from harness import Run, conform, doing, exec_target

SELECT = ["--select", "HQ-PTA-01*"]
MANY = ["--select", "HQ-PTA-*"]
NOBODY = 65534


class Board:
    """A target behind a serial port. It is there before the runner and stays when the runner goes. `boot` seconds after
    the first byte it listens; what it says before is in `says`. A watchdog starts it anew after `watchdog`
    seconds with a request and no answer.
    """

    def __init__(self, *command, boot=0.0, says=b"", watchdog=None):
        self.command, self.boot, self.says, self.watchdog = command or (harness.SCALAR,), boot, says, watchdog
        self.master, self.slave = pty.openpty()  # the slave stays open here: its end would be an unplugged cable
        tty.setraw(self.slave)  # nobody has opened it yet, so nobody echoes
        self.device = os.ttyname(self.slave)
        self.under_way = self.most_under_way = self.starts = 0
        self.is_plugged = True
        self.thread = threading.Thread(target=self.live, daemon=True)
        self.thread.start()

    def start(self):
        self.starts += 1
        while self.boot and self.is_plugged and not select.select([self.master], [], [], 0.05)[0]:
            pass  # the first byte resets it, as opening the port does with some
        os.write(self.master, self.says)
        deadline = time.monotonic() + self.boot
        while time.monotonic() < deadline:  # deaf: what comes in is lost
            if select.select([self.master], [], [], 0.05)[0]:
                os.read(self.master, 65536)
        self.under_way, self.asked = 0, None
        return subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def live(self):
        program = self.start()
        while self.is_plugged:
            ready = select.select([self.master, program.stdout], [], [], 0.05)[0]
            if self.master in ready:
                data = os.read(self.master, 65536)
                self.under_way += data.count(b"\n")
                self.most_under_way = max(self.most_under_way, self.under_way)
                self.asked = time.monotonic()
                program.stdin.write(data)
            answer = os.read(program.stdout.fileno(), 65536) if program.stdout in ready else b""
            if answer:
                self.under_way -= answer.count(b"\n")
                os.write(self.master, answer)
            is_stuck = self.watchdog and self.under_way > 0 and time.monotonic() > self.asked + self.watchdog
            if is_stuck or program.poll() is not None:
                self.stop(program)
                program = self.start()
        self.stop(program)

    @staticmethod
    def stop(program):
        program.kill()
        with program:  # closes its pipes
            pass

    def unplug(self):
        if self.is_plugged:
            self.is_plugged = False
            self.thread.join(10)  # of a runner that floods it, it may be stuck
            os.close(self.master)
            os.close(self.slave)


def requirement_verdicts(run):
    return run.code, run.target["verdict"], run.verdicts(), run.outcomes()


class SerialTest(unittest.TestCase):
    def board(self, *command, **options):
        board = Board(*command, **options)
        self.addCleanup(board.unplug)
        return board

    def test_a_board_gets_the_verdict_of_the_program_on_it(self):
        command = [harness.FAULT, "zero-point-unchecked"]
        board = self.board(*command)
        over_serial = Run("--target", f"it=serial:{board.device}", *SELECT)
        self.assertIn("HQ-PTA-011", over_serial.violated(), over_serial.text)
        self.assertEqual(requirement_verdicts(over_serial),
                         requirement_verdicts(Run("--target", exec_target(*command), *SELECT)), over_serial.text)
        self.assertEqual(over_serial.target["execution"], {"baud": "115200", "device": board.device})

    def test_one_request_at_a_time_is_under_way(self):
        # A board has a receive buffer of some bytes. Two: hello is asked again after a second.
        board = self.board()
        run = Run("--target", f"it=serial:{board.device},921600", *SELECT)
        self.assertEqual(run.code, 0, run.text)
        self.assertLessEqual(board.most_under_way, 2)

    def test_what_a_board_says_while_it_boots_is_no_answer(self):
        # It is deaf meanwhile: hello is asked again, and answered by each.
        board = self.board(boot=2.5, says=b"ROM v2\r\nbooting \xff\x00 ...\r\n7 ok of nobody\r\n")
        run = Run("--target", f"it=serial:{board.device}", *SELECT)
        self.assertEqual((run.code, run.target["verdict"]), (0, "conformant"), run.text)

    def test_a_log_on_the_same_port_is_no_answer(self):
        # Consoles are shared. What does not begin with a number is left out; what does is judged.
        command = [sys.executable, harness.SCRIPTED, *doing("chatter-before", "has:decode"), "--", harness.SCALAR]
        run = Run("--target", f"it=serial:{self.board(*command).device}", *SELECT)
        self.assertEqual((run.code, run.target["verdict"]), (0, "conformant"), run.text)

    def test_half_a_line_of_another_conversation_is_not_in_the_way(self):
        board = self.board()
        os.set_blocking(board.slave, False)
        os.write(board.slave, b"17 dequantize type=10 scale=3f0")  # to the board, and never ended
        run = Run("--target", f"it=serial:{board.device}", *SELECT)
        self.assertEqual((run.code, run.target["verdict"]), (0, "conformant"), run.text)

    def test_a_board_that_hangs_once_and_is_reset_loses_one_case(self):
        when = "has:type=11 bytes=010100000000003f0300000000000000"
        command = [sys.executable, harness.SCRIPTED, *doing("hang", when), "--", harness.SCALAR]
        board = self.board(*command, watchdog=0.5, says=b"watchdog\n")
        run = Run("--target", f"it=serial:{board.device}", "--select", "decode/header/*", "--timeout", 1.5)
        self.assertEqual(run.outcomes(), {"decode/header/golden": "timed out"}, run.text)
        self.assertGreaterEqual(board.starts, 2)

    def test_a_board_that_never_answers_is_broken_with_what_it_said(self):
        board = self.board("sleep", "600", says=b"bootloader: no image\n", boot=0.1)
        run = Run("--target", f"it=serial:{board.device}", *SELECT, "--timeout", 1.5)
        self.assertEqual((run.code, run.target["verdict"]), (3, "broken"))
        self.assertIn("no answer to `hello version=1` within 1500 ms", run.text)
        self.assertIn("no answer: bootloader: no image", run.text)

    def test_a_board_that_is_unplugged_is_said_to_be_gone(self):
        board = self.board(sys.executable, harness.SCRIPTED, *doing("hang", "has:quantize"), "--", harness.SCALAR)
        threading.Timer(2, board.unplug).start()
        run = Run("--target", f"it=serial:{board.device}", "--select", "HC-QNT-*", "--timeout", 20)
        self.assertIn(run.code, (1, 3))
        self.assertRegex(run.text, "the serial port .* is gone|there is no serial port|exited with status")
        self.assertNotIn("conformant\n", run.text.replace("non-conformant\n", ""))


class UsageTest(unittest.TestCase):
    def usage(self, target, *parts, **options):
        done = conform("run", "--target", target, *SELECT, **options)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def setUp(self):
        self.master, self.slave = pty.openpty()
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, self.slave)
        self.device = os.ttyname(self.slave)

    def test_what_is_no_port_is_a_usage_error_that_says_what_to_do(self):
        self.usage("serial:/dev/nothing-here", "`/dev/nothing-here`", "is the board plugged in?", "for example")
        self.usage("serial:/dev/null", "`/dev/null` is no serial port: not a terminal")
        self.usage(f"serial:{__file__}", "not a terminal")
        self.usage("serial:", "serial:DEVICE")
        self.usage("serial:,115200", "serial: names no device", "for example")

    def test_what_is_no_rate_is_named_with_those_that_there_are(self):
        for wrong in ("fast", "115201", "", "-9600", "9600,8N1"):
            self.usage(f"serial:{self.device},{wrong}", f"`{wrong}` is no rate", "9600", "115200")

    def test_a_port_that_another_has_is_in_use(self):
        fcntl.flock(self.slave, fcntl.LOCK_EX)
        self.usage(f"serial:{self.device}", "in use by another program")

    @unittest.skipIf(os.geteuid() != 0, "only root can become somebody who may not")
    def test_a_port_that_may_not_be_opened_names_the_group(self):
        os.chmod(self.device, 0o600)
        try:
            self.usage(f"serial:{self.device}", "no permission", "dialout", user=NOBODY)
        except PermissionError:
            self.skipTest("nobody cannot reach the program")


# As `ssh BOARD COMMAND`: the command runs, and every byte takes a while, in both directions; more may be under way.
SLOW_LINE = '''#!/usr/bin/env python3
import os, queue, subprocess, sys, threading, time
DELAY = 0.15
assert sys.argv[1] == "board"
program = subprocess.Popen(["/bin/sh", "-c", " ".join(sys.argv[2:])], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def carry(source, sink):
    line = queue.Queue()
    def receive():
        while True:
            data = os.read(source, 65536)
            line.put((time.monotonic() + DELAY, data))
            if not data:
                return
    threading.Thread(target=receive, daemon=True).start()
    while True:
        due, data = line.get()
        time.sleep(max(0, due - time.monotonic()))
        if not data:
            return os.close(sink)
        while data:
            data = data[os.write(sink, data):]
there = threading.Thread(target=carry, args=(0, program.stdin.fileno()), daemon=True)
there.start()
carry(program.stdout.fileno(), 1)
'''


class SlowLineTest(harness.InFolder):
    def test_a_round_trip_is_not_paid_for_every_request(self):
        with open(self.path("ssh"), "w") as file:
            file.write(SLOW_LINE)
        os.chmod(self.path("ssh"), 0o755)
        environment = {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        start = time.monotonic()
        slow = Run("--target", f"it=exec:ssh board {harness.SCALAR}", *MANY, environment=environment)
        seconds = time.monotonic() - start
        quick = Run("--target", exec_target(harness.SCALAR), *MANY)
        self.assertEqual(requirement_verdicts(slow), requirement_verdicts(quick), slow.text)
        requests = sum(each["cases"] for each in slow.target["requirements"])
        self.assertGreater(requests, 1000)
        self.assertLess(seconds, requests * 0.3 / 10, f"{seconds} s for {requests} requests")

    def test_a_line_that_breaks_is_told_with_what_ssh_says(self):
        with open(self.path("ssh"), "w") as file:
            file.write("#!/bin/sh\necho 'ssh: connect to host board port 22: No route to host' >&2\nexit 255\n")
        os.chmod(self.path("ssh"), 0o755)
        run = Run("--target", "it=exec:ssh board ./adapter", *SELECT,
                  environment={"PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(run.code, 3)
        self.assertIn("No route to host", run.text)
        self.assertIn("exited with status 255", run.text)


if __name__ == "__main__":
    harness.main()
