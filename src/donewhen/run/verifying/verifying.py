"""`verify` from start to verdict: look, ask, prepare, sit the exam, decide. The flow and nothing else."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.paths import state_folder
from donewhen.core.accept import Accept
from donewhen.core.checks import Check
from donewhen.core.events.facts import Verified
from donewhen.core.findings import Feedback
from donewhen.core.freshness import trees_proven
from donewhen.core.integrity.model import Finding
from donewhen.core.profiles import Applied
from donewhen.core.quality.model import GateResult
from donewhen.core.scenarios import Proof
from donewhen.core.scenarios import verified as facts_of
from donewhen.core.tally import Flaky
from donewhen.core.texts import Phrase
from donewhen.core.view import Files
from donewhen.run.verifying.accepting import keep_record, signing_of
from donewhen.run.verifying.change import Change, look
from donewhen.run.verifying.concluding import concluded
from donewhen.run.verifying.facts import feedback_of, integrity_fact, owed
from donewhen.run.verifying.inspecting import asked_of, inspect_change
from donewhen.run.verifying.judging import blockers_of, judge
from donewhen.run.verifying.looking import Looked, Means, Wanted, look_round
from donewhen.run.verifying.place import ExamPlace, doubt_about
from donewhen.run.verifying.quality.applying import checks_of
from donewhen.run.verifying.quality.session import Session, Sought, not_reached
from donewhen.run.verifying.quality.telling import gate_facts, gate_feedback, owed_by_gates
from donewhen.run.verifying.quality.wishes import Wishes
from donewhen.run.verifying.recording import Record, decision_data
from donewhen.run.verifying.rerunning import Proper
from donewhen.run.verifying.reviewing import review, stops
from donewhen.run.verifying.scenarios import prove_change, still_unlinked
from donewhen.run.verifying.sitting import Memory, Told, sit
from donewhen.run.verifying.surroundings import surroundings
from donewhen.run.verifying.verdict import Judgement, Sitting
from donewhen.run.verifying.weighing import Weighed, firm, unsat, weigh
from donewhen.secrets.redact import Redactor
from donewhen.shell import parse
from donewhen.store import open_store
from donewhen.store.cases import CaseStore
from donewhen.store.results import Results
from donewhen.verify.integrity.inspecting import Asked, Inspected
from donewhen.verify.scenarios.proving import wanted as scenarios_of
from donewhen.workspace.fingerprint.files import files_of
from donewhen.workspace.rooms.caching import using

_OFFLINE = (
    "Temporary failure in name resolution", "Name or service not known", "nodename nor servname provided",
    "Network is unreachable", "getaddrinfo", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "no such host",
    "Failed to establish a new connection", "Could not resolve host",
)  # fmt: skip


class Verification(NamedTuple):
    run_id: str
    branch: str
    head: str
    change: Change
    judgement: Judgement
    profile: Applied
    place: ExamPlace | None  # None where nothing had to be run
    files: Files
    blockers: tuple[Phrase, ...]  # what stands against it beside the exam
    feedback: tuple[Feedback, ...]
    decided: Mapping[str, Any]
    notes: tuple[Phrase | str, ...]
    config_files: tuple[str, ...]
    store: Path
    duration_ms: int
    integrity: tuple[Finding, ...] = ()
    record: Path | None = None  # the acceptance record, where it was accepted
    gates: tuple[GateResult, ...] = ()


async def verify_change(wanted: Wanted, means: Means) -> Verification:
    """Judge the change in the repository around `means.folder`."""
    began = time.monotonic()
    means.progress(Phrase("verify.looking"))
    looked = look_round(wanted, means)
    reviewed = await review(looked, wanted, means)
    looked = _promised(looked, means, reviewed)
    signing_of(looked)  # a key that is not there is told before anything is run
    asked = asked_of(looked, wanted)
    url, root = looked.rules.config.store.url, looked.repository.root
    redactor = Redactor.from_environment(means.env)
    with (
        using(looked.places),
        open_store(url, state=state_folder(means.env), folder=root, redactor=redactor) as opened,
        Record(opened, looked.repository, looked.change, looked.profile.name) as record,
    ):
        files = files_of(root)
        record.promise(looked.judged.plan.promise, looked.repository, looked.change)
        blockers = blockers_of(looked)
        stop = bool(blockers) or stops(looked, reviewed)
        sat = await _examined(_Session(wanted, means, opened.path, record, stop, reviewed), looked)
        weighed = await _weighed(sat, asked)
        change = sat.after.change
        proofs = await _proven(sat)
        integrity = integrity_fact(weighed.findings, change.fingerprint.relevant)
        verified = (integrity, *sat.facts, *facts_of(proofs, change.fingerprint.relevant))
        judged = judge(sat.after, sat.told, verified)
        open_ones = (*blockers, *owed(weighed.findings), *owed_by_gates(sat.gates))
        decided = concluded(judged, open_ones, change, means.language)
        record.found(looked.judged.plan, change, files, verified)
        record.decided(decided)
        kept = keep_record(opened, record.run_id, sat.after, sat.place, wanted, means, judged.accepted)
    return Verification(
        record.run_id,
        looked.repository.branch,
        looked.repository.head,
        change,
        judged,
        looked.profile,
        sat.place,
        files,
        blockers,
        _feedback(sat, weighed, means),
        decision_data(decided),
        (*_notes(sat, judged), *weighed.notes, *still_unlinked(proofs, sat.after)),
        looked.rules.loaded.files,
        opened.path,
        int((time.monotonic() - began) * 1000),
        weighed.findings,
        kept,
        sat.gates,
    )


class _Examined(NamedTuple):
    """The exam as it was sat, and the change before and after it."""

    session: "_Session"
    looked: Looked
    after: Looked
    told: list[Told]
    place: ExamPlace | None
    inspected: Inspected
    gates: tuple[GateResult, ...]
    facts: tuple[Verified, ...]  # of the gates
    judged: Judgement  # as if integrity had nothing to say


async def _examined(session: "_Session", looked: Looked) -> _Examined:
    """Integrity by reading, then the exam and the gates, unless something stands against the change."""
    wanted, means = session.wanted, session.means
    means.progress(Phrase("verify.comparing"))
    inspected = inspect_change(looked, wanted, means)
    session = session._replace(skip=session.skip or firm(inspected.findings))
    sat = await _sat(session, looked)
    after = _again(looked, wanted, sat.told)
    if after.moved_from(looked) and not judge(_unpromised(after), sat.told).accepted and _went_well(sat.told):
        # they wrote something, or somebody else did meanwhile: once more, on the tree as it is now
        sat = await _sat(session._replace(lenient=True), after)
        looked, after = after, _again(after, wanted, sat.told)
        inspected = inspect_change(after, wanted, means)
    gates = await sat.gates.finish(sat.sought) if sat.gates else not_reached(Wishes(looked, means))
    gates = (*([session.reviewed] if session.reviewed else []), *gates)
    facts = gate_facts(gates, _tree_of_gates(looked, after)) if looked.change.changed else ()
    judged = judge(after, sat.told, facts)
    return _Examined(session, looked, after, sat.told, sat.place, inspected, gates, facts, judged)


def _promised(looked: Looked, means: Means, reviewed: GateResult | None) -> Looked:
    """With the gates that must pass among its checks, so that the gate knows what is owed."""
    promise = looked.judged.plan.promise
    known = {(check.kind, check.target) for check in promise.checks}
    asked = checks_of((reviewed.gate,)) if reviewed is not None and reviewed.required else ()
    wanted = (*asked, *Wishes(looked, means).checks())
    more = [check for check in wanted if (check.kind, check.target) not in known]
    return _with_checks(looked, (*promise.checks, *more))


def _unpromised(looked: Looked) -> Looked:
    """As far as the exam alone can tell."""
    checks = looked.judged.plan.promise.checks
    return _with_checks(looked, tuple(check for check in checks if check.kind != "quality_gate"))


def _with_checks(looked: Looked, checks: tuple[Check, ...]) -> Looked:
    plan = looked.judged.plan
    promise = plan.promise._replace(checks=checks)
    return looked._replace(judged=looked.judged._replace(plan=plan._replace(promise=promise)))


def _tree_of_gates(looked: Looked, after: Looked) -> str:
    """Which tree the gates speak for: what the exam wrote beside source does not age their word."""
    before, now = looked.change.fingerprint, after.change.fingerprint
    if before.relevant == now.relevant:
        return now.relevant
    wrote = looked.fingerprints.changed(before.tree, now.tree)
    extensions = looked.rules.config.verification.source_extensions
    proven = trees_proven(before.relevant, now.relevant, tuple(wrote), extensions)
    return now.relevant if now.relevant in proven else before.relevant


async def _weighed(sat: _Examined, asked: Asked) -> Weighed:
    """Integrity in full: where the exam passed, with what only sitting it again tells."""
    if not sat.judged.accepted or sat.place is None or firm(sat.inspected.findings):
        return unsat(sat.inspected, asked)
    return await weigh(_proper(sat.session, sat.after, sat.place), sat.told, sat.inspected, asked)


async def _proven(sat: _Examined) -> tuple[Proof, ...]:
    """What the exam proves of the scenarios that the promise lists."""
    if not scenarios_of(sat.after.judged.plan.promise.checks):
        return ()
    proper = _proper(sat.session, sat.after, sat.place) if sat.place else None
    return await prove_change(proper, sat.after, [case for each in sat.told for case in each.sitting.cases])


def _feedback(sat: _Examined, weighed: Weighed, means: Means) -> tuple[Feedback, ...]:
    return (
        *(feedback for each in sat.told for feedback in each.sitting.feedback()),
        *(feedback_of(finding, means.language) for finding in weighed.findings),
        *(feedback for gate in sat.gates for feedback in gate_feedback(gate, means.language)),
    )


def _proper(session: "_Session", looked: Looked, place: ExamPlace) -> Proper:
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


class _Session(NamedTuple):
    """What stays the same however often the exam is sat."""

    wanted: Wanted
    means: Means
    store: Path
    record: Record
    skip: bool
    reviewed: GateResult | None = None
    lenient: bool = False


class _Sat(NamedTuple):
    told: list[Told]
    place: ExamPlace | None = None
    gates: Session | None = None  # None where they were not asked
    sought: Sought = Sought()


async def _sat(session: _Session, looked: Looked) -> _Sat:
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
        proper = _proper(session, looked, place)._replace(entries=tuple(left))
        gates = Session(wishes, proper, state_folder(means.env) / "quality")
        async with gates.beside() as beside:
            for entry in left:
                told[entry.identity] = await sit(entry, place, memory)
                record.told(told[entry.identity])
            sought = await beside
        sought = await gates.after(sought, [told[entry.identity] for entry in left])
    return _Sat(list(told.values()), place, gates, sought)


def _memory(session: _Session, looked: Looked) -> Memory:
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
        CaseStore(kept) if scenarios_of(looked.judged.plan.promise.checks) else None,
    )


def _skipped(entry: Accept) -> Sitting:
    return Sitting(entry, "skipped", why=Phrase("verify.not_run_yet"))


def _notes(sat: _Examined, judged: Judgement) -> tuple[Phrase | str, ...]:
    moved = sat.after.moved_from(sat.looked) and not judged.accepted
    return (
        *sat.looked.notes,
        *(sat.place.notes if sat.place else ()),
        *((Phrase("verify.moved"),) if moved else ()),
        *_no_network(sat.looked, judged),
    )


def _no_network(looked: Looked, judged: Judgement) -> tuple[Phrase, ...]:
    """A hint where a failure looks like one of the network that an exam does not have."""
    if looked.rules.config.sandbox.exam_network != "none":
        return ()
    wanting = [s for s in judged.sittings if s.way != "cached" and any(mark in s.tail for mark in _OFFLINE)]
    open_ones = [s for s in wanting if s.ended is not None and s.ended.exit != 0]
    return tuple(Phrase("verify.no_network", {"command": s.entry.line}) for s in open_ones[:1])


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
