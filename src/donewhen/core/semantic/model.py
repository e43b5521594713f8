"""What a reviewer is asked about and what it answers: plain data that reading, weighing and prompts share.

A verdict here is only what somebody said; whether it counts is decided elsewhere.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from donewhen.core.errors import DonewhenError
from donewhen.core.texts import Language, Phrase, say

Stage = Literal["spec", "robustness"]
Verdict = Literal["met", "unmet", "unclear"]
Gravity = Literal["low", "medium", "high"]

STAGES: tuple[Stage, ...] = ("spec", "robustness")
VERDICTS: tuple[Verdict, ...] = ("met", "unmet", "unclear")
GRAVITIES: tuple[Gravity, ...] = ("low", "medium", "high")


class Criterion(NamedTuple):
    """One thing that must hold. `covered`: a check that is executed speaks about it too."""

    id: str
    text: str
    required: bool = True
    covered: bool = False


class Quote(NamedTuple):
    """Text that is said to stand in a file of the change, at a line counted from 1."""

    file: str
    line: int
    text: str


class Judged(NamedTuple):
    """What was said about one criterion; `void` says why quotes, or the whole verdict, don't count."""

    criterion: str
    verdict: Verdict
    quotes: tuple[Quote, ...] = ()
    reason: str = ""
    confidence: float = 1.0
    void: tuple[Phrase, ...] = ()


class Remark(NamedTuple):
    """Something wrong that no criterion asks about; `misplaced`: it names a place that does not exist."""

    stage: Stage
    severity: Gravity
    file: str
    line: int
    message: str
    suggestion: str = ""
    confidence: float = 1.0
    rule: str = ""
    misplaced: bool = False


class Review(NamedTuple):
    judged: tuple[Judged, ...] = ()
    remarks: tuple[Remark, ...] = ()


class ReviewError(DonewhenError):
    """A reply that is no review: everything that is wrong with it, to be sent back to who wrote it."""

    def __init__(self, problems: Sequence[Phrase]) -> None:
        super().__init__(problems[0].key, **problems[0].values)
        self.problems = tuple(problems)

    def again(self) -> "ReviewError":
        return ReviewError(self.problems)

    def say(self, language: Language) -> str:
        return "\n".join(say(each.key, language, **each.values) for each in self.problems)
