"""`verify` from start to verdict: look, ask, prepare, sit the exam, decide. The flow and nothing else."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.paths import state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.findings import Feedback
from donewhen.core.integrity.model import Finding
from donewhen.core.profiles import Applied
from donewhen.core.quality.model import GateResult
from donewhen.core.questions import Answer, Question
from donewhen.core.texts import Phrase
from donewhen.core.view import Files
from donewhen.run.verifying.accepting import keep_record, signing_of
from donewhen.run.verifying.change import Change
from donewhen.run.verifying.concluding import concluded
from donewhen.run.verifying.examining import Caller, Examined
from donewhen.run.verifying.judging import blockers_of, judge
from donewhen.run.verifying.looking import Looked, Means, Wanted, look_round
from donewhen.run.verifying.place import ExamPlace
from donewhen.run.verifying.promising import promised
from donewhen.run.verifying.quality.wishes import Wishes
from donewhen.run.verifying.recording import Record, begun, decision_data
from donewhen.run.verifying.review_model import model_reviewer, within_limits
from donewhen.run.verifying.reviewing import program_reviewer, review, stops
from donewhen.run.verifying.staging import stage
from donewhen.run.verifying.verdict import Judgement
from donewhen.secrets.redact import Redactor
from donewhen.store import Opened, open_store
from donewhen.verify.exam.missing import OFFLINE
from donewhen.workspace.fingerprint.files import files_of
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.caching import using


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
    questions: tuple[Question, ...] = ()  # that wait for a human
    answers: tuple[Answer, ...] = ()


Begin = Callable[[Opened, Repository, Change, str], Record]


async def verify_change(wanted: Wanted, means: Means, begin: Begin = begun) -> Verification:
    """Judge the change in the repository around `means.folder`; `begin` gives the ledger it is told in."""
    began = time.monotonic()
    looked, reviewed = await _looked(wanted, means)
    model = model_reviewer(looked, wanted, means)
    url, root = wanted.store or looked.rules.config.store.url, looked.repository.root
    redactor = Redactor.from_environment(means.env, secret_names(looked.rules.config))
    with (
        using(looked.places),
        open_store(url, state=state_folder(means.env), folder=root, redactor=redactor) as opened,
        begin(opened, looked.repository, looked.change, looked.profile.name) as record,
    ):
        files = files_of(root)
        record.promise(looked.judged.plan.promise, looked.repository, looked.change)
        blockers = blockers_of(looked)
        stop = bool(blockers) or stops(looked, reviewed)
        caller = Caller(wanted, means, opened.path, record, stop, reviewed)
        later = model(record.spent) if model else program_reviewer(looked, wanted, means)
        staged = await stage(caller._replace(reviewer=later), looked)
        sat, change = staged.sat, staged.sat.after.change
        judged = within_limits(judge(sat.after, sat.told, staged.facts), sat.gates)
        decided = concluded(judged, (*blockers, *staged.owed), change, means.language)
        record.found(looked.judged.plan, change, files, staged.facts)
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
        staged.feedback(means.language),
        decision_data(decided),
        (*_notes(sat, judged), *staged.notes),
        looked.rules.loaded.files,
        opened.path,
        int((time.monotonic() - began) * 1000),
        tuple(finding for finding in staged.weighed.findings if not finding.asks),
        kept,
        sat.gates,
        staged.open_questions,
        staged.answers,
    )


async def _looked(wanted: Wanted, means: Means) -> tuple[Looked, GateResult | None]:
    """All that is known before anything is run, with what somebody said about the change."""
    means.progress(Phrase("verify.looking"))
    looked = look_round(wanted, means)
    signing_of(looked)  # a key that is not there is told before anything is run
    reviewed = await review(looked, wanted, means)
    return promised(looked, means, reviewed), reviewed


def _notes(sat: Examined, judged: Judgement) -> tuple[Phrase | str, ...]:
    moved = sat.after.moved_from(sat.looked) and not judged.accepted
    return (
        *sat.looked.notes,
        *(sat.place.notes if sat.place else ()),
        *((Phrase("verify.moved"),) if moved else ()),
        *_no_network(sat.looked, judged),
        *Wishes(sat.looked, sat.session.means).left_out(),
    )


def _no_network(looked: Looked, judged: Judgement) -> tuple[Phrase, ...]:
    """A hint where a failure looks like one of the network that an exam does not have."""
    if looked.rules.config.sandbox.exam_network != "none":
        return ()
    wanting = [s for s in judged.sittings if s.way != "cached" and any(mark in s.tail for mark in OFFLINE)]
    open_ones = [s for s in wanting if s.ended is not None and s.ended.exit != 0]
    return tuple(Phrase("verify.no_network", {"command": s.entry.line}) for s in open_ones[:1])
