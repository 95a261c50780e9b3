# SPDX-License-Identifier: Apache-2.0
"""A certificate from outside: keys, issuing, checking, judging again, and judging without the target.

Every byte of a certificate and of its transcript is tried in certificate/certificate_test.cpp, without a process.
"""

import base64
import hashlib
import json
import os
import stat
import subprocess
import sys
import unittest

import harness
from harness import InFolder, conform, exec_target

# As a certifier would draw them, after the target was handed over.
NONCE = "8f14e45fceea167a5a36dedd4bea2543"
REPLAYING = os.path.join(harness.SOURCE, "conformance", "tests", "replaying_target.py")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


class Certified(InFolder):
    """A key and a certificate of the firmware kernels, which have few cases."""

    TARGET = "ra8=builtin:ra8"

    def setUp(self):
        super().setUp()
        self.succeed("keygen", "--out", self.path("lab"))
        self.key, self.public = self.path("lab.key"), self.path("lab.pub")
        self.certificate = self.path("cert/certificate.json")
        self.transcript = self.path("cert/transcript.txt")

    def succeed(self, *arguments, code=0):
        done = conform(*arguments)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout + done.stderr

    def certify(self, *more, target=TARGET, out="cert", code=0):
        return self.succeed("certify", "--target", target, "--key", self.key, "--out", self.path(out), *more,
                            code=code)

    def verify(self, *more, code=0, transcript=True):
        files = [self.certificate] + ([self.transcript] if transcript else [])
        return self.succeed("verify", "--key", self.public, *files, *more, code=code)

    def statement(self):
        return json.loads(base64.b64decode(json.loads(read(self.certificate))["payload"]))


