"""All that is known of a change before anything is run: errors of the user show here, nothing is written."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shlex import join, quote
from typing import NamedTuple

from donewhen.core.accept import read_accept
from donewhen.core.paths import Exempt
from donewhen.core.profiles import Applied
from donewhen.core.promise import promise_id
from donewhen.core.target import describe_line
from donewhen.core.texts import Language, Phrase
from donewhen.intake.change import Judged, judge_change
from donewhen.intake.project import Project, ProjectCommand, detect
from donewhen.intake.request import Request
from donewhen.run.verifying.asking import Rules, declared, profile_for, rules_for
from donewhen.run.verifying.change import Base, Change, find_base, look, look_at_commit
from donewhen.run.verifying.kept import Kept, config_for
from donewhen.shell import parse
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.ignoring import Ignored
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.places import Places, places
from donewhen.workspace.setup.makers import run_at_hand

_CANNOT_FAIL = "intake.script_cannot_fail"
Progress = Callable[..., None]  # (what: Phrase, seconds: float, last line: str)


class Wanted(NamedTuple):
    request: Request = Request()
    base: str = ""
    profile: str = ""
    clean_room: bool = False
    everything: bool = False  # go on after a stage that failed
    cache: bool = True
    record: str = ""  # where the acceptance record is written beside its own place
    review: str = ""  # a file with somebody's review of the change
    apart: bool = False  # what a set-up makes is made in a room, never taken from the folder itself
    driven: bool = False  # by a run of ours, whose exam is never repeated in the user's own environment
    beside: tuple[str, ...] = ()  # folders of the user whose credential files count as well
    reviewer: str = ""  # a model that reviews the change
    budget: float = 1.0  # dollars for that
    since: Base | None = None  # the very base, where it is not to be found
    project: Kept | None = None
    confirmed: tuple[str, ...] = ()  # questions that somebody answered with yes, outside the change
    store: str = ""  # the URL of the ledger's store, where it is not the configuration's
    ignored: Ignored | None = None  # what was ignored when a session began
    hollow: bool = False  # where nothing can be proven that is a verdict, not an error
    allow_unproven: bool = False  # and one that counts as well


class Means(NamedTuple):
    """What the caller brings: where he stands, his environment and settings, and who hears of progress."""

    folder: Path
    env: Mapping[str, str]
    settings: Sequence[str] = ()
    language: Language = "en"
    progress: Progress = lambda *_: None


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
    beside: tuple[str, ...] = ()  # see Wanted
    allow_unproven: bool = False

    def moved_from(self, other: "Looked") -> bool:
        """Whether the tree differs in anything that matters."""
        return self.change.fingerprint.relevant != other.change.fingerprint.relevant


def look_round(wanted: Wanted, means: Means) -> Looked:
    """All that reading gives about the repository around `means.folder`."""
    repository = find_repository(means.folder, means.env)
    now = config_for(wanted.project, means.folder, means.env, means.settings)
    base_folder = now.config.tools.git.worktree_base
    where = places(repository, means.env, Path(base_folder) if base_folder else None)
    base = wanted.since or find_base(repository, wanted.base, now.config.project.target_branch)
    plain = Fingerprints(repository, where.home, ignored=wanted.ignored)
    rules = rules_for(now, plain, base, repository, means.env, means.settings)
    config = rules.config
    exempt = Exempt(config.verification_exempt_dirs)
    fingerprints = Fingerprints(
        repository,
        where.home,
        exempt=config.verification_exempt_dirs,
        irrelevant=config.evidence.irrelevant,
        ignored=wanted.ignored,
    )
    commands = declared(config, rules.loaded, parse)
    fresh = wanted.clean_room or config.evidence.clean_room
    judged = judge_change(
        wanted.request,
        means.folder,
        _project(repository.root, {} if fresh else means.env),
        commands,
        parse,
        promise_id=promise_id(time.time_ns() // 1_000_000, os.urandom(2)),
        language=means.language,
        hollow=wanted.hollow,
    )
    see = look_at_commit if wanted.clean_room else look
    change = see(repository, fingerprints, base, exempt)
    applied = profile_for(wanted.profile, rules, change.changed)
    said = (*rules.notes, *change.notes, *judged.notes)
    return Looked(
        repository,
        where,
        fingerprints,
        rules,
        change,
        judged,
        applied,
        exempt,
        said,
        wanted.beside,
        wanted.allow_unproven,
    )


def _project(root: Path, env: Mapping[str, str]) -> Project:
    """What the project says of itself, its tests as the environment at hand runs them (`env`: none is)."""
    project = _with_parts(root)
    if not env:
        return project
    commands = [
        each._replace(command=_at_hand(each.command, root, env)) if each.role == "test" else each
        for each in project.commands
    ]
    return project._replace(commands=tuple(commands))


def _at_hand(line: str, root: Path, env: Mapping[str, str]) -> str:
    entries = read_accept(line, parse)
    if len(entries) != 1 or entries[0].env:
        return line
    (entry,) = entries
    found = run_at_hand(root / entry.cwd, entry.argv, env)
    if found == entry.argv:
        return line
    return f"cd {quote(entry.cwd)} && {join(found)}" if entry.cwd else join(found)


def _with_parts(root: Path) -> Project:
    """Where its root has no tests, with those of its parts."""
    project = detect(root)
    if project.tests():
        return _undisplaced(project, root)
    hidden = [str(note.values["source"]) for note in project.notes if note.key == _CANNOT_FAIL]
    if hidden:  # a test script that hides its status is judged, and found to be masked
        script = hidden[0].rpartition("scripts.")[2]
        command = ProjectCommand("test", f"npm run {script}", hidden[0], True, "javascript")
        return project._replace(commands=(*project.commands, command))
    from donewhen.intake.survey import survey

    tests = survey(root, None).tests
    found = [ProjectCommand("test", each.line, each.source, True, each.language or "-") for each in tests]
    return project._replace(commands=(*project.commands, *found))


def _undisplaced(project: Project, root: Path) -> Project:
    """A target stands for what its languages usually run only where a test run is seen behind it."""
    commands = [
        command._replace(language="-") if _is_empty_target(command, root) else command
        for command in project.commands
    ]
    return project._replace(commands=tuple(commands))


def _is_empty_target(command: ProjectCommand, root: Path) -> bool:
    """Whether nothing behind a target looks like tests: no known runner, no program of the project."""
    if command.role != "test" or not command.written or command.language:
        return False
    from donewhen.verify.behind import behind

    lines = [line.text for entry in read_accept(command.command, parse) for line in behind(entry, root).lines]
    return bool(lines) and not any(_could_test(text) for text in lines)


def _could_test(text: str) -> bool:
    words = text.split()
    own = any("/" in word or word.endswith((".sh", ".py", ".js", ".rb", ".pl", ".ts")) for word in words)
    return own or describe_line(text, parse).is_test
