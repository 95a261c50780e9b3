#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would fuzzing services build and run the fuzzers? Without containers: sets the variables of OSS-Fuzz's base-builder,
runs build.sh from another folder on a copy of the source that it may not write to, and looks closer at what comes out
than the services do, who pass builds that ignored their flags. Debian's compilers stand in for those of the image.
"""

import argparse
import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import oss_fuzz_files
import oss_fuzz_out
import oss_fuzz_run

ROOT = oss_fuzz_files.ROOT
BASE = ("-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=incompatible-function-pointer-types "
        "-Wno-error=int-conversion -Wno-error=deprecated-declarations -Wno-error=implicit-function-declaration "
        "-Wno-error=implicit-int -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
UNDEFINED = ("array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,"
             "returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound,vptr")
SANITIZERS = {
    "address": "-fsanitize=address -fsanitize-address-use-after-scope",
    "undefined": f"-fsanitize={UNDEFINED},unsigned-integer-overflow -fno-sanitize-recover={UNDEFINED}",
    "memory": "-fsanitize=memory -fsanitize-memory-track-origins",
}
# C compiler, C++ compiler, what is linked, what else is compiled with.
ENGINES = {
    "libfuzzer": ("clang-19", "clang++-19", "-fsanitize=fuzzer", "-fsanitize=fuzzer-no-link"),
    "afl": ("afl-clang-fast", "afl-clang-fast++", "/usr/lib/afl/libAFLDriver.a", ""),
}
# Not the image's: each object says how it was compiled.
RECORD = "-frecord-command-line"
TOOLS = ("cmake", "ninja", "g++", "ld", "nm", "objcopy", "ldd", "git")


@functools.cache
def engine_apart():
    """libFuzzer with a C++ library of its own, as the image's has it, as one object.

    Debian's shares gcc's with the harness, and with it those functions of strings that the harness has instrumented:
    called by an engine that is not, they report falsely. Both are linked here, and all their names become others.
    """
    folder = ROOT / "build/oss-fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    whole, apart, names = (folder / f"engine.{suffix}" for suffix in ("whole.o", "o", "names"))
    library, standard = (subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
                         .stdout.strip() for compiler, name in (("clang-19", "libclang_rt.fuzzer-x86_64.a"), ("g++", "libstdc++.a")))
    subprocess.run(["ld", "-r", "--force-group-allocation", "--whole-archive", library, "--no-whole-archive", standard,
                    "-o", whole], check=True)
    listed = subprocess.run(["nm", "--defined-only", whole], capture_output=True, text=True, check=True).stdout
    symbols = {line.split()[2] for line in listed.splitlines() if re.search(r" [A-Zuvw] ", line)}
    kept = re.compile(r"main$|LLVMFuzzer|__sanitizer_|__sancov")
    names.write_text("".join(f"{name} libfuzzer_{name}\n" for name in sorted(symbols) if not kept.match(name)))
    subprocess.run(["objcopy", f"--redefine-syms={names}", whole, apart], check=True)
    return str(apart)


@dataclasses.dataclass(frozen=True)
class Kind:
    """One build that services make."""

    sanitizer: str
    engine: str

    @property
    def name(self):
        return f"{self.sanitizer}-{self.engine}"

    @property
    def flags(self):
        """Of the sanitizer and the engine, which every object has to have."""
        return f"{SANITIZERS[self.sanitizer]} {ENGINES[self.engine][3]}".strip()

    def variables(self, src, work, out):
        c, cxx, engine, _ = ENGINES[self.engine]
        if self.sanitizer == "memory":
            engine = engine_apart()
        flags = f"{BASE} {self.flags} {RECORD}"
        return {"CC": c, "CXX": cxx, "CFLAGS": flags, "CXXFLAGS": flags, "LIB_FUZZING_ENGINE": engine,
                "SANITIZER": self.sanitizer, "FUZZING_ENGINE": self.engine, "ARCHITECTURE": "x86_64",
                "FUZZING_LANGUAGE": "c++", "SRC": str(src), "WORK": str(work), "OUT": str(out)}


KINDS = {kind.name: kind for kind in (Kind("address", "libfuzzer"), Kind("undefined", "libfuzzer"),
                                      Kind("memory", "libfuzzer"), Kind("address", "afl"))}


class BuildFailed(Exception):
    """With a sentence for people."""


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def copy_source(src, script):
    """What git knows of, as it lies here."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            target = src / "hurray-conformance" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)  # with its time, so that what was built stays good
    (src / "build.sh").write_text(script)


