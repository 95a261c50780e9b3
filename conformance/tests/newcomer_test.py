#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does "From nothing to a verdict in ten minutes" of PORTING.md hold? Somebody who has the package and the document only:
the blocks marked `<!-- newcomer: NAME[, exit code N] -->` are run in one shell as they stand, one after the other, and each has
to end as it says and show what the document promises.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

import harness
import packages

# What a step has to show, beside its exit code.
SHOWS = {
    "install": [r"^0\.\d+\.\d+\ncases \d"],
    "write": [],
    "judge": [r"^mine: HC-QNT-002 violated", r"^  class +ties-to-even: ties are rounded to even", r"^mine .*non-conformant$"],
    "list what is known": [r"^\[\[known\]\]", r"^reason = .*nobody has said why yet", r"^expires = "],
    "gate": [r"^mine .*non-conformant$", r"^all as known: [1-9]\d* failing cases"],
    "break": [r"^mine .*non-conformant$", r"^not as known: mine: HC-QNT-\d+ is violated by \d+ cases that are not listed"],
    "repair": [r"^mine .* conformant$", r"^not as known: mine: .* cases are right now"],
    "conformant": [r"^all as known: 0 failing cases", r"^mine .* conformant$"],
}
MOST_SECONDS = 10 * 60


def steps_of(document):
    """[(name, exit code, commands)]"""
    found = re.findall(r"<!-- newcomer: ([\w ]+?)(?:, exit code (\d))? -->\n```sh\n(.*?)```", document, re.S)
    return [(name, int(code or 0), commands) for name, code, commands in found]


def run(steps, home):
    """{name: (exit code, output)} of the steps, in one shell of somebody who has nothing but a Debian."""
    script = "".join(f"{commands}echo \"@@@ {name} $?\"\n" for name, _, commands in steps)
    environment = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
    done = subprocess.run(["bash", "-u"], input=script, cwd=home, env=environment, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=MOST_SECONDS)
    parts = re.split(r"^@@@ ([\w ]+) (\d+)\n", done.stdout, flags=re.M)
    return {name: (int(code), output) for output, name, code in zip(parts[0::3], parts[1::3], parts[2::3])}


def main():
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        packages.make(home, "DEB")
        document = pathlib.Path(harness.SOURCE, "conformance/PORTING.md").read_text()
        steps = steps_of(document)
        failures = 0
        if [name for name, *_ in steps] != list(SHOWS):
            sys.exit(f"PORTING.md has the steps {[name for name, *_ in steps]}, expected {list(SHOWS)}")
        start = time.monotonic()
        results = run(steps, home)
        for name, code, _ in steps:
            got, output = results.get(name, (None, "the shell ended before"))
            missing = [each for each in SHOWS[name] if not re.search(each, output, re.M)]
            good = got == code and not missing
            failures += not good
            print("ok  " if good else "FAIL", f"newcomer, {name}: exit code {got}")
            if not good:
                print(f"expected exit code {code}, and {missing} in\n{output}")
        installed = home / "hurray/usr/share/hurray-conformance/conformance/PORTING.md"
        same = installed.is_file() and installed.read_text() == document
        failures += not same
        print("ok  " if same else "FAIL", "the document is in the package")
        print(f"{time.monotonic() - start:.0f} s")
        return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
