"""What is found about a change, by rule, and what the user's settings may say of each. Pure."""

from typing import Literal, NamedTuple

from donewhen.core.texts import Phrase

Policy = Literal["deny", "ask", "warn"]
_LONGEST = 200  # characters of code in a sentence


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
    vouched: bool = False

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
