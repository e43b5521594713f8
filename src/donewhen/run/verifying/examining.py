"""The exam of a change with the gates beside it, once or, where the tree moved under it, once more."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.config.paths import state_folder
from donewhen.core.accept import Accept
from donewhen.core.events.facts import Verified
from donewhen.core.freshness import trees_proven
from donewhen.core.quality.model import GateResult
from donewhen.core.tally import Flaky
from donewhen.core.texts import Phrase
from donewhen.run.verifying.change import look
from donewhen.run.verifying.judging import judge
from donewhen.run.verifying.looking import Looked, Means, Wanted
from donewhen.run.verifying.place import ExamPlace, doubt_about
from donewhen.run.verifying.promising import unpromised
from donewhen.run.verifying.quality.session import Session, Sought, not_reached
from donewhen.run.verifying.quality.telling import gate_facts
from donewhen.run.verifying.quality.wishes import Wishes
from donewhen.run.verifying.recording import Recorder
from donewhen.run.verifying.rerunning import Proper
from donewhen.run.verifying.sitting import Memory, Told, sit
from donewhen.run.verifying.surroundings import surroundings
from donewhen.run.verifying.verdict import Judgement, Sitting
from donewhen.shell import parse
from donewhen.store.cases import CaseStore
from donewhen.store.results import Results

if TYPE_CHECKING:
    from donewhen.run.verifying.reviewing import Reviewer


class Caller(NamedTuple):
    """What stays the same however often the exam is sat."""

    wanted: Wanted
    means: Means
    store: Path
    record: Recorder
    skip: bool
    reviewed: GateResult | None = None
    lenient: bool = False
    reviewer: "Reviewer | None" = None  # who is asked once all else holds


class Examined(NamedTuple):
    """The exam as it was sat, and the change before and after it."""

    session: Caller
    looked: Looked
    after: Looked
    told: list[Told]
    place: ExamPlace | None
    gates: tuple[GateResult, ...]
    facts: tuple[Verified, ...]  # of the gates
    judged: Judgement  # as if integrity had nothing to say


class _Sat(NamedTuple):
    told: list[Told]
    place: ExamPlace | None = None
    gates: Session | None = None  # None where they were not asked
    sought: Sought = Sought()


async def examined(session: Caller, looked: Looked) -> Examined:
    """The exam and the gates beside it, unless something stands against the change already."""
    wanted = session.wanted
    sat = await _sat(session, looked)
    after = _again(looked, wanted, sat.told)
    if after.moved_from(looked) and not judge(unpromised(after), sat.told).accepted and _went_well(sat.told):
        # they wrote something, or somebody else did meanwhile: once more, on the tree as it is now
        sat = await _sat(session._replace(lenient=True), after)
        looked, after = after, _again(after, wanted, sat.told)
    gates = await _gated(session, looked, sat) if looked.change.changed else ()
    facts = gate_facts(gates, _tree_of_gates(looked, after))
    judged = judge(after, sat.told, facts)
    return Examined(session, looked, after, sat.told, sat.place, gates, facts, judged)


async def _gated(session: Caller, looked: Looked, sat: _Sat) -> tuple[GateResult, ...]:
    reviewed = (session.reviewed,) if session.reviewed else ()
    if sat.gates is None:
        return (*reviewed, *not_reached(Wishes(looked, session.means), _kept(session.means)))
    return (*reviewed, *await sat.gates.finish(sat.sought))


def _tree_of_gates(looked: Looked, after: Looked) -> str:
    """Which tree the gates speak for: what the exam wrote beside source does not age their word."""
    before, now = looked.change.fingerprint, after.change.fingerprint
    if before.relevant == now.relevant:
        return now.relevant
    wrote = looked.fingerprints.changed(before.tree, now.tree)
    extensions = looked.rules.config.verification.source_extensions
    proven = trees_proven(before.relevant, now.relevant, tuple(wrote), extensions)
    return now.relevant if now.relevant in proven else before.relevant


async def _sat(session: Caller, looked: Looked) -> _Sat:
    """The commands of the exam, one after the other, the gates beside them; none where a stage failed."""
    entries = looked.judged.entries
    wanted, means, record = session.wanted, session.means, session.record
    if session.skip and not wanted.everything:
        return _Sat([Told(_skipped(entry), ()) for entry in entries])
    doubts = {entry.identity: doubt_about(entry, looked.repository.root) for entry in entries}
    left = [entry for entry in entries if not doubts[entry.identity]]
    told = {entry.identity: _masked(entry, doubts[entry.identity]) for entry in entries}
    wishes = Wishes(looked, means)
    if not left and not wishes.gates:
        return _Sat(list(told.values()))
    async with surroundings(looked, wanted, means, session.store, record, left) as place:
        memory = _memory(session, looked)
        proper = proper_of(session, looked, place)._replace(entries=tuple(left))
        gates = Session(wishes, proper, _kept(means))
        async with gates.beside() as beside:
            for entry in left:
                told[entry.identity] = await sit(entry, place, memory)
                record.told(told[entry.identity])
            sought = await beside
        sought = await gates.after(sought, [told[entry.identity] for entry in left])
    return _Sat(list(told.values()), place, gates, sought)


def proper_of(session: Caller, looked: Looked, place: ExamPlace) -> Proper:
    return Proper(
        looked,
        session.wanted,
        session.means,
        session.store,
        session.record,
        _memory(session, looked),
        place,
        looked.judged.entries,
    )


def _memory(session: Caller, looked: Looked) -> Memory:
    config = looked.rules.config
    kept = state_folder(session.means.env) / "results"
    return Memory(
        Results(kept),
        session.record.run_id,
        session.wanted.cache,
        Flaky(config.evidence.flaky.passes, config.evidence.flaky.of),
        parse,
        config.verification.source_extensions,
        session.lenient,
        CaseStore(kept),
    )


def _skipped(entry: Accept) -> Sitting:
    return Sitting(entry, "skipped", why=Phrase("verify.not_run_yet"))


def _masked(entry: Accept, why: Phrase | None) -> Told:
    """A command that can't show a failure is not started, and nothing is prepared for it."""
    return Told(Sitting(entry, "masked", why=why), ())


def _again(looked: Looked, wanted: Wanted, told: list[Told]) -> Looked:
    """The change as it is after the exam: what commands or people wrote meanwhile is not proven."""
    ran = any(each.sitting.way in ("ran", "could_not_run") for each in told)
    if wanted.clean_room or not ran:
        return looked
    base = looked.change.base
    return looked._replace(change=look(looked.repository, looked.fingerprints, base, looked.exempt))


def _went_well(told: list[Told]) -> bool:
    """Whether every command that was run passed on the tree that it began on."""
    ended = [each.sitting.ended for each in told if each.sitting.way != "cached"]
    return all(one is not None and one.exit == 0 for one in ended)


def _kept(means: Means) -> Path:
    """Where gates keep what they said."""
    return state_folder(means.env) / "quality"
