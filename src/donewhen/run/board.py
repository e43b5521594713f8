"""The proof board: everything that the promise owes, and where each proof stands by now, from events alone.

Live views, reports and pages fold the same events and so show the same. The board decides nothing: what
counts is said by the evidence and the gate of the core; here it is only remembered across trees. Nothing is
`passed` unless an event shows it on the tree as it was last seen, and only the harness proves.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.commands import parse
from donewhen.core.checks import Check, read_checks
from donewhen.core.codec import thaw
from donewhen.core.events import Body, facts, run
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.matches import Parse
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise
from donewhen.core.session import client_of
from donewhen.core.target import ANY_TESTS, accept_target, check_target
from donewhen.core.texts import Language, Phrase
from donewhen.core.todos import NO_TODOS, TodoList, read_todo
from donewhen.core.todos.model import as_list
from donewhen.core.view import MemoryFiles, View
from donewhen.run.board_commands import Commands, Place, Stand, Status, said
from donewhen.run.board_words import Words, result_key, unconfirmed

_SAME = "fingerprint"  # a verifier that says of a whole tree what it is up to paths that can't matter
_COMMANDS = "command_success"
_NAMELESS = frozenset(("output_only", "workspace_change"))  # kinds without a target
_VERIFIES = "verify"  # who works in a run that only judges a change; nobody answers there


class Proof(NamedTuple):
    """One thing that is owed; `source` says by whom: promise, plan, todo, or the change itself."""

    id: str
    kind: str
    target: str
    label: str
    source: str
    status: Status
    reason: str = ""
    evidence: tuple[int, ...] = ()  # sequence numbers of events
    output: str = ""  # digest of an artifact


class Board:
    def __init__(self, parse: Parse = parse, language: Language = "en") -> None:
        self._parse = parse
        self._language: Language = language
        self.evidence = Evidence(parse)
        self._commands = Commands(parse, self.evidence)
        self._words = Words(self.evidence)
        self.promise: Promise | None = None
        self._plan: tuple[Check, ...] = ()
        self.todos: TodoList = NO_TODOS
        self._todo_seqs: dict[str, int] = {}
        self._now = Place()
        self._gives_answer = True
        self._relevant: dict[str, str] = {}

    def take(self, body: Body, seq: int) -> None:
        """Fold one event; kinds that are not known here change nothing."""
        self.evidence.take(body, seq)
        fold = _FOLDS.get(type(body))
        if fold:
            fold(self, body, seq)

    def proofs(self) -> tuple[Proof, ...]:
        """Required ones only: the promise's first, then the plan's, the change's, and the todos."""
        owed = [*self._promised(), *self._of_change(), *self._conditions(), *self._required_todos()]
        return tuple({(proof.kind, proof.id, proof.target): proof for proof in reversed(owed)}.values())[::-1]

    # -- folds -------------------------------------------------------------------------------------

    def _began(self, body: run.RunStarted, seq: int) -> None:
        self._gives_answer = body.agent != _VERIFIES and not client_of(body.metadata)

    def _promise(self, body: run.PromiseSet | run.PromiseAmended, seq: int) -> None:
        self.promise = read_promise(thaw(body.promise), self._parse, stored=True)
        self._words.void()
        for entry in self.promise.accept:
            self._commands.watch(accept_target(entry, self._parse))
        self._watch(self.promise.checks)

    def _planned(self, body: run.PlanRevised, seq: int) -> None:
        self._plan = read_checks(thaw(body.checks), self._parse, by="agent", stored=True).checks
        self._watch(self._plan)

    def _watch(self, checks: tuple[Check, ...]) -> None:
        for check in checks:
            if check.kind == _COMMANDS:
                self._commands.watch(check_target(check, self._parse))

    def _todo(self, body: run.TodoChanged, seq: int) -> None:
        todo = read_todo({"id": body.id, **thaw(body.todo)})
        self.todos = TodoList(MappingProxyType({**self.todos.entries, body.id: todo}))
        self._todo_seqs[body.id] = seq

    def _withdrawn(self, body: run.PlanWithdrawn, seq: int) -> None:
        self.todos = as_list(read_todo(thaw(each)) for each in body.todos)
        self._todo_seqs |= dict.fromkeys(self.todos.entries, seq)
        self._planned(run.PlanRevised(body.checks), seq)

    def _started(self, body: facts.CommandStarted, seq: int) -> None:
        self._see(body.before, seq)

    def _ended(self, body: facts.CommandEnded, seq: int) -> None:
        self._commands.ended(body, seq)
        self._see(body.after or ("" if self._now.tree else body.before), seq)  # it may have begun long ago

    def _changed(self, body: facts.FileChanged, seq: int) -> None:
        self._words.touched(body, seq)
        self._see(f"?{seq}", seq)  # what the tree is now is not known before somebody looks

    def _undone(self, body: facts.CallInterrupted, seq: int) -> None:
        self._see(f"?{seq}", seq)

    def _rolled_back(self, body: facts.RolledBack, seq: int) -> None:
        self._see(self._relevant.get(body.tree, body.tree), seq)

    def _verified(self, body: facts.Verified, seq: int) -> None:
        if body.verifier == _SAME:
            self._relevant[body.scope] = body.fingerprint
        self._see(self._relevant.get(body.fingerprint, body.fingerprint), seq)
        self._words.verified(body, seq)

    def _decided(self, body: run.Decided, seq: int) -> None:
        self._see(self._relevant.get(body.fingerprint, body.fingerprint), seq)
        self._words.decided(body, seq)

    def _confirmed(self, body: facts.FileConfirmed | facts.ContentMatched, seq: int) -> None:
        self._words.looked(body, seq)

    def _answered(self, body: facts.Answered, seq: int) -> None:
        if body.allowed and body.by == "human":
            self._words.confirmed_by_human(body.text.strip(), seq)

    def _see(self, tree: str, seq: int) -> None:
        if tree and tree != self._now.tree:
            known = self._now.tree if not self._now.tree.startswith("?") else self._now.before
            self._now = Place(tree, known, seq)
            self._words.moved(seq)

    # -- what is owed ------------------------------------------------------------------------------

    def _promised(self) -> list[Proof]:
        if self.promise is None:
            return []
        found = []
        for entry in self.promise.accept:
            stand = self._commands.stand(accept_target(entry, self._parse), self._now, self._language)
            key = (_COMMANDS, entry.key, entry.line)
            found.append(self._proof(key, entry.label, "promise", self._words.over_command(key, stand)))
        planned = {check.identity for check in self._plan}
        found += [
            self._checked(check, "plan" if check.identity in planned else "promise")
            for check in self._checks()
            if check.required
        ]
        return found

    def _checked(self, check: Check, source: str) -> Proof:
        key = result_key(check)
        if check.kind == _COMMANDS:
            target = check_target(check, self._parse)
            stand = self._commands.stand(target, self._now, self._language)
            return self._proof(key, check.target, source, self._words.over_command(key, stand))
        return self._proof(key, self._label(check), source, self._words.of_check(check, key, self._now.tree))

    def _label(self, check: Check) -> str:
        named = f"live.kind_{check.kind}" if check.kind in _NAMELESS else ""
        return said(Phrase(named), self._language) if named else check.target or check.name

    def _of_change(self) -> list[Proof]:
        """What no promise names: gates that this change must pass, integrity, scope, files to confirm."""
        declared = frozenset(check.target for check in self._checks() if check.kind == "quality_gate")
        found = [
            self._proof(key, key[2] or key[1], "change", stand)
            for key, stand in self._words.gates(self._now.tree, declared).items()
        ]
        for key, label, stand in unconfirmed(self.evidence, self._words):
            found.append(self._proof(key, label, "change", stand))
        if self._words.owes("gate.source_untested") and self.promise and not self.promise.accept:
            stand = self._commands.stand(ANY_TESTS, self._now, self._language)
            label = said(Phrase("live.whole_tests"), self._language)
            found.append(self._proof(("deliverable", "tests", ""), label, "change", stand))
        return found

    def _checks(self) -> tuple[Check, ...]:
        """The promise's and the plan's, and the answer where the gate asks for one."""
        if self.promise is None:
            return self._plan
        view = View("", "", MemoryFiles({}))
        exam = Exam(self.promise, self.evidence, view, self._parse, self._plan, answered=self._gives_answer)
        return exam.all_checks

    def _conditions(self) -> list[Proof]:
        if self.promise is None:
            return []
        named = [("evidence", name) for name in self.promise.required_evidence]
        named += [
            (c.type, c.target) for c in self.promise.conditions if c.type in ("gate-passed", "user-confirmed")
        ]
        return [
            self._proof((kind, name, name), name, "promise", self._words.of_condition(kind, name))
            for kind, name in named
        ]

    def _required_todos(self) -> list[Proof]:
        found = []
        for todo in self.todos.entries.values():
            if todo.required and todo.status != "canceled":
                stand = _TODOS.get(todo.status, _open_todo)(todo, self._todo_seqs[todo.id])
                found.append(self._proof(("todo", todo.id, todo.id), todo.content, "todo", stand))
        return found

    def _proof(self, key: tuple[str, str, str], label: str, source: str, stand: Stand) -> Proof:
        kind, name, target = key
        reason = said(stand.reason, self._language)
        return Proof(name, kind, target, label, source, stand.status, reason, stand.evidence, stand.output)


