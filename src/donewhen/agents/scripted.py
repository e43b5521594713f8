"""The agent that plays a file: for demos, tests and benchmarks, the same every time and without a model.

It does not react to what it is told: results and messages are seen by the engine's ledger, not by it. Only
what was interrupted it asks for again. Where it is in its script is a plain number, so that a resumed run
goes on where it was. It never claims more than its script says.
"""

from collections.abc import Mapping, Sequence

from donewhen.agents.script_model import Script
from donewhen.agents.script_reading import load_script
from donewhen.core.agent import AgentView, Step, Stepped
from donewhen.core.chat import Desk
from donewhen.core.codec import Json
from donewhen.core.left import INTERRUPTED

__all__ = ["Script", "Scripted", "load_script"]

_NOTHING = Step()


class Scripted:
    """One step of the script a turn; after the last one what the script says, for ever."""

    def __init__(self, script: Script, name: str = "scripted", *, at: int = 0) -> None:
        self._script = script
        self._name = name
        self._at = min(max(at, 0), len(script.turns))
        self._ended = False  # whether its last step was the one after all others

    @property
    def name(self) -> str:
        return self._name

    @property
    def follows_mode(self) -> bool:
        return False

    @property
    def talks(self) -> bool:
        return False

    def join(self, desk: Desk) -> None:
        """It needs none."""

    @property
    def at(self) -> int:
        """How many steps of the script were given; with `Scripted(script, at=…)` the next one follows."""
        return self._at

    @property
    def over(self) -> bool:
        return self._at >= len(self._script.turns)

    async def step(self, view: AgentView) -> Step:
        if view.phase == "plan" and not self._plans():
            return _NOTHING
        again = {each.id for each in view.results if each.error_class == INTERRUPTED}
        if again:
            return self._again(again)
        if self.over:
            self._ended = True
            return self._script.ending
        turn = self._script.turns[self._at]
        self._at += 1
        return turn.step

    def _again(self, ids: set[str]) -> Step:
        """Its last step with those calls alone of which nobody saw the end."""
        last = self._script.ending if self._ended or not self._at else self._script.turns[self._at - 1].step
        return last._replace(calls=tuple(call for call in last.calls if call.id in ids))

    def memory(self) -> Mapping[str, Json]:
        return {"at": self._at, "ended": self._ended}

    def recall(self, memory: Mapping[str, Json], since: Sequence[Stepped]) -> None:
        at = int(memory.get("at", 0)) + sum(not each.again for each in since)
        self._ended = bool(memory.get("ended")) or at > len(self._script.turns)
        self._at = min(max(at, 0), len(self._script.turns))

    async def close(self) -> None:
        """Nothing is held open."""

    def _plans(self) -> bool:
        """Whether a plan is next, with nothing but plans before it."""
        return not self.over and all(turn.sort == "plan" for turn in self._script.turns[: self._at + 1])
