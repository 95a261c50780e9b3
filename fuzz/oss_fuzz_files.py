# SPDX-License-Identifier: Apache-2.0
"""What can be told of the files for fuzzing services without building: project.yaml, build.sh, Dockerfile and workflow,
and the table that build.sh reads. Each function returns what is wrong, a sentence each. See oss_fuzz_check.py.
"""

import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("fuzz/oss-fuzz", ".clusterfuzzlite")
FILES = ("Dockerfile", "build.sh", "project.yaml")
DECLARED = {
    "language": "c++",
    "fuzzing_engines": ["libfuzzer", "afl", "honggfuzz", "centipede"],
    "sanitizers": ["address", "undefined", "memory"],
    "architectures": ["x86_64"],
}
# Which only whoever submits the project can know.
OF_SUBMITTERS = {"homepage", "main_repo", "primary_contact", "auto_ccs", "vendor_ccs"}
GIVEN = {"CC", "CXX", "CFLAGS", "CXXFLAGS", "LIB_FUZZING_ENGINE", "OUT", "SRC", "WORK", "SANITIZER"}
EXCEPTION = ["-fsanitize=float-cast-overflow,alignment", "-fno-sanitize-recover=float-cast-overflow,alignment"]
# What a build may not add to the caller's flags. They are named to be refused: -ffast-math would make every comparison
# of floats a guess, and what switches a sanitizer off would hide what it sees.
FORBIDDEN = re.compile(r"-(?:march|mcpu|mtune)=|-m(?:avx|sse|fma|bmi)\w*|-f(?:no-)?sanitize\b[-\w]*|-stdlib=|-ffast-math")


