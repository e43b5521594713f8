"""A session: the stored record of a run, with everything that the ledger says about it.

A projection, never a source: it is folded from events and can't be written back.
"""

import shlex
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.core.asking import AskedFold
from donewhen.core.codec import EMPTY, Json
from donewhen.core.delivery import Deliverables, sort_out
from donewhen.core.events import Event
from donewhen.core.exam import CONFIRMATION, QUESTION
from donewhen.core.ids import seconds
from donewhen.core.paths import Exempt
from donewhen.core.shipment import Shipment, ShipmentFold
from donewhen.core.summary import ENDED, Summary, is_verification, move
from donewhen.core.texts import LANGUAGES, Phrase, say
from donewhen.core.versions import Versions

_MOST_ASKED = 5


class Session(NamedTuple):
    summary: Summary
    promise: Mapping[str, Json] = EMPTY
    todos: tuple[Mapping[str, Json], ...] = ()
    artifacts: tuple[Any, ...] = ()
    decision: Any = None
    metadata: Mapping[str, str] = EMPTY
    deliverables: Deliverables = Deliverables()  # by the built-in rules of what is exempt and source
    asked: tuple[Any, ...] = ()  # questions that nobody has answered
    lived: float = 0.0  # seconds in which a process worked on it
    models: tuple[str, ...] = ()  # that did the work
    held_micros: int = 0  # set aside for calls whose end nobody heard
    shipment: Shipment = Shipment()  # where its work went


def client_of(metadata: Mapping[str, str]) -> str:
    """The client whose own session this is; empty for a run of ours."""
    return metadata.get("client", "") if metadata.get("session") else ""


def client_in(events: Iterable[Event]) -> str:
    """The same, of a ledger; only its first event is read."""
    first = next(iter(events), None)
    return client_of(first.body.metadata) if first and first.type == "run_started" else ""


def rests(last: Event) -> bool:
    """Whether nobody has to act on a session of a client after this: it was closed, or changed nothing."""
    return last.type == "closed" or unchanged(last)


def unchanged(event: Event) -> bool:
    """Whether it says of a session of a client that nothing was changed in it."""
    if event.type != "noted":
        return False
    return event.body.text in {say("sessions.nothing_changed", language) for language in LANGUAGES}


class Standing(NamedTuple):
    """What a run waits for, and the commands that help now, each as words after `donewhen`."""

    waits: Phrase
    commands: tuple[tuple[str, ...], ...] = ()
    shell: tuple[str, ...] = ()  # whole commands to type before those, one after the other


class Metrics(NamedTuple):
    duration: float  # seconds between the first and the last event; of a session: that it lived
    cost: Mapping[str, float]  # US dollars: total, llm, api, other
    attempts: int
    turns: int
    tool_calls: int
    budget: float | None
    budget_used: float | None
    logs: int


class LivedFold:
    """For how long a run lived: what its last checkpoint says, and the time since.

    Time between a process that went and the next one does not count; neither does what others write down
    while nobody executes the run. The checkpoint of its end has the last word: wall clocks may jump.
    """

    def __init__(self) -> None:
        self._known = 0.0
        self._since = self._last = ""
        self._closed = self._ended = False

    def take(self, event: Event) -> None:
        if event.type == "state_changed":
            self._ended = event.body.state in ENDED
        if event.type == "checkpointed":
            self._known, self._since = event.body.elapsed_ms / 1000, event.at
            self._closed, self._last = self._closed or self._ended, event.at
        if event.type == "resumed" or not self._since:
            self._since, self._closed = event.at, False
        if not self._closed:
            self._last = event.at
        self._closed = self._closed or event.type == "closed"

    @property
    def seconds(self) -> float:
        return round(self._known + _between(self._since, self._last), 3)


class SessionFold:
    """Takes events one by one; `session` is cheap at any time."""

    def __init__(self, run_id: str) -> None:
        self._row = Summary(run_id)
        self._promise: Mapping[str, Json] = EMPTY
        self._metadata: Mapping[str, str] = EMPTY
        self._todos: dict[str, Mapping[str, Json]] = {}
        self._artifacts: dict[str, Any] = {}
        self._decision: Any = None
        self._versions = Versions()
        self._deliverables: Deliverables | None = Deliverables()
        self._asked: dict[str, Any] = {}
        self._lived = LivedFold()
        self._models = AskedFold()
        self._shipment = ShipmentFold()

    def take(self, event: Event) -> None:
        self._row = move(self._row, event)
        self._lived.take(event)
        self._models.take(event.body)
        self._shipment.take(event.body)
        body = event.body
        match event.type:
            case "run_started":
                self._metadata = body.metadata
            case "promise_set" | "promise_amended":
                self._promise = body.promise
            case "todo_changed":
                self._todos[body.id] = MappingProxyType({"id": body.id, **body.todo})
            case "plan_withdrawn":
                self._todos = {str(each["id"]): each for each in body.todos}
            case "artifact_kept":
                self._artifacts[body.digest] = body
            case "decided":
                self._decision = body
            case "asked":
                self._asked.setdefault(body.ask, body)
            case "answered":
                self._asked.pop(body.ask, None)
            case "file_changed" | "file_confirmed":
                self._take_file(event.type, body)

    def _take_file(self, kind: str, body: Any) -> None:
        take = self._versions.change if kind == "file_changed" else self._versions.confirm
        take(body)
        self._deliverables = None

    @property
    def session(self) -> Session:
        if self._deliverables is None:
            self._deliverables = sort_out(self._versions.touched(), self._versions.of, Exempt())
        return Session(
            self._row,
            self._promise,
            tuple(self._todos.values()),
            tuple(self._artifacts.values()),
            self._decision,
            self._metadata,
            self._deliverables,
            tuple(self._asked.values()) if not self._row.ended else (),
            self._lived.seconds,
            self._models.models,
            self._models.held_micros,
            self._shipment.shipment,
        )


