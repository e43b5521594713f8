"""The gate's word on a stored run: what the ledger proves, up to a given event.

Only the ledger is read. It knows which files were written, which the harness confirmed, what was found in
them and which checks ran on which tree, not what the files hold, so a check of content that the ledger did
not record as matched on the tree of the decision stays open.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.checks import Check
from donewhen.core.errors import UserError
from donewhen.core.events import Event, facts, run
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.gate import Decision, decide
from donewhen.core.matches import Parse
from donewhen.core.paths import Exempt, relative
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise
from donewhen.core.scope import outside
from donewhen.core.session import client_of
from donewhen.core.todos import NO_TODOS, TodoList, read_todos
from donewhen.core.view import Change, View

_VERIFIES = "verify"  # who works in a run that only judges a change which is there already
_SAME = "fingerprint"  # says of a whole tree (its scope) what it is up to paths that can't matter
_NOT_BLANK = r"\S"
_SOMETHING = "\0"  # stands for content that is known to be fine, but not what it is
_NEVER = "\0\0"


class Asked(NamedTuple):
    decision: Decision
    seq: int
    recorded: str = ""  # the status that the ledger itself holds


class _LedgerFiles:
    """Files as the ledger knows them; `fine` are those that the harness looked into."""

    def __init__(self, there: Iterable[str], fine: Iterable[str]) -> None:
        self._fine = frozenset(fine)
        self._there = self._fine.union(there)

    def text(self, path: str) -> str | None:
        if path in self._fine:
            return _SOMETHING
        return "" if path in self._there else None

    def holds(self, folder: str) -> bool:
        return any(path.startswith(folder.rstrip("/") + "/") for path in self._there)


class _Past:
    def __init__(self) -> None:
        self.promise: object = None
        self.todos: dict[str, object] = {}
        self.changed: dict[str, Change] = {}
        self.confirmed: dict[str, int] = {}  # by the harness: path → version; 0 says only that it is there
        self.matched: set[tuple[str, str, str]] = set()  # path, pattern, tree
        self.relevant: dict[str, str] = {}  # whole tree → the same up to paths that can't matter
        self.tree = self.answer = self.recorded = ""
        self.verifies = False
        self.seq = 0

    def take(self, event: Event) -> None:
        body, self.seq = event.body, event.seq
        match event.type:
            case "run_started":
                self.verifies = body.agent == _VERIFIES or bool(client_of(body.metadata))
            case "promise_set" | "promise_amended":
                self.promise = dict(body.promise)
            case "todo_changed" | "plan_withdrawn":
                self._todo(body)
            case "command_ended":
                self.tree = body.after or body.before or self.tree
            case "verified":
                if body.verifier == _SAME:
                    self.relevant[body.scope] = body.fingerprint
                else:
                    self.tree = body.fingerprint or self.tree
            case "file_changed" | "file_confirmed" | "content_matched":
                self._file(body)
            case "candidate_kept":
                self.answer = body.text
            case "decided":
                self.answer, self.recorded = body.summary or self.answer, body.status
                self.tree = body.fingerprint or self.tree

    def _todo(self, body: run.TodoChanged | run.PlanWithdrawn) -> None:
        if isinstance(body, run.PlanWithdrawn):
            self.todos = {str(each["id"]): dict(each) for each in body.todos}
        else:
            self.todos[body.id] = {**body.todo, "id": body.id}

    def _file(self, body: facts.FileChanged | facts.FileConfirmed | facts.ContentMatched) -> None:
        if isinstance(body, facts.ContentMatched):
            self.matched.add((_short(body.path), body.pattern, body.fingerprint))
        elif isinstance(body, facts.FileConfirmed):
            if body.by == "harness":
                self.confirmed[body.path] = max(body.version, self.confirmed.get(body.path, 0))
        else:
            self.changed[body.path] = "deleted" if body.change == "delete" else "modified"
            self.confirmed.pop(body.path, None)  # it was of another content
            if body.change == "move":
                self.confirmed.pop(body.origin, None)

    def holds(self, path: str, pattern: str) -> bool:
        """Whether this was found in the file on the tree that is decided about."""
        return bool(self.tree) and (_short(path), pattern, self.tree) in self.matched


def decide_run(events: Iterable[Event], parse: Parse, at: int | None = None) -> Asked:
    """What the gate says about the events up to number `at`."""
    known = [event for event in events if at is None or event.seq <= at]
    past = _Past()
    for event in known:
        past.take(event)
    if past.promise is None:
        raise UserError("story.no_promise", seq=past.seq)
    promise = read_promise(_plain(past.promise), parse, stored=True)
    evidence = Evidence(parse, outside=lambda path: bool(outside(promise, [path], Exempt())))
    left_out = _no_evidence(known) if past.verifies else frozenset[int]()
    for event in known:
        if event.seq not in left_out:
            evidence.take(event.body, event.seq)
    return Asked(decide(_exam(past, promise, evidence, parse)), past.seq, past.recorded)


def _no_evidence(known: Iterable[Event]) -> frozenset[int]:
    """What a verification only tells: the change itself, which nobody made in this run, and passes that it
    did not count."""
    told: set[int] = set()
    started: tuple[object, ...] | None = None
    last: Event | None = None
    for event in known:
        body = event.body
        if event.type == "file_changed":
            told.add(event.seq)
        elif event.type == "command_started":
            started = (body.command, body.argv, body.cwd)
        elif event.type == "verified":
            if body.verifier == "exam" and last and _is_end_of(started, last):
                told.add(last.seq)
            elif body.verifier == _SAME:
                told.add(event.seq)
            started = None
        last = event
    return frozenset(told)


def _is_end_of(started: tuple[object, ...] | None, event: Event) -> bool:
    body = event.body
    return event.type == "command_ended" and started == (body.command, body.argv, body.cwd)


def _exam(past: _Past, promise: Promise, evidence: Evidence, parse: Parse) -> Exam:
    todos: TodoList = NO_TODOS
    if past.todos:
        todos = read_todos([_plain(todo) for todo in past.todos.values()])
    view = View(
        past.tree, past.relevant.get(past.tree, past.tree), _files(past, evidence.written), past.changed
    )
    known = promise._replace(checks=tuple(_known(check, past) for check in promise.checks))
    return Exam(known, evidence, view, parse, todos=todos, answer=past.answer, answered=not past.verifies)


def _files(past: _Past, written: Iterable[str]) -> _LedgerFiles:
    there = {*written, *past.confirmed}
    if past.verifies:
        there.update(path for path, kind in past.changed.items() if kind != "deleted")
    there.update(path for path, _, tree in past.matched if tree and tree == past.tree)
    fine = (path for path, version in past.confirmed.items() if version and past.verifies)
    return _LedgerFiles(there, fine)


def _known(check: Check, past: _Past) -> Check:
    """A check as it can be put to the ledger: what was found in a file stands for the file's content."""
    if check.kind == "file_exists" and check.params.get("nonempty") == "true":
        return check._replace(params={}) if past.holds(check.target, _NOT_BLANK) else check
    if check.kind != "content_contains":
        return check
    params: Mapping[str, str] = check.params
    pattern = params["contains"] if "contains" in params else params["regex"]
    if past.holds(check.target, pattern):
        return check._replace(params={"contains": ""})
    return check._replace(params={"contains": _NEVER}) if past.verifies else check


def _short(path: str) -> str:
    return relative(path) or path


def _plain(data: object) -> object:
    from donewhen.core.codec import thaw

    return thaw(data)
