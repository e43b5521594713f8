"""The one line that a client's user reads after a stop that examined something. Pure."""

from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.texts import Language, say

if TYPE_CHECKING:
    from donewhen.verify.pipeline import Verification


class Told(NamedTuple):
    kind: str  # of the verdict; `question` where only a human's word is missing
    open: int = 0  # proofs, or questions
    first: str = ""  # of what is open
    tries: int = 0
    tests: int | None = None
    tree: str = ""


def human_line(told: Told, language: Language) -> str:
    """Empty where there is nothing to say."""
    key = f"sessions.line_{told.kind}"
    if told.kind == "accepted":
        tests = say("sessions.line_tests", language, count=told.tests) if told.tests else ""
        return say(key, language, tests=tests, tree=told.tree[:8])
    if told.kind == "let_go" and told.tries > 1:
        key = "sessions.line_let_go_tries"
    return say(key, language, open=told.open, first=told.first, tries=told.tries)


def tests_of(done: "Verification") -> int | None:
    """How many tests the exam executed, as far as somebody counted."""
    counts = [each.counts for each in done.judgement.commands if each.counts is not None]
    executed = [one.executed for one in counts if one.executed is not None]
    return sum(executed) if executed else None


def first_failing(done: "Verification") -> str:
    names = (failure.name for each in done.judgement.commands for failure in each.failures)
    return next((name for name in names if name), "")
