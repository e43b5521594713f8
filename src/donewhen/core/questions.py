"""Questions: what only a human can call right, each with an id that stands for the very contents it is about.

Pure. A question is asked where everything that ran says yes and the exam changed all the same. Its answer
holds while test and contents stay as they are, because the id is a digest of both.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from donewhen.core.codec import Json, freeze
from donewhen.core.events.facts import Answered, Verified
from donewhen.core.texts import Language, Phrase, say

VERIFIER = "questions"
_DIGITS = 10  # of an id: short to type, long enough that nobody makes two contents share one
_MOST = 200  # questions in one fact


class Question(NamedTuple):
    kind: str  # broken-test, base-command, or the rule of a reader that points at something
    message: Phrase
    file: str = ""
    line: int = 0
    test: str = ""
    wanted: Phrase | None = None  # what would make the question unnecessary
    about: tuple[str, ...] = ()  # digests of the contents before and after

    @property
    def id(self) -> str:
        text = "\0".join((self.kind, self.file, self.test, *self.about))
        return f"q-{sha256(text.encode()).hexdigest()[:_DIGITS]}"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file or self.kind


class Answer(NamedTuple):
    """What a human said, and where it can be read again."""

    id: str
    allowed: bool
    by: str = ""
    at: str = ""
    because: str = ""

    @property
    def event(self) -> Answered:
        return Answered(self.id, self.allowed, "human", self.because, who=self.by, given=self.at)


def questions_fact(questions: Iterable[Question], tree: str) -> Verified:
    """All questions about one tree; the latest fact replaces what was asked before."""
    rows = [question_data(question) for question in questions][:_MOST]
    return Verified(VERIFIER, "change", "warning" if rows else "passed", tree, freeze({"questions": rows}))


def question_data(question: Question, language: Language = "en") -> dict[str, Json]:
    """As ledgers, `--json` and `confirm` have it."""
    wanted = question.wanted
    return {
        "id": question.id,
        "kind": question.kind,
        "file": question.file,
        "line": question.line,
        "test": question.test,
        "message": say(question.message.key, language, **question.message.values),
        "wanted": say(wanted.key, language, **wanted.values) if wanted else "",
    }


def rows_of(fact: Verified) -> tuple[Mapping[str, Any], ...]:
    """The questions of such a fact, as it stands in a ledger; what is no question is left out."""
    rows = fact.details.get("questions")
    known = rows if isinstance(rows, tuple | list) else ()
    return tuple(row for row in known if isinstance(row, Mapping) and isinstance(row.get("id"), str))
