"""Where and with what an exam is sat: in place with what is at hand, or in a room that is set up for it.

In place is the user's own folder with the user's own tools, read and run but not written by us. A room is a
private copy of exactly the tree that is judged. Either way every command goes through guard and sandbox;
what only running needs is loaded only then, because a result that is used again should cost next to nothing.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.config import Config, user_file
from donewhen.config.paths import state_folder
from donewhen.core.accept import Accept
from donewhen.core.events.facts import CommandStarted
from donewhen.core.texts import Phrase
from donewhen.run.verifying.recording import Record, digest, discard
from donewhen.run.verifying.sitting import Place
from donewhen.secrets.redact import Redactor
from donewhen.verify.behind import behind, self_masked
from donewhen.verify.exam.model import Progress, Sat, Where
from donewhen.verify.exam.walls import desk_of, exam_plan
from donewhen.workspace.environment import command_environment
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run as run_command
from donewhen.workspace.rooms.rooms import clean_room, open_room
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.plan import plan
from donewhen.workspace.sandbox.support import probe
from donewhen.workspace.setup.detect import at_hand, setups_for
from donewhen.workspace.setup.digest import environment_digest
from donewhen.workspace.setup.model import AtHand, Prepared, Setup, Step
from donewhen.workspace.setup.preparing import prepare

if TYPE_CHECKING:
    from donewhen.run.verifying.verifying import Looked, Means, Wanted
    from donewhen.verify.exam.policy import Given

Kind = Literal["in_place", "room", "clean_room"]
_SETUP_SECONDS = 1800.0
_WAIT = 900.0  # for another verification that has the room
_LOCKS = (
    "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "package.json", "uv.lock", "poetry.lock",
    "pdm.lock", "Pipfile.lock", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt",
    "requirements-dev.txt", "Cargo.lock", "go.sum", "Gemfile.lock", "composer.lock",
)  # fmt: skip


class Surroundings(NamedTuple):
    prepared: Prepared
    place: Place
    where: Kind
    sandbox: str
    notes: tuple[Phrase, ...] = ()

    @property
    def all_notes(self) -> tuple[Phrase, ...]:
        return (*self.prepared.notes, *self.notes)


class _Site(NamedTuple):
    """A folder that an exam can be sat in."""

    folder: Path
    where: Kind
    readable: tuple[Path, ...] = ()
    notes: tuple[Phrase, ...] = ()


class _Bench(NamedTuple):
    """What everything here needs to know."""

    looked: "Looked"
    means: "Means"
    hide: tuple[Path, ...]
    record: Record
    redactor: Redactor

    @property
    def config(self) -> Config:
        return self.looked.rules.config

    @property
    def scratch(self) -> Path:
        return self.looked.places.scratch


@asynccontextmanager
async def surroundings(
    looked: "Looked", wanted: "Wanted", means: "Means", store: Path, record: Record
) -> AsyncIterator[Surroundings]:
    """Choose, open and prepare the place of the exam; closed again when it is over."""
    hide = (state_folder(means.env), user_file(means.env).parent, store.parent)
    bench = _Bench(looked, means, hide, record, Redactor.from_environment(means.env))
    commands = _by_folder(looked.judged.entries)
    config = looked.rules.config
    fresh = wanted.clean_room or config.evidence.clean_room
    hand = None if fresh else _at_hand(bench, commands)
    setups = () if hand is not None else _setups(bench, commands)
    if hand is None and not setups and not fresh:
        hand = AtHand("")
    if hand is not None:
        site = _Site(looked.repository.root, "in_place")
        yield _placed(bench, site, _shared(bench, site, hand))
        return
    means.progress(Phrase("verify.laying"))
    tree = looked.change.fingerprint.tree
    args = (looked.repository, looked.fingerprints, tree, looked.places)
    commit = looked.repository.head if wanted.clean_room else ""
    opened = clean_room(*args, commit) if fresh else open_room(*args, wait=_WAIT)
    with opened as room:
        site = _Site(room.folder, "clean_room" if fresh else "room", room.readable, room.notes)
        prepared = await prepare(
            setups, room.folder, looked.places.environments, means.env, _stepper(bench, site)
        )
        room.settle()
        yield _placed(bench, site, prepared)


def _by_folder(entries: Sequence[Accept]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for entry in entries:
        found.setdefault(entry.cwd, []).append(entry.argv)
    return found


def _at_hand(bench: _Bench, commands: Mapping[str, Sequence[tuple[str, ...]]]) -> AtHand | None:
    """What all commands need, where it is there already; None when something has to be set up."""
    setup = bench.config.workspace.setup
    root = bench.looked.repository.root
    if setup not in ("auto", "off"):
        return None
    found = [at_hand(root / folder, words, bench.means.env) for folder, words in commands.items()]
    known = [each for each in found if each is not None]
    if len(known) < len(found) and setup == "auto":
        return None
    return AtHand(
        ", ".join(dict.fromkeys(each.language for each in known if each.language)),
        tuple(dict.fromkeys(path for each in known for path in each.path)),
        {name: value for each in known for name, value in each.env.items()},
        ", ".join(dict.fromkeys(each.source for each in known if each.source)),
    )


def _setups(bench: _Bench, commands: Mapping[str, Sequence[tuple[str, ...]]]) -> tuple[Setup, ...]:
    """The declared set-up, else what the project's own files ask for."""
    declared = bench.config.workspace.setup
    if declared == "off":
        return ()
    if not isinstance(declared, str):
        steps = tuple(Step(tuple(argv), "workspace.setup") for argv in declared)
        return (Setup("", "", steps, _LOCKS, (".venv", "node_modules"), (".venv/bin", "node_modules/.bin")),)
    root, env = bench.looked.repository.root, bench.means.env
    found = [setups_for(root / folder, words, env, folder) for folder, words in commands.items()]
    return tuple(setup for setups in found for setup in setups)


