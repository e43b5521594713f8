"""What is found about a change, by rule, what settings may say of each, and how it is told. Pure."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from donewhen.core.codec import freeze
from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback
from donewhen.core.texts import Language, Phrase, say

Policy = Literal["deny", "ask", "warn"]
_LONGEST = 200  # characters of code in a sentence
_MOST = 200  # findings in one fact


class Finding(NamedTuple):
    """One way in which the change made its exam easier, or may have."""

    rule: str
    file: str
    line: int  # where it is now; of something that is gone, where it was
    message: Phrase
    wanted: Phrase  # what would be acceptable
    before: str = ""  # what was there before
    test: str = ""  # the test that it is about
    policy: Policy = "deny"
    permitted: Phrase | None = None  # why it is allowed all the same

    @property
    def blocks(self) -> bool:
        """Whether it is more than a warning, and nobody permitted it."""
        return self.policy != "warn" and self.permitted is None

    @property
    def asks(self) -> bool:
        return self.policy == "ask" and self.permitted is None

    @property
    def refuses(self) -> bool:
        return self.policy == "deny" and self.permitted is None


RULES: dict[str, Policy] = {
    "base-tests-failed": "deny",  # a test of the base that fails and is only switched off
    "test-aware": "ask",  # product code that asks whether it is being tested
    "keyed-answer": "ask",
    "shim": "ask",  # a file that answers for the runner or the standard library
    "startup-hook": "ask",  # sitecustomize, .pth, NODE_OPTIONS, plugins loaded by configuration
    "excluded": "ask",  # from coverage or lint
    "exit-call": "ask",
    "always-equal": "ask",  # objects that are equal to everything
}
"""Every rule with what is done about it unless the user's configuration says otherwise."""


def found(
    rule: str,
    file: str,
    line: int,
    *,
    now: str = "",
    before: str = "",
    test: str = "",
    message: Phrase | None = None,
    wanted: Phrase | None = None,
) -> Finding:
    """A finding of `rule` with the rule's own sentences unless better ones are given.

    `now` is the text that was found, `before` what stood there at the base; both are shown shortened.
    """
    key = rule.replace("-", "_")
    values = {"now": short(now), "before": short(before), "test": short(test), "file": file}
    return Finding(
        rule,
        file,
        line,
        message or Phrase(f"integrity.{key}", values),
        wanted or Phrase(f"integrity.{key}_wanted", values),
        short(before),
        test,
        RULES[rule],
    )


def short(text: str) -> str:
    """One line of code, cut where it gets long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"


def integrity_fact(findings: Sequence[Finding], tree: str) -> Verified:
    """One verdict on the whole change: failed while anything blocks."""
    shown = [_data(finding) for finding in findings[:_MOST]]
    verdict: Literal["failed", "passed"] = "failed" if any(each.refuses for each in findings) else "passed"
    details = {"findings": shown, "count": len(findings)} if findings else {}
    return Verified("integrity", "change", verdict, tree, freeze(details))


def _data(finding: Finding) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "file": finding.file,
        "line": finding.line,
        "test": finding.test,
        "policy": finding.policy,
        "permitted": finding.permitted is not None,
        "message": say(finding.message.key, "en", **finding.message.values),
    }


def finding_feedback(finding: Finding, language: Language) -> Feedback:
    details = [say("integrity.before", language, before=finding.before)] if finding.before else []
    if finding.permitted is not None:
        details.append(say(finding.permitted.key, language, **finding.permitted.values))
    return Feedback(
        "fail" if finding.refuses else "pass" if finding.permitted else "warning",
        "integrity",
        say(finding.message.key, language, **finding.message.values),
        finding.file,
        finding.line,
        details="; ".join(details),
        fixable=True,
        fix_suggestion=say(finding.wanted.key, language, **finding.wanted.values),
        rule=finding.rule,
    )


def owed(findings: Sequence[Finding]) -> tuple[Phrase, ...]:
    """What stands against the change, a sentence each."""
    return tuple(
        Phrase(
            "integrity.owed",
            {
                "place": f"{finding.file}:{finding.line}" if finding.line else finding.file or finding.rule,
                "message": finding.message,
                "wanted": finding.wanted,
                "rule": finding.rule,
            },
        )
        for finding in findings
        if finding.refuses
    )
