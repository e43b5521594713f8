"""Gathers what the report of a run says: ledger, kept outputs, repository, acceptance record.

The only part of a report that looks outside; it writes nothing. The ledger must be what was written, or there
is no report. Everything else may be gone: then the report says so and goes without.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from donewhen.config.paths import state_folder
from donewhen.core.codec import EMPTY, to_json
from donewhen.core.errors import DonewhenError
from donewhen.core.events import Event
from donewhen.core.reasons import REASONS
from donewhen.core.session import Session, SessionFold, client_of
from donewhen.core.summary import Summary
from donewhen.core.texts import Language, Phrase
from donewhen.run.board import Board
from donewhen.run.reporting_change import Told, look
from donewhen.run.reporting_fold import StoryFold
from donewhen.run.reporting_model import Dossier, Record, Verdict
from donewhen.run.reporting_proofs import SPEAKING, Laid, lay
from donewhen.run.reporting_sieve import Sieve
from donewhen.store import Opened

_VERIFIES = "verify"
_MOST_LOOKS = 50  # at the board on the way, one for each claim


class _Read:
    """A ledger, read once."""

    def __init__(self, run_id: str, events: Iterator[Event], last: int, language: Language) -> None:
        self.events: dict[int, Event] = {}  # that can stand behind a proof
        self.head = ""
        self.story = StoryFold()
        self.board = Board(language=language)
        self.odd: list[Phrase] = []  # what the board could not take
        self._sieve = Sieve(last)
        self._session = SessionFold(run_id)
        self._masked: set[tuple[str, tuple[int, ...]]] = set()
        for event in events:
            self._take(event)

    def _take(self, event: Event) -> None:
        self.head = event.hash
        if event.type in SPEAKING:
            self.events[event.seq] = event
        self._session.take(event)
        if event.type == "decided" and self.story.attempts.count < _MOST_LOOKS:
            self._catch_masked()
        self.story.take(event)
        try:
            self.board.take(self._sieve.through(event.body, event.seq), event.seq)
        except DonewhenError as error:  # a promise or a plan of a form that is no longer read
            self.odd.append(Phrase("reporting.odd_event", {"seq": event.seq, "why": str(error)}))

    def _catch_masked(self) -> None:
        """What the agent leaned on when it claimed, and could have returned 0 in any case."""
        for proof in self.board.proofs():
            key = (proof.id, proof.evidence)
            event = self.events.get(proof.evidence[-1]) if proof.evidence else None
            if proof.status != "masked" or key in self._masked or event is None:
                continue
            self._masked.add(key)
            what = getattr(event.body, "command", "") or proof.label
            self.story.catch(event, "masked", what, proof.reason)

    @property
    def session(self) -> Session:
        return self._session.session


def gather(opened: Opened, run_id: str, env: Mapping[str, str], language: Language = "en") -> Dossier:
    """Everything that a report of this run says; SetupError when its ledger is not what was written."""
    read = _Read(run_id, opened.store.read(run_id), opened.store.head(run_id).seq, language)
    session, story = read.session, read.story
    laid = lay(read.board.proofs(), read.events, opened.artifacts.get, story.verified.values())
    record, trouble = _record(run_id, env)
    change = look(_told(session, story), env, opened.redactor.text)
    return _dossier(session, story)._replace(
        executed=bool(opened.store.holder(run_id)),
        proofs=laid.proofs,
        optional=laid.optional,
        altered=laid.altered,
        change=change,
        by_hand=session.shipment.commands if session.summary.ended else (),
        record=record,
        about=MappingProxyType(_about(session, story, record)),
        head=read.head,
        left_out=(*_left_out(story, laid), *read.odd[:20], *trouble),
    )


def _dossier(session: Session, story: StoryFold) -> Dossier:
    row = session.summary
    decision = story.decided.body if story.decided else None
    return Dossier(
        run=row.run_id,
        kind="verify" if row.agent == _VERIFIES else "run",
        state=row.state,
        verdict=verdict_of(row),
        executed=False,
        exit_code=_exit_code(row),
        decision=_decision(decision),
        goal=row.goal,
        promise=session.promise,
        amended=story.amended,
        created=row.created,
        updated=row.updated,
        duration=session.lived,
        turns=row.turns,
        tool_calls=row.tool_calls,
        budget_micros=row.budget_micros,
        budget_used=row.budget_used,
        total_micros=row.total_micros,
        held_micros=session.held_micros,
        attempts=story.attempts.items,
        caught=tuple(sorted(story.caught.items)),
        todos=session.todos,
        spent=story.spent,
        timeline=story.timeline.items,
        hooks=story.hooks,
        questions=story.questions,
        notes=story.notes.items,
        resumed=story.resumed.items,
        events=row.events,
    )


def verdict_of(row: Summary) -> Verdict:
    """What a stranger wants to know first."""
    if row.state == "paused":
        return "waiting"
    if not row.ended:
        return "running"
    return "accepted" if row.state == "done" and row.status == "accepted" else "not_accepted"


def _exit_code(row: Summary) -> int | None:
    """That of the run, where it came to an end that its last decision names."""
    ending = REASONS.get(row.stop_reason)  # type: ignore[call-overload]
    if ending is None or not (row.ended or row.state == "paused"):
        return None
    return ending.exit_code if ending.exit_code or verdict_of(row) == "accepted" else None


def _decision(body: Any) -> Mapping[str, Any]:
    """The decision object that `show`, the API and events share, whole."""
    if body is None:
        return EMPTY
    blank = {"status": "", "stop_reason": "", "cause": "", "summary": "", "details": [], "results": []}
    return MappingProxyType(blank | to_json(body))


def _told(session: Session, story: StoryFold) -> Told:
    row, place = session.summary, story.workspace
    return Told(
        run_id=row.run_id,
        repo=row.repo,
        base=row.base,
        workspace=place.path if place else "",
        in_place=bool(place and place.kind == "in_place"),
        ended=row.ended,
        shipped=story.shipped,
        judged=story.decided.body.fingerprint if story.decided else "",
    )


def _about(session: Session, story: StoryFold, record: Record | None) -> dict[str, str]:
    row, started = session.summary, story.started
    tools = record.tools if record else EMPTY
    known = {
        "repo": row.repo,
        "base": row.base,
        "branch": row.branch,
        "commit": story.shipped,
        "target": session.shipment.target,
        "merged": session.shipment.merged,
        "pull": session.shipment.pull,
        "workspace": row.workspace,
        "agent": row.agent,
        "client": client_of(session.metadata),
        "profile": row.profile,
        "donewhen": started.donewhen if started else "",
        "sandbox": str(session.metadata.get("sandbox") or tools.get("sandbox") or ""),
        "parent": row.parent,
    }
    return {name: value for name, value in known.items() if value}


def _left_out(story: StoryFold, laid: Laid) -> Iterator[Phrase]:
    for name, count in story.gone.items():
        yield Phrase("reporting.older", {"what": Phrase(f"reporting.{name}"), "count": count})
    if laid.left_out > 0:
        yield Phrase("reporting.more_proofs", {"count": laid.left_out})


def _record(run_id: str, env: Mapping[str, str]) -> tuple[Record | None, tuple[Phrase, ...]]:
    from donewhen.verify.acceptance_record import read_file, record_path

    path = record_path(state_folder(env), run_id)
    if not path.is_file():
        return None, ()
    try:
        accepted, _ = read_file(path, path.name)
    except DonewhenError as error:
        return None, (Phrase("reporting.bad_record", {"why": str(error)}),)
    said = accepted.predicate
    at, tools = said.get("accepted_at"), said.get("tools")
    return Record(
        str(path),
        accepted.ledger.seq,
        accepted.ledger.hash,
        accepted.tree,
        at if isinstance(at, str) else "",
        tools if isinstance(tools, Mapping) else EMPTY,
    ), ()