def harness_rows(root=ROOT):
    """Rows of fuzz/harnesses.txt by claim: longest input, dictionary, why not under the memory sanitizer."""
    rows = {}
    for line in (root / "fuzz/harnesses.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            claim, *rest = (word.strip() for word in line.split("|"))
            rows[claim] = rest
    return rows


def expected_harnesses(sanitizer, root=ROOT):
    return {f"fuzz_{claim}" for claim, row in harness_rows(root).items() if sanitizer != "memory" or not row[2]}


def check_table(root=ROOT):
    wrong = []
    rows = harness_rows(root)
    built = re.search(r"set\(claims ([^)]*)\)", (root / "fuzz/CMakeLists.txt").read_text())[1].split()
    for claim in sorted(set(built) ^ set(rows)):
        where = "CMakeLists.txt" if claim in rows else "harnesses.txt"
        wrong.append(f"fuzz/{where} has no {claim}: every harness stands in both")
    for claim, row in rows.items():
        if len(row) != 3 or not row[0].isdecimal() or int(row[0]) == 0 or not (root / "fuzz" / row[1]).is_file():
            wrong.append(f"fuzz/harnesses.txt: {claim} is no row `claim | longest input | dictionary | reason or nothing`")
    return wrong


def check_project(text):
    try:
        project = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return [f"project.yaml does not parse: {' '.join(str(error).split())}"]
    if not isinstance(project, dict):
        return ["project.yaml is no mapping"]
    wrong = [f"project.yaml declares {key}: {project.get(key)}, not {value}"
             for key, value in DECLARED.items() if project.get(key) != value]
    unknown = sorted(set(project) - set(DECLARED) - OF_SUBMITTERS)
    return wrong + [f"project.yaml declares {key}, which nothing here knows" for key in unknown]


def code_of(text):
    """Lines of a script without comments."""
    return [line for line in text.splitlines() if not line.lstrip().startswith("#")]


def check_build(text):
    """build.sh takes its variables and flags from the caller."""
    wrong = []
    lines = code_of(text)
    code = "\n".join(lines)
    own = set(re.findall(r"(?:^|\s)(\w+)\+?=", code)) | {name for read in re.findall(r"read -r ([\w ]+)", code)
                                                            for name in read.split()}
    for name in sorted(set(re.findall(r"\$\{?(\w+)", code)) - GIVEN - own):
        wrong.append(f"build.sh uses ${name}, which base-builder does not promise")
    for name in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LIB_FUZZING_ENGINE", "OUT"):
        if not re.search(rf"\${name}\b", code):
            wrong.append(f"build.sh does not use ${name}")
        if re.search(rf"(?:^|\s){name}\+?=", code):
            wrong.append(f"build.sh changes ${name}")
    is_undefined = False
    allowed = []
    for line in lines:
        if re.fullmatch(r'if \[\[ \$SANITIZER == undefined \]\]; then', line):
            is_undefined = True
        elif line == "fi":
            is_undefined = False
        for flag in re.findall(r'(?<![\w-])-[-\w]+(?:=[-\w,+]+)?', line):
            if is_undefined and flag in EXCEPTION:
                allowed.append(flag)
            elif FORBIDDEN.match(flag):
                wrong.append(f"build.sh has {flag}: instruction sets, sanitizers and libraries are the caller's")
    for flag in sorted(set(EXCEPTION) - set(allowed)):
        wrong.append(f"build.sh does not append {flag} for the undefined sanitizer")
    for path in re.findall(r"(?<![\w\$}/.*])/(?:usr|opt|home|src|out|work|tmp|root)\b[\w/.]*", code):
        wrong.append(f"build.sh names {path}: folders are the caller's")
    return wrong


def check_docker(text, folder):
    wrong = []
    instructions = [line.split() for line in code_of(text) if line.strip()]
    if not instructions or instructions[0][0] != "FROM" or not instructions[0][1].startswith("gcr.io/oss-fuzz-base/base-builder"):
        wrong.append(f"{folder}/Dockerfile does not begin with base-builder")
    if not any(words[0] == "COPY" and words[1].endswith("build.sh") and words[2] == "$SRC/" for words in instructions):
        wrong.append(f"{folder}/Dockerfile does not copy build.sh to $SRC/")
    return wrong


def check_folders(root=ROOT):
    """Three files each, the same but for how the source gets into the image."""
    wrong = []
    for folder in FOLDERS:
        there = sorted(path.name for path in (root / folder).iterdir())
        if there != sorted(FILES):
            wrong.append(f"{folder} holds {' '.join(there)}, not {' '.join(FILES)}")
            return wrong
    first, second = ({name: (root / folder / name).read_text() for name in FILES} for folder in FOLDERS)
    for name in ("build.sh", "project.yaml"):
        if first[name] != second[name]:
            wrong.append(f"{name} differs between {FOLDERS[0]} and {FOLDERS[1]}")
    of_source = re.compile(r"COPY |ARG HURRAY_REPOSITORY$|RUN git clone .*\"\$SRC/hurray-conformance\"$")
    same = [[line for line in files["Dockerfile"].splitlines() if not of_source.match(line)] for files in (first, second)]
    if same[0] != same[1]:
        wrong.append(f"Dockerfile differs between {FOLDERS[0]} and {FOLDERS[1]} in more than where the source comes from")
    return wrong


def check_workflow(text):
    try:
        job = yaml.safe_load(text)["jobs"]["fuzz"]
        sanitizers, steps = job["strategy"]["matrix"]["sanitizer"], job["steps"]
    except (yaml.YAMLError, KeyError, TypeError) as error:
        return [f"cifuzz.yml has no job `fuzz` with a matrix of sanitizers and steps: {' '.join(str(error).split())}"]
    wrong = []
    if sanitizers != DECLARED["sanitizers"]:
        wrong.append(f"cifuzz.yml fuzzes with {sanitizers}, project.yaml declares {DECLARED['sanitizers']}")
    for action in ("build_fuzzers", "run_fuzzers"):
        with_ = [step.get("with", {}) for step in steps if f"/{action}@" in step.get("uses", "")]
        if len(with_) != 1 or with_[0].get("sanitizer") != "${{ matrix.sanitizer }}":
            wrong.append(f"cifuzz.yml does not {action.replace('_', ' ')} once with the sanitizer of the matrix")
    return wrong


def check_files(root=ROOT):
    wrong = check_folders(root) + check_table(root)
    for folder in FOLDERS:
        if all((root / folder / name).is_file() for name in FILES):
            wrong += check_project((root / folder / "project.yaml").read_text())
            wrong += check_build((root / folder / "build.sh").read_text())
            wrong += check_docker((root / folder / "Dockerfile").read_text(), folder)
    return wrong + check_workflow((root / ".github/workflows/cifuzz.yml").read_text())
