#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the example adapter of a language conformant, and does the suite see one mistake in it? Builds and judges it by the
commands of PORTING.md, as they stand, then with one line replaced by what people write there.

Usage: adapters_test.py LANGUAGE      exit code 77: skipped, this machine has no compiler or interpreter for it
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import harness

# Language: what it needs, the file, the rounding as it is and as it is often written.
LANGUAGES = {
    "cpp": ("c++", "hurray_adapter.cpp", "std::round(in[i] / scale)", "std::nearbyint(in[i] / scale)"),
    "rust": ("rustc", "hurray_adapter.rs", "(x / scale).round()", "(x / scale + 0.5).floor()"),
    "java": ("javac", "Kernels.java", "quotient + Math.copySign(0.5, quotient)", "Math.rint(quotient)"),
    "javascript": ("node", "hurray_per_tensor.js", "Math.trunc(quotient + (quotient < 0 ? -0.5 : 0.5))", "Math.round(quotient)"),
}
SKIPPED = 77
# What all are judged by, beside call discipline, of which only the kit shows everything. Tensors (HQ-MD) have not all.
WITH_TENSORS = ["rust", "java", "javascript"]
FAMILIES = ["HC-QNT", "HQ-HDR", "HQ-MX", "HQ-NF4", "HQ-PACK", "HQ-PBA", "HQ-PCA", "HQ-PTA", "HQ-ZP", "RA8-Q"]


def lay_out(prefix):
    """What the commands use of an installation, from source and build folder."""
    source, build = pathlib.Path(harness.SOURCE), pathlib.Path(harness.BUILD)
    (prefix / "bin").mkdir(parents=True)
    (prefix / "bin/hurray-conform").symlink_to(harness.PROGRAM)
    (prefix / "include").mkdir()
    (prefix / "include/hurray").symlink_to(source / "targets")
    (prefix / "lib").symlink_to(build / "targets/kit")
    adapters = prefix / "share/hurray-conformance/conformance/adapters"
    shutil.copytree(source / "conformance/adapters", adapters)
    return adapters


def run(commands, folder, prefix):
    done = subprocess.run(["bash", "-euc", commands], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "PREFIX": str(prefix)}, timeout=280)
    return done.returncode, done.stdout


def judged_families(output):
    """{family: cell} of the last row of the table."""
    header = re.findall(r"^target .* verdict$", output, re.M)[-1].split()
    row = re.findall(r"^mine .*$", output, re.M)[-1].split()
    return dict(zip(header[1:], row[1:]))


def check(good, what, output):
    print("ok  " if good else "FAIL", what)
    if not good:
        sys.exit(output)


def main(language):
    tool, name, right, wrong = LANGUAGES[language]
    if not shutil.which(tool):
        print(f"skipped: this machine has no {tool}")
        return SKIPPED
    document = (pathlib.Path(harness.SOURCE) / "conformance/PORTING.md").read_text()
    commands = re.search(rf"<!-- run: {language} -->\n```sh\n(.*?)```", document, re.S)[1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = lay_out(folder / "prefix") / language / name
        code, output = run(commands, folder, folder / "prefix")
        check(code == 0 and re.search(r"^mine .* conformant$", output, re.M), f"{language} is conformant", output)
        cells = judged_families(output)
        families = FAMILIES + (["HQ-MD"] if language in WITH_TENSORS else [])
        missing = [each for each in families if not re.fullmatch(r"(\d+)/\1!?", cells.get(each, ""))]
        check(not missing, f"{language} is judged by {' '.join(families)}, without {missing or 'any missing'}", output)
        text = file.read_text()
        check(text.count(right) == 1, f"{name} has one place that rounds", text)
        file.write_text(text.replace(right, wrong))
        code, output = run(commands.replace(" run ", " run --select HC-QNT-002 "), folder, folder / "prefix")
        seen = code == 1 and "mine: HC-QNT-002 violated" in output
        check(seen, f"{language} that rounds by {wrong} violates HC-QNT-002", f"exit code {code}\n{output}")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] not in [[each] for each in LANGUAGES]:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