def _shared(bench: _Bench, site: _Site, hand: AtHand) -> Prepared:
    env = command_environment(bench.means.env, bench.config.sandbox.env)
    name = environment_digest(site.folder, hand.path, {**env, **hand.env})
    return Prepared("shared", hand.path, hand.env, name, (hand.source,) if hand.source else ())


def _placed(bench: _Bench, site: _Site, prepared: Prepared) -> Surroundings:
    looked, config = bench.looked, bench.config
    borrowed = (looked.repository.git_dir, looked.repository.common)
    walls = exam_plan(
        site.folder,
        bench.means.env,
        config.sandbox,
        bench.scratch,
        git=borrowed if site.where == "in_place" else site.readable,
        room=site.where != "in_place",
        hide=bench.hide,
        path=prepared.path,
        kept=bench.scratch / "kept",
    )
    environment = digest(
        (
            prepared.digest,
            walls.mechanism,
            config.sandbox.exam_network,
            site.where,
            *sorted(prepared.env.items()),
        )
    )
    fingerprint = looked.change.fingerprint

    async def run(entry: Accept) -> Sat:
        from donewhen.verify.exam.policy import timeout_for
        from donewhen.verify.exam.running import run_entry

        bench.record.started(
            CommandStarted("exam", entry.text, entry.argv, entry.cwd, "harness", fingerprint.relevant)
        )
        where = Where(
            site.folder,
            desk_of(bench.scratch),
            bench.scratch / "outputs",
            bench.means.env,
            prepared.path,
            {**prepared.env, **walls.env},
            config.sandbox.env,
            walls,
            timeout_for(entry, config.verification.execution),
            bench.redactor,
            kept=bench.scratch / "kept",
        )

        def told(progress: Progress) -> None:
            bench.means.progress(
                Phrase("verify.running", {"command": entry.line}), progress.elapsed, progress.line
            )

        bench.means.progress(Phrase("verify.running", {"command": entry.line}))
        return await run_entry(entry, where, told)

    def renew() -> None:
        if site.where != "in_place":
            looked.fingerprints.lay(fingerprint.tree, site.folder)

    def after() -> tuple[str, tuple[str, ...]]:
        if site.where != "in_place":
            return fingerprint.relevant, ()
        now = looked.fingerprints.take()
        if now.relevant == fingerprint.relevant:
            return now.relevant, ()
        return now.relevant, tuple(looked.fingerprints.changed(fingerprint.tree, now.tree))

    def doubt(entry: Accept) -> Phrase | None:
        return self_masked(entry) or behind(entry, site.folder).trouble

    def needs_counts(entry: Accept) -> Phrase | None:
        return behind(entry, site.folder).counted

    def refusal(entry: Accept) -> Phrase | None:
        from donewhen.guard.configured import guard_at
        from donewhen.verify.exam.policy import judge

        guard = guard_at(str(site.folder), looked.rules.loaded, bench.means.env)
        given: Given = "user" if entry.identity in looked.judged.given else "project"
        refused = judge(entry, guard, config.verification.execution, given)
        return refused.reason if refused else None

    place = Place(
        site.folder,
        fingerprint.relevant,
        environment,
        run,
        bench.record.output,
        renew,
        after,
        doubt,
        needs_counts,
        refusal,
    )
    notes = (*site.notes, *walls.gaps) if bench.config.sandbox.mode == "required" else site.notes
    return Surroundings(prepared, place, site.where, walls.mechanism, notes)


def _stepper(bench: _Bench, site: _Site) -> Callable[[Step, Path, Mapping[str, str]], Awaitable[Finished]]:
    """How a step of a set-up is run: with the network that set-ups get, confined to its room."""
    sandbox = bench.config.sandbox
    wish = confine(
        site.folder,
        bench.scratch,
        bench.means.env,
        mode=sandbox.mode,
        network=sandbox.network,
        readable=site.readable,
        caches=[Path(cache).expanduser() for cache in bench.config.workspace.caches],
        hide=bench.hide,
    )
    walls = plan(wish, probe())

    async def run(step: Step, folder: Path, env: Mapping[str, str]) -> Finished:
        bench.means.progress(Phrase("verify.setting_up", {"command": join(step.argv)}))
        finished = await run_command(
            Command(
                folder,
                bench.scratch / "outputs",
                step.argv,
                env={**command_environment(env, sandbox.env), "CI": "1", **walls.env, **step.env},
                timeout=_SETUP_SECONDS,
                plan=walls,
                redactor=bench.redactor,
            )
        )
        discard(finished.output)
        return finished

    return run
