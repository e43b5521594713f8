"""The decision on one action: the strictest of all findings, with everything that led to it.

Types and one pure function. Nothing in here knows a rule; nothing lowers a finding but an allow rule of the
user.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from donewhen.core.texts import Phrase
from donewhen.guard.call import Where
from donewhen.guard.effects import Effect

Action = Literal["allow", "ask", "deny"]
Approval = Literal["auto", "user", "never"]  # nobody is asked, a human may permit it, nobody may
STRICTNESS: dict[Action, int] = {"allow": 0, "ask": 1, "deny": 2}


class Found(NamedTuple):
    """An effect, and which command would have it, through which wrappers."""

    effect: Effect
    argv: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    elsewhere: Where = ""
    changed: bool = False  # the line gives the command other variables


class Finding(NamedTuple):
    """What one rule says about one effect."""

    rule: str
    action: Action
    approval: Approval
    reason: Phrase
    found: Found | None = None
    instead: Phrase | None = None  # what would be allowed
    allowed_by: str = ""  # the user's rule that permits it
    locked: bool = False  # no allow rule lifts it, wherever it is
    rank: int = 0  # among equally strict ones, the lower says more of what is wrong


class Decision(NamedTuple):
    action: Action
    findings: tuple[Finding, ...] = ()  # strictest first, then in order of the command
    effects: tuple[Found, ...] = ()

    @property
    def rule(self) -> str:
        """The rule that decides; empty for allow."""
        return self.findings[0].rule if self.findings and self.action != "allow" else ""

    @property
    def reason(self) -> Phrase:
        if self.rule:
            return self.findings[0].reason
        if self.findings:
            return Phrase("guard.allowed_by", {"rule": self.findings[0].allowed_by})
        return Phrase("guard.nothing_found")

    @property
    def approval(self) -> Approval:
        return self.findings[0].approval if self.rule else "auto"


def decide(findings: Sequence[Finding], effects: tuple[Found, ...] = ()) -> Decision:
    """The strictest finding decides; one that the user allowed counts for nothing."""
    if not findings:
        return Decision("allow", (), effects)
    ordered = sorted(findings, key=lambda one: (bool(one.allowed_by), -STRICTNESS[one.action], one.rank))
    first = ordered[0]
    return Decision("allow" if first.allowed_by else first.action, tuple(ordered), effects)
