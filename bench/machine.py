#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On what was measured: processor, system, compiler, flags, libraries. Writes JSON: a list of pairs.

Usage: machine.py BUILD_FOLDER
"""

import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

PACKAGES = ("libbenchmark-dev", "libhwy-dev", "libxnnpack-dev")


def output_of(*command):
    """The output of a command, or nothing where there is no such command or it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def processor():
    listed = dict(re.findall(r"^([^:\n]+):\s*(.*)$", output_of("lscpu"), re.M))
    caches = ", ".join(f"{name} {listed[f'{name} cache']}" for name in ("L1d", "L2", "L3") if f"{name} cache" in listed)
    name = listed.get("Model name", platform.processor() or platform.machine())
    numbers = ", ".join(f"{key.lower()} {listed[key]}" for key in ("CPU family", "Model") if key in listed)
    return f"{name} ({numbers})" if numbers else name, f"{os.cpu_count()} processors; caches of all: {caches or 'unknown'}"


def is_flag(argument):
    """Whether it may change what code comes out: no warning, no path, no definition but NDEBUG."""
    return argument == "-DNDEBUG" or re.match(r"-[Ofgm]|-std=", argument) is not None


def build(folder):
    """Compiler and flags as CMake called it with: those of a program that is built everywhere and measures."""
    cache = dict(re.findall(r"^(\w+):\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), re.M))
    kind = cache["CMAKE_BUILD_TYPE"]
    commands = json.loads((folder / "compile_commands.json").read_text())
    command = next(each["command"] for each in commands if each["file"].endswith("/bench/codec.cpp"))
    flags = " ".join(filter(is_flag, shlex.split(command)))
    version = output_of(cache["CMAKE_CXX_COMPILER"], "--version")
    return (version.splitlines() or [cache["CMAKE_CXX_COMPILER"]])[0], f"{kind}: {flags}"


def main(folder):
    name, numbers = processor()
    compiler, flags = build(pathlib.Path(folder))
    versions = [f"{package} {version}" for package in PACKAGES
                if (version := output_of("dpkg-query", "-W", "-f", "${Version}", package))]
    rows = [("processor", name), ("machine", numbers), ("system", f"{platform.system()} {platform.release()}"),
            ("load before", " ".join(f"{each:.1f}" for each in os.getloadavg())), ("compiler", compiler), ("flags", flags),
            ("libraries", ", ".join(versions) or "unknown"),
            ("sources", output_of("git", "-C", str(pathlib.Path(__file__).parent), "describe", "--always", "--dirty") or "unknown"),
            ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"))]
    json.dump(rows, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
