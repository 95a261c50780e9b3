#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does PORTING.md tell the truth? Installs the suite into a temporary folder, follows the links of what is
installed, runs the commands of PORTING.md there as they stand, and checks what they promise; then breaks the example
in known ways and checks that the suite says so.

Usage: porting_test.py BUILD_FOLDER

A block that is run has a comment `<!-- run: NAME -->` before it, one that is a session by hand
`<!-- session: NAME -->`: its lines after `> ` are typed, all others are the answers. One that is a piece of C
`<!-- compile: NAME -->` is compiled with what is installed. Those of other languages are run by adapters_test.py, those of
a newcomer by newcomer_test.py, both in conformance/tests/.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Name of a break: (text of the example, what replaces it, a requirement that is then violated)
BREAKS = {
    "reserved bytes unchecked": ("load_u32(bytes + 12) != 0", "0", "HQ-PTA-013"),
    "infinite scale accepted": (" || magnitude >= 0x7f800000", "", "HQ-PTA-006"),
    "zero point unchecked": ("!zero_point_fits(type_tag, zero_point)) return HURRAY_REJECTED;\n\n",
                             "0) return HURRAY_REJECTED;\n\n", "HQ-PTA-011"),
    "zero point added": ("code - zero_point", "code + zero_point", "HQ-PTA-018"),
    "signed codes read as unsigned": ("(int8_t)codes[i]", "codes[i]", "HQ-PTA-018"),
    "output written before the checks": ("  if (length < 16)", "  *out = (struct hurray_descriptor){0};\n"
                                         "  if (length < 16)", "HC-CALL-004"),
}
# Judged by adapters_test.py, where their compilers are.
ADAPTERS = ("rust", "java", "javascript", "cpp")


def blocks(text):
    """(kind, name) -> content of the fenced block behind such a comment."""
    found = re.findall(r"<!-- (run|session|compile): ([\w-]+) -->\n```\w*\n(.*?)```", text, re.S)
    return {(kind, name): content for kind, name, content in found}


class Test:
    def __init__(self, build, folder):
        self.folder, self.prefix, self.failures = folder, folder / "installed", 0
        subprocess.run(["cmake", "--install", build, "--prefix", self.prefix], check=True,
                       stdout=subprocess.DEVNULL)
        self.documents = self.prefix / "share/hurray-conformance"
        self.blocks = blocks((self.documents / "conformance/PORTING.md").read_text())

    def check(self, good, what, output=""):
        print("ok  " if good else "FAIL", what)
        if not good:
            self.failures += 1
            print(output)

    def check_links(self):
        found = {x.relative_to(self.documents): x for x in self.documents.rglob("*.md")}
        for name, path in sorted(found.items()):
            targets = re.findall(r"\]\(([^)#]+)", path.read_text())
            dead = [x for x in targets if "://" not in x and not (path.parent / x).exists()]
            self.check(not dead, f"links of {name} lead to installed files", dead)
        self.check(len(found) >= 3, "documents are installed", found)

    def run(self, name):
        result = subprocess.run(["bash", "-euc", self.blocks["run", name]], cwd=self.folder, text=True,
                                env={**os.environ, "PREFIX": str(self.prefix)},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout

    def check_run(self, name, verdict=None):
        code, output = self.run(name)
        good = code == 0 and (verdict is None or re.search(rf"^mine .* {verdict}$", output, re.M))
        self.check(good, f"PORTING.md, {name}", f"exit code {code}\n{output}")

    def check_session(self, name):
        lines = self.blocks["session", name].splitlines()
        command, typed = lines[0].removeprefix("$ "), [x[2:] for x in lines if x.startswith("> ")]
        answers = [x for x in lines[1:] if not x.startswith("> ")]
        got = subprocess.run(["bash", "-c", command], cwd=self.folder, text=True,
                             env={**os.environ, "PREFIX": str(self.prefix)},
                             input="".join(x + "\n" for x in typed), stdout=subprocess.PIPE).stdout
        self.check(got.splitlines() == answers, f"PORTING.md, session {name}", got)

    def check_compile(self, name):
        for language, standard in (("c", "c11"), ("c++", "c++20")):
            command = ["cc", "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                       f"-I{self.prefix}/include", "-"]
            result = subprocess.run(command, input=self.blocks["compile", name], text=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT)
            self.check(result.returncode == 0, f"PORTING.md, {name} compiles as {standard}", result.stdout)

    def check_break(self, name):
        old, new, requirement = BREAKS[name]
        source = self.folder / "mine.c"
        right = source.read_text()
        self.check(right.count(old) == 1, f"the example has one place for: {name}")
        source.write_text(right.replace(old, new))
        code, output = self.run("lib")
        source.write_text(right)
        good = (code == 1 and f"mine: {requirement} violated" in output
                and re.search(r"^mine .* non-conformant$", output, re.M))
        self.check(good, f"broken, {name}: {requirement} is violated", f"exit code {code}\n{output}")


def main(build):
    with tempfile.TemporaryDirectory() as folder:
        test = Test(build, pathlib.Path(folder))
        test.check_links()
        test.check_run("copy")
        test.check_run("lib", "conformant")
        test.check_run("exec", "conformant")
        test.check_compile("tensors")
        test.check_run("python", "conformant")
        test.check_session("by-hand")
        test.check_run("reading")
        test.check_run("sweep")
        test.check_session("sweep")
        test.check_run("gating", "conformant")
        test.check((test.folder / "report/junit.xml").is_file(), "the gate leaves junit.xml")
        test.check_run("asan", "conformant")
        unknown = set(test.blocks) - {("run", x) for x in ("copy", "lib", "exec", "python", "reading", "sweep",
                                                           "gating", "asan", *ADAPTERS)} - {("session", "by-hand"),
                                                                                 ("session", "sweep"),
                                                                                 ("compile", "tensors")}
        test.check(not unknown, f"every marked block is run, also {unknown or 'all of these'}")
        for name in BREAKS:
            test.check_break(name)
        return 1 if test.failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
