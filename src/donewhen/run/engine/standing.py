"""How things stand, for an agent that talks: what is proven and what is open, todos, limits, the mode.

Said anew at every step and never kept: the ledger has all of it. What is open is never left out. It costs
what changed since the last step; while a background command lives, a look at the tree.
"""

from collections.abc import Iterable

from donewhen.core.budget import MILLION
from donewhen.core.exam import Findings
from donewhen.core.feedback import reasons
from donewhen.core.gate import examine
from donewhen.core.shown import LONGEST_LINE, one_name
from donewhen.core.texts import say
from donewhen.core.todos import OPEN
from donewhen.run.engine.live import Run

_SHOWN = 20
_MILLIS = 100  # of a dollar: more is noise in every prompt


class Standing:
    def __init__(self, live: Run) -> None:
        self._live = live
        self._seen: tuple[str, int, int] | None = None
        self._known: tuple[str, ...] = ()

    def text(self) -> str:
        lines = [*self._proof_lines(), *self._todo_lines(), *self._mode_lines(), self._limits()]
        return "\n".join((say("desk.standing", self._live.language), *lines))

    def _proof_lines(self) -> tuple[str, ...]:
        live = self._live
        tree = live.room.tree
        if tree.last is None:  # nothing has happened that could have changed or proven anything
            return (say("desk.nothing_yet", live.language),)
        seen = (tree.now().tree, live.state.commands, live.state.judged)
        if seen != self._seen:
            self._known = tuple(self._said(examine(live.state.exam(tree.known_view()))))
            self._seen = seen
        return self._known

    def _said(self, findings: Findings) -> Iterable[str]:
        language = self._live.language
        passed = [command.entry.label for command in findings.commands if command.standing.passed]
        passed += [result.id.rstrip(":") for result in findings.results if result.passed]
        for name in passed[:_SHOWN]:
            yield say("desk.proven", language, name=one_name(name, LONGEST_LINE))
        if passed[_SHOWN:]:
            yield say("desk.more_proven", language, count=len(passed) - _SHOWN)
        owed = (say(phrase.key, language, **phrase.values) for phrase in reasons(findings))
        for what in dict.fromkeys(owed):
            yield say("desk.open", language, what=one_name(what, LONGEST_LINE))

    def _todo_lines(self) -> Iterable[str]:
        todos = [todo for todo in self._live.state.todos.entries.values() if todo.status in OPEN]
        for todo in todos[:_SHOWN]:
            names = ", ".join(todo.paths)
            where = (
                f" ({say('engine.plan_paths', self._live.language, names=one_name(names))})" if names else ""
            )
            yield f"- [{todo.status}] {todo.id}: {one_name(todo.content, LONGEST_LINE)}{where}"
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
