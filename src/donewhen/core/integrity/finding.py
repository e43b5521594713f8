"""How a finding is made: every rule has one sentence for what was found and one for what would be fine."""

from donewhen.core.integrity.model import RULES, Finding
from donewhen.core.texts import Phrase

_LONGEST = 200  # characters of code in a sentence


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
