# SPDX-License-Identifier: Apache-2.0
"""Whatever goes wrong between runner, emulator and image: is the message clear, the exit code right, and nothing
left behind, no process and no file?

1 is a verdict, 2 a target that cannot be meant, 3 an image or an emulator that cannot be judged with.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import firmware
import harness
from harness import Run, survivors

IMAGE = firmware.image("m85-portable-o2")
SELECT = ["--select", "ra8/*"]
# Slow enough to be caught in the middle, and one case costs its own outcome alone.
SLOWLY = ["--one-at-a-time", "--table-only"]
EMULATOR = shutil.which("qemu-system-arm")

# Boots, and never opens its files.
SILENT = """
  .syntax unified
  .thumb
  .section .text, "ax"
  .word {stack}
  .word start + 1
  .thumb_func
start:
  b start
"""


class Images(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # Private folders are made here, where what is left of them shows.
        self.private = os.path.join(self.folder, "private")
        os.mkdir(self.private)
        self.environment = {"TMPDIR": self.private}
        self.marker = harness.new_marker()
        self.image = os.path.join(self.folder, self.marker + ".elf")
        shutil.copy(IMAGE, self.image)

    def check_nothing_is_left(self):
        self.assertEqual(survivors(self.marker), [])
        deadline = time.monotonic() + 5
        while os.listdir(self.private) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(os.listdir(self.private), [])

    def start(self, *arguments):
        runner = subprocess.Popen([harness.PROGRAM, "run", "--target", firmware.target(self.image), *arguments],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  env={**os.environ, **self.environment})
        self.addCleanup(runner.kill)
        return runner

    def fake_emulator(self, script):
        """Puts a shell script in front of the emulator."""
        path = os.path.join(self.folder, "bin")
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "qemu-system-arm"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + script)
        os.chmod(file.name, 0o755)
        self.environment["PATH"] = path + os.pathsep + os.environ["PATH"]

    def check(self, code, *says, arguments=(*SELECT, "--timeout", "30"), target=None):
        run = Run("--target", target or firmware.target(self.image), *arguments, environment=self.environment)
        self.assertEqual(run.code, code, run.text)
        for part in says:
            self.assertIn(part, run.text)
        self.check_nothing_is_left()
        return run

    # --- What dies -------------------------------------------------------------------------------------------

    def test_an_emulator_that_is_killed_costs_one_case(self):
        with tempfile.TemporaryDirectory() as report:
            runner = self.start(*SLOWLY, "--report-dir", report)
            first = firmware.wait_for_emulator(self.marker, 0.3)
            os.kill(first, signal.SIGKILL)
            second = firmware.wait_for_emulator(self.marker, 0)
            said, _ = runner.communicate(timeout=harness.STUCK_SECONDS)
            with open(os.path.join(report, "report.json"), encoding="utf-8") as file:
                text = file.read()
        self.assertNotEqual(first, second)
        self.assertEqual(runner.returncode, 1, said)
        self.assertIn("non-conformant", said)
        failed = {name for row in harness.json.loads(text)["targets"][0]["requirements"] for name in
                  ((each["case"], each["outcome"]) for each in row["failed"])}
        self.assertEqual([outcome for _, outcome in failed], ["crashed"], failed)
        self.assertIn("signal 9", text)
        self.check_nothing_is_left()

    def test_a_runner_that_is_killed_takes_its_emulator_along(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            runner = self.start(*SLOWLY)
            firmware.wait_for_emulator(self.marker, 0.2)
            runner.send_signal(number)
            runner.communicate(timeout=30)
            self.assertEqual(runner.returncode, -number)
            self.check_nothing_is_left()

    def test_a_runner_that_is_killed_takes_an_image_along_that_hangs(self):
        firmware.build(self.image, "FAULT_ENDLESS_LOOP=0x3f800000")
        runner = self.start("--select", "ra8/quantize-i8/*", "--timeout", "600")
        firmware.wait_for_emulator(self.marker, 0.5)
        runner.send_signal(signal.SIGKILL)
        runner.communicate(timeout=30)
        self.check_nothing_is_left()

    # --- What is not there -----------------------------------------------------------------------------------

    def test_a_fifo_that_is_gone(self):
        self.fake_emulator(f'[ "$1" = --version ] || rm request answer\nexec {EMULATOR} "$@"\n')
        run = self.check(3, "broken", "exited with status 2", "firmware: cannot open the file request")
        self.assertEqual(run.target["verdict"], "broken")

    def test_an_answer_that_is_no_fifo(self):
        # The guest then writes to a file that nobody reads.
        self.fake_emulator(f'[ "$1" = --version ] || rm answer\nexec {EMULATOR} "$@"\n')
        self.check(3, "broken", "no answer to `hello version=1`", arguments=[*SELECT, "--timeout", "3"])

    def test_a_folder_that_cannot_be_made(self):
        self.environment["TMPDIR"] = os.path.join(self.folder, "nowhere")
        run = self.check(3, "cannot make a private folder", "nowhere/hurray-", "No such file", "TMPDIR")
        self.assertIsNone(run.report)

    def test_no_emulator(self):
        self.environment["PATH"] = self.folder
        self.check(3, "qemu-system-arm is not on this machine", "package qemu-system-arm")

    def test_no_emulator_for_an_image_in_a_list(self):
        path = os.path.join(self.folder, "list.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'[[target]]\nname = "it"\nattachment = "qemu:{self.image}"\nverdict = "conformant"\n')
        self.environment["PATH"] = self.folder
        done = harness.conform("run", "--expect", path, environment=self.environment)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("qemu-system-arm is not on this machine", done.stderr)

    def test_an_emulator_that_is_too_old(self):
        self.fake_emulator("echo 'QEMU emulator version 6.2.0 (Debian 1:6.2+dfsg-2)'\n")
        self.check(3, "qemu-system-arm is too old", "version 6.2.0", "7 or newer")

    def test_an_emulator_that_does_not_know_the_machine(self):
        self.check(3, "broken", "unsupported machine type", target=firmware.target(self.image + ",machine=nosuch-board"))

    # --- What is no image ------------------------------------------------------------------------------------

    def test_an_image_that_is_not_there(self):
        self.check(2, "cannot read the firmware image", "nowhere.elf", target="it=qemu:nowhere.elf")
        self.check(2, "cannot read the firmware image", target=f"it=qemu:{self.folder}")

    def test_a_file_that_is_no_elf(self):
        with open(self.image, "w", encoding="utf-8") as file:
            file.write("#include <stdio.h>\n")
        self.check(2, f"{self.marker}.elf` is no ELF file")

    def test_a_program_of_this_machine(self):
        shutil.copy("/bin/true", self.image)
        self.check(2, f"{self.marker}.elf` is no program for Arm")

    def test_an_image_that_never_says_hello(self):
        source = os.path.join(self.folder, "silent.s")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SILENT.format(stack="0x20001000"))
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m55", "-nostdlib", "-Wl,-Ttext=0", "-Wl,-e,start", source,
                        "-o", self.image], check=True, capture_output=True)
        run = self.check(3, "broken", "no answer to `hello version=1`", arguments=[*SELECT, "--timeout", "2"])
        self.assertEqual(run.outcomes(), {})

    def test_an_image_without_a_vector_table(self):
        # The processor locks up, and the emulator says so.
        source = os.path.join(self.folder, "empty.s")
        with open(source, "w", encoding="utf-8") as file:
            file.write(".word 0, 0, 0, 0\n")
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m55", "-nostdlib", "-Wl,-Ttext=0", "-Wl,-e,0", source, "-o",
                        self.image], check=True, capture_output=True)
        self.check(3, "broken", "Lockup")

    def test_options_that_cannot_be_meant(self):
        for option in ("speed=fast", "machine"):
            self.check(2, option, "qemu:IMAGE[,machine=NAME][,cpu=NAME]",
                       target=firmware.target(f"{self.image},{option}"))


if __name__ == "__main__":
    harness.main()
