#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the Python adapter speak the protocol, and compute what the second oracle allows? Puts to it the
examples of PROTOCOL.md and random requests full of edges; holds each answer against the alternatives with
verdict `pass`, and all answers together against every behaviour that a ruling leaves open.
"""

import os
import random
import select
import struct
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(CONFORMANCE, "oracle"))
import exact  # noqa: E402  (found through the line above)
import kernels  # noqa: E402
import second_oracle  # noqa: E402

# -E: PYTHONUNBUFFERED in the environment would hide a missing flush.
COMMAND = [sys.executable, "-E", os.path.join(HERE, "hurray_adapter.py")]


def ask_all(lines):
    """Answers without id, all requests under way at once; ids and their order are checked here."""
    text = "".join(f"{7 * i} {line}\n" for i, line in enumerate(lines))
    done = subprocess.run(COMMAND, input=text, capture_output=True, text=True, timeout=60)
    answers = [line.split(" ", 1) for line in done.stdout.splitlines()]
    if done.returncode or done.stderr or [int(a[0]) for a in answers] != [7 * i for i in range(len(lines))]:
        raise AssertionError(f"exit code {done.returncode}, {len(answers)} answers to {len(lines)}\n{done.stderr}")
    return [answer for _, answer in answers]


def protocol_examples():
    """(request, answer) of the indented lines of PROTOCOL.md, without ids; none that is shortened for readers."""
    with open(os.path.join(CONFORMANCE, "PROTOCOL.md"), encoding="utf-8") as file:
        lines = [line.strip().split(" ", 2) for line in file if line[:4] == "    " and line[4].isdigit()]
    return [(" ".join(request[1:]), " ".join(answer[1:])) for request, answer in zip(lines, lines[1:])
            if request[0] == answer[0] and "…" not in "".join(request + answer)]


def fields(line):
    return dict(pair.split("=", 1) for pair in line.split()[1:])


def elements(request, text):
    """The elements of an answer's array; every NaN as one pattern."""
    data = bytes.fromhex(text)
    if "dequantize" in request or request.startswith("widen"):
        return [exact.NAN if exact.is_nan(word) else word for word in kernels.words(data)]
    parts = fields(request)
    tag = int(parts.get("type", "10"), 16)
    return list(kernels.unpack_unsigned(kernels.STORAGE[tag][0], int(parts["count"]), data))


def matches(request, answer, alternative):
    wanted = alternative["answer"]
    if answer.split()[0] != wanted.split()[0] or wanted in ("reject", "unsupported"):
        return answer.split()[0] == wanted.split()[0]
    got, wanted = fields(answer), fields(wanted)
    array = next((key for key in ("q", "out") if key in wanted), None)
    if array is None or got.keys() != wanted.keys():
        return got == wanted
    ours, theirs = elements(request, got.pop(array)), elements(request, wanted.pop(array))
    free = alternative.get("free", [])
    if len({ours[i] for i in free}) > 1:
        return False
    for i in free:
        theirs[i] = ours[i]
    return (got, ours) == (wanted, theirs)


def random_requests(count):
    """Edges next to random values: every verb and type, illegal parameters, near ties, subnormals, NaN."""
    rng = random.Random(20240)
    tags = [f"{tag:02x}" for tag in kernels.STORAGE]
    scales = ["3f800000", "3f000000", "3dcccccd", "00000001", "00400000", "007fffff", "00800000", "7f7fffff",
              "7f800000", "ff800000", "00000000", "80000000", "7fc00000", "bf000000", "80000001", "40400000"]
    edges = [0, 1, -1, 3, 127, 128, -128, -129, 255, 256, 32767, -32768, 65535, 2**31 - 1, -2**31]

    def near_tie(scale):
        real = struct.unpack(">f", bytes.fromhex(scale))[0] * (rng.randrange(-300, 300) + 0.5)
        bits = int.from_bytes(struct.pack("<f", real), "little") if abs(real) < 3e38 else rng.getrandbits(32)
        return (bits + rng.randrange(-2, 3)) % 2**32

    for _ in range(count):
        tag, scale, n = rng.choice(tags), rng.choice(scales), rng.randrange(0, 20)
        if rng.random() < 0.4:
            scale = f"{rng.getrandbits(32):08x}"
        zero_point = rng.choice(edges) if rng.random() < 0.6 else rng.randrange(-2, 2)
        reals = [near_tie(scale) if rng.random() < 0.6 else rng.getrandbits(32) for _ in range(n)]
        reals = struct.pack(f"<{n}I", *reals).hex()
        codes = rng.randbytes(kernels.packed_bytes(kernels.STORAGE[int(tag, 16)][0], n)).hex()
        parameters = f"scale={scale} zero_point={zero_point}"
        if rng.random() < 0.05:
            tag, codes, reals, n = rng.choice(["00", "16", "40", "47", "ff"]), "", "", 0
        section = bytearray.fromhex(f"01010000{codes and '0000003f'}").ljust(8, b"\x01")[:8]
        section += struct.pack("<iI", zero_point, 0)
        if rng.random() < 0.4:
            section[rng.randrange(16)] ^= 1 << rng.randrange(8)
        section = section[:rng.choice([0, 15, 16, 16, 16])] + b"\xee" * rng.choice([0, 0, 0, 1, 9])
        yield rng.choice([
            f"decode type={tag} bytes={section.hex()}",
            f"encode type={tag} scheme={rng.choice([1, 1, 1, 1, 0, 2])} {parameters}",
            f"dequantize type={tag} {parameters} count={n} q={codes.upper()}",
            f"quantize in={reals} count={n} {parameters} type={tag}",
            f"quantize in={reals} count={n} scale={scale} zero_point=1 type={tag}",
            f"normalize bits={rng.choice([4, 4, 2, 8, 3])} bias={rng.randrange(-3, 4)} count={n} "
            f"order={rng.choice(['low-first', 'high-first'])} packed={rng.randbytes(rng.randrange(22)).hex()}",
            f"ra8 fn=quantize_{rng.choice(['i8', 'u8'])} {parameters} count={n} in={reals}",
            f"ra8 fn=dequantize_{rng.choice(['i8', 'u8'])} {parameters} count={n} in={rng.randbytes(n).hex()}"])


