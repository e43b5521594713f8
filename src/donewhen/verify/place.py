"""Where and with what an exam is run: in place with what is at hand, or in a room that is set up for it.

In place is the user's own folder with the user's own tools, read and run but not written by us. A room is a
private copy of exactly the tree that is judged. Either way every command goes through guard and sandbox;
what only running needs is loaded only then, because a result that is used again should cost next to nothing.
"""

import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.commands import parse
from donewhen.config import Config, user_file
from donewhen.config.paths import state_folder
from donewhen.config.secret_names import secret_names
from donewhen.core.accept import Accept
from donewhen.core.events.facts import CommandStarted
from donewhen.core.paths import is_source
from donewhen.core.target import describe_line
from donewhen.core.texts import Phrase
from donewhen.project.behind import behind
from donewhen.project.parts import part_of
from donewhen.secrets.redact import Redactor
from donewhen.verify.exam.model import Execution, Progress, Where
from donewhen.verify.record import Recorder, digest, discard
from donewhen.workspace.environment import command_environment, ordinary_beside
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.processes.running import run as run_process
from donewhen.workspace.rooms.gitdir import borrowed
from donewhen.workspace.rooms.rooms import clean_room, open_room
from donewhen.workspace.sandbox.confinement import confine
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import probe
from donewhen.workspace.setup.detect import at_hand, setups_for
from donewhen.workspace.setup.digest import DECIDING, environment_digest
from donewhen.workspace.setup.model import AtHand, Prepared, Setup, Step
from donewhen.workspace.setup.preparing import prepare

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means, Wanted
    from donewhen.verify.exam.policy import Given

Kind = Literal["in_place", "room", "clean_room"]
_SETUP_SECONDS = 1800.0
_WAIT = 900.0  # for another verification that has the room
_TEMP_MARKS = ("/tmp", "Permission denied", "PermissionError", "EACCES")  # noqa: S108


class Site(NamedTuple):
    """A folder that an exam can be run in."""

    folder: Path
    where: Kind
    readable: tuple[Path, ...] = ()
    notes: tuple[Phrase, ...] = ()


class Bench(NamedTuple):
    """What everybody who runs something here needs to know."""

    looked: "Looked"
    means: "Means"
    hide: tuple[Path, ...]
    record: Recorder
    redactor: Redactor
    repeats: bool = False  # what fails for want of the machine's temp folder is run once more with it

    @property
    def config(self) -> Config:
        return self.looked.rules.config

    @property
    def scratch(self) -> Path:
        return self.looked.places.scratch

    @property
    def outputs(self) -> Path:
        return self.scratch / "outputs"


