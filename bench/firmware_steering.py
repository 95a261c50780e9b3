#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does it help fuzz_firmware to be told which code of the guest ran?

An image with a fault behind four branches, each of which compares a byte of the zero point (FAULT_FOUR_BYTES in
targets/ra8/firmware/faults/), is fuzzed with the guest's counters and without, from the same seeds and inputs. Counted
are executions until it is found; nothing is timed. Needs the preset `fuzz`, clang and qemu-system-arm.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
FAULTY = ROOT / "targets/ra8/firmware/faults/ra8_npu_quant_faulty.c"
CLAIM = "quantize_agrees"  # whose inputs are the first ones


def image_with_fault():
    done = subprocess.run([ROOT / "ci/firmware.sh", "--no-install", "--fuzz", "--name", "steering", "--source", FAULTY,
                           "--define", "FAULT_FOUR_BYTES=0x6b1fc3a7", "--toolchain", "clang-m85-nomve"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return str(ROOT / "build/firmware/steering-fuzz/image.elf")


def executions(fuzzer, image, folder, inputs, seed, runs, counters):
    """How many until the fault was found; None: not in so many."""
    environment = {**os.environ, "HURRAY_FUZZ_IMAGE": image, "HURRAY_FUZZ_COUNTERS": "1" if counters else "0"}
    # What is learned goes into the first folder, and must not be known to the next run.
    with tempfile.TemporaryDirectory(dir=folder) as learned:
        done = subprocess.run([fuzzer, f"-runs={runs}", f"-seed={seed}", "-max_len=64", "-print_final_stats=1",
                               f"-artifact_prefix={folder}/", learned, inputs],
                              env=environment, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    number = re.search(r"^stat::number_of_executed_units: (\d+)", done.stderr, re.M)
    # By a code that is wrong, or does not come back.
    is_found = re.search(r"^[a-z_]+ does not hold: qemu:\S+: (wrong-code|lost-code)", done.stderr, re.M) is not None
    if number is None or (done.returncode != 0) != is_found:
        sys.exit(f"{fuzzer} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return int(number.group(1)) if is_found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0],
                                     epilog="Exit code 1 unless it is found with the counters from every seed, and "
                                            "from none without them.")
    parser.add_argument("build", nargs="?", default=str(ROOT / "build/fuzz"), help="folder of the preset fuzz")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--runs", type=int, default=2_000_000)
    options = parser.parse_args()
    fuzzer = os.path.join(options.build, "fuzz", "fuzz_firmware")
    replay = os.path.join(options.build, "fuzz", "hurray-replay-firmware")
    for program in (fuzzer, replay):
        if not os.path.exists(program):
            parser.error(f"no {program}: cmake --preset fuzz && cmake --build --preset fuzz --target fuzz_firmware "
                         "hurray-replay-firmware")
    image = image_with_fault()
    results = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder:
        inputs = os.path.join(folder, "inputs")
        subprocess.run([replay, CLAIM, ROOT / f"corpus/seeds/{CLAIM}.txt", "--unpack", inputs], check=True)
        print(f"{'seed':>4} {'with counters':>16} {'without':>16}   executions until found, at most {options.runs}")
        for seed in range(1, options.seeds + 1):
            for counters in (True, False):
                results[counters].append(executions(fuzzer, image, folder, inputs, seed, options.runs, counters))
            found, without = (results[counters][-1] or "not found" for counters in (True, False))
            print(f"{seed:>4} {found:>16} {without:>16}", flush=True)
    sys.exit(None in results[True] or any(results[False]))


if __name__ == "__main__":
    main()
