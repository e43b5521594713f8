"""What one review leaves for the next: plain data, so that a ledger can keep it.

Reviews are counted, because a reviewer who may always find something new never ends. What stays open keeps
its id from round to round; data that is not ours is refused, never half believed.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from donewhen.core.codec import EMPTY, from_json, thaw
from donewhen.core.findings import Feedback
from donewhen.core.semantic.model import Criterion, Remark, Verdict

Settled = Literal["pass", "fail"]
OVER = "reviews-used-up"
"""The rule of the finding that no further review can close what is open: only a human can."""


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
    """The reviews of one run so far."""

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
    plain = thaw(data) if isinstance(data, Mapping) else data
    rounds: Rounds = from_json(Rounds, plain)
    return rounds
