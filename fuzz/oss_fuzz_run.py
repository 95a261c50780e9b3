# SPDX-License-Identifier: Apache-2.0
"""What can be told of a finished $OUT by running it: every seed is replayed, and each harness fuzzes for a moment, from
a folder of its own, with $OUT not to be written to. Each function returns what is wrong, a sentence each.
"""

import hashlib
import os
import pathlib
import re
import shutil
import stat
import subprocess
import zipfile

SECONDS = 300
RUNS = 1000
SEEDS_OF_AFL = 3  # its first pass alone runs each about ten times
# As the services set them; afl-fuzz insists on some of it.
ENVIRONMENT = {
    "ASAN_OPTIONS": "abort_on_error=1:symbolize=0:allocator_may_return_null=1:detect_leaks=1",
    "MSAN_OPTIONS": "symbolize=0:exit_code=86",
    "UBSAN_OPTIONS": "print_stacktrace=1:silence_unsigned_overflow=1",
    "AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_TRY_AFFINITY": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
}


def snapshot(folder):
    """Digests of all files below a folder, by name."""
    return {path.relative_to(folder): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


def changes(before, after, what):
    names = sorted(str(name) for name in set(before) | set(after) if before.get(name) != after.get(name))
    return [f"{what} was written to: {', '.join(names[:3])}"] if names else []


def set_writable(folder, is_writable):
    """For those who are not root; what root writes is seen by snapshots."""
    folder = pathlib.Path(folder)
    for path in [folder, *folder.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | 0o200 if is_writable else mode & ~0o222)


def run(command, folder):
    """Exit code and output; a program that hangs has exit code None."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **ENVIRONMENT}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS)
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        return None, (error.stdout or b"").decode(errors="replace")


def said(code, output):
    """What somebody needs who wants to know why a run failed."""
    lines = [line for line in output.splitlines() if re.search(r"ERROR|SUMMARY|WARNING: Mem|runtime error|does not hold|PROGRAM ABORT|^kind", line)]
    ending = "hangs" if code is None else f"exit code {code}"
    return f"{ending}: {' | '.join(lines[:3] or output.splitlines()[-2:])[:400]}"


def replay(kind, program, seeds, folder):
    """Every seed by itself, and each of them seen to have been run."""
    if kind.engine == "libfuzzer":
        done, more = re.compile(r"^Executed .* in \d+ ms$", re.M), ["-runs=1"]
    else:
        done, more = re.compile(r"^Execution successful\.$", re.M), []
        seeds = [seed for seed in seeds if seed.stat().st_size]  # this engine leaves out the empty one
    code, output = run([program, *more, *seeds], folder)
    count = len(done.findall(output))
    if code == 0:
        return [] if count == len(seeds) else [f"{program.name}: {count} of {len(seeds)} seeds were run"]
    # What was printed before the end may be lost: one after the other then, to name the first.
    for number, seed in enumerate(seeds, 1):
        code_of_one, output_of_one = run([program, *more, seed], folder)
        if code_of_one != 0:
            return [f"{program.name}: seed {number} of {len(seeds)} is a finding: {said(code_of_one, output_of_one)}"]
    return [f"{program.name}: seeds are a finding together and not alone: {said(code, output)}"]


def fuzz_libfuzzer(program, seeds, folder):
    corpus = folder / "corpus"
    shutil.copytree(seeds[0].parent, corpus)
    longest = re.search(r"max_len = (\d+)", program.with_name(program.name + ".options").read_text())[1]
    code, output = run([program, f"-runs={len(seeds) + RUNS}", f"-max_len={longest}", "-seed=1", "-timeout=60",
                        f"-dict={program}.dict", corpus], folder)
    if code != 0:
        return [f"{program.name}: does not survive {RUNS} runs: {said(code, output)}"]
    if not re.search(r"^Dictionary: [1-9]", output, re.M):
        return [f"{program.name}: the engine read no words of its dictionary"]
    runs = re.search(r"^Done (\d+) runs", output, re.M)
    return [] if runs and int(runs[1]) >= RUNS else [f"{program.name}: {RUNS} runs were asked for, and not made"]


def fuzz_afl(program, seeds, folder):
    """afl-showmap sees that seeds guide the engine; afl-fuzz goes on from the smallest."""
    given = folder / "given"
    given.mkdir()
    for seed in sorted(seeds, key=lambda path: path.stat().st_size)[:SEEDS_OF_AFL]:
        shutil.copy(seed, given)
    code, output = run(["afl-showmap", "-q", "-m", "none", "-t", "20000", "-o", folder / "map", "--", program,
                        next(given.iterdir())], folder)
    edges = len((folder / "map").read_text().split()) if (folder / "map").is_file() else 0
    if code != 0 or edges == 0:
        return [f"{program.name}: afl-showmap sees no edges: {said(code, output)}"]
    code, output = run(["afl-fuzz", "-i", given, "-o", folder / "found", "-m", "none", "-t", "20000", "-s", "1",
                        "-x", f"{program}.dict", "-E", str(RUNS), "--", program], folder)
    figures = folder / "found/default/fuzzer_stats"
    if code != 0 or not figures.is_file():
        return [f"{program.name}: does not survive {RUNS} runs of afl-fuzz: {said(code, output)}"]
    figures = dict(re.findall(r"^(\w+) *: *(\S+)", figures.read_text(), re.M))
    wrong = []
    if int(figures["execs_done"]) < RUNS:
        wrong.append(f"{program.name}: {RUNS} runs of afl-fuzz were asked for, {figures['execs_done']} were made")
    if int(figures["saved_crashes"]):
        wrong.append(f"{program.name}: afl-fuzz finds something: {figures['saved_crashes']} crashes")
    return wrong


def check_runs(kind, out, expected, scratch, progress=lambda text: None):
    """Returns what is wrong, and how many seeds there were."""
    wrong, count = [], 0
    scratch = pathlib.Path(scratch)
    before = snapshot(out)
    set_writable(out, False)
    try:
        for name in sorted(expected):
            program = pathlib.Path(out) / name
            folder = scratch / name
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "seeds").mkdir(parents=True)
            progress(f"running {name}")
            if not program.is_file():
                continue
            with zipfile.ZipFile(f"{program}_seed_corpus.zip") as archive:
                archive.extractall(folder / "seeds")
            seeds = sorted((folder / "seeds").iterdir())
            count += len(seeds)
            found = replay(kind, program, seeds, folder)
            wrong += found or (fuzz_afl if kind.engine == "afl" else fuzz_libfuzzer)(program, seeds, folder)
            shutil.rmtree(folder)
    finally:
        set_writable(out, True)
    return wrong + changes(before, snapshot(out), "$OUT"), count
