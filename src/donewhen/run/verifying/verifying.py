"""`verify` from start to verdict: look, ask, prepare, sit the exam, decide. The flow and nothing else."""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.config import load_config
from donewhen.config.paths import state_folder
from donewhen.core.accept import Accept
from donewhen.core.events.facts import FileConfirmed
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.findings import Feedback
from donewhen.core.gate import decide, examine
from donewhen.core.paths import Exempt, is_source
from donewhen.core.profiles import Applied, profile
from donewhen.core.promise import promise_id
from donewhen.core.scope import outside
from donewhen.core.tally import Flaky
from donewhen.core.texts import Language, Phrase
from donewhen.core.todos.model import TodoList
from donewhen.core.view import Files, View
from donewhen.intake.change import Judged, judge_change
from donewhen.intake.project import Project, ProjectCommand, detect
from donewhen.intake.request import Request
from donewhen.run.verifying.asking import Rules, declared, rules_for
from donewhen.run.verifying.change import Change, find_base, look, look_at_commit
from donewhen.run.verifying.concluding import concluded
from donewhen.run.verifying.place import ExamPlace
from donewhen.run.verifying.recording import Record, decision_data
from donewhen.run.verifying.sitting import Memory, Told, sit
from donewhen.run.verifying.surroundings import surroundings
from donewhen.run.verifying.verdict import Judgement, Sitting, judgement
from donewhen.run.wellformed import well_formed
from donewhen.secrets.redact import Redactor
from donewhen.shell import parse
from donewhen.store import open_store
from donewhen.store.results import Results
from donewhen.workspace.fingerprint.files import files_of
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.places import Places, places

Progress = Callable[..., None]  # (what: Phrase, seconds: float, last line: str)


class Wanted(NamedTuple):
    request: Request = Request()
    base: str = ""
    profile: str = ""
    clean_room: bool = False
    everything: bool = False  # go on after a stage that failed
    cache: bool = True


class Means(NamedTuple):
    """What the caller brings: where he stands, his environment and settings, and who hears of progress."""

    folder: Path
    env: Mapping[str, str]
    settings: Sequence[str] = ()
    language: Language = "en"
    progress: Progress = lambda *_: None


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
    duration_ms: int


class Looked(NamedTuple):
    """Everything that is known before anything is run."""

    repository: Repository
    places: Places
    fingerprints: Fingerprints
    rules: Rules
    change: Change
    judged: Judged
    profile: Applied
    exempt: Exempt
    notes: tuple[Phrase | str, ...]


async def verify_change(wanted: Wanted, means: Means) -> Verification:
    """Judge the change in the repository around `means.folder`."""
    began = time.monotonic()
    means.progress(Phrase("verify.looking"))
    looked = _look(wanted, means)
    config = looked.rules.config
    state = state_folder(means.env)
    redactor = Redactor.from_environment(means.env)
    with (
        open_store(config.store.url, state=state, folder=looked.repository.root, redactor=redactor) as opened,
        Record(opened, looked.repository, looked.change, looked.profile.name) as record,
    ):
        record.promise(looked.judged.plan.promise, looked.repository, looked.change)
        blockers = _blockers(looked)
        told: list[Told] = []
        place: ExamPlace | None = None
        if blockers and not wanted.everything:
            told = [Told(_skipped(entry), ()) for entry in looked.judged.entries]
        elif looked.judged.entries:
            async with surroundings(looked, wanted, means, opened.path, record) as place:
                flaky = config.evidence.flaky
                memory = Memory(
                    Results(state / "results"),
                    record.run_id,
                    wanted.cache,
                    Flaky(flaky.passes, flaky.of),
                    parse,
                    config.verification.source_extensions,
                )
                for entry in looked.judged.entries:
                    told.append(await sit(entry, place, memory))
                    record.told(told[-1])
        ran = any(each.sitting.way == "ran" for each in told)
        change = _again(looked, wanted) if ran else looked.change
        judged = _judge(looked._replace(change=change), told)
        decided = concluded(judged, blockers, change, means.language)
        record.decided(decided)
    return Verification(
        record.run_id,
        looked.repository.branch,
        looked.repository.head,
        change,
        judged,
        looked.profile,
        place,
        files_of(looked.repository.root),
        blockers,
        tuple(feedback for each in told for feedback in each.sitting.feedback()),
        decision_data(decided),
        (*looked.notes, *(place.notes if place else ()), *_moved(looked, change)),
        int((time.monotonic() - began) * 1000),
    )


