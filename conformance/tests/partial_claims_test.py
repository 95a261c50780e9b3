# SPDX-License-Identifier: Apache-2.0
"""Is a target judged by what it claims: not failed for what it leaves out, and held to what it names?"""

import unittest

import harness
from harness import Run, doing, scripted

TIER_1 = "10,11,12,13,14,15"
HELLO = "version=1 name=partial contract=hurray schemes=1"


def claiming(claims, *options, name="it"):
    return scripted("--hello", f"{HELLO} {claims}", *options, name=name)


class PartialClaims(unittest.TestCase):
    def test_a_reader_of_tier_1_that_dequantizes_int8_is_conformant(self):
        run = Run("--target", claiming(f"types.decode={TIER_1} types.dequantize=10"))
        self.assertEqual((run.code, run.target["verdict"]), (0, "conformant"), run.text)
        verdicts = run.verdicts()
        self.assertEqual(verdicts["HQ-PTA-016"], "conforms")
        self.assertEqual(verdicts["HQ-PTA-018"], "conforms")
        # What it leaves out is neither good nor bad.
        for id in ("HQ-PTA-014", "HC-QNT-001", "HQ-ZP-006", "RA8-Q-001"):
            self.assertEqual(verdicts[id], "not claimed", id)

    def test_a_reader_of_8_bits_only_violates_the_row_on_storage_types_and_nothing_else(self):
        # Every reader has to take the six types of Tier 1.
        run = Run("--target", claiming("types.decode=10,11"))
        self.assertEqual(run.code, 1, run.text)
        self.assertEqual(run.violated(), {"HQ-PTA-016"})
        outcomes = run.outcomes()
        self.assertEqual(set(outcomes.values()), {"unsupported"})
        self.assertTrue(all(name.startswith("decode/") for name in outcomes), outcomes)

    def test_accepting_an_optional_type_that_is_not_claimed_violates(self):
        # A61: a type with a meaning that nobody has checked.
        run = Run("--target", claiming(f"types.decode={TIER_1}", "--lenient"), "--select", "decode/*")
        self.assertEqual(run.code, 1, run.text)
        for cases in run.failed().values():
            for name, outcome in cases.items():
                self.assertRegex(name, r"u?int[24]|/4[89ab]$|address|storage", name)
                self.assertEqual(outcome, "value")
        self.assertIn("accepts-invalid", run.bytes.decode())

    def test_refusing_an_optional_type_that_is_not_claimed_is_right_in_either_way(self):
        for answer in ("say:reject no such type", "say:unsupported"):
            options = [word for tag in ("48", "49", "4a", "4b") for word in doing(answer, f"has:type={tag}")]
            run = Run("--target", claiming(f"types.decode={TIER_1}", *options), "--select", "decode/*")
            self.assertEqual((run.code, run.failed()), (0, {}), run.text)

    def test_claiming_what_is_then_answered_unsupported_fails(self):
        # A claim is a promise: what is claimed and lacking is a violation, not a skip.
        run = Run("--target", claiming(f"types.decode={TIER_1} types.quantize=10",
                                       *doing("say:unsupported", "verb:quantize")), "--select", "HC-QNT-*")
        self.assertEqual(run.code, 1, run.text)
        self.assertIn("HC-QNT-001", run.violated())
        self.assertEqual(set(run.outcomes().values()), {"unsupported"})
        self.assertIn("claims-what-it-lacks", run.bytes.decode())

    def test_calls_that_are_not_claimed_are_not_sent_and_said_to_be_unobservable(self):
        run = Run("--target", claiming(f"types.decode={TIER_1} types.dequantize=10"), "--select", "HC-CALL-*")
        self.assertEqual(run.code, 0, run.text)
        self.assertEqual(run.verdicts()["HC-CALL-002"], "not claimed")

    def test_the_firmware_contract_alone_is_judged_alone(self):
        run = Run("--target", "builtin:ra8")
        self.assertEqual((run.code, run.target["contracts"]), (0, ["ra8"]))
        for each in run.target["requirements"]:
            if each["contract"] == "hurray":
                self.assertIn(each["verdict"], ("not claimed", "not testable"), each["id"])

    def test_a_short_line_limit_skips_what_does_not_fit(self):
        run = Run("--target", claiming(f"types.decode={TIER_1} types.dequantize=10,14 max_line=4096"), "--select",
                  "dequantize/*")
        self.assertEqual((run.code, run.failed()), (0, {}), run.text)


if __name__ == "__main__":
    harness.main()
