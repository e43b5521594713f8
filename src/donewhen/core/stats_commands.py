"""Which commands a run executed itself, on the project as it stood; a result is told more often than it ran.

An exam tells what earlier ones of the same run found on this tree before its own result. Such a line says
nothing new, unless a command that was begun has no other end: then it ended just as before.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from donewhen.core.elsewhere import purpose_of

Ran = Callable[[str, int, bool], None]  # command, milliseconds, failed
_Line = tuple[str, tuple[str, ...], str]


class CommandsFold:
    def __init__(self) -> None:
        self._known: set[tuple[object, ...]] = set()
        self._open: Counter[_Line] = Counter()  # begun since the last decision, less the ends that are new
        self._again: dict[_Line, list[Any]] = {}  # ends since then that were told before

    def started(self, body: Any) -> None:
        if body.by == "harness" and not purpose_of(body.before):
            self._open[_line(body)] += 1

    def ended(self, body: Any, ran: Ran) -> None:
        if body.state == "running" or body.of_run or purpose_of(body.before):
            return
        if body.by != "harness":
            _count(body, ran)
            return
        line = _line(body)
        end = (*line, body.before, body.exit, body.duration_ms, body.output)
        if end in self._known:
            self._again.setdefault(line, []).append(body)
            return
        self._known.add(end)
        self._open[line] -= 1
        _count(body, ran)

    def settle(self, ran: Ran) -> None:
        """All that was begun has ended: at a decision, and where the ledger ends."""
        for line, bodies in self._again.items():
            for body in bodies[-self._open[line] :] if self._open[line] > 0 else ():
                _count(body, ran)
        self._open.clear()
        self._again.clear()


def _line(body: Any) -> _Line:
    return body.command, body.argv, body.cwd


def _count(body: Any, ran: Ran) -> None:
    ran(body.command, body.duration_ms, body.exit != 0)
