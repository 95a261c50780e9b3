# SPDX-License-Identifier: Apache-2.0
"""What can be told of a finished $OUT, and of the objects in $WORK that it was linked of. Each function returns what is
wrong, a sentence each, and takes what was asked of the build: see Kind in oss_fuzz_check.py.
"""

import configparser
import pathlib
import re
import subprocess
import zipfile

from oss_fuzz_files import EXCEPTION, FORBIDDEN

ENTRY = "LLVMFuzzerTestOneInput"
LIBC_FAMILY = re.compile(r"(?:linux-vdso|ld-linux-x86-64|libc|libm|libpthread|libdl|librt|libresolv|libutil)\.so\.\d+$")
# Of the sanitizer and of the engine: what every object refers to that they took part in. Undefined behaviour is
# checked where there may be some, so an object without such symbols is believed by its recorded flags.
SANITIZER_SYMBOL = {"address": "__asan_init", "memory": "__msan_init", "undefined": "__ubsan_handle_"}
ENGINE_SYMBOL = {"libfuzzer": "__sanitizer_cov_", "afl": "__afl_"}
# Flags that clang records with the value that they have without one.
WRITTEN_OUT = {"-fsanitize-memory-track-origins=2": "-fsanitize-memory-track-origins"}
OPTIONS = {"libfuzzer": {"max_len"}}
WORD = re.compile(r'(?:\w+\s*)?=?\s*"(?:[^"\\]|\\\\|\\"|\\x[0-9a-fA-F]{2})+"')


def symbols(path):
    """Defined functions, and all symbols referred to or defined."""
    output = subprocess.run(["nm", path], capture_output=True, text=True).stdout
    functions, every = set(), set()
    for line in output.splitlines():
        *_, kind, name = line.split()
        every.add(name)
        if kind in "tTW":
            functions.add(name)
    return functions, every


def recorded_flags(path):
    """The command lines that -frecord-command-line left in an object, as words."""
    output = subprocess.run(["objcopy", "--dump-section", ".GCC.command.line=/dev/stdout", path, "/dev/null"],
                            capture_output=True).stdout
    return [[word.replace("\\ ", " ") for word in re.split(r"(?<!\\) ", line)]
            for line in output.decode(errors="replace").split("\0") if line]


def is_ours(name):
    return "hurray" in name and not name.startswith(("asan.", "msan.", "sancov.", "__", "_GLOBAL__"))


def check_flags(kind, name, words):
    """Those that the caller gave, all of them, and no other that is the caller's to give."""
    words = [WRITTEN_OUT.get(word, word) for word in words]
    allowed = EXCEPTION if kind.sanitizer == "undefined" else []
    given = kind.flags.split()
    wrong = [f"{name}: compiled without {flag}" for flag in given + allowed if flag not in words]
    if "-ffp-contract=off" not in words:
        wrong.append(f"{name}: compiled without -ffp-contract=off")
    extra = [word for word in words if FORBIDDEN.match(word) and word not in given + allowed]
    return wrong + [f"{name}: compiled with {flag}, which the caller did not give" for flag in extra]


def check_objects(kind, work):
    """Each object in $WORK is instrumented. Returns what is wrong, and all functions that the objects define."""
    wrong, ours = [], set()
    objects = sorted(path for path in pathlib.Path(work).rglob("*.o") if "CompilerId" not in str(path))
    if not objects:
        wrong.append(f"no objects below {work}")
    for path in objects:
        name = path.relative_to(work)
        functions, every = symbols(path)
        ours |= functions
        records = recorded_flags(path)
        if len(records) != 1:
            wrong.append(f"{name}: no record of how it was compiled, so without $CFLAGS or $CXXFLAGS")
        for words in records:
            wrong += check_flags(kind, name, words)
        symbol = SANITIZER_SYMBOL[kind.sanitizer]
        if kind.sanitizer != "undefined" and not any(each.startswith(symbol) for each in every):
            wrong.append(f"{name}: no {symbol}, so not instrumented by the {kind.sanitizer} sanitizer")
        symbol = ENGINE_SYMBOL[kind.engine]
        if any(is_ours(each) for each in functions) and not any(each.startswith(symbol) for each in every):
            wrong.append(f"{name}: no {symbol}…, so it does not guide {kind.engine}")
    if kind.sanitizer == "undefined" and objects and not any(
            each.startswith("__ubsan_handle_") for path in objects for each in symbols(path)[1]):
        wrong.append("no object has __ubsan_handle_…, so none is instrumented by the undefined sanitizer")
    return wrong, ours


