"""The gate's word on a stored run: what the ledger proves, up to a given event.

Only the ledger is read. It knows which files were written and which checks ran on which tree, not what the
files hold, so a check of content that the ledger did not record as matched stays open.
"""

from collections.abc import Iterable
from typing import NamedTuple

from donewhen.core.accept import Parse
from donewhen.core.errors import UserError
from donewhen.core.events import Event
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.gate import Decision, decide
from donewhen.core.paths import Exempt
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise
from donewhen.core.scope import outside
from donewhen.core.todos import NO_TODOS, TodoList, read_todos
from donewhen.core.view import Change, View


class Asked(NamedTuple):
    decision: Decision
    seq: int
    recorded: str = ""  # the status that the ledger itself holds


class _LedgerFiles:
    def __init__(self, written: Iterable[str]) -> None:
        self._written = frozenset(written)

    def text(self, path: str) -> str | None:
        return "" if path in self._written else None

    def holds(self, folder: str) -> bool:
        return any(path.startswith(folder.rstrip("/") + "/") for path in self._written)


class _Past:
    def __init__(self) -> None:
        self.promise: object = None
        self.todos: dict[str, object] = {}
        self.changed: dict[str, Change] = {}
        self.tree = self.answer = self.recorded = ""
        self.seq = 0

    def take(self, event: Event) -> None:
        body, self.seq = event.body, event.seq
        match event.type:
            case "promise_set" | "promise_amended":
                self.promise = dict(body.promise)
            case "todo_changed":
                self.todos[body.id] = {**body.todo, "id": body.id}
            case "command_ended":
                self.tree = body.after or body.before or self.tree
            case "verified":
                self.tree = body.fingerprint or self.tree
            case "file_changed":
                self.changed[body.path] = "deleted" if body.change == "delete" else "modified"
            case "candidate_kept":
                self.answer = body.text
            case "decided":
                self.answer, self.recorded = body.summary or self.answer, body.status
                self.tree = body.fingerprint or self.tree


def decide_run(events: Iterable[Event], parse: Parse, at: int | None = None) -> Asked:
    """What the gate says about the events up to number `at`."""
    known = [event for event in events if at is None or event.seq <= at]
    past = _Past()
    for event in known:
        past.take(event)
    if past.promise is None:
        raise UserError("story.no_promise", seq=past.seq)
    promise = read_promise(_plain(past.promise), parse)
    evidence = Evidence(parse, outside=lambda path: bool(outside(promise, [path], Exempt())))
    for event in known:
        evidence.take(event.body, event.seq)
    return Asked(decide(_exam(past, promise, evidence, parse)), past.seq, past.recorded)


def _exam(past: _Past, promise: Promise, evidence: Evidence, parse: Parse) -> Exam:
    todos: TodoList = NO_TODOS
    if past.todos:
        todos = read_todos([_plain(todo) for todo in past.todos.values()])
    view = View(past.tree, past.tree, _LedgerFiles(evidence.written), past.changed)
    return Exam(promise, evidence, view, parse, todos=todos, answer=past.answer)


def _plain(data: object) -> object:
    from donewhen.core.codec import thaw

    return thaw(data)
