"""What is judged: a working tree against its base, or with `--clean-room` the commit alone.

Only looked at, never written. The base is the commit that the change began from: the user's word, else where
the branch left the one it will go to.
"""

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import join, quote
from typing import NamedTuple

from donewhen.commands import parse
from donewhen.config import Config, ConfigError, Loaded, load_config
from donewhen.config.files import read_regular
from donewhen.config.project import OTHER, OTHER_CONTEXT, OURS
from donewhen.config.trusted import last_trusted, trusts_any
from donewhen.core.accept import Accept, read_accept
from donewhen.core.errors import DonewhenError, UserError
from donewhen.core.matches import Parse
from donewhen.core.paths import Exempt
from donewhen.core.profiles import Applied
from donewhen.core.promise import Promise, promise_id
from donewhen.core.target import ANY_TESTS, describe_line, match_target
from donewhen.core.texts import Language, Phrase
from donewhen.core.view import Change as Kind
from donewhen.intake.change import Judged, judge_change
from donewhen.intake.parts import Parts
from donewhen.intake.planning import profile_for
from donewhen.intake.request import Request
from donewhen.project.parts import of_changed_parts
from donewhen.project.project import Project, ProjectCommand, detect
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.ignoring import Ignored
from donewhen.workspace.fingerprint.indexfile import BadIndex, whole
from donewhen.workspace.fingerprint.model import Fingerprint
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.git.runner import names
from donewhen.workspace.rooms.places import Places, places
from donewhen.workspace.setup.makers import run_at_hand

_SMALL = 128 * 1024  # bytes
_USUAL = ("main", "master")


class Base(NamedTuple):
    commit: str  # empty: before the first commit
    name: str  # how people call it: a branch, the word that was given


class Change(NamedTuple):
    base: Base
    fingerprint: Fingerprint
    changed: Mapping[str, Kind]  # since the base; exempt paths left out
    uncommitted: int = 0  # of them not in HEAD
    conflicts: tuple[str, ...] = ()  # files that a merge left unresolved
    notes: tuple[Phrase, ...] = ()


def find_base(repository: Repository, wanted: str, target: str) -> Base:
    """The base that was asked for, or the one that the branch itself tells."""
    if wanted:
        commit = repository.commit(wanted)
        if not commit:
            raise UserError("verify.no_base", base=wanted)
        return Base(repository.merge_base(commit, repository.head or commit) or commit, wanted)
    if not repository.head:
        return Base("", "")
    for name in _goals(repository, target):
        if name == repository.branch:
            return Base(repository.head, "HEAD")
        commit = repository.commit(name)
        base = repository.merge_base(commit, repository.head) if commit else ""
        if base:
            return Base(base, name)
    return Base(repository.head, "HEAD")


def _goals(repository: Repository, target: str) -> Iterator[str]:
    """Where the branch may go to, best first; its own copy elsewhere tells only what was not pushed yet."""
    follows = repository.upstream()
    if follows and follows.partition("/")[2] != repository.branch:
        yield follows
    for name in dict.fromkeys((target, *_USUAL)):
        yield name
        yield f"origin/{name}"
    if follows:
        yield follows


def look(
    repository: Repository, fingerprints: Fingerprints, base: Base, exempt: Exempt, *, commit: bool = False
) -> Change:
    """The working tree as it is; `commit`: the commit, and what is not in it is counted and told."""
    if commit and not repository.head:
        raise UserError("verify.no_commit")
    now = fingerprints.take()
    head = fingerprints.tree(repository.head)
    loose = len(fingerprints.changed(head, now.tree)) if head != now.tree else 0
    before, after = fingerprints.tree(base.commit), head if commit else now.tree
    differing = fingerprints.changed(before, after).items()
    changed = {path: kind for path, kind in differing if not exempt.match(path)}
    if commit:
        key = "verify.one_not_included" if loose == 1 else "verify.not_included"
        notes = (Phrase(key, {"count": loose}),) if loose else ()
        return Change(base, Fingerprint(head, head), changed, notes=notes)
    return Change(base, now, changed, loose, _conflicts(repository), _about(repository, now))


def _conflicts(repository: Repository) -> tuple[str, ...]:
    if _is_settled(repository):
        return ()
    listed = repository.git().run("ls-files", "--unmerged", "-z", "--full-name")
    return tuple(dict.fromkeys(line.partition("\t")[2] for line in names(listed)))


