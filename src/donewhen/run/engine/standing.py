"""How things stand, for an agent that talks: what is proven and what is open, todos, limits, the mode.

Said anew at every step and never kept: the ledger has all of it. It costs what changed since the last step.
"""

from collections.abc import Iterable

from donewhen.core.budget import MILLION
from donewhen.core.shown import LONGEST_LINE, one_name
from donewhen.core.task_state import Proof, task_state
from donewhen.core.texts import say
from donewhen.core.todos import OPEN
from donewhen.run.engine.live import Run

_SHOWN = 20
_MILLIS = 100  # of a dollar: more is noise in every prompt


class Standing:
    def __init__(self, live: Run) -> None:
        self._live = live
        self._seen: tuple[str, int] = ("", -1)
        self._proofs: tuple[Proof, ...] = ()

    def text(self) -> str:
        lines = [*self._proof_lines(), *self._todo_lines(), *self._mode_lines(), self._limits()]
        return "\n".join((say("desk.standing", self._live.language), *lines))

    def _proof_lines(self) -> Iterable[str]:
        language = self._live.language
        for proof in self._standing_proofs()[:_SHOWN]:
            name = one_name(proof.name, LONGEST_LINE) or say("desk.any_tests", language)
            reason = say(proof.reason.key, language, **proof.reason.values)
            yield say(
                f"desk.proof_{proof.status}", language, name=name, reason=one_name(reason, LONGEST_LINE)
            )

    def _standing_proofs(self) -> tuple[Proof, ...]:
        """As they were when the tree was last known; nobody looks at it for this alone."""
        live = self._live
        tree = live.room.tree.sure if live.has_room else None
        if tree is not None:
            seen = (tree.tree, live.state.commands)
            if seen != self._seen:
                exam = live.state.exam(live.room.tree.known_view())
                self._seen, self._proofs = seen, task_state(exam, live.state.activity).proofs
        return self._proofs

    def _todo_lines(self) -> Iterable[str]:
        todos = [todo for todo in self._live.state.todos.entries.values() if todo.status in OPEN]
        for todo in todos[:_SHOWN]:
            yield f"- [{todo.status}] {todo.id}: {one_name(todo.content, LONGEST_LINE)}"
        if todos[_SHOWN:]:
            yield say("feedback.more", self._live.language, count=len(todos) - _SHOWN)

    def _mode_lines(self) -> Iterable[str]:
        if self._live.mode.mode == "forced":
            yield say("desk.forced", self._live.language)

    def _limits(self) -> str:
        live, loop = self._live, self._live.terms.config.loop
        account = live.state.account
        left = max(0, account.left or 0) * _MILLIS // MILLION / _MILLIS
        turns = max(0, loop.max_turns - live.state.turns)
        minutes = max(0, int(loop.max_total_time - live.elapsed) // 60)
        return say("desk.limits", live.language, left=f"{left:.2f}", turns=turns, minutes=minutes)