def _open_todo(todo: Any, seq: int) -> Stand:
    text = todo.blocked_reason or "" if todo.status == "blocked" else ""
    return Stand("pending", Phrase("live.plain", {"text": f"{todo.status} {text}".strip()}), (seq,))


def _done_todo(todo: Any, seq: int) -> Stand:
    return Stand("passed", Phrase("live.completed_by_agent"), (seq,))


def _failed_todo(todo: Any, seq: int) -> Stand:
    return Stand("failed", Phrase("live.todo_failed", {"reason": todo.failure_reason or "-"}), (seq,))


_TODOS: Mapping[str, Callable[[Any, int], Stand]] = {"completed": _done_todo, "failed": _failed_todo}

_FOLDS: Mapping[type, Callable[[Board, Any, int], None]] = {
    run.RunStarted: Board._began,
    run.PromiseSet: Board._promise,
    run.PromiseAmended: Board._promise,
    run.PlanRevised: Board._planned,
    run.PlanWithdrawn: Board._withdrawn,
    run.TodoChanged: Board._todo,
    run.Decided: Board._decided,
    facts.CommandStarted: Board._started,
    facts.CommandEnded: Board._ended,
    facts.FileChanged: Board._changed,
    facts.FileConfirmed: Board._confirmed,
    facts.ContentMatched: Board._confirmed,
    facts.RolledBack: Board._rolled_back,
    facts.CallInterrupted: Board._undone,
    facts.Verified: Board._verified,
    facts.Answered: Board._answered,
}
