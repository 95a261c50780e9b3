#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast are the firmware images? Small requests per second in a pipeline and one at a time, the seconds of a
whole run, of the matrix, and of a sweep of 2^24 inputs. Medians of five, the images in turn in every round.

Usage: firmware.py BUILD_FOLDER [IMAGE…], for example firmware.py build/release m85-portable-o2
"""

import pathlib
import re
import statistics
import subprocess
import sys
import time

ROUNDS = 5
SWEPT = "m85-portable-o2"
SWEEP = ["--fn", "quantize_i8", "--scale", "0.05", "--zero-point", "3", "--first", "3f000000", "--count", str(1 << 24)]
ROOT = pathlib.Path(__file__).resolve().parent.parent


def seconds_of(command, good):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode not in good:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return seconds


def requests_per_second(build, image):
    """(pipelined, one at a time on one processor), medians of five that the program itself takes."""
    said = subprocess.run([f"{build}/bench/pipelining", f"qemu:{image}"], capture_output=True, text=True).stdout
    found = re.findall(r"^  (?:pipelined|one at a time, on one processor) +(\d+) per second$", said, re.M)
    if len(found) != 2:
        sys.exit(f"pipelining did not measure {image}: {said}")
    return int(found[0]), int(found[1])


def main(build, names):
    folder = ROOT / "build" / "firmware"
    if not names:
        table = (ROOT / "ci/firmware-images.txt").read_text()
        names = re.findall(r"^(\S+) +\|", table, re.M)
    images = {name: folder / name / "image.elf" for name in names}
    program = f"{build}/conformance/hurray-conform"

    runs = {name: [] for name in images}
    matrix, sweeps = [], []
    for _ in range(ROUNDS):
        for name, image in images.items():
            runs[name].append(seconds_of([program, "run", "--table-only", "--target", f"qemu:{image}"], (0, 1)))
        matrix.append(seconds_of([program, "run", "--table-only", "--expect",
                                  str(ROOT / "targets/ra8/firmware/images.toml")], (0,)))
        sweeps.append(seconds_of([program, "sweep", "--target", f"qemu:{folder / SWEPT / 'image.elf'}", *SWEEP], (0,)))

    print(f"{'image':<17} {'pipelined/s':>12} {'one at a time/s':>16} {'run, s':>8}")
    for name, image in images.items():
        pipelined, alone = requests_per_second(build, image)
        print(f"{name:<17} {pipelined:>12} {alone:>16} {statistics.median(runs[name]):>8.2f}", flush=True)
    print(f"matrix of images.toml       {statistics.median(matrix):8.2f} s")
    print(f"sweep of 2^24, {SWEPT} {statistics.median(sweeps):8.2f} s")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
