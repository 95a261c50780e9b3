#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the verdict table of README.md what the program prints? Judges the targets that stand in it: firmware images,
which have to be built, or all others.

Usage: readme_test.py BUILD_FOLDER [images]
"""
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main(build, images=""):
    table = re.search(r"<!-- rows of: [^\n]*-->\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[1]
    shown = [line.split() for line in table.splitlines()]
    listed = {each["name"]: each for each in tomllib.loads((ROOT / "conformance/bundled.toml").read_text())["target"]}
    is_chosen = {name: each["attachment"].startswith("qemu:") == (images == "images") for name, each in listed.items()}
    shown = [shown[0], *(row for row in shown[1:] if is_chosen[row[0]])]
    command = [f"{build}/conformance/hurray-conform", "run", "--table-only"]
    for name, *_ in shown[1:]:
        attachment = listed[name]["attachment"].replace("{bin}", build).replace("{here}", f"{ROOT}/conformance")
        target = ["--target", f"{name}={attachment}"]
        # Exit code 2: it is not here. That is an error but for what needs more than every machine and build have.
        if "needs" in listed[name] and subprocess.run([*command, *target], capture_output=True).returncode == 2:
            print(f"not compared: {name}, which needs {listed[name]['needs']}")
            shown = [row for row in shown if row[0] != name]
            continue
        command += target
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
    # Before the table stands why one is broken.
    printed = [line.split() for line in output[output.find("target  "):].splitlines()]
    if shown == printed:
        return 0
    print(f"README.md shows\n{table}\nthe program prints\n{output}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 2 or sys.argv[2:] == ["images"] else __doc__)
