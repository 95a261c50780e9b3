#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is what is said the same, byte for byte, whatever processor it was found on? The whole program of build/s390x, emulated,
judges the targets built into it, a shared object of that processor and a fault, as the one of build/release does. And the
program of build/release proves a target of that processor as it would one of its own."""

import filecmp
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(__file__).resolve().parent.parent / "build"
EMULATOR = "qemu-s390x -L /usr/s390x-linux-gnu"
# Seconds, several times what the slowest step takes: an emulator that hangs fails the test, not the tier.
PATIENCE = 900
TARGETS = ["builtin:reference", "scalar=lib:./targets/scalar/libhurray_scalar.so", "builtin:fault-ties-to-even"]


def report(folder, emulator, directory):
    """What the program in `folder` says of TARGETS, in files of `directory`."""
    command = emulator.split() + ["conformance/hurray-conform", "run", "--report-dir", directory, "--timeout", "60"]
    for target in TARGETS:
        command += ["--target", target]
    return subprocess.run(command, cwd=folder, env=os.environ | {"HURRAY_EMULATOR": emulator}, capture_output=True, text=True,
                          timeout=PATIENCE)


class Emulated(unittest.TestCase):
    def test_a_big_endian_machine_judges_alike(self):
        with tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
            for folder, emulator, directory in [(BUILD / "release", "", here), (BUILD / "s390x", EMULATOR, there)]:
                done = report(folder, emulator, directory)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)  # one of the targets is a fault
            for name in ["report.json", "junit.xml"]:
                self.assertGreater((pathlib.Path(here) / name).stat().st_size, 1000)
                self.assertTrue(filecmp.cmp(f"{here}/{name}", f"{there}/{name}", shallow=False), f"{name} differs")

    def test_sweeps_are_digested_alike(self):
        target = f"it=exec:{EMULATOR} {BUILD}/s390x/targets/scalar/hurray-scalar"
        for operation, type_name, shard in [("quantize", "int16", "17/4096"), ("dequantize", "uint4", "1/1"),
                                            ("dequantize", "int8", "1/1"), ("dequantize", "uint16", "1/1"),
                                            ("dequantize", "int32", "17/4096")]:
            with self.subTest(operation, type=type_name):
                done = subprocess.run(
                    [BUILD / "release/conformance/hurray-conform", "prove", "--target", target, "--op", operation,
                     "--type", type_name, "--scale", "0.1", "--zero-point", "3", "--shard", shard],
                    capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