class ACertificate(Certified):
    def test_is_issued_checked_changed_and_judged_again(self):
        text = self.certify()
        self.assertIn("certifies    firmware-ra8", text)
        text = self.verify()
        self.assertIn("valid: the form, the signature, and every verdict, had again from the answers", text)
        self.assertIn("a self-run, in which all that was asked was known before", text)

        statement = self.statement()
        predicate = statement["predicate"]
        self.assertEqual(statement["_type"], "https://in-toto.io/Statement/v1")
        self.assertEqual(statement["subject"], [{
            "name": "hurray-conform", "digest": {"sha256": hashlib.sha256(read(harness.PROGRAM)).hexdigest()}}])
        self.assertEqual(predicate["profiles"], {"firmware-ra8": "conformant"})
        self.assertEqual(predicate["transcript"]["sha256"], hashlib.sha256(read(self.transcript)).hexdigest())
        self.assertEqual(predicate["requirements"]["RA8-Q-001"], "conforms")
        self.assertEqual(predicate["requirements"]["HQ-PTA-011"], "not claimed")
        self.assertIn("R01", predicate["rulings"])
        self.assertEqual(predicate["suite"]["cases"], predicate["suite"]["kill_score"]["cases"])

        # Nothing is replaced.
        self.assertIn("is there already", self.certify(code=2))

        text = self.succeed("reproduce", "--key", self.public, self.certificate, "--target", "builtin:ra8")
        self.assertIn("every answer the same to the byte", text)
        text = self.succeed("reproduce", "--key", self.public, self.certificate, "--target",
                            "builtin:fault-ties-to-even", code=1)
        self.assertIn("not reproduced: of the profile", text)

        self.changed_bytes_are_told()
        self.wishes_are_checked(statement)
        self.errata_are_shown(predicate)

    def changed_bytes_are_told(self):
        good = read(self.certificate)
        for place in (0, len(good) // 2, len(good) - 1):
            write(self.certificate, good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            self.assertIn("not valid: ", self.verify(code=1))
        write(self.certificate, good)
        lines = read(self.transcript)
        write(self.transcript, lines[:-2] + b"1\n")
        self.assertIn("the transcript is not the one that was certified", self.verify(code=1))
        write(self.transcript, lines)
        self.succeed("keygen", "--out", self.path("other"))
        done = conform("verify", "--key", self.path("other.pub"), self.certificate)
        self.assertEqual(done.returncode, 1)
        self.assertIn("names the key", done.stdout)

    def wishes_are_checked(self, statement):
        self.assertIn("verdicts are the issuer's word", self.verify(transcript=False))
        self.assertIn("it is not witnessed", self.verify("--nonce", NONCE, code=1))
        self.verify("--artifact", harness.PROGRAM)
        self.assertIn("it is not about", self.verify("--artifact", REPLAYING, code=1))

    def errata_are_shown(self, predicate):
        errata = self.path("errata.toml")
        for treatment, code, words in (("withdrawn", 5, "issued under a case since withdrawn"),
                                       ("stands", 0, "issued under a case since corrected, and stands")):
            write(errata, f"""[[erratum]]
id = "E-001"
date = "2026-12-01"
suites = ["{predicate["suite"]["cases"]}"]
cases = ["ra8/some"]
requirements = ["RA8-Q-001"]
wrong = "Asked for a wrong code."
treatment = "{treatment}"
""".encode())
            self.assertIn(words, self.verify("--errata", errata, code=code))
        write(errata, b"[[erratum]]\nid = 7\n")
        self.assertIn("`id` is not a string", self.verify("--errata", errata, code=2))

    def test_is_not_issued_for_what_is_wrong_or_not_claimed(self):
        text = self.certify(target="wrong=builtin:fault-ties-to-even", code=1)
        self.assertIn("RA8-Q-003 violated", text)
        self.assertIn("no certificate: ", text)
        self.assertFalse(os.path.exists(self.certificate))
        text = self.certify("--profile", "reader", code=1)
        self.assertIn("no certificate: reader is not claimed", text)
        self.assertIn("no profile readers; there are: reader writer", self.certify("--profile", "readers", code=2))
        text = self.certify(target=exec_target("sh", "-c", "exit 1"), code=2)
        self.assertIn("expected --artifact FILE", text)
        text = self.certify("--artifact", REPLAYING, target=exec_target("sh", "-c", "exit 1"), code=3)
        self.assertIn("broken", text)

    def test_of_another_suite_is_not_recomputed(self):
        # Signed with the key, so that only the suite is in the way.
        self.certify()
        envelope = json.loads(read(self.certificate))
        payload = base64.b64decode(envelope["payload"]).replace(b'"version":"', b'"version":"9.')
        message = b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload)
        write(self.path("message"), message)
        done = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.key, "-in",
                               self.path("message")], capture_output=True, check=True)
        envelope["payload"] = base64.b64encode(payload).decode()
        envelope["signatures"][0]["sig"] = base64.b64encode(done.stdout).decode()
        write(self.certificate, json.dumps(envelope, sort_keys=True, separators=(",", ":")).encode())
        text = self.verify(code=4)
        self.assertIn("it is of another suite", text)
        self.assertIn("with the version", text)

    def test_the_signature_is_one_that_others_can_check(self):
        self.certify()
        envelope = json.loads(read(self.certificate))
        payload = base64.b64decode(envelope["payload"])
        write(self.path("message"), b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload))
        write(self.path("signature"), base64.b64decode(envelope["signatures"][0]["sig"]))
        subprocess.run(["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", self.public, "-in",
                        self.path("message"), "-sigfile", self.path("signature")], check=True, capture_output=True)
        der = subprocess.run(["openssl", "pkey", "-pubin", "-in", self.public, "-outform", "DER"],
                             capture_output=True, check=True).stdout
        self.assertEqual(envelope["signatures"][0]["keyid"], hashlib.sha256(der).hexdigest())


class AWitness(Certified):
    def test_tells_a_recording_from_a_target(self):
        self.certify()
        recording = self.path("recording.txt")
        write(recording, read(self.transcript))
        replaying = exec_target(sys.executable, REPLAYING, recording, name="replaying")
        # It knows all that is public.
        self.certify(target=replaying, out="public")
        text = self.certify("--nonce", NONCE, target=replaying, out="witnessed", code=1)
        self.assertIn("cases that the nonce drew are answered wrongly", text)
        self.assertIn("no certificate: firmware-ra8 is non-conformant (violated: HC-WITNESS)", text)

        self.certify("--nonce", NONCE, out="honest")
        self.certificate, self.transcript = self.path("honest/certificate.json"), self.path("honest/transcript.txt")
        text = self.verify("--nonce", NONCE)
        self.assertIn(f"were drawn from the certifier's nonce {NONCE}", text)
        self.assertGreater(self.statement()["predicate"]["witness"]["cases"], 3000)
        self.assertIn("it is witnessed by the nonce", self.verify("--nonce", NONCE[::-1], code=1))
        # And a recording of a witnessed run serves no other nonce.
        write(recording, read(self.transcript))
        self.certify("--nonce", NONCE[::-1], target=replaying, out="other", code=1)


