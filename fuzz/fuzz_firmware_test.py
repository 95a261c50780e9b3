#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the images that fuzz_firmware is given agree with the reference on all inputs of corpus/? Is it seen when one
does not, when a guest faults or hangs, and is nothing left behind? Asked of hurray-replay-firmware, whose path is
the argument; builds its images by ./ci/firmware.sh --fuzz. Needs qemu-system-arm beside clang."""

import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
FAULTY = ROOT / "targets/ra8/firmware/faults/ra8_npu_quant_faulty.c"
CLAIMS = ["decoders_agree", "encoders_agree", "dequantize_agrees", "quantize_agrees", "requantize_is_identity"]
# An input that is midway between two codes, and one more element behind it; scale 1, firmware's int8.
BITS = 0x3F000000
QUANTIZE = "hex:" + (bytes([0, 1]) + struct.pack("<fiff", 1.0, 0, 0.5, 2.0)).hex()
FOUR_BYTES = 0x6B1FC3A7
program = ""


def build(*words):
    done = subprocess.run([ROOT / "ci/firmware.sh", "--no-install", "--fuzz", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return [str(ROOT / "build/firmware" / line.split("build/firmware/")[1]) for line in done.stdout.split()]


def faulty(*definitions):
    words = [word for each in definitions for word in ("--define", each)]
    return build("--name", "fuzz-test", "--toolchain", "clang-m85-nomve", "--source", str(FAULTY), *words)[0]


def replay(image, *words, environment=None):
    done = subprocess.run([program, "--image", image, *words], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(environment or {})}, check=False)
    return done.returncode, done.stdout, done.stderr


def children_of(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def kept_in(files):
    """The number of inputs: a line each, beside comments."""
    return sum(1 for file in files for line in pathlib.Path(file).read_text().splitlines()
               if line and not line.startswith("#"))


class Images(unittest.TestCase):
    def check_agrees(self, image):
        for claim in CLAIMS:
            with self.subTest(claim):
                files = [str(ROOT / "corpus" / kind / f"{claim}.txt") for kind in ("seeds", "regressions")]
                code, text, errors = replay(image, claim, *files)
                self.assertEqual((code, errors), (0, ""), text[-2000:])
                inputs, reached = map(int, re.search(r": (\d+) inputs, 0 contradict a claim, (\d+) of", text).groups())
                self.assertEqual(inputs, kept_in(files))
                self.assertGreater(inputs, 100)
                self.assertGreater(reached, 10)

    def test_the_images_agree_on_all_inputs_that_are_kept(self):
        images = build()
        self.assertEqual(len(images), 2)
        for image in images:
            self.check_agrees(image)

    def test_what_differs_is_reported_with_a_command_that_shows_it_again(self):
        image = faulty("FAULT_ADD_HALF")
        archive = str(ROOT / "corpus/seeds/quantize_agrees.txt")
        code, text, _ = replay(image, "quantize_agrees", archive)
        self.assertEqual(code, 1)
        self.assertIn(f"quantize_agrees does not hold: qemu:{image}: wrong-code", text)
        self.assertIn("unit test", text)
        command = re.search(r"^replay +hurray-replay-firmware (.*)$", text, re.M).group(1).split()
        again = subprocess.run([program, *command], capture_output=True, text=True, check=False)
        self.assertEqual(again.returncode, 1)
        self.assertIn("1 inputs, 1 contradict", again.stdout)

    def test_the_zero_point_that_opens_four_branches_is_wrong_and_its_neighbor_is_not(self):
        image = faulty(f"FAULT_FOUR_BYTES={FOUR_BYTES}")
        for zero_point, expected in ((FOUR_BYTES, 1), (FOUR_BYTES + 1, 0)):
            asked = bytes([0, 1]) + struct.pack("<fif", 1.0, zero_point, 2.0)
            self.assertEqual(replay(image, "quantize_agrees", "hex:" + asked.hex())[0], expected)
            # As the fuzzer has it: the first byte chooses the claim.
            self.assertEqual(replay(image, "firmware", "hex:03" + asked.hex())[0], expected)

    def test_a_fault_of_the_guest_is_found_and_the_next_input_is_asked_of_another(self):
        image = faulty(f"FAULT_HARD_FAULT={BITS}")
        other = QUANTIZE.replace("0000003f", "0000803f")
        code, text, _ = replay(image, "quantize_agrees", QUANTIZE, other, QUANTIZE)
        self.assertEqual(code, 1)
        self.assertEqual(text.count("guest-faults: fault: usage, undefined instruction"), 2, text)
        self.assertIn("3 inputs, 2 contradict", text)

    def test_memory_behind_an_array_is_guarded_and_watched(self):
        asked = "hex:" + (bytes([0, 1]) + struct.pack("<fi", 1.0, 0) + b"\1\2\3").hex()
        code, text, _ = replay(faulty("FAULT_TAIL_READ"), "dequantize_agrees", asked)
        self.assertEqual(code, 1)
        self.assertIn("guest-faults: fault: memory management, data access", text)
        # Four codes are written where two were asked for, and two bytes lie between those and the page.
        asked = "hex:" + (bytes([0, 1 | 2 << 4]) + struct.pack("<fiff", 1.0, 0, 2.0, 3.0)).hex()
        code, text, _ = replay(faulty("FAULT_TAIL_WRITTEN"), "quantize_agrees", asked)
        self.assertEqual(code, 1)
        self.assertIn(": writes-behind\n", text)

    def test_a_guest_that_hangs_is_found_and_ended(self):
        image = faulty(f"FAULT_ENDLESS_LOOP={BITS}")
        code, text, _ = replay(image, "--timeout", "1", "quantize_agrees", QUANTIZE)
        self.assertEqual(code, 1)
        self.assertIn("guest-hangs: no answer for 1 seconds", text)

    def test_an_emulator_that_is_killed_is_found(self):
        image = faulty(f"FAULT_ENDLESS_LOOP={BITS}")
        with self.running(image) as replaying:
            os.kill(self.emulator_of(replaying), signal.SIGKILL)
            text, _ = replaying.communicate(timeout=60)
        self.assertEqual(replaying.returncode, 1)
        self.assertIn("guest-ends: qemu-system-arm was ended by signal 9", text)

    def test_nothing_is_left_behind_however_it_ends(self):
        image = faulty(f"FAULT_ENDLESS_LOOP={BITS}")
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number), self.running(image) as replaying:
                emulator = self.emulator_of(replaying)
                replaying.send_signal(number)
                replaying.communicate(timeout=60)
                deadline = time.monotonic() + 10
                while os.path.exists(f"/proc/{emulator}") and time.monotonic() < deadline:
                    time.sleep(0.05)
                self.assertFalse(os.path.exists(f"/proc/{emulator}"))

    def running(self, image):
        return subprocess.Popen([program, "--image", image, "--timeout", "60", "quantize_agrees", QUANTIZE],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def emulator_of(self, replaying):
        """Once it is in the loop: it has worked for longer than booting takes."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for child in children_of(replaying.pid):
                with open(f"/proc/{child}/stat", encoding="utf-8") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                if int(fields[11]) >= 0.5 * os.sysconf("SC_CLK_TCK"):
                    return child
            time.sleep(0.02)
        raise AssertionError("the emulator never came to work")