class ExamPlace:
    """On which tree and in which environment an exam is run, and how to start a command and look again."""

    def __init__(self, bench: Bench, site: Site, prepared: Prepared) -> None:
        self.bench = bench
        self.site = site
        self.prepared = prepared
        self.environment = _environment(bench, site, prepared)
        self._walls: Plan | None = None
        self._shared: dict[str, Phrase] = {}  # commands that pass in the user's own environment only
        self._lent: tuple[str, ...] = ()  # names of variables that the command sees beside the usual ones

    @property
    def folder(self) -> Path:
        return self.site.folder

    @property
    def sandbox(self) -> str:
        """What confined the commands; empty when none had to be run."""
        return self._walls.mechanism if self._walls else ""

    @property
    def notes(self) -> tuple[Phrase, ...]:
        return (*self.site.notes, *self.prepared.notes, *self._shared.values())

    def put_up(
        self,
        program: str,
        scratch: Path,
        writable: Sequence[Path] = (),
        seen: Sequence[str] = (),
        shared_temp: bool = False,
    ) -> Plan:
        """The walls round one command, which has `scratch` for itself and may write what is `writable`.

        `seen`: folders that must be there for it, wherever they lie.
        """
        from donewhen.verify.exam.walls import exam_plan

        sandbox = self.bench.config.sandbox
        self._walls = exam_plan(
            self.folder,
            self.bench.means.env,
            sandbox.model_copy(update={"temp": "shared"}) if shared_temp else sandbox,
            scratch,
            git=self._git if self._in_place else self.site.readable,
            room=not self._in_place,
            hide=self.bench.hide,
            path=(*self.prepared.path, *_tools(program, self.bench.means.env), *seen),
            lender=self._lender,
            caches=[Path(cache).expanduser() for cache in self.bench.config.workspace.caches],
            writable=writable,
        )
        return self._walls

    @property
    def _lender(self) -> Path | None:
        """Whose caches the exam reads: a set-up that fetched only a part must not cover the user's own."""
        failed = any(note.key == "setup.optional_failed" for note in self.prepared.notes)
        return None if self._in_place or failed else self.bench.scratch

    @property
    def _git(self) -> tuple[Path, ...]:
        repository = self.bench.looked.repository
        return repository.git_dir, repository.common

    @property
    def _in_place(self) -> bool:
        return self.site.where == "in_place"

    @property
    def tree(self) -> str:
        return self.bench.looked.change.fingerprint.relevant

    async def run(self, entry: Accept) -> Execution:
        """Run it; where it may have failed for want of what we take away, once more with that."""
        execution = await self._run(entry)
        if not (self.bench.repeats and execution.exit):
            return execution
        said = execution.finished.output.text
        walled = self._walls is not None and self._walls.own_temp
        temp = walled and any(mark in said for mark in _TEMP_MARKS)
        names = ordinary_beside(self.bench.means.env)
        wanted = [name for name in names if len(name) > 2 and name in said]
        if not temp and not wanted:
            return execution
        self._lent = names
        again = await self._run(entry, shared_temp=temp)
        self._lent = ()
        if again.exit != 0:
            return execution
        values = {"command": entry.line, "names": ", ".join(wanted)}
        self._shared[entry.line] = Phrase("verify.own_variables" if wanted else "verify.shared_temp", values)
        return again

    async def _run(self, entry: Accept, *, shared_temp: bool = False) -> Execution:
        from donewhen.verify.exam.command import run_entry
        from donewhen.workspace.sandbox.scratch import exam_scratch

        bench = self.bench
        what = Phrase("verify.running", {"command": entry.line})

        def told(progress: Progress) -> None:
            bench.means.progress(what, progress.elapsed, progress.line)

        with exam_scratch(bench.scratch) as scratch:
            where = self.where(entry, scratch, shared_temp=shared_temp)
            bench.means.progress(what)
            bench.record.started(
                CommandStarted("exam", entry.text, entry.argv, entry.cwd, "harness", self.tree)
            )
            return await run_entry(entry, where, told)

    def where(self, entry: Accept, scratch: Path, *, shared_temp: bool = False) -> Where:
        """All that running it takes; `scratch` is the command's own."""
        from donewhen.verify.exam.policy import timeout_for
        from donewhen.verify.exam.walls import harness_folder_of, unguarded

        bench, config = self.bench, self.bench.config
        walls = self.put_up(entry.argv[0], scratch, shared_temp=shared_temp)
        return Where(
            self.folder,
            harness_folder_of(scratch),
            bench.outputs,
            bench.means.env,
            self.prepared.path,
            {**self.prepared.env, **walls.env},
            (*config.sandbox.env, *self._lent),
            walls,
            timeout_for(entry, config.verification.execution),
            bench.redactor,
            guarded=unguarded(walls, self._git) if self._in_place else (),
        )

    def keep(self, output: Output) -> str:
        """Store what a command printed; the digest of what is stored."""
        return self.bench.record.output(output)

    def renew(self) -> None:
        """Put a room of ours right before a command."""
        if not self._in_place:
            looked = self.bench.looked
            looked.fingerprints.lay(looked.change.fingerprint.tree, self.folder)

    def beside(self, *, within: float = 0.0) -> str:
        """What lies beside the tree, as a digest not older than so many seconds."""
        return self.bench.looked.fingerprints.beside(within=within) if self._in_place else ""

    def touched(self, moment_ns: int) -> tuple[str, ...]:
        """Committed source that somebody wrote since then; new files may be what the command itself makes."""
        if not self._in_place:
            return ()
        looked = self.bench.looked
        extensions = self.bench.config.verification.source_extensions
        found = [path for path in looked.fingerprints.touched_since(moment_ns) if is_source(path, extensions)]
        if not found:
            return ()
        head = looked.fingerprints.tree(looked.repository.head)
        kinds = looked.fingerprints.changed(head, looked.change.fingerprint.tree)
        return tuple(path for path in found if kinds.get(path) != "added")

    def after(self) -> tuple[str, tuple[str, ...]]:
        """The relevant tree after a command, and what it wrote."""
        if not self._in_place:
            return self.tree, ()
        looked = self.bench.looked
        now = looked.fingerprints.take()
        if now.relevant == self.tree:
            return now.relevant, ()
        return now.relevant, tuple(looked.fingerprints.changed(looked.change.fingerprint.tree, now.tree))

    def needs_counts(self, entry: Accept) -> Phrase | None:
        """Why a pass of it counts only with tests that were counted."""
        found = behind(entry, self.folder)
        always = any(_always_counts(line.text) for line in found.lines)
        return found.counted or (Phrase("verify.no_counts") if always else None)

    def refusal(self, entry: Accept) -> Phrase | None:
        """Why it may not be run."""
        from donewhen.guard.configured import guard_at
        from donewhen.verify.exam.policy import judge

        bench, looked = self.bench, self.bench.looked
        guard = guard_at(str(self.folder), looked.rules.loaded, bench.means.env)
        given: Given = "user" if entry.identity in looked.judged.given else "project"
        refused = judge(entry, guard, bench.config.verification.execution, given)
        return refused.reason if refused else None


