#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the manual pages of hurray-conform, one for each subcommand, of what `--help` says: nothing is written twice.

Usage: manpages.py PROGRAM FOLDER
"""
import pathlib
import re
import shutil
import subprocess
import sys

NAME = "hurray-conform"


def ask(program, *words):
    return subprocess.run([program, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def parse(text):
    """(description, usage, {section: [(term, explanation)]}, paragraphs behind them) of one --help."""
    head, rest = re.split(r"^Usage: ", text, maxsplit=1, flags=re.M)
    usage, *lines = rest.splitlines()
    sections, notes, rows = {}, [], None
    for line in lines:
        if not notes and re.fullmatch(r"[A-Z]\w+:", line):
            rows = sections.setdefault(line[:-1], [])
        elif notes or rows is None or not line.startswith(" "):
            if line or notes:
                notes.append(line)
        elif line.startswith("   "):  # the explanation, or more of it
            term, explanation = rows.pop()
            rows.append((term, f"{explanation} {line.strip()}".strip()))
        else:
            term, explanation = (re.split(r"\s{2,}", line.strip(), maxsplit=1) + [""])[:2]
            rows.append((term, explanation))
    return " ".join(head.split()), usage, sections, "\n".join(notes).strip()


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def bold_words(term):
    """`--target TEXT`: what is typed as it stands in bold, what stands for something else not."""
    return re.sub(r"(?<![\w-])(--?[\w-]+)", lambda match: f"\\fB{roff(match[0])}\\fR", term) if "-" in term else roff(term)


def page(words, text, version, all_pages):
    description, usage, sections, notes = parse(text)
    title = "-".join([NAME, *words])
    lines = [f'.TH {roff(title.upper())} 1 "" "{version}" "User Commands"', ".SH NAME",
             f"{roff(title)} \\- {roff(description[0].lower() + description[1:].rstrip('.'))}", ".SH SYNOPSIS",
             f".B {roff(usage)}"]
    for name, rows in sections.items():
        lines.append(f".SH {name.upper()}")
        for term, explanation in rows:
            lines += [".TP", bold_words(term) if name == "Options" else f"\\fB{roff(term)}\\fR", roff(explanation)]
    if notes:
        lines += [".SH NOTES", ".nf", roff(notes), ".fi"]
    others = [each for each in all_pages if each != title]
    lines += [".SH SEE ALSO", " ,\n".join(f".BR {roff(each)} (1)" for each in others)]
    return "\n".join(lines) + "\n"


def pages(program):
    """{words of a subcommand: its --help}, nested ones too."""
    found, waiting = {}, [()]
    while waiting:
        words = waiting.pop(0)
        found[words] = ask(program, *words, "--help")
        waiting += [(*words, name) for name, _ in parse(found[words])[2].get("Subcommands", [])]
    return found


def main(program, folder):
    texts = pages(program)
    version = ask(program, "--version").splitlines()[0]
    titles = ["-".join([NAME, *words]) for words in texts]
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for (words, text), title in zip(texts.items(), titles):
        (folder / f"{title}.1").write_text(page(words, text, version, titles))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
