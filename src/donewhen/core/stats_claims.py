"""What became of a claim: refused by evidence, made before its time, or not judged for want of a verdict.

Only the first is a false claim. A reviewer who was not there and a command that could not be run say nothing
about the work of an agent, and neither do checks that nobody had tried when a todo was still open.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Became = Literal["refused", "early", "unjudged"]
_OVER = frozenset({"completed", "failed", "canceled"})  # todos that nobody waits for
_TRIED_LAST = frozenset({"command_success", "scenario", "quality_gate"})  # known only once the exam ran
_GATE = "gate:"  # before the name of a gate, in the id of its check
_LIES = frozenset({"exam.made_up", "verify.failed_inside"})  # passes that were looked through


class Judged(NamedTuple):
    became: Became
    failed: tuple[Mapping[str, Any], ...]  # checks that evidence stands against
    todos: tuple[str, ...] = ()  # that were open


class ClaimFold:
    """One run: what the harness saw since the last decision, and the todos as they stand."""

    def __init__(self) -> None:
        self._todos: dict[str, str] = {}
        self._looked = False  # whether the harness ran or found something
        self._said: dict[tuple[str, str], str] = {}  # verifier, scope → verdict

    def todo(self, body: Any) -> None:
        self._todos[body.id] = str(body.todo.get("status") or "pending")

    def ended(self, body: Any) -> None:
        self._looked = self._looked or body.by == "harness"

    def verified(self, body: Any) -> None:
        lied = body.verifier == "exam" and body.details.get("reason") in _LIES
        self._said[body.verifier, body.scope] = "failed" if lied else body.verdict
        self._looked = self._looked or body.verdict == "failed"

    def decided(self, body: Any) -> Judged:
        """What became of the claim, if it was refused; what was seen so far is done with."""
        failed = [result for result in body.results if not result.get("passed", True)]
        todos = tuple(name for name in body.pending if self._todos.get(name, "completed") not in _OVER)
        against = tuple(result for result in failed if not self._is_untried(result))
        untried = not self._looked and all(result.get("kind") in _TRIED_LAST for result in failed)
        could_not = "could_not_run" in self._said.values()
        self._looked = False
        self._said.clear()
        if todos and (untried or not failed):
            return Judged("early", (), todos)
        if failed and not against and could_not:
            return Judged("unjudged", ())
        return Judged("refused", against)

    def _is_untried(self, result: Mapping[str, Any]) -> bool:
        """Whether a check is open because what would tell could not run."""
        name, kind = str(result.get("id", "")), result.get("kind")
        if kind == "command_success":
            return self._said.get(("exam", name)) == "could_not_run"
        if kind == "quality_gate":
            gate = name.removeprefix(_GATE)
            said = [verdict for (verifier, _), verdict in self._said.items() if verifier == gate]
            return "could_not_run" in said and "failed" not in said
        if kind == "scenario" and "could_not_run" in self._said.values():
            return not any(verdict == "failed" for (who, _), verdict in self._said.items() if who == kind)
        return False
