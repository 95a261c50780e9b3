# SPDX-License-Identifier: Apache-2.0
"""What the tests of firmware images share: where images are, how one is built around other sources, and how its
emulator is found among the processes."""

import os
import shutil
import subprocess
import sys
import time

import harness

FOLDER = os.path.join(harness.SOURCE, "build", "firmware")
SCRIPT = os.path.join(harness.SOURCE, "ci", "firmware.sh")
FAULTY = os.path.join(harness.SOURCE, "targets", "ra8", "firmware", "faults", "ra8_npu_quant_faulty.c")


def image(name):
    path = os.path.join(FOLDER, name, "image.elf")
    if not os.path.exists(path):
        sys.exit(f"no image {path}: run ./ci/firmware.sh first")
    return path


def build(to, *definitions, source=FAULTY, options=("--toolchain", "clang-m85-nomve")):
    """Builds an image around a source, by the documented command, and copies it to `to`."""
    # A folder for every test file, in which only what the definitions change is compiled again.
    name = os.path.basename(sys.argv[0]).removesuffix(".py")
    words = [word for each in definitions for word in ("--define", each)]
    done = subprocess.run([SCRIPT, "--no-install", "--name", name, "--source", source, *options, *words],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copy(os.path.join(FOLDER, name, "image.elf"), to)
    return to


def target(path, name="it"):
    return f"{name}=qemu:{path}"


def emulators(marker):
    """Process ids of QEMU with an image whose path holds the marker."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"qemu-system-arm") and any(marker.encode() in word for word in words):
            found.append(int(entry))
    return found


def seconds_of(process):
    """Processor time of a process so far; 0 for one that is gone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_emulator(marker, busy_seconds):
    """The process id of the emulator once it has worked for so long."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for process in emulators(marker):
            if seconds_of(process) >= busy_seconds:
                return process
        time.sleep(0.01)
    raise AssertionError("the emulator never came to work")