def build(kind, folder, jobs, script):
    """Fills folder/out and folder/work by the script; returns what is wrong with how it did. What was built before is
    used again.
    """
    src, work, out, elsewhere = (folder / name for name in ("src", "work", "out", "elsewhere"))
    if src.exists():
        oss_fuzz_run.set_writable(src, True)
    for each in (src, out, elsewhere):
        shutil.rmtree(each, ignore_errors=True)
    for each in (src, work, out, elsewhere):
        each.mkdir(parents=True, exist_ok=True)
    copy_source(src, script)
    before = oss_fuzz_run.snapshot(src)
    oss_fuzz_run.set_writable(src, False)
    kept = {name: value for name, value in os.environ.items()
            if name in ("PATH", "HOME", "TERM") or name.startswith("CCACHE_") or name.endswith("_COMPILER_LAUNCHER")}
    environment = {**kept, **kind.variables(src, work, out), "CMAKE_BUILD_PARALLEL_LEVEL": str(jobs)}
    log = folder / "build.log"
    with log.open("w") as file:
        status = subprocess.run(["bash", "-eu", src / "build.sh"], cwd=elsewhere, env=environment, stdout=file,
                                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).returncode
    if status != 0:
        raise BuildFailed(f"{kind.name}: build.sh ends with {status}\n" + "\n".join(log.read_text().splitlines()[-30:]))
    return (oss_fuzz_run.changes(before, oss_fuzz_run.snapshot(src), "$SRC") +
            oss_fuzz_run.changes({}, oss_fuzz_run.snapshot(elsewhere), "the folder that it ran in"))


def check_out(kind, out, work, expected, scratch):
    """All that can be told of what was built; what is wrong, and how many seeds were run."""
    progress(f"{kind.name}: objects and symbols")
    wrong, ours = oss_fuzz_out.check_objects(kind, work)
    wrong += oss_fuzz_out.check_harnesses(kind, out, expected, ours)
    companions = oss_fuzz_out.check_companions(out, expected)
    if companions:
        return wrong + companions, 0
    found, seeds = oss_fuzz_run.check_runs(kind, out, expected, scratch, lambda text: progress(f"{kind.name}: {text}"))
    return wrong + found, seeds


def megabytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def report(kind, wrong, what):
    progress("")
    for each in wrong:
        print(f"{kind}: {each}")
    print(f"{kind}: {'FAILED' if wrong else 'ok'}, {what}", flush=True)


def missing_tools(kinds):
    names = [*TOOLS, *(name for kind in kinds for name in ENGINES[kind.engine][:2])]
    if any(kind.engine == "afl" for kind in kinds):
        names += ["afl-fuzz", "afl-showmap"]
    return [name for name in dict.fromkeys(names) if shutil.which(name) is None]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=(
        "Exit codes: 0 all is as it should be, 1 something is not, 2 usage or something missing, 3 a build failed."))
    parser.add_argument("kind", nargs="*", help=f"files (nothing is built), {', '.join(KINDS)}; without: all of these")
    parser.add_argument("--out", type=pathlib.Path, help="do not build: look at this $OUT, of one KIND")
    parser.add_argument("--work", type=pathlib.Path, help="and this $WORK")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/oss-fuzz", help="built there; %(default)s")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once; %(default)s")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.kind if name != "files" and name not in KINDS]
    if unknown:
        parser.error(f"no kind {unknown[0]}; there are: files {' '.join(KINDS)}")
    if (chosen.out is None) != (chosen.work is None) or (chosen.out and (len(chosen.kind) != 1 or chosen.kind == ["files"])):
        parser.error("--out and --work go together, with one KIND, as "
                     "`address-libfuzzer --out build/oss-fuzz/address-libfuzzer/out --work build/oss-fuzz/address-libfuzzer/work`")
    for folder in filter(None, (chosen.out, chosen.work)):
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
    if chosen.jobs < 1:
        parser.error("--jobs: at least 1")
    return chosen


def main(arguments):
    chosen = parse(arguments)
    names = chosen.kind or ["files", *KINDS]
    kinds = [KINDS[name] for name in names if name != "files"]
    missing = missing_tools(kinds)
    if missing:
        print(f"oss_fuzz_check.py: not found: {' '.join(missing)}. Their packages: rows `oss-fuzz` of ci/packages.txt",
              file=sys.stderr)
        return 2
    failed = False
    if "files" in names:
        wrong = oss_fuzz_files.check_files()
        failed = bool(wrong)
        report("files", wrong, f"{len(oss_fuzz_files.FOLDERS)} folders")
    for kind in kinds:
        folder = chosen.folder.resolve() / kind.name
        out, work = (chosen.out.resolve(), chosen.work.resolve()) if chosen.out else (folder / "out", folder / "work")
        wrong, start = [], time.monotonic()
        if chosen.out is None:
            progress(f"{kind.name}: building, {folder / 'build.log'}")
            try:
                wrong = build(kind, folder, chosen.jobs, (ROOT / "fuzz/oss-fuzz/build.sh").read_text())
            except BuildFailed as error:
                progress("")
                print(error)
                return 3
        built = time.monotonic()
        expected = oss_fuzz_files.expected_harnesses(kind.sanitizer)
        found, seeds = check_out(kind, out, work, expected, folder / "scratch")
        wrong += found
        failed = failed or bool(wrong)
        report(kind.name, wrong, f"{len(expected)} harnesses, {megabytes(out):.0f} MB, {seeds} seeds, "
               f"built in {built - start:.0f} s, checked in {time.monotonic() - built:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
