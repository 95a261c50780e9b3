# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a descriptor, and what may follow from it?

Every rule that a descriptor breaks is one of three kinds, and README.md says which rule is which:
  must   only a refusal is right
  soft   refusing is right; accepting the fields as they stand is a warning
  open   a ruling leaves the choice, which has the name of a behaviour
A `must` settles it; then a `soft` one; the open ones count only without either. `longer-section` is
about framing and is asked in any case but the first.
"""

from alternatives import HIDDEN, REJECT, Answer


class Defects:
    def __init__(self):
        self.must, self.soft = False, False
        self.open = {}           # behaviour: the option that accepts
        self.refusal_warns = False  # of a higher minor version nothing but a `must` may be refused (A50)
        self.partial_block = None   # the option of partial-block-data that this data buffer may offend (A28)

    def must_if(self, broken):
        self.must |= bool(broken)

    def soft_if(self, broken):
        self.soft |= bool(broken)

    def open_if(self, broken, behaviour, accepting="accept"):
        if broken:
            self.open[behaviour] = accepting

    def settle(self, choose):
        """(the answer that refuses or None, the verdict that accepting is worth)."""
        if self.must:
            return REJECT, None
        verdict, questions = "pass", self.open
        if self.soft:
            if choose(HIDDEN + "soft", "accept", "refuse") == "refuse":
                return REJECT, None
            verdict = "warn"
            questions = {name: accepting for name, accepting in self.open.items() if name == "longer-section"}
        refusal = Answer("reject", verdict="warn") if self.refusal_warns and not self.soft else REJECT
        if self.refusal_warns and choose(HIDDEN + "minor", "accept", "refuse") == "refuse":
            return refusal, None
        for name, accepting in questions.items():
            if choose(name, *sorted([accepting, "refuse"])) == "refuse":
                return REJECT, None
        if self.partial_block and not self.soft:
            # Who stores whole blocks may miss the filler, who does not may miss a reason for it; both may
            # accept both. So accepting shows nothing, and refusing one option.
            if choose("partial-block-data", "padded", "unpadded") == self.partial_block:
                if choose(HIDDEN + "partial-block", "accept", "refuse") == "refuse":
                    return REJECT, None
        return None, verdict

    def settle_for_a_writer(self, choose):
        """True if nothing is written: what a reader refuses or should, and by choice what is open."""
        if self.must or self.soft:  # HQ-HDR-032, HQ-PTA-026
            return True
        if self.open or self.partial_block:
            return choose("writer-choice", "refuse", "write") == "refuse"
        return False
