"""The place of an exam: what one command is run with, and what is looked at before and after it.

What only running needs is loaded only then, because a result that is used again should cost next to nothing.
"""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.config import Config
from donewhen.core.accept import Accept
from donewhen.core.events.facts import CommandStarted
from donewhen.core.paths import is_source
from donewhen.core.target import describe_line
from donewhen.core.texts import Phrase
from donewhen.secrets.redact import Redactor
from donewhen.shell import parse
from donewhen.verify.behind import behind
from donewhen.verify.exam.model import Progress, Sat, Where
from donewhen.verify.record import Recorder, digest
from donewhen.workspace.processes.command import Output
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.setup.model import Prepared

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means
    from donewhen.verify.exam.policy import Given

Kind = Literal["in_place", "room", "clean_room"]
_TEMP_MARKS = ("/tmp", "Permission denied", "PermissionError", "EACCES")  # noqa: S108


class Site(NamedTuple):
    """A folder that an exam can be sat in."""

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
    def __init__(self, bench: Bench, site: Site, prepared: Prepared) -> None:
        self.bench = bench
        self.site = site
        self.prepared = prepared
        self.environment = _environment(bench, site, prepared)
        self._walls: Plan | None = None
        self._shared: dict[str, Phrase] = {}  # commands that pass with the machine's temp folder only

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

    async def run(self, entry: Accept) -> Sat:
        """Run it; where it may have failed for want of the machine's temp folder, once more with that."""
        sat = await self._run(entry)
        walled = self.bench.repeats and self._walls is not None and self._walls.own_temp
        if not (walled and sat.exit and any(mark in sat.finished.output.text for mark in _TEMP_MARKS)):
            return sat
        again = await self._run(entry, shared_temp=True)
        if again.exit != 0:
            return sat
        self._shared[entry.line] = Phrase("verify.shared_temp", {"command": entry.line})
        return again

    async def _run(self, entry: Accept, *, shared_temp: bool = False) -> Sat:
        from donewhen.verify.exam.command import run_entry
        from donewhen.verify.exam.walls import exam_scratch

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
        from donewhen.verify.exam.walls import desk_of, unguarded

        bench, config = self.bench, self.bench.config
        walls = self.put_up(entry.argv[0], scratch, shared_temp=shared_temp)
        return Where(
            self.folder,
            desk_of(scratch),
            bench.outputs,
            bench.means.env,
            self.prepared.path,
            {**self.prepared.env, **walls.env},
            config.sandbox.env,
            walls,
            timeout_for(entry, config.verification.execution),
            bench.redactor,
            guarded=unguarded(walls, self._git) if self._in_place else (),
        )

    def keep(self, output: Output) -> str:
        return self.bench.record.output(output)

    def renew(self) -> None:
        if not self._in_place:
            looked = self.bench.looked
            looked.fingerprints.lay(looked.change.fingerprint.tree, self.folder)

    def beside(self, *, within: float = 0.0) -> str:
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
        if not self._in_place:
            return self.tree, ()
        looked = self.bench.looked
        now = looked.fingerprints.take()
        if now.relevant == self.tree:
            return now.relevant, ()
        return now.relevant, tuple(looked.fingerprints.changed(looked.change.fingerprint.tree, now.tree))

    def needs_counts(self, entry: Accept) -> Phrase | None:
        found = behind(entry, self.folder)
        always = any(_always_counts(line.text) for line in found.lines)
        return found.counted or (Phrase("verify.no_counts") if always else None)

    def refusal(self, entry: Accept) -> Phrase | None:
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
