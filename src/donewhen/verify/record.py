"""A verification in the ledger: what was asked, run and decided; like any run, but without turns."""

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from donewhen import __version__
from donewhen.config.paths import state_folder
from donewhen.core.checks import Check
from donewhen.core.codec import freeze
from donewhen.core.elsewhere import tree_label
from donewhen.core.errors import UserError
from donewhen.core.events import Body, facts, run
from donewhen.core.findings import Feedback
from donewhen.core.ids import run_id as new_run_id
from donewhen.core.judging import matches
from donewhen.core.paths import is_source, relative
from donewhen.core.promise import Promise
from donewhen.core.promise_data import write_promise
from donewhen.core.protocols import Lease
from donewhen.core.questions import Question
from donewhen.core.texts import Language, say
from donewhen.core.todos.model import to_data
from donewhen.core.view import Files
from donewhen.intake.compose import Plan
from donewhen.store import Opened
from donewhen.store.artifacts import Artifacts
from donewhen.store.owner import this_process
from donewhen.store.results import Stored
from donewhen.verify.acceptance_record import About, record_path, signing_by, write_record
from donewhen.verify.change import Change
from donewhen.verify.exam_run import ExamCommand
from donewhen.verify.wellformed import well_formed
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.processes.command import Output
from donewhen.workspace.records.signing import ENDINGS

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means, Wanted
    from donewhen.verify.place import ExamPlace


_MOST_FILES = 2000
LARGEST_OUTPUT = 4 * 1024 * 1024  # of one command, as an artifact
_LEASE_SECONDS = 7 * 86_400.0  # nobody takes over a verification; it is made again


class Recorder(Protocol):
    """Where the commands of an exam are told: the ledger of a verification, or of a run."""

    run_id: str

    def started(self, command: facts.CommandStarted) -> None: ...
    def output(self, output: Output) -> str: ...
    def command_ended(self, command: ExamCommand) -> None: ...


class Record:
    """The ledger of one verification, as a context: one that ends without a decision is closed as failed."""

    def __init__(self, opened: Opened, run_id: str, lease: Lease | None = None) -> None:
        self._opened = opened
        self.run_id = run_id
        self._lease = lease
        self._open = True
        self._recorded: list[Stored] = []

    def promise(self, promise: Promise, repository: Repository, change: Change) -> None:
        self._post(
            run.PromiseSet(promise.id, freeze(write_promise(promise))),
            run.WorkspaceOpened(str(repository.root), repository.branch, change.base.commit, "in_place"),
            run.StateChanged("idle", "validating"),
        )

    def found(self, plan: Plan, change: Change, files: Files, verified: Iterable[Body] = ()) -> None:
        """What there is at the end: enough for the gate to say the same from the ledger alone."""
        now = change.fingerprint
        conflicts = [facts.Verified("integrity", "conflicts", "failed", now.tree)] if change.conflicts else []
        self._post(
            *(run.TodoChanged(todo.id, freeze(to_data(todo))) for todo in plan.todos),
            *_changed(change, files),
            *_there(plan.promise, change, files),
            *conflicts,
            *verified,
            facts.Verified("fingerprint", now.tree, "skipped", now.relevant),
        )

    def spent(self, *bodies: Body) -> None:
        """Money is written down before it is spent."""
        self._opened.store.append(self.run_id, *bodies, lease=self._lease)

    def started(self, command: facts.CommandStarted) -> None:
        self._post(command)

    def output(self, output: Output) -> str:
        return keep_output(output, self._opened.artifacts)

    def command_ended(self, command: ExamCommand) -> None:
        fresh = not_recorded(command, self._recorded)
        self._recorded += fresh.worth
        self._post(*results_of(fresh, self.run_id))

    def decided(self, decided: run.Decided) -> None:
        state: run.State = "done" if decided.status == "accepted" else "fail"
        self._opened.store.append(
            self.run_id, decided, run.StateChanged("validating", state), lease=self._lease
        )
        self._close()

    def __enter__(self) -> "Record":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._open and kind is not None and not issubclass(kind, Exception):
            self.decided(run.Decided("failed", "user_interrupt"))
        elif self._open:
            self._opened.store.append(
                self.run_id, run.StateChanged("validating", "fail", "not finished"), lease=self._lease
            )
            self._close()

    def _close(self) -> None:
        self._open = False
        if self._lease is not None:
            self._opened.store.release(self._lease)

    def _post(self, *bodies: Body) -> None:
        """In order, without waiting: the decision is waited for, and it can't come before these."""
        if bodies:
            self._opened.store.post(self.run_id, *bodies, lease=self._lease)


def begun(opened: Opened, repository: Repository, change: Change, profile: str) -> Record:
    """A ledger of its own."""
    run_id = new_run_id(time.time(), os.urandom(3))
    opened.store.append(
        run_id,
        run.RunStarted(
            "verify",
            repo=str(repository.root),
            base=change.base.commit,
            agent="verify",
            profile=profile,
            donewhen=__version__,
        ),
    )
    return Record(opened, run_id, opened.store.lease(run_id, this_process(), ttl=_LEASE_SECONDS))