def _always_counts(text: str) -> bool:
    """Whether a line calls a runner that says how much it ran, whatever it is asked."""
    line, words = describe_line(text, parse), text.split()
    if not line.is_test or "--test-reporter" in text:
        return False
    return line.program == "pytest" or "unittest" in words or ("node" in words and "--test" in words)


def _tools(program: str, env: Mapping[str, str]) -> list[str]:
    """Folders of programs that the walls would cover: the command's own, and what of PATH is temporary."""
    own = [str(Path(program).parent)] if program.startswith("/") else []
    covered = f"{tempfile.gettempdir()}/"
    return [*own, *(folder for folder in env.get("PATH", "").split(":") if folder.startswith(covered))]


def _environment(bench: Bench, site: Site, prepared: Prepared) -> str:
    """Names all that a command sees beside the tree; another wall round it is another environment too."""
    sandbox = bench.config.sandbox
    found = shutil.which("bwrap") or ""
    wall = (found, Path(found).stat().st_mtime_ns) if found else ()
    ignoring = (bench.config.evidence.irrelevant, bench.config.verification_exempt_dirs)
    return digest((prepared.digest, sandbox, wall, site.where, ignoring, *sorted(prepared.env.items())))


@asynccontextmanager
async def open_exam_place(
    looked: "Looked",
    wanted: "Wanted",
    means: "Means",
    store: Path,
    record: Recorder,
    entries: Sequence[Accept],
) -> AsyncIterator[ExamPlace]:
    """Choose, open and prepare the place of the exam; closed again when it is over."""
    hide = (state_folder(means.env), user_file(means.env).parent, store.parent)
    redactor = Redactor.from_environment(means.env, secret_names(looked.rules.config))
    bench = Bench(looked, means, hide, record, redactor, repeats=not wanted.driven)
    commands = _by_folder(looked.repository.root, entries)
    config = looked.rules.config
    fresh = wanted.clean_room or config.evidence.clean_room
    whole = fresh or looked.change.fingerprint.absent > 0  # files that are not here could hide what fails
    hand = None if whole else _at_hand(bench, commands)
    if hand is not None and wanted.apart and _lies_in(hand, looked.repository.root):
        hand = None  # an agent worked there: what it may have altered must not run the exam
    setups = () if hand is not None else _setups(bench, commands)
    if hand is None and not setups and not whole:
        hand = AtHand("")
    if hand is not None and not wanted.apart:
        site = Site(looked.repository.root, "in_place")
        yield ExamPlace(bench, site, _shared(bench, site, hand))
        return
    means.progress(Phrase("verify.laying"))
    tree = looked.change.fingerprint.tree
    args = (looked.repository, looked.fingerprints, tree, looked.places)
    commit = looked.repository.head if wanted.clean_room else ""
    opened = clean_room(*args, commit) if fresh else open_room(*args, wait=_WAIT)
    with opened as room:
        site = Site(room.folder, "clean_room" if fresh else "room", room.readable, room.notes)
        if hand is not None:
            prepared = _shared(bench, site, hand)
        else:
            prepared = await prepare(
                setups, room.folder, looked.places.environments, means.env, _stepper(bench, site)
            )
        room.settle([path for setup in setups for path in setup.provides])
        yield ExamPlace(bench, site, prepared)


