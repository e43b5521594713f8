"""Commands of the agent as evidence: on which tree they began, what they left, what they changed.

A command that is proven to change nothing costs no look at the tree, unless it is one that the promise
declares. What it wrote is found by comparing trees, so that `python gen.py` leaves facts like an edit does.
"""

from typing import NamedTuple

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.events import Body, facts
from donewhen.core.evidence import counts_of
from donewhen.core.exam import Exam
from donewhen.core.feedback import acceptance_line
from donewhen.core.gate import examine
from donewhen.core.promise import Promise
from donewhen.core.target import (
    Target,
    accept_target,
    check_target,
    describe_line,
    is_declared,
    match_target,
)
from donewhen.core.texts import Language
from donewhen.run.engine.committing import Taken
from donewhen.run.engine.ledger import Ledger
from donewhen.run.engine.tree import Tree
from donewhen.run.engine.undoing_git import branch_of, is_commit
from donewhen.run.shipping.watching import Watched
from donewhen.verify.record import discard
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.processes.command import SMALL, Finished

_TAIL = 8000
_MOST_FILES = 2000


class Begun(NamedTuple):
    """A command under way."""

    key: str
    command: str
    cwd: str
    before: Fingerprint | None  # None: it only reads, and nobody declared it
    declared: bool
    reads_only: bool
    environment: str = ""


class Commands:
    def __init__(self, ledger: Ledger, tree: Tree, watched: Watched) -> None:
        self._ledger = ledger
        self._tree = tree
        self._watched = watched
        self._terms: tuple[Promise, tuple[Check, ...]] | None = None  # that the targets were made from
        self._targets: tuple[Target, ...] = ()
        self.background: dict[str, Begun] = {}  # by handle
        self._ended: list[facts.CommandEnded] = []  # in the background, not told yet

    def mark(self, key: str, at: Taken, *more: Body) -> Fingerprint:
        """A call that may write begins: where to come back to is committed before it does."""
        before = self._tree.now()
        known = branch_of(at.head) and is_commit(at.commit)  # anything else is the agent's text
        where = (at.head, at.commit) if known or is_commit(at.head) else ("", "")
        self._ledger.append(facts.CallBegun(key, before.tree, *where), *more)
        return before

    def begin(self, key: str, command: str, cwd: str, *, at: Taken | None, background: bool) -> Begun:
        """`at`: where the branches stand; None for a command that only reads."""
        reads_only = at is None
        declared = self._is_declared(command)
        look = declared or not reads_only
        before = self._tree.now() if look else self._tree.sure
        environment = self._ledger.eras.begin(self._tree.beside()) if declared else ""
        tree = before.relevant if before else ""
        started = facts.CommandStarted(key, command, (), cwd, "agent", tree, background)
        if at is None:
            self._ledger.post(started)
            self._ledger.hasten()
        else:
            self.mark(key, at, started)
        return Begun(key, command, cwd, before, declared, reads_only, environment)

    def _is_declared(self, command: str) -> bool:
        """Whether its result could speak for or against anything that is promised."""
        if describe_line(command, parse).is_test:
            return True
        state = self._ledger.state
        terms = state.promise, state.checks
        if terms != self._terms:
            self._terms, self._targets = terms, _targets(*terms)
        return is_declared(self._targets, command, parse)

    def end(self, begun: Begun, finished: Finished) -> tuple[Body, ...]:
        """The facts of a command that is over; they are in the ledger when this returns."""
        changed: tuple[Body, ...] = ()
        after = begun.before
        if not begun.reads_only:
            self._tree.spoil()
            after = self._tree.now()
            changed = (*self._changes(begun.before, after), *self._harms())
        if begun.declared:
            self._ledger.eras.end(self._tree.beside())
        told = self._fact(begun, finished, after)
        self._ledger.post(told, *changed)
        return (told, *changed)

    def _changes(self, before: Fingerprint | None, after: Fingerprint) -> tuple[Body, ...]:
        found = self._tree.changed(before.tree, after.tree) if before else {}
        return tuple(
            facts.FileChanged(path, "delete" if kind == "deleted" else "write")
            for path, kind in sorted(found.items())[:_MOST_FILES]
        )

    def _harms(self) -> tuple[Body, ...]:
        return tuple(facts.FileChanged(path, "write") for path in self._watched.harms())

    def _fact(self, begun: Begun, finished: Finished, after: Fingerprint | None) -> facts.CommandEnded:
        output = finished.output
        kept = ""
        if any(each.key == begun.key for each in self.background.values()):
            pass  # whoever polls it may still want to read
        elif output.size > SMALL:
            kept = self._ledger.output(output)
        else:
            discard(output)
        return facts.CommandEnded(
            begun.key,
            begun.command,
            cwd=begun.cwd,
            exit=finished.exit,
            state="completed" if finished.exit is not None else "failed",
            duration_ms=finished.duration_ms,
            output=kept,
            tail=output.text[-_TAIL:],
            before=begun.before.relevant if begun.before else "",
            after=after.relevant if after else "",
            environment=begun.environment,
        )

    def since(self, before: Fingerprint) -> tuple[Body, ...]:
        """What a call changed that is no command and says nothing of it itself."""
        self._tree.spoil()
        return (*self._changes(before, self._tree.now()), *self._harms())

    def relevant(self) -> str:
        """The tree as it is, by what can matter."""
        return self._tree.now().relevant

    def spoil(self) -> None:
        """A tool wrote: the tree has to be looked at again."""
        self._tree.spoil()

    def keep(self, handle: str, begun: Begun) -> None:
        """It goes on in the background; its end is told by `reported`."""
        self.background[handle] = begun

    def reported(self, handle: str, finished: Finished) -> None:
        begun = self.background.get(handle)
        if (
            finished.rest or begun is None
        ):  # its own result was told before; what it wrote since shows by itself
            self._tree.spoil()
            return
        told, *_ = self.end(begun._replace(reads_only=False), finished)
        if isinstance(told, facts.CommandEnded):
            self._ended.append(told)

    def take_ended(self) -> list[facts.CommandEnded]:
        """What ended in the background since somebody asked, each once."""
        ended, self._ended = self._ended, []
        return ended


def acceptance_note(exam: Exam, ended: facts.CommandEnded, language: Language) -> str:
    """The system note after a command of the exam; empty for any other."""
    entry = next((each for each in exam.promise.accept if _same(each, ended.command)), None)
    if entry is None:
        return ""
    # what the agent ran itself informs it; only the harness's own run will prove it
    findings = examine(exam._replace(trust="agent"))
    changed = bool(exam.view.changed)
    return acceptance_line(entry.label, counts_of(ended, exam.parse), findings, language, changed=changed)


def _same(entry: Accept, command: str) -> bool:
    return match_target(accept_target(entry, parse), command, parse).same_check


def _targets(promise: Promise, planned: tuple[Check, ...]) -> tuple[Target, ...]:
    """Every command that is declared, by the promise or the agent's plan."""
    checks = (check for check in (*promise.checks, *planned) if check.kind == "command_success")
    accepted = (accept_target(entry, parse) for entry in promise.accept)
    return (*accepted, *(check_target(check, parse) for check in checks))
