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
import tempfile
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


class Certified(unittest.TestCase):
    """A key, and a certificate of the firmware kernels, which have few cases: made once."""

    TARGET = "ra8=builtin:ra8"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.succeed("keygen", "--out", cls.path("lab"))
        cls.key, cls.public = cls.path("lab.key"), cls.path("lab.pub")
        cls.certificate, cls.transcript = cls.path("cert/certificate.json"), cls.path("cert/transcript.txt")
        cls.text = cls.certify()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def succeed(cls, *arguments, code=0):
        done = conform(*arguments)
        assert done.returncode == code, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout + done.stderr

    @classmethod
    def certify(cls, *more, target=TARGET, out="cert", code=0):
        return cls.succeed("certify", "--target", target, "--key", cls.key, "--out", cls.path(out), *more, code=code)

    def verify(self, *more, code=0, certificate=None):
        return self.succeed("verify", "--key", self.public, certificate or self.certificate, *more, code=code)

    def changed(self, content):
        """A certificate with this content."""
        write(self.path("changed.json"), content)
        return self.path("changed.json")

    def statement(self, certificate=None):
        return json.loads(base64.b64decode(json.loads(read(certificate or self.certificate))["payload"]))

    def reproduce(self, target, code=0):
        return self.succeed("reproduce", "--key", self.public, self.certificate, "--target", target, code=code)