def _lies_in(hand: AtHand, root: Path) -> bool:
    inside = f"{root}/"
    return any(f"{place}/".startswith(inside) for place in (*hand.path, *hand.env.values()))


def _by_folder(root: Path, entries: Sequence[Accept]) -> dict[str, list[tuple[str, ...]]]:
    """The commands by the project that they belong to."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for entry in entries:
        found.setdefault(part_of(root, entry.cwd), []).append(entry.argv)
    return found


async def furnished(bench: Bench, entries: Sequence[Accept]) -> Prepared:
    """What commands need in the folder itself, where an agent is to work: at hand, or set up there."""
    root = bench.looked.repository.root
    commands = _by_folder(root, entries)
    site = Site(root, "in_place", borrowed(bench.looked.repository))
    hand = _at_hand(bench, commands)
    setups = () if hand is not None else _setups(bench, commands)
    if not setups:
        return _shared(bench, site, hand or AtHand(""))
    stepper = _stepper(bench, site)
    return await prepare(setups, root, bench.looked.places.environments, bench.means.env, stepper)


def _at_hand(bench: Bench, commands: Mapping[str, Sequence[tuple[str, ...]]]) -> AtHand | None:
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


def _setups(bench: Bench, commands: Mapping[str, Sequence[tuple[str, ...]]]) -> tuple[Setup, ...]:
    """The declared set-up, else what the project's own files ask for."""
    declared = bench.config.workspace.setup
    if declared == "off":
        return ()
    if not isinstance(declared, str):
        steps = tuple(Step(tuple(argv), "workspace.setup") for argv in declared)
        return (
            Setup("", "", steps, DECIDING, (".venv", "node_modules"), (".venv/bin", "node_modules/.bin")),
        )
    root, env = bench.looked.repository.root, bench.means.env
    found = [setups_for(root / folder, words, env, folder) for folder, words in commands.items()]
    return tuple(setup for setups in found for setup in setups)


def _shared(bench: Bench, site: Site, hand: AtHand) -> Prepared:
    env = command_environment(bench.means.env, bench.config.sandbox.env)
    name = environment_digest(site.folder, hand.path, {**env, **hand.env})
    return Prepared("shared", hand.path, hand.env, name, (hand.source,) if hand.source else ())


def _stepper(bench: Bench, site: Site) -> Callable[[Step, Path, Mapping[str, str]], Awaitable[Finished]]:
    """How a step of a set-up is run: with the network that set-ups get, confined to its room."""
    sandbox = bench.config.sandbox
    wish = confine(
        site.folder,
        bench.scratch,
        bench.means.env,
        mode=sandbox.mode,
        network=sandbox.network,
        temp=sandbox.temp,
        readable=site.readable,
        caches=[Path(cache).expanduser() for cache in bench.config.workspace.caches],
        hide=bench.hide,
    )
    walls = plan(wish, probe())

    async def run(step: Step, folder: Path, env: Mapping[str, str]) -> Finished:
        bench.means.progress(Phrase("verify.setting_up", {"command": join(step.argv)}))
        finished = await run_process(
            Command(
                folder,
                bench.outputs,
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