class Keys(InFolder):
    def test_are_made_once_and_the_secret_one_is_nobody_elses(self):
        done = conform("keygen", "--out", self.path("lab"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("lab.key")).st_mode), 0o600)
        before = read(self.path("lab.key"))
        done = conform("keygen", "--out", self.path("lab"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is there already", done.stderr)
        self.assertEqual(read(self.path("lab.key")), before)
        os.unlink(self.path("lab.key"))
        done = conform("keygen", "--out", self.path("lab"))
        self.assertEqual(done.returncode, 2, "the public key would no longer fit")
        self.assertFalse(os.path.exists(self.path("lab.key")))

    def test_that_are_none_are_told(self):
        write(self.path("none.key"), b"hello\n")
        write(self.path("cert.json"), b"{}")
        done = conform("certify", "--target", "builtin:ra8", "--key", self.path("none.key"), "--out", self.path("c"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("none.key is no private key in PEM", done.stderr)
        done = conform("verify", "--key", self.path("missing.pub"), self.path("cert.json"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot read", done.stderr)


class Offline(InFolder):
    def ask(self, requests, command):
        """The answers of a target, as a lab would have them."""
        with open(requests, "rb") as file:
            return subprocess.run(command, stdin=file, capture_output=True, check=True).stdout

    def emitted(self, command, *more):
        write(self.path("hello"), b"1 hello version=1\n")
        write(self.path("hello.txt"), self.ask(self.path("hello"), command))
        done = conform("emit", "--hello", self.path("hello.txt"), "--out", self.path("requests.txt"), *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.ask(self.path("requests.txt"), command)

    def judge(self, answers, *more, code=0):
        write(self.path("answers.txt"), answers)
        done = conform("judge", self.path("answers.txt"), *more)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr)
        return done.stdout

    def serving(self, target):
        return [harness.PROGRAM, "serve", target]

    def test_answers_are_judged_as_in_a_run(self):
        answers = self.emitted(self.serving("builtin:fault-ties-to-even"))
        text = self.judge(answers, "--report-dir", self.path("report"), code=1)
        self.assertIn("RA8-Q-003 violated", text)
        live = harness.Run("--target", "builtin:fault-ties-to-even")
        with open(self.path("report/report.json"), encoding="utf-8") as file:
            judged = json.load(file)["targets"][0]
        self.assertEqual({each["id"]: (each["verdict"], each["cases"], len(each["failed"]))
                          for each in judged["requirements"]},
                         {each["id"]: (each["verdict"], each["cases"], len(each["failed"]))
                          for each in live.target["requirements"]})
        self.assertEqual(judged["profiles"], live.target["profiles"])

        # What is cut, or of somebody else, says nothing of the target.
        lines = answers.splitlines(keepends=True)
        self.assertIn("the answers end with request", self.judge(b"".join(lines[:-5]), code=3))
        self.assertIn("is answered twice", self.judge(answers + lines[-1], code=3))
        self.assertIn("was not asked", self.judge(answers + b"4000000000 ok\n", code=3))
        self.assertIn("no answer to hello", self.judge(b"", code=3))
        self.assertIn("line does not begin with an id", self.judge(b"\xff\x00" * 5000 + b"\n", code=3))

    def test_witnessed_answers_need_the_nonce(self):
        answers = self.emitted(self.serving("builtin:ra8"), "--nonce", NONCE)
        self.assertIn("conformant", self.judge(answers, "--nonce", NONCE))
        self.assertIn("was not asked", self.judge(answers, code=3))

    def test_what_is_no_answer_to_hello_is_told(self):
        write(self.path("hello.txt"), b"1 ok name=acme\n")
        done = conform("emit", "--hello", self.path("hello.txt"))
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("not answered with version=1", done.stderr)


if __name__ == "__main__":
    harness.main()