class ACertificate(Certified):
    def test_says_what_was_judged(self):
        self.assertIn("certifies    firmware-ra8", self.text)
        statement = self.statement()
        predicate = statement["predicate"]
        self.assertEqual(statement["_type"], "https://in-toto.io/Statement/v1")
        self.assertEqual(statement["subject"], [{
            "name": "hurray-conform", "digest": {"sha256": hashlib.sha256(read(harness.PROGRAM)).hexdigest()}}])
        self.assertEqual(predicate["profiles"], {"firmware-ra8": "conformant"})
        self.assertEqual(predicate["transcript"]["sha256"], hashlib.sha256(read(self.transcript)).hexdigest())
        self.assertEqual(predicate["requirements"]["RA8-Q-001"], "conforms")
        self.assertEqual(predicate["requirements"]["HQ-PTA-011"], "not claimed")
        claims = predicate["target"]["claims"]
        self.assertEqual((claims["contract"], claims["max_line"]), ("ra8", "1048576"))
        self.assertEqual(predicate["cases_too_long"], 0)
        self.assertIn("R01", predicate["rulings"])
        self.assertEqual(predicate["suite"]["cases"], predicate["suite"]["kill_score"]["cases"])
        self.assertGreater(predicate["suite"]["kill_score"]["caught"], 500)

    def test_is_valid_with_its_transcript_alone(self):
        text = self.verify(self.transcript)
        self.assertIn("valid: the form, the signature, and every verdict, had again from the answers", text)
        self.assertIn("a self-run, in which all that was asked was known before", text)
        lines = read(self.transcript)
        write(self.path("changed.txt"), lines[:-2] + b"1\n")
        self.assertIn("the transcript is not the one that was certified",
                      self.verify(self.path("changed.txt"), code=1))

    def test_with_a_changed_byte_or_of_another_key_is_not(self):
        good = read(self.certificate)
        for place in (0, len(good) // 2, len(good) - 1):
            changed = self.changed(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            self.assertIn("not valid: ", self.verify(certificate=changed, code=1))
        self.succeed("keygen", "--out", self.path("other"))
        done = conform("verify", "--key", self.path("other.pub"), self.certificate)
        self.assertEqual(done.returncode, 1)
        self.assertIn("names the key", done.stdout)

    def test_is_checked_for_what_one_asks_of_it_and_for_errata(self):
        self.assertIn("it is not witnessed", self.verify("--nonce", NONCE, code=1))
        self.assertIn("it is not about", self.verify("--artifact", REPLAYING, code=1))
        errata = self.path("errata.toml")
        write(errata, f"""[[erratum]]
id = "E-001"
date = "2026-12-01"
suites = ["{self.statement()["predicate"]["suite"]["cases"]}"]
cases = ["ra8/some"]
requirements = ["RA8-Q-001"]
wrong = "Asked for a wrong code."
treatment = "withdrawn"
""".encode())
        text = self.verify("--errata", errata, "--artifact", harness.PROGRAM, code=5)
        self.assertIn("issued under a case since withdrawn: Asked for a wrong code.", text)
        self.assertIn("verdicts are the issuer's word", text)
        write(errata, b"[[erratum]]\nid = 7\n")
        self.assertIn("`id` is not a string", self.verify("--errata", errata, code=2))

    def test_is_reproduced_by_the_same_target_alone(self):
        self.assertIn("every answer the same to the byte", self.reproduce("builtin:ra8"))
        self.assertIn("not reproduced: of the profile", self.reproduce("builtin:fault-ties-to-even", code=1))

    def test_is_not_issued_for_what_is_wrong_or_unknown(self):
        text = self.certify(target="wrong=builtin:fault-ties-to-even", out="wrong", code=1)
        self.assertIn("RA8-Q-003 violated", text)
        self.assertIn("no certificate: ", text)
        self.assertEqual(os.listdir(self.path("wrong")), [])
        self.assertIn("no profile readers; there are: reader writer",
                      self.certify("--profile", "readers", out="none", code=2))
        dead = exec_target("sh", "-c", "exit 1")
        self.assertIn("expected --artifact FILE", self.certify(target=dead, out="none", code=2))
        self.assertIn("broken", self.certify("--artifact", REPLAYING, target=dead, out="none", code=3))
        # Nothing is replaced.
        self.assertIn("is there already", self.certify(code=2))

    def test_of_another_suite_is_not_recomputed(self):
        # Signed with the key, so that only the suite is in the way.
        envelope = json.loads(read(self.certificate))
        payload = base64.b64decode(envelope["payload"]).replace(b'"version":"', b'"version":"9.')
        write(self.path("message"), b"DSSEv1 28 application/vnd.in-toto+json %d %s" % (len(payload), payload))
        done = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.key, "-in",
                               self.path("message")], capture_output=True, check=True)
        envelope["payload"] = base64.b64encode(payload).decode()
        envelope["signatures"][0]["sig"] = base64.b64encode(done.stdout).decode()
        changed = self.changed(json.dumps(envelope, sort_keys=True, separators=(",", ":")).encode())
        text = self.verify(self.transcript, certificate=changed, code=4)
        self.assertIn("it is of another suite", text)
        self.assertIn("with the version", text)

    def test_has_a_signature_that_others_can_check(self):
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
        replaying = exec_target(sys.executable, REPLAYING, self.transcript, name="replaying")
        # It knows all that is public.
        self.certify(target=replaying, out="public")
        text = self.certify("--nonce", NONCE, target=replaying, out="replayed", code=1)
        self.assertIn("cases that the nonce drew are answered wrongly", text)
        self.assertIn("no certificate: firmware-ra8 is non-conformant (violated: HC-WITNESS)", text)

        self.certify("--nonce", NONCE, out="honest")
        honest = self.path("honest/certificate.json")
        text = self.verify(self.path("honest/transcript.txt"), "--nonce", NONCE, certificate=honest)
        self.assertIn(f"were drawn from the certifier's nonce {NONCE}", text)
        self.assertGreater(self.statement(honest)["predicate"]["witness"]["cases"], 2000)
        self.assertIn("it is witnessed by the nonce", self.verify("--nonce", NONCE[::-1], certificate=honest, code=1))


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

    def test_have_a_name_of_their_own(self):
        done = conform("keygen", "--out", self.path(""))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a folder", done.stderr)

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
        answers = self.emitted(self.serving("builtin:ra8"), "--nonce", NONCE)
        self.judge(answers, "--nonce", NONCE, "--report-dir", self.path("report"))
        live = harness.Run("--target", "builtin:ra8")
        with open(self.path("report/report.json"), encoding="utf-8") as file:
            judged = json.load(file)["targets"][0]
        verdicts = {each["id"]: (each["verdict"], each["cases"]) for each in judged["requirements"]}
        self.assertEqual(verdicts.pop("HC-WITNESS")[0], "conforms")
        self.assertEqual(verdicts, {each["id"]: (each["verdict"], each["cases"])
                                    for each in live.target["requirements"]})
        self.assertEqual(judged["behaviours"], live.target["behaviours"])

        wrong = answers.replace(b" ok code=0103", b" ok code=0504", 1)
        self.assertNotEqual(wrong, answers)
        self.assertIn("violated", self.judge(wrong, "--nonce", NONCE, code=1))
        # Without the nonce nobody asked for the last of them. What is none at all says nothing of the target.
        self.assertIn("was not asked", self.judge(answers, code=3))
        self.assertIn("no answer to hello", self.judge(b"", code=3))

    def test_what_is_no_answer_to_hello_is_told(self):
        write(self.path("hello.txt"), b"1 ok name=acme\n")
        before = read(self.path("hello.txt"))
        done = conform("emit", "--hello", self.path("hello.txt"), "--out", self.path("hello.txt"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is what is read", done.stderr)
        self.assertEqual(read(self.path("hello.txt")), before)
        done = conform("emit", "--hello", self.path("hello.txt"))
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("not answered with version=1", done.stderr)


if __name__ == "__main__":
    harness.main()
