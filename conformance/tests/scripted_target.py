#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A target that answers correctly except where a script says otherwise.

Every request goes to an honest program (BACKEND) whose answer is handed on. `--do WHAT --when WHEN` picks
requests and what happens at them; the pair may be given several times and the first that fits counts.

    --when every:N       every Nth request that this process gets, hello and the probes not counted
           hash:N        one in N, by the text of the request without its id
           has:TEXT      requests with TEXT in them
           verb:VERB     requests of this verb
           hello | unknown-verb | unknown-key      the three requests at the start of a session
    --do   a name of DEEDS below, or say:TEXT, which answers TEXT; in TEXT %1b stands for the byte 1b
    --hello TEXT         what stands behind `ok ` in the answer to hello; requests for a verb or storage type
                         that it does not claim are then answered `unsupported`, unless --lenient
    --marker WORD        does nothing; it makes the processes of a test findable in /proc
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import zlib


# Other tags are no storage types, and to refuse them is everybody's duty.
STORAGE_TYPES = "10 11 12 13 14 15 48 49 4a 4b".split()


class Backend:
    def __init__(self, command, marker):
        # The marker is its argv[0]: programs made of the kit take no arguments.
        self.process = subprocess.Popen([marker] + command[1:] if marker else command, executable=command[0],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip(b"\n")


def write_all(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def say(line):
    write_all(1, line + b"\n")


def wait_for_ever():
    while True:
        signal.pause()


def leave_a_child(own_session):
    if os.fork() == 0:
        if own_session:
            os.setsid()
        time.sleep(600)
        os._exit(0)
    os._exit(3)


def crash(target, line):
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(target, line):
    os._exit(3)


def hang(target, line):
    wait_for_ever()


def swap(target, line):
    target.held.append(target.backend.ask(line))


def twice(target, line):
    answer = target.backend.ask(line)
    say(answer + b"\n" + answer)


def chatter_before(target, line):
    say(b"debug: about to answer\n" + target.backend.ask(line))


def chatter_behind(target, line):
    say(target.backend.ask(line) + b"\ndebug: answered")


def noise(target, line):
    say(bytes(range(256)) * 4)


def huge_line(target, line):
    write_all(1, line.split()[0] + b" ok out=")
    for _ in range(6):
        write_all(1, b"0" * (1 << 20))
    say(b"")


def close_input(target, line):
    say(target.backend.ask(line))
    os.close(0)
    wait_for_ever()


def flood_errors(target, line):
    for _ in range(4):
        write_all(2, b"a line for people\n" * (1 << 16))
    say(target.backend.ask(line))


def drip(target, line):
    for byte in target.backend.ask(line) + b"\n":
        write_all(1, bytes([byte]))
        time.sleep(0.1)


def leave_child(target, line):
    leave_a_child(own_session=False)


def leave_daemon(target, line):
    leave_a_child(own_session=True)


def ignore_sigterm(target, line):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    wait_for_ever()


def take_memory(target, line):
    taken = []
    while True:
        taken.append(bytearray(1 << 24))


def forget_unknown_key(target, line):
    say(target.backend.ask(line.replace(b" never_defined=1", b"")))


def wrong_digit(target, line):
    answer = target.backend.ask(line)
    say(answer[:-1] + (b"1" if answer.endswith(b"0") else b"0"))


DEEDS = {deed.__name__.replace("_", "-"): deed for deed in (
    crash, leave, hang, swap, twice, chatter_before, chatter_behind, noise, huge_line, close_input,
    flood_errors, drip, leave_child, leave_daemon, ignore_sigterm, take_memory, forget_unknown_key,
    wrong_digit)}


def deed_named(text):
    if text.startswith("say:"):
        answer = urllib.parse.unquote_to_bytes(text[4:])
        return lambda target, line: say(line.split()[0] + b" " + answer)
    return DEEDS[text]


def body_hits(when, body):
    """Whether a rule that looks at the text picks this request; the tests ask the same."""
    kind, _, value = when.partition(":")
    if kind == "hash":
        return zlib.crc32(body.encode()) % int(value) == 0
    if kind == "verb":
        return body.split(" ", 1)[0] == value
    return kind == "has" and value in body


class Target:
    def __init__(self, options):
        self.options = options
        self.rules = list(zip(options.when, map(deed_named, options.do)))
        self.backend = Backend(options.backend, options.marker)
        self.asked = 0
        self.held = []

    def rule_for(self, body):
        special = {"hello version=1": "hello", "never-defined": "unknown-verb"}.get(body)
        if "never_defined=" in body:
            special = "unknown-key"
        if not special:
            self.asked += 1
        for when, deed in self.rules:
            kind, _, value = when.partition(":")
            if special:
                hit = when == special
            elif kind == "every":
                hit = self.asked % int(value) == 0
            else:
                hit = body_hits(when, body)
            if hit:
                return deed
        return None

    def claims(self, body):
        verb = body.split()[0]
        words = dict(word.split("=", 1) for word in self.options.hello.split() if "=" in word)
        type_tag = re.search(r" type=(..)", body)
        if verb == "ra8":
            return "ra8" in words.get("contract", "")
        claimed = words.get(f"types.{verb}", "").split(",")
        if not type_tag:
            return True
        return type_tag[1] in claimed or (claimed != [""] and type_tag[1] not in STORAGE_TYPES)

    def take(self, line):
        request_id, body = line.decode("ascii").split(" ", 1)
        deed = self.rule_for(body)
        if deed:
            deed(self, line)
            return
        if self.options.hello is not None and body.startswith("hello "):
            say(f"{request_id} ok {self.options.hello}".encode())
        elif self.options.hello is not None and not self.options.lenient and not self.claims(body):
            say(f"{request_id} unsupported".encode())
        else:
            say(self.backend.ask(line))
        for answer in self.held:
            say(answer)
        self.held.clear()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--when", action="append", default=[])
    parser.add_argument("--do", action="append", default=[])
    parser.add_argument("--hello")
    parser.add_argument("--lenient", action="store_true")
    parser.add_argument("--marker")
    parser.add_argument("backend", nargs="+")
    target = Target(parser.parse_args())
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            target.take(line)


if __name__ == "__main__":
    sys.exit(main())