def _is_settled(repository: Repository) -> bool:
    """Whether an index is small and holds files alone; of any other, git is asked."""
    try:
        found = read_regular(repository.git_dir / "index", "index", largest=_SMALL, follow=False)
        return found is not None and bool(whole(found.data, repository.format))
    except (BadIndex, DonewhenError):
        return False


def _about(repository: Repository, now: Fingerprint) -> tuple[Phrase, ...]:
    busy = (Phrase("verify.busy", {"what": repository.busy}),) if repository.busy else ()
    sparse = (Phrase("verify.sparse", {"count": now.absent}),) if now.absent else ()
    return (*busy, *sparse, *now.notes)


class Kept(NamedTuple):
    home: Path
    texts: Mapping[str, str]  # by path in `home`; empty: there was none


def config_for(
    kept: Kept | None, folder: Path, env: Mapping[str, str], settings: Sequence[str] = ()
) -> Loaded:
    """The configuration that holds; one that was kept gives way only to one that the user trusts by now."""
    if kept is None:
        return load_config(folder, env=env, flags=settings)
    held = load_config(kept.home, env=env, flags=settings, project_text=kept.texts)
    try:
        now = load_config(kept.home, env=env, flags=settings)
    except ConfigError:
        return held  # what can't be read can't be trusted either
    return now if now.digest is not None and now.trusted and now.digest != held.digest else held


_LARGEST = 1024 * 1024


class Rules(NamedTuple):
    loaded: Loaded
    notes: tuple[Phrase | str, ...] = ()
    also: Config | None = None  # what the base's file asked for, where nobody trusts either

    @property
    def config(self) -> Config:
        return self.loaded.config


def rules_for(
    now: Loaded,
    fingerprints: Fingerprints,
    base: Base,
    repository: Repository,
    env: Mapping[str, str],
    settings: Sequence[str],
) -> Rules:
    """The configuration `now`, or the base's where only that one is trusted."""
    if now.digest is not None and now.trusted:
        return Rules(now)
    then = _of_base(fingerprints, base, repository, env, settings)
    if then is not None and then.digest is not None and then.trusted and then.digest != now.digest:
        return Rules(then, (Phrase("verify.config_of_base", {"base": base.commit[:8]}),))
    if trusts_any(env=env, folder=repository.root):
        return _kept(repository, env, settings)
    also = then.config if then is not None and then.digest != now.digest else None
    if now.ignored:
        return Rules(now, (Phrase("verify.ignored_settings", {"count": len(now.ignored)}),), also)
    return Rules(now, also=also)


def _kept(repository: Repository, env: Mapping[str, str], settings: Sequence[str]) -> Rules:
    """What the user trusted last, where a change took it away: it holds until he says otherwise."""
    texts = last_trusted(env=env, folder=repository.root)
    kept = load_config(repository.root, env=env, flags=settings, project_text=texts) if texts else None
    if kept is None or not kept.trusted:
        raise UserError("verify.trusted_config_gone")
    return Rules(kept, (Phrase("verify.config_kept"),))


def _of_base(
    fingerprints: Fingerprints,
    base: Base,
    repository: Repository,
    env: Mapping[str, str],
    settings: Sequence[str],
) -> Loaded | None:
    if not base.commit or not repository.git().attempt("ls-tree", base.commit, "--", OURS, OTHER).out:
        return None
    texts: dict[str, str] = {}
    tree = fingerprints.tree(base.commit)
    for name in (OURS, OTHER, OTHER_CONTEXT):
        data = fingerprints.content(tree, name)
        if data is not None and len(data) <= _LARGEST:
            texts[name] = data.decode(errors="replace")
    try:
        return load_config(repository.root, env=env, flags=settings, project_text=texts)
    except ConfigError:
        return None  # what can't be read can't have been trusted either


def declared(config: Config, loaded: Loaded, parse: Parse) -> Parts | None:
    """The commands of the gates that the configuration declares and that are part of the exam."""
    found: list[Accept] = []
    gates = config.verification.quality.gates if config.verification.quality.enabled else ()
    if gates:
        from donewhen.verify.quality.gates import is_own  # brings all gates with it
    for gate in gates:
        if gate.command and not is_own(gate):
            found += _entries(gate.command, parse, _place(loaded, gate.name))
    return Parts("config", accept=tuple(found)) if found else None