class Usage(unittest.TestCase):
    def check_says(self, image, *parts, environment=None):
        code, _, errors = replay(image, "quantize_agrees", QUANTIZE, environment=environment)
        self.assertEqual(code, 2, errors)
        for part in parts:
            self.assertIn(part, errors)

    def test_no_image_no_emulator_and_an_image_for_the_runner_are_told_apart(self):
        self.check_says("/nowhere/image.elf", "/nowhere/image.elf", "./ci/firmware.sh --fuzz")
        self.check_says(sys.executable, "no program for Arm")
        image = build("m85-helium-o2")[0]
        with tempfile.TemporaryDirectory() as empty:
            self.check_says(image, "qemu-system-arm", "install", environment={"PATH": empty})
        ordinary = ROOT / "build/firmware/m85-helium-o2/image.elf"
        done = subprocess.run([ROOT / "ci/firmware.sh", "--no-install", "m85-helium-o2"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.check_says(str(ordinary), "does not serve a fuzzer", "./ci/firmware.sh --fuzz")

    def test_only_clang_counts(self):
        done = subprocess.run([ROOT / "ci/firmware.sh", "--no-install", "--fuzz", "m33-gcc-o2"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("only clang has the counters", " ".join(done.stderr.split()))


if __name__ == "__main__":
    program = sys.argv.pop(1)
    unittest.main()
