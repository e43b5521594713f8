"""The one line that a client's user reads after a stop that examined something. Pure."""

from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.texts import Language, Phrase, say

if TYPE_CHECKING:
    from donewhen.verify.pipeline import Verification


class Told(NamedTuple):
    kind: str  # of the verdict; `question` where only a human's word is missing
    open: int = 0  # proofs, or questions
    first: str = ""  # of what is open
    tries: int = 0
    tests: int | None = None
    tree: str = ""
    new: int = 0  # new tests that fail without the change
    own: bool = False  # passes only in the user's own environment


OWN = ("verify.shared_temp", "verify.own_variables")  # notes that say so, with the setting that helps


def accepted_line(done: "Verification", language: Language) -> str:
    notes = {note.key: note.values for note in done.notes if isinstance(note, Phrase)}
    new = int(str(notes.get("newtests.proof", {}).get("count", int("newtests.one_proof" in notes))))
    tree = done.change.fingerprint.tree
    own = any(key in notes for key in OWN)
    return human_line(Told("accepted", tests=tests_of(done), tree=tree, new=new, own=own), language)


def human_line(told: Told, language: Language) -> str:
    """Empty where there is nothing to say."""
    key = f"sessions.line_{told.kind}"
    if told.kind == "accepted":
        tests = say(_one("sessions.line_tests", told.tests), language, count=told.tests) if told.tests else ""
        new = say(_one("sessions.line_new", told.new), language, count=told.new) if told.new else ""
        own = say("sessions.line_own", language) if told.own else ""
        return say(key, language, tests=tests, tree=told.tree[:8], new=new, own=own)
    if told.kind == "let_go" and told.tries > 1:
        key = "sessions.line_let_go_tries"
    return say(key, language, open=told.open, first=told.first, tries=told.tries)


def _one(key: str, count: int) -> str:
    return f"{key}_one" if count == 1 else key


def tests_of(done: "Verification") -> int | None:
    """How many tests the exam executed, as far as somebody counted."""
    counts = [each.counts for each in done.judgement.commands if each.counts is not None]
    executed = [one.executed for one in counts if one.executed is not None]
    return sum(executed) if executed else None


def first_failing(done: "Verification") -> str:
    names = (failure.name for each in done.judgement.commands for failure in each.failures)
    return next((name for name in names if name), "")