def fold(run_id: str, events: Iterable[Event]) -> Session:
    folding = SessionFold(run_id)
    for event in events:
        folding.take(event)
    return folding.session


def standing(session: Session, holder: str) -> Standing:
    """Who has to act next; `holder`: who executes the run now, empty when nobody does."""
    row, run_id = session.summary, session.summary.run_id
    client = client_of(session.metadata)
    if client:
        return _of_client(row, client)
    if row.ended:
        return _ended(row, session.shipment)
    if session.asked:
        asks = [body.ask for body in session.asked[:_MOST_ASKED]]
        later = () if holder else (("resume", run_id),)
        said = Phrase("seeing.waits_answer", {"count": len(session.asked), "asks": ", ".join(asks)})
        return Standing(said, (*(("approve", ask) for ask in asks), ("deny", asks[0]), *later))
    if holder:
        return Standing(
            Phrase("seeing.waits_live", {"holder": holder}), (("logs", run_id, "-f"), ("abort", run_id))
        )
    if is_verification(row):
        return Standing(Phrase("seeing.waits_verify"))
    words = (
        words_wanted(session.decision.results, run_id) if row.state == "paused" and session.decision else ()
    )
    if words:
        return Standing(Phrase("seeing.waits_word"), (*words, ("resume", run_id), ("diff", run_id)))
    key = "seeing.waits_human" if row.state == "paused" else "seeing.waits_interrupted"
    said = Phrase(key, {"reason": row.stop_reason or row.state})
    human = (("amend", run_id, "--accept", "CMD"),) if row.state == "paused" else ()
    return Standing(said, (("resume", run_id), *human, ("diff", run_id), ("abort", run_id)))


def words_wanted(results: Iterable[Mapping[str, Json]], run_id: str) -> tuple[tuple[str, ...], ...]:
    """What a human says with `donewhen` where nothing else is missing; `results` are those of a decision."""
    missing = [row for row in results if not row.get("passed")]
    if not missing or any(row.get("kind") not in (QUESTION, CONFIRMATION) for row in missing):
        return ()
    texts = [("confirm", run_id, str(row["target"])) for row in missing if row["kind"] == CONFIRMATION]
    return (*([("confirm",)] if len(texts) < len(missing) else []), *texts)


def _of_client(row: Summary, client: str) -> Standing:
    """Its work lies in the user's own folder, and it goes on in the client, also after an end."""
    said = (
        Phrase("seeing.waits_nothing") if row.ended else Phrase("sessions.waits_client", {"client": client})
    )
    return Standing(said, (("logs", row.run_id), ("report", row.run_id)))


def _ended(row: Summary, shipment: Shipment) -> Standing:
    if is_verification(row):
        return Standing(Phrase("seeing.waits_nothing"), (("report", row.run_id),))
    done = row.state == "done"
    more = () if done else (("logs", row.run_id),)
    shell = after_end(done, row.branch, shipment)
    return Standing(
        _waits(row, shipment, shell), (("diff", row.run_id), *more, ("report", row.run_id)), shell
    )


def after_end(done: bool, branch: str, shipment: Shipment) -> tuple[str, ...]:
    """What a human types to bring the work of an ended run to its place; empty when it is there."""
    if shipment.commands:
        return shipment.commands
    there = shipment.merged or shipment.pull
    return (f"git merge {shlex.quote(branch)}",) if done and branch and not there else ()


def _waits(row: Summary, shipment: Shipment, shell: tuple[str, ...]) -> Phrase:
    if shipment.commands:
        return Phrase("seeing.waits_by_hand", {"why": shipment.why})
    if shipment.pull:
        return Phrase("seeing.waits_pull", {"url": shipment.pull})
    if shipment.merged:
        return Phrase("seeing.waits_merged", {"target": shipment.target, "commit": shipment.merged[:12]})
    return Phrase("seeing.waits_merge" if shell else "seeing.waits_nothing", {"branch": row.branch})


def _between(since: str, until: str) -> float:
    try:
        return max(0.0, round(seconds(until) - seconds(since), 3))
    except ValueError:  # no events yet, or an altered row
        return 0.0


def metrics(row: Summary, lived: float | None = None) -> Metrics:
    """Figures of a run; a row alone does not know for how long it lived."""
    costs = {
        "total": row.total_micros,
        "llm": row.llm_micros,
        "api": row.api_micros,
        "other": row.other_micros,
    }
    return Metrics(
        duration=_between(row.created, row.updated) if lived is None else lived,
        cost=MappingProxyType({name: micros / 1_000_000 for name, micros in costs.items()}),
        attempts=row.attempts,
        turns=row.turns,
        tool_calls=row.tool_calls,
        budget=None if row.budget_micros is None else row.budget_micros / 1_000_000,
        budget_used=row.budget_used,
        logs=row.logs,
    )