def _entries(words: Sequence[str], parse: Parse, source: str) -> tuple[Accept, ...]:
    """A gate has no folder of its own: `sh -c "cd web && npm test"` is how one is written, and read back."""
    if len(words) == 3 and tuple(words[:2]) == ("sh", "-c"):
        with suppress(UserError):
            return read_accept(words[2], parse, source)
    return read_accept(join(words), parse, source)


def _place(loaded: Loaded, gate: str) -> str:
    wanted = ("verification", "quality", "gates", gate)
    origin = next((each for key, each in loaded.origins.items() if key[:4] == wanted), None)
    return str(origin.place) if origin and origin.place.source else f"gates.{gate}"


_CANNOT_FAIL = "intake.script_cannot_fail"
Progress = Callable[..., None]  # (what: Phrase, seconds: float, last line: str)


class Wanted(NamedTuple):
    request: Request = Request()
    base: str = ""
    clean_room: bool = False
    everything: bool = False  # go on after a stage that failed
    cache: bool = True
    record: str = ""  # where the acceptance record is written beside its own place
    review: str = ""  # a file with somebody's review of the change
    apart: bool = False  # what a set-up makes is made in a room, never taken from the folder itself
    driven: bool = False  # by a run of ours, whose exam is never repeated in the user's own environment
    beside: tuple[str, ...] = ()  # folders of the user whose credential files count as well
    reviewer: str = ""  # a model that reviews the change
    budget: float = 1.0  # dollars for that, and for verifiers that have a price
    since: Base | None = None  # the very base, where it is not to be found
    project: Kept | None = None
    confirmed: tuple[str, ...] = ()  # questions that somebody answered with yes, outside the change
    store: str = ""  # the URL of the ledger's store, where it is not the configuration's
    ignored: Ignored | None = None  # what was ignored when a session began
    census: Path | None = None  # what was installed then
    mine: Collection[str] | None = None  # of what changed, what is an agent's work; None: all of it
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
    known: tuple[Accept, ...] = ()  # the project's own tests, where no command of the promise runs them

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
    change = look(repository, fingerprints, base, exempt, commit=wanted.clean_room)
    applied = profile_for(rules.loaded, change.changed)
    project = project_at(repository.root, {} if fresh else means.env)
    project, left_out = of_changed_parts(repository.root, project, change.changed)
    judged = judge_change(
        wanted.request,
        means.folder,
        project,
        commands,
        parse,
        promise_id=promise_id(time.time_ns() // 1_000_000, os.urandom(2)),
        language=means.language,
        hollow=wanted.hollow,
        tests=applied.tests,
    )
    refuse_unknown(judged.plan.promise, config)
    parts = (Phrase("verify.parts_left_out", {"parts": ", ".join(left_out)}),) if left_out else ()
    said = (*rules.notes, *change.notes, *judged.notes, *parts, *applied.notes(proven=bool(judged.entries)))
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
        known_tests(project, judged.entries, repository.root, config, applied),
    )


def refuse_unknown(promise: Promise, config: Config) -> None:
    """UserError where the promise asks for the word of a verifier that is not there."""
    if any(check.verifier for check in promise.checks):
        from donewhen.intake import verifiers
        from donewhen.tools.registry import installed

        verifiers.refuse_unknown(promise.checks, config, lambda: {tool.name for tool in installed()})


def known_tests(
    project: Project, entries: Sequence[Accept], root: Path, config: Config, applied: Applied
) -> tuple[Accept, ...]:
    """The project's own tests where none of `entries` runs a whole suite, by itself or behind a name."""
    if config.evidence.known_tests == "off" or not applied.tests or not project.tests():
        return ()
    from donewhen.project.behind import behind

    lines = [entry.text for entry in entries]
    lines += [line.text for entry in entries for line in behind(entry, root).lines]
    if any(match_target(ANY_TESTS, line, parse).same_check for line in lines):
        return ()
    found = [entry for each in project.tests() for entry in read_accept(each.command, parse, each.source)]
    return tuple({entry.identity: entry for entry in found if entry not in entries}.values())


def project_at(root: Path, env: Mapping[str, str]) -> Project:
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
    from donewhen.intake.planning import with_parts

    return with_parts(project, root)


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
    from donewhen.project.behind import behind

    lines = [line.text for entry in read_accept(command.command, parse) for line in behind(entry, root).lines]
    return bool(lines) and not any(_could_test(text) for text in lines)


def _could_test(text: str) -> bool:
    words = text.split()
    own = any("/" in word or word.endswith((".sh", ".py", ".js", ".rb", ".pl", ".ts")) for word in words)
    return own or describe_line(text, parse).is_test