class Answers(unittest.TestCase):
    def test_the_examples_of_the_protocol(self):
        examples = protocol_examples()
        self.assertEqual(len(examples), 17)
        for (request, wanted), answer in zip(examples, ask_all([request for request, _ in examples])):
            if request.startswith("hello"):
                claims = fields(answer)
                self.assertEqual((claims["version"], claims["contract"]), ("1", "hurray,ra8"))
                self.assertEqual((claims["schemes"], claims["layouts"]), ("1,2,3,4,5", "1,2,3"))
                self.assertNotIn("calls", claims)
            elif request.startswith("sweep"):  # not claimed by this adapter
                self.assertTrue(answer.startswith("unsupported"), answer)
            elif wanted.startswith("reject"):
                self.assertTrue(answer.startswith("reject"), answer)
            else:
                self.assertEqual(answer, wanted)

    def test_random_requests_against_the_second_oracle(self):
        requests = list(random_requests(3000))
        shown = {}
        for request, answer in zip(requests, ask_all(requests)):
            alternatives = second_oracle.ask(request)
            matching = [a for a in alternatives if a["verdict"] == "pass" and matches(request, answer, a)]
            self.assertTrue(matching, f"{request}\n  adapter: {answer}\n  oracle: {alternatives}")
            for behaviour, options in matching[0]["shows"].items():
                shown[behaviour] = shown.get(behaviour, set(options)) & set(options)
                self.assertTrue(shown[behaviour], f"{request}: no longer one {behaviour} for all requests")
        self.assertLessEqual({"int32-difference", "quotient", "infinite-scale", "subnormals"}, shown.keys())

    def test_what_it_does_not_know_is_unsupported(self):
        known = "dequantize type=10 scale=3f000000 zero_point=3 count=1 q=00"
        lines = ["levitate", "levitate type=10", known + " x-unknown=1", known + " fill=a5",
                 "hello version=1 x=1", known]
        self.assertEqual([answer.split()[0] for answer in ask_all(lines)], ["unsupported"] * 5 + ["ok"])


class Stream(unittest.TestCase):
    def setUp(self):
        self.adapter = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.addCleanup(self.adapter.stdout.close)
        self.addCleanup(self.adapter.wait, 10)
        self.addCleanup(self.adapter.stdin.close)

    def answer(self, seconds=10):
        ready, _, _ = select.select([self.adapter.stdout], [], [], seconds)
        return os.read(self.adapter.stdout.fileno(), 1 << 16) if ready else b""

    def test_each_answer_comes_without_a_further_request(self):
        for request_id in (1, 4294967295):
            self.adapter.stdin.write(b"%d normalize bits=4 bias=1 order=low-first count=0 packed=\n" % request_id)
            self.assertEqual(self.answer(), b"%d ok zero_points=\n" % request_id)

    def test_a_line_may_come_in_pieces(self):
        self.adapter.stdin.write(b"1 guess\n2 gue")
        self.assertEqual(self.answer(), b"1 unsupported\n")
        self.assertEqual(self.answer(0.2), b"")
        self.adapter.stdin.write(b"ss\n")
        self.assertEqual(self.answer(), b"2 unsupported\n")

    def test_end_of_input_is_the_end(self):
        self.adapter.stdin.close()
        self.assertEqual((self.answer(), self.adapter.wait(10)), (b"", 0))

    def test_a_line_of_full_length(self):
        head = b"1 dequantize type=10 scale=3f800000 zero_point=0 count=32700 q="
        self.adapter.stdin.write(head + b"00" * 32700 + b"\n")
        got = b""
        while not got.endswith(b"\n"):
            piece = self.answer()
            self.assertTrue(piece, "the answer ended early")
            got += piece
        self.assertEqual(len(got), len("1 ok out=\n") + 8 * 32700)


if __name__ == "__main__":
    unittest.main()