def _look(wanted: Wanted, means: Means) -> Looked:
    """All that reading gives; errors of the user show here, before anything is written or run."""
    repository = find_repository(means.folder, means.env)
    now = load_config(means.folder, env=means.env, flags=means.settings)
    base_folder = now.config.tools.git.worktree_base
    where = places(repository, means.env, Path(base_folder) if base_folder else None)
    base = find_base(repository, wanted.base, now.config.project.target_branch)
    plain = Fingerprints(repository, where.home)
    rules = rules_for(now, plain, base, repository.root, means.env, means.settings)
    config = rules.config
    exempt = Exempt(config.verification_exempt_dirs)
    fingerprints = Fingerprints(
        repository,
        where.home,
        exempt=config.verification_exempt_dirs,
        irrelevant=config.evidence.irrelevant,
    )
    commands, notes = declared(config, rules.loaded, parse)
    judged = judge_change(
        wanted.request,
        means.folder,
        _project(repository.root),
        commands,
        parse,
        promise_id=promise_id(time.time_ns() // 1_000_000, os.urandom(2)),
        language=means.language,
    )
    see = look_at_commit if wanted.clean_room else look
    change = see(repository, fingerprints, base, exempt)
    applied = profile(
        wanted.profile or config.verification.profile, change.changed, config.verification.source_extensions
    )
    said = (*rules.notes, *change.notes, *notes, *judged.notes)
    return Looked(repository, where, fingerprints, rules, change, judged, applied, exempt, said)


def _project(root: Path) -> Project:
    """What the project says of itself; where its root has no tests, with those of its parts."""
    project = detect(root)
    if project.tests():
        return project
    from donewhen.intake.survey import survey

    tests = survey(root, None).tests
    found = [ProjectCommand("test", each.line, each.source, True, each.language or "-") for each in tests]
    return project._replace(commands=(*project.commands, *found))


def _exam(looked: Looked, told: Iterable[Told]) -> Exam:
    config, change, promise = looked.rules.config, looked.change, looked.judged.plan.promise
    flaky = config.evidence.flaky
    evidence = Evidence(
        parse,
        Flaky(flaky.passes, flaky.of),
        lambda path: bool(outside(promise, [path], looked.exempt)),
    )
    for each in told:
        for result in each.history:
            evidence.take(result.ended)
        ended = each.sitting.ended
        if ended is not None and each.sitting.why is None and not each.history:
            evidence.take(ended)
    files = files_of(looked.repository.root)
    for path, kind in change.changed.items():
        text = files.text(path) if kind != "deleted" and not is_source(path) else None
        if text is not None and well_formed(path, text):
            evidence.take(FileConfirmed(path, 0, "harness"))
    view = View(change.fingerprint.tree, change.fingerprint.relevant, files, change.changed)
    return Exam(
        promise,
        evidence,
        view,
        parse,
        todos=TodoList(MappingProxyType({todo.id: todo for todo in looked.judged.plan.todos})),
        exempt=looked.exempt,
        extensions=config.verification.source_extensions,
        answered=False,
    )


def _blockers(looked: Looked) -> tuple[Phrase, ...]:
    """What is wrong whatever the commands say: nothing of it has to be run to be seen."""
    found = examine(_exam(looked, ()))
    failed = [
        Phrase("gate.check_open", {"check": result.id.rstrip(":"), "reason": result.reason})
        for result in found.failed
        if result.kind not in ("command_success", "tool_fact", "quality_gate", "scenario")
    ]
    if looked.change.conflicts:
        paths = ", ".join(looked.change.conflicts[:12])
        failed.insert(0, Phrase("verify.conflicts", {"paths": paths}))
    return tuple(failed)


def _judge(looked: Looked, told: Sequence[Told]) -> Judgement:
    sittings = tuple(each.sitting for each in told)
    decision = decide(_exam(looked, told))
    return judgement(decision, sittings, blocked=bool(looked.change.conflicts))


def _skipped(entry: Accept) -> Sitting:
    return Sitting(entry, "skipped", why=Phrase("verify.not_run_yet"))


def _again(looked: Looked, wanted: Wanted) -> Change:
    """The change as it is after the exam: what commands or people wrote meanwhile is not proven."""
    if wanted.clean_room:
        return looked.change
    return look(looked.repository, looked.fingerprints, looked.change.base, looked.exempt)


def _moved(looked: Looked, change: Change) -> tuple[Phrase, ...]:
    same = change.fingerprint.relevant == looked.change.fingerprint.relevant
    return () if same else (Phrase("verify.moved"),)
