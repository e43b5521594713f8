"""What all runs of one declared command say, tree by tree, kept as they come in.

Red and green are compared on equal trees and within one environment; only the latest environment on a tree
counts, because that is where the next command would run. A red counts whoever ran it; trust is asked of
green alone.
"""

from collections import deque
from typing import Literal, NamedTuple

from donewhen.core.outcome import Outcome
from donewhen.core.texts import Phrase

Trust = Literal["agent", "harness"]
Status = Literal["passed", "failed", "flaky", "pending"]


class Flaky(NamedTuple):
    """So many passes out of so many runs on one tree suffice; 0 of 0: any red spoils it."""

    passes: int = 0
    of: int = 0


class Standing(NamedTuple):
    status: Status
    reason: Phrase
    seq: int = 0  # of the event that decided

    @property
    def passed(self) -> bool:
        return self.status == "passed"


class _Marks:
    """Runs on one tree in one environment."""

    __slots__ = ("green", "harness", "recent", "red", "red_reason")

    def __init__(self, keep: int) -> None:
        self.green = self.harness = self.red = 0  # the seq of the last one, 0 for none
        self.red_reason = Phrase("gate.ended_failed")
        self.recent: deque[str] = deque(maxlen=max(keep, 1))  # who was green; empty: red


class Tally:
    __slots__ = ("_flaky", "_trees", "note", "tried")

    def __init__(self, flaky: Flaky = Flaky()) -> None:  # noqa: B008
        self._flaky = flaky
        self._trees: dict[str, dict[str, _Marks]] = {}
        self.note: Phrase | None = None  # why the last try of it did not count
        self.tried = 0  # the seq of the last run of it that ended

    def add(
        self, seq: int, on: tuple[str, ...], env: str, verdict: tuple[Outcome, Phrase], *, by_harness: bool
    ) -> None:
        result, reason = verdict
        self.tried = seq
        self.note = reason
        if result == "nothing":
            return
        for tree in on:
            environments = self._trees.setdefault(tree, {})
            marks = environments.pop(env, None) or _Marks(self._flaky.of)
            environments[env] = marks  # the latest is the last
            marks.recent.append("" if result == "red" else "harness" if by_harness else "agent")
            if result == "red":
                marks.red, marks.red_reason = seq, reason
            elif by_harness:
                marks.harness = seq
            else:
                marks.green = seq

    def standing(self, tree: str, trust: Trust) -> Standing:
        environments = self._trees.get(tree)
        if not environments:
            return self._untested()
        marks = next(reversed(environments.values()))
        green = marks.harness if trust == "harness" else max(marks.green, marks.harness)
        if marks.red and not self._tolerated(marks, trust):
            if marks.green or marks.harness:
                return Standing("flaky", Phrase("gate.flaky"), marks.red)
            return Standing("failed", marks.red_reason, marks.red)
        if not green:
            return Standing("pending", Phrase("gate.only_by_agent"), marks.green)
        return Standing("passed", Phrase("gate.passed"), green)

    def _tolerated(self, marks: _Marks, trust: Trust) -> bool:
        """Whether enough of the last runs were green, by someone trusted."""
        passes, of = self._flaky
        green = sum(by == "harness" or (by != "" and trust == "agent") for by in marks.recent)
        return of > 0 and passes > 0 and green >= passes

    def _untested(self) -> Standing:
        if self._trees:
            return Standing("pending", Phrase("gate.stale"), self.tried)
        return Standing("pending", self.note or Phrase("gate.not_run"), self.tried)
