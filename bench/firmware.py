#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How fast are the firmware images? Small requests per second in a pipeline and one at a time, the seconds of a
whole run, of the matrix, and of a sweep of 2^24 inputs. Medians of five, the images in turn in every round.

Usage: firmware.py BUILD_FOLDER [IMAGE…], for example firmware.py build/release m85-portable-o2
"""

import json
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
    """(pipelined, one at a time), medians of five."""
    command = [f"{build}/bench/attachments", "--benchmark_filter=^requests/", f"--benchmark_repetitions={ROUNDS}",
               "--benchmark_format=json", f"it=qemu:{image}"]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    try:
        rows = json.loads(said)["benchmarks"]
        rates = {each["run_name"].split("/")[2]: each["items_per_second"] for each in rows
                 if each.get("aggregate_name") == "median"}
        return rates["pipelined"], rates["one at a time"]
    except (ValueError, KeyError):
        sys.exit(f"attachments did not measure {image}: {said}")


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
        print(f"{name:<17} {pipelined:>12.0f} {alone:>16.0f} {statistics.median(runs[name]):>8.2f}", flush=True)
    print(f"matrix of images.toml       {statistics.median(matrix):8.2f} s")
    print(f"sweep of 2^24, {SWEPT} {statistics.median(sweeps):8.2f} s")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