def results_of(command: ExamCommand, run_id: str) -> tuple[Body, ...]:
    """The results that count for a command; earlier ones are told with the run that they came from."""
    result, own = command.result, command.result.ended
    results = [(each.ended, each.run_id) for each in command.worth]
    if own is not None and all(each.ended is not own for each in command.worth):
        if result.why is not None and own.exit == 0:  # it proves nothing, so it speaks for no tree
            own = own._replace(on=(tree_label("unproven", own.before),))
        results.append((own, result.from_run or run_id))
    bodies: list[Body] = [
        ended if whose == run_id else ended._replace(of_run=whose) for ended, whose in results
    ]
    if result.why is not None:
        details = {"command": result.entry.line, "reason": str(result.why.key)}
        bodies.append(facts.Verified("exam", result.entry.key, "could_not_run", details=details))
    return tuple(bodies)


def not_recorded(command: ExamCommand, known: Sequence[Stored]) -> ExamCommand:
    """Without the results that a ledger has already."""
    fresh = tuple(each for each in command.worth if each not in known)
    result = command.result
    if any(each.ended is result.ended for each in command.worth if each in known):
        result = result._replace(ended=None)
    return ExamCommand(result, command.history, fresh)


def keep_output(output: Output, artifacts: Artifacts) -> str:
    """Keep what a command printed as an artifact, and the file that it was collected in no longer."""
    data = _kept(output)
    discard(output)
    return artifacts.put(data) if data else ""


def _changed(change: Change, files: Files) -> Iterator[Body]:
    for path, kind in sorted(change.changed.items())[:_MOST_FILES]:
        yield facts.FileChanged(path, "delete" if kind == "deleted" else "write", by="human")
        text = files.text(path) if kind != "deleted" and not is_source(path) else None
        if text is not None and well_formed(path, text):
            yield facts.FileConfirmed(path, 1, "harness")


def _there(promise: Promise, change: Change, files: Files) -> Iterator[Body]:
    """Files that checks name and that are there, and the contents that were found in them."""
    for check in promise.checks:
        path = relative(check.target) if check.kind in ("file_exists", "content_contains") else None
        text = files.text(path) if path else None
        if path is None or (text is None and not files.holds(path)):
            continue
        yield facts.FileConfirmed(path, 1, "harness")
        for pattern in _held(check, text or ""):
            yield facts.ContentMatched(path, pattern, change.fingerprint.tree)


def _held(check: Check, text: str) -> list[str]:
    wanted = check.params.get("contains")
    held = [wanted] if wanted is not None and wanted in text else []
    if "regex" in check.params and matches(check.params["regex"], text):
        held.append(check.params["regex"])
    if check.params.get("nonempty") == "true" and text.strip():
        held.append(r"\S")
    return held


def discard(output: Output) -> None:
    if output.file != Path(os.devnull):
        with suppress(OSError):
            output.file.unlink()


def decision_data(decided: run.Decided) -> Mapping[str, Any]:
    """The decision object that the API, `--json`, events and pages share."""
    return {
        "status": decided.status,
        "stop_reason": decided.stop_reason,
        "cause": decided.cause,
        "summary": decided.summary,
        "details": decided.details,
        "results": decided.results,
    }


def _kept(output: Output) -> bytes:
    """The whole output, or its two ends where it is very long."""
    if output.size <= LARGEST_OUTPUT:
        try:
            return output.file.read_bytes()[: LARGEST_OUTPUT + 1]
        except OSError:
            pass
    return output.text.encode(errors="surrogateescape")


def digest(parts: Iterable[object]) -> str:
    """A short name for everything that the commands of an exam see beside the tree."""
    whole = sha256()
    for part in parts:
        data = str(part).encode(errors="surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()[:32]


def feedback_of_question(question: Question, language: Language) -> Feedback:
    wanted = question.wanted
    return Feedback(
        "warning",
        "integrity",
        say(question.message.key, language, **question.message.values),
        question.file,
        question.line,
        details=question.id,
        fixable=True,
        fix_suggestion=say(wanted.key, language, **wanted.values) if wanted else "",
        rule=question.kind,
    )


def keep_record(
    opened: "Opened",
    run_id: str,
    looked: "Looked",
    place: "ExamPlace | None",
    wanted: "Wanted",
    means: "Means",
    accepted: bool,
) -> Path | None:
    """Where the record lies; None for a change that was not accepted."""
    if not accepted:
        return None
    change = looked.change
    base_tree = looked.fingerprints.tree(change.base.commit)
    tree = change.fingerprint.tree
    tools = {}
    if place is not None:
        sources = ", ".join(place.prepared.sources)
        tools = {"environment": place.environment, "sandbox": place.sandbox, "prepared": sources}
    about = About(
        looked.repository,
        change.base.commit,
        base_tree,
        tree,
        change.changed,
        looked.fingerprints.changed_ids(base_tree, tree),
        {name: value for name, value in tools.items() if value},
    )
    path = record_path(state_folder(means.env), run_id)
    write_record(opened, run_id, about, path, signing_by(looked.rules.config), means.env)
    return copied(path, means.folder / wanted.record) if wanted.record else path


def copied(path: Path, wanted: Path) -> Path:
    """A record and its signatures where the user wants them."""
    try:
        for ending in ("", *ENDINGS.values()):
            made = path.with_name(path.name + ending)
            if made.is_file():
                shutil.copyfile(made, wanted.with_name(wanted.name + ending))
    except OSError as error:
        raise UserError("record.not_written", place=wanted, why=error.strerror or str(error)) from None
    return wanted
