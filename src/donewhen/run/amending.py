"""A human changes the promise of a run that is stored, or confirms what only a human can.

A run that somebody executes gets a request, which its process takes; any other run gets the event itself,
under a lease, so that nobody resumes it in between. Requests that still wait come first: a later change never
overtakes them. An ended run is left alone. What a process takes from a request it reads anew: the row may be
anyone's. The agent has no way here.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from donewhen.core.codec import freeze, thaw
from donewhen.core.errors import DonewhenError, SetupError, UserError
from donewhen.core.events import Body, facts
from donewhen.core.events.run import Noted, PromiseAmended, TodoChanged
from donewhen.core.matches import Parse
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise, sources_of, write_promise
from donewhen.core.promise_diff import Line, differences, weaker
from donewhen.core.protocols import Control, EventStore, Lease, Request
from donewhen.core.session import Session, client_of, fold
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase, say
from donewhen.core.todos import NO_TODOS, TodoList, read_todos, to_data, written
from donewhen.run.amending_changes import Changes, amended, from_payload, still_asked, to_payload

if TYPE_CHECKING:
    from donewhen.store import Opened

MOST_REASON = 2000
_LEASE = 30.0  # seconds; far more than one event takes
_SHOWN = 12
Way = Literal["done", "asked", "waits", "before"]  # written, requested, behind others, long since so


class Amendment(NamedTuple):
    """What a change comes to: the new promise and todos, and the events that say so."""

    promise: Promise
    todos: TodoList
    bodies: tuple[Body, ...]


class Preview(NamedTuple):
    """A change before anybody agreed to it."""

    before: Promise
    after: Promise
    lines: tuple[Line, ...]
    optional: tuple[str, ...]  # todos that are no longer required
    weaker: tuple[Phrase, ...]
    notes: tuple[Phrase, ...]  # what else is worth knowing about the new promise


def file_changes(path: Path, shown: str = "") -> Changes:
    """The changes that a promise file asks for: each of its keys replaces that part of the promise."""
    from donewhen.commands import parse
    from donewhen.intake.promise_file import promise_text
    from donewhen.intake.reading import data_of, read_text, read_tree

    name = shown or str(path)
    text = read_text(path, shown=name)
    promise_text(text, parse, name)  # refuses what is wrong and names its line
    data: Any = data_of(read_tree(text, name))
    if data.get("todos"):
        raise UserError("amend.file_todos", place=one_name(name))
    return Changes(given=freeze({key: value for key, value in data.items() if value is not None}))


def preview(opened: "Opened", run_id: str, changes: Changes) -> Preview:
    """What the changes would do to the promise as it will be when they are taken."""
    promise, todos = _standing(opened.store, run_id)
    for request in _waiting(opened.store, run_id):
        try:
            promise, todos, _ = take_amend(request, promise, todos)
        except DonewhenError:
            continue  # the run will refuse it as well
    new = amended(promise, todos, changes, _parse())
    lines = differences(promise, new.promise)
    optional = tuple(todo.id for todo in written(todos, new.todos))
    if not lines and not optional:
        raise UserError("amend.no_difference", run=run_id)
    less = (
        *weaker(promise, new.promise),
        *(Phrase("amend.less_todo", {"todo": one_name(todo)}) for todo in optional),
    )
    notes = (*(issue.phrase for issue in new.issues), *still_asked(promise, new.promise))
    return Preview(promise, new.promise, lines, optional, less, notes)


def amend_run(opened: "Opened", run_id: str, changes: Changes, who: str, reason: str = "") -> Way:
    """Make the change: at once where nobody executes the run, else as a request to who does."""
    if len(reason) > MOST_REASON:
        raise UserError("amend.long_reason", most=MOST_REASON)
    preview(opened, run_id, changes)
    store = opened.store

    def written_now(lease: Lease) -> None:
        promise, todos = _standing(store, run_id)
        change = _amendment(promise, todos, changes, who, reason)
        store.append(run_id, *change.bodies, lease=lease)

    return _do(store, run_id, Control("amend", "", to_payload(changes, reason), who), written_now)


def take_amend(request: Request, promise: Promise, todos: TodoList = NO_TODOS) -> Amendment:
    """What a live run makes of a request: UserError when it is none, or not possible any more."""
    read = from_payload(request.control.payload) if request.control.kind == "amend" else None
    if read is None or len(read[1]) > MOST_REASON:
        raise UserError("amend.odd_request", run=request.run_id, number=request.number)
    return _amendment(promise, todos, read[0], request.control.who, read[1])


def confirmable(promise: Promise) -> tuple[str, ...]:
    """Everything that the promise wants a human to confirm."""
    wanted = [each.target.strip() for each in promise.conditions if each.type == "user-confirmed"]
    names = (*promise.required_evidence, *(n for each in promise.acceptance for n in each.evidence_required))
    approvals = (name.partition(":") for name in names)
    wanted += [text.strip() for kind, _, text in approvals if kind.strip() == "approval" and text.strip()]
    return tuple(dict.fromkeys(text for text in wanted if text))


def confirm_run(opened: "Opened", run_id: str, text: str, who: str) -> Way:
    """A human confirms `text`; UserError with the list when the promise does not ask for it."""
    store = opened.store
    session = _session(store, run_id, "confirm_ended")
    said = _confirmed(run_id, text, read_promise(thaw(session.promise), _parse(), stored=True))
    for event in store.read(run_id):
        if event.type == "answered" and _confirms(event.body, said.text):
            return "before"

    def written_now(lease: Lease) -> None:
        _session(store, run_id, "confirm_ended")
        store.append(run_id, said, lease=lease)

    return _do(store, run_id, Control("confirm", "", {"text": said.text}, who), written_now)


def take_confirm(request: Request, promise: Promise) -> facts.Answered:
    """The answer that a live run writes; UserError when the promise does not ask for it."""
    text = request.control.payload.get("text")
    if request.control.kind != "confirm" or not isinstance(text, str):
        raise UserError("amend.odd_request", run=request.run_id, number=request.number)
    return _confirmed(request.run_id, text, promise)


def _amendment(promise: Promise, todos: TodoList, changes: Changes, who: str, reason: str) -> Amendment:
    new = amended(promise, todos, changes, _parse())
    by = who or "human"
    bodies: list[Body] = []
    if differences(promise, new.promise):
        data = freeze(write_promise(new.promise))
        bodies.append(PromiseAmended(promise.id, data, by, reason, freeze(sources_of(new.promise))))
    why: object = one_name(reason) if reason else Phrase("amend.no_reason")
    for todo in written(todos, new.todos):
        bodies.append(TodoChanged(todo.id, freeze(to_data(todo))))
        bodies.append(Noted(say("amend.noted_optional", who=by, todo=one_name(todo.id), reason=why)))
    return Amendment(new.promise, new.todos, tuple(bodies))


def _confirmed(run_id: str, text: str, promise: Promise) -> facts.Answered:
    wanted = confirmable(promise)
    if not wanted:
        raise UserError("amend.confirm_none", run=run_id)
    if text.strip() not in wanted:
        listed = "; ".join(one_name(each) for each in wanted[:_SHOWN]) + " …" * (len(wanted) > _SHOWN)
        raise UserError("amend.confirm_unknown", run=run_id, known=listed)
    return facts.Answered(f"confirm:{text.strip()}", True, "human", text.strip())


def _confirms(body: facts.Answered, text: str) -> bool:
    return body.allowed and body.by == "human" and body.text.strip() == text


def _do(store: EventStore, run_id: str, control: Control, write: Callable[[Lease], None]) -> Way:
    """Write the event oneself, or ask the process that executes the run to do so."""
    waiting = bool(_waiting(store, run_id, control.kind))
    if not waiting and not store.holder(run_id):
        lease = _lease(store, run_id)
        if lease is not None:
            try:
                write(lease)
            finally:
                store.release(lease)
            return "done"
    store.request(run_id, control)
    return "asked" if store.holder(run_id) else "waits"


def _lease(store: EventStore, run_id: str) -> Lease | None:
    """None when somebody began to execute the run just now."""
    from donewhen.store.owner import this_process

    try:
        return store.lease(run_id, this_process(), _LEASE)
    except SetupError as error:
        if error.key != "store.leased":
            raise
        return None


def _waiting(store: EventStore, run_id: str, kind: str = "amend") -> list[Request]:
    return [each for each in store.requests(run_id) if each.control.kind == kind and not each.taken]


def _standing(store: EventStore, run_id: str) -> tuple[Promise, TodoList]:
    """Promise and todos as the ledger has them."""
    session = _session(store, run_id, "ended")
    todos = read_todos(thaw(session.todos)) if session.todos else NO_TODOS
    return read_promise(thaw(session.promise), _parse(), stored=True), todos


def _session(store: EventStore, run_id: str, ended: str) -> Session:
    session = fold(run_id, store.read(run_id))
    if session.summary.ended and not client_of(session.metadata):  # which goes on with the next prompt
        raise UserError(f"amend.{ended}", run=run_id, state=session.summary.state)
    if not session.promise:
        raise UserError("amend.no_promise", run=run_id)
    return session


def _parse() -> Parse:
    from donewhen.commands import parse

    return parse