def check_harnesses(kind, out, expected, ours):
    """What was expected is there, nothing else would be taken for a harness, and all code is of the objects seen."""
    wrong = []
    out = pathlib.Path(out)
    for name in sorted(expected):
        path = out / name
        if not path.is_file() or not path.stat().st_mode & 0o111:
            wrong.append(f"{name}: expected, and no program in $OUT")
            continue
        functions, every = symbols(path)
        if ENTRY not in functions:
            wrong.append(f"{name}: has no {ENTRY}")
        symbol = SANITIZER_SYMBOL[kind.sanitizer]
        if not any(each.startswith(symbol) for each in every):
            wrong.append(f"{name}: no {symbol} linked, so no {kind.sanitizer} sanitizer")
        strangers = sorted(each for each in functions - ours if is_ours(each))
        if strangers:
            wrong.append(f"{name}: {len(strangers)} functions of no object in $WORK, as {strangers[0]}")
        wrong += check_libraries(path)
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.name not in expected and ENTRY.encode() in path.read_bytes():
            wrong.append(f"{path.relative_to(out)}: not expected, and has {ENTRY}: it would be run as a harness")
    return wrong


def check_libraries(path):
    output = subprocess.run(["ldd", path], capture_output=True, text=True)
    names = [line.split()[0].rpartition("/")[2] for line in output.stdout.splitlines() if line.strip()]
    return [f"{path.name}: needs {name} at run time" for name in names if not LIBC_FAMILY.fullmatch(name)]


def check_companions(out, expected):
    """Dictionary, options and corpus of each harness, and none of anything else."""
    wrong = []
    out = pathlib.Path(out)
    for name in sorted(expected):
        for check, suffix in ((check_dictionary, ".dict"), (check_options, ".options"), (check_corpus, "_seed_corpus.zip")):
            path = out / (name + suffix)
            wrong += check(path) if path.is_file() else [f"{path.name}: not in $OUT"]
    known = expected | {name + suffix for name in expected for suffix in (".dict", ".options", "_seed_corpus.zip")}
    return wrong + [f"{path.relative_to(out)}: belongs to no harness"
                    for path in sorted(out.rglob("*")) if path.is_file() and path.name not in known]


def check_dictionary(path):
    lines = path.read_text().splitlines()
    words = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    wrong = [f'{path.name}: line {number} is not name="word"' for number, line in words if not WORD.fullmatch(line.strip())]
    return wrong if words else [f"{path.name}: no words"]


def check_options(path):
    parser = configparser.ConfigParser()
    try:
        parser.read_string(path.read_text())
    except configparser.Error as error:
        return [f"{path.name}: does not parse: {' '.join(str(error).split())}"]
    wrong = []
    for section in parser.sections():
        for key, value in parser[section].items():
            if key not in OPTIONS.get(section, ()) or not value.isdecimal() or int(value) == 0:
                wrong.append(f"{path.name}: [{section}] {key} = {value} is none of the options that harnesses have")
    return wrong if parser.has_option("libfuzzer", "max_len") else [*wrong, f"{path.name}: no max_len"]


def check_corpus(path):
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        return [f"{path.name}: is no zip: {error}"]
    wrong = [f"{path.name}: {broken} is damaged"] if broken else []
    wrong += [f"{path.name}: {name} is no plain name" for name in names if "/" in name or name.startswith(".")]
    return wrong if names else [f"{path.name}: no seeds"]
