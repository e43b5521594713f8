"""What a review of a change came to: plain data for the run, its ledger and its reports."""

from typing import Literal, NamedTuple

from donewhen.core.findings import Feedback
from donewhen.core.semantic.rounds import NO_ROUNDS, Rounds
from donewhen.core.texts import Phrase

Overall = Literal["pass", "fail", "could_not_run", "skipped"]


class SemanticResult(NamedTuple):
    """`state` is for the next review of this run; `why`: why it was skipped, could not run, stays failed."""

    overall: Overall
    feedback: tuple[Feedback, ...] = ()
    rounds: int = 0
    judge: str = ""
    model: str = ""
    cost: float = 0.0
    duration_ms: int = 0
    state: Rounds = NO_ROUNDS
    why: Phrase | None = None
    again: bool = False  # nothing changed since the last review: its result stands

    @property
    def asked(self) -> bool:
        """Whether somebody was asked just now, not at an earlier time or not at all."""
        return bool(self.judge) and not self.again and (self.overall == "could_not_run" or self.why is None)

    @property
    def blocks(self) -> bool:
        """A reviewer that is set up and could not review leaves the question open."""
        return self.overall in ("fail", "could_not_run")
