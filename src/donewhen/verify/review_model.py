"""What a reviewer is asked and answers, and what one review leaves for the next; pure data.

A verdict here is only what somebody said; whether it counts is decided in `review_reply`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from donewhen.core.codec import EMPTY, from_json, thaw
from donewhen.core.errors import DonewhenError
from donewhen.core.findings import Feedback
from donewhen.core.quality.lines import Moved, changed_lines, moved
from donewhen.core.texts import Language, Phrase, say

Stage = Literal["spec", "robustness"]
Verdict = Literal["met", "unmet", "unclear"]
Gravity = Literal["low", "medium", "high"]
Settled = Literal["pass", "fail"]

STAGES: tuple[Stage, ...] = ("spec", "robustness")
VERDICTS: tuple[Verdict, ...] = ("met", "unmet", "unclear")
GRAVITIES: tuple[Gravity, ...] = ("low", "medium", "high")
LEAST_QUOTED = 8  # characters beside blanks that a quote must have
_NEAR = 2  # lines: reviewers miscount


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


class Ground(NamedTuple):
    """Where the last review saw a criterion met."""

    criterion: str
    file: str
    line: int


class Open(NamedTuple):
    """A remark that blocks until it is answered."""

    id: str  # finding-1
    remark: Remark

    def as_criterion(self) -> Criterion:
        """The next review must say whether it was mended: `met` means that it was."""
        place = f"{self.remark.file}:{self.remark.line}: " if self.remark.file else ""
        return Criterion(self.id, f"{place}{self.remark.message}")


class Rounds(NamedTuple):
    """The reviews of one run so far. They are counted: who may always find something new never ends."""

    done: int = 0
    subject: str = ""  # digest of what was reviewed last: tree, promise, settings
    tree: str = ""  # that was reviewed last
    overall: Settled = "pass"
    feedback: tuple[Feedback, ...] = ()
    open: tuple[Open, ...] = ()
    met: tuple[str, ...] = ()  # criteria
    grounds: tuple[Ground, ...] = ()
    named: int = 0  # how many findings have got an id
    verdicts: Mapping[str, Verdict] = EMPTY  # of the last review, by criterion


NO_ROUNDS = Rounds()


def to_data(rounds: Rounds) -> dict[str, Any]:
    """JSON data; `from_data` reads it."""
    data: dict[str, Any] = thaw(rounds)
    return data


def from_data(data: object) -> Rounds:
    """ValueError when it is none of ours."""
    rounds: Rounds = from_json(Rounds, thaw(data) if isinstance(data, Mapping) else data)
    return rounds


class Since(NamedTuple):
    """Lines of now that changed since the last review, and where the files of then are."""

    lines: Mapping[str, frozenset[int]] = MappingProxyType({})
    moves: Mapping[str, Moved] = MappingProxyType({})

    def changed(self, file: str, line: int) -> bool:
        """Whether a place of now is, or is next to, something that changed; line 0 stands for the file."""
        lines = self.lines.get(file, frozenset())
        return bool(lines) if not line else any(line + off in lines for off in range(-_NEAR, _NEAR + 1))

    def lost(self, file: str, line: int) -> bool:
        """Whether a place of then was changed or taken away."""
        move = self.moves.get(file)
        return move is not None and (not move.path or move.line_now(line) is None)


NOTHING = Since()


def changed_since(diff: str) -> Since:
    """`diff`: from the tree of the last review to that of now; Unreadable when it can't be read.

    Where lines were only taken away, the lines around the gap count as changed.
    """
    lines = {file: set(numbers) for file, numbers in changed_lines(diff).items()}
    moves = moved(diff)
    for move in moves.values():
        gaps = [edit.new for edit in move.edits if edit.removed] if move.path else []
        if gaps:
            lines.setdefault(move.path, set()).update(max(1, at + off) for at in gaps for off in (-1, 0))
    return Since(MappingProxyType({file: frozenset(found) for file, found in lines.items()}), moves)
