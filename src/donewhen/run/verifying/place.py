"""The place of an exam: what one command is run with, and what is looked at before and after it.

What only running needs is loaded only then, because a result that is used again should cost next to nothing.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.config import Config
from donewhen.core.accept import Accept
from donewhen.core.events.facts import CommandStarted
from donewhen.core.texts import Phrase
from donewhen.run.verifying.recording import Record
from donewhen.secrets.redact import Redactor
from donewhen.verify.behind import behind, self_masked
from donewhen.verify.exam.model import Progress, Sat, Where
from donewhen.verify.exam.walls import desk_of
from donewhen.workspace.processes.command import Output
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.setup.model import Prepared

if TYPE_CHECKING:
    from donewhen.run.verifying.verifying import Looked, Means
    from donewhen.verify.exam.policy import Given

Kind = Literal["in_place", "room", "clean_room"]


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
    record: Record
    redactor: Redactor

    @property
    def config(self) -> Config:
        return self.looked.rules.config

    @property
    def scratch(self) -> Path:
        return self.looked.places.scratch

    @property
    def outputs(self) -> Path:
        return self.scratch / "outputs"

    @property
    def kept(self) -> Path:
        """What stays from exam to exam."""
        return self.scratch / "kept"


class ExamPlace(NamedTuple):
    bench: Bench
    site: Site
    prepared: Prepared
    walls: Plan
    environment: str

    @property
    def folder(self) -> Path:
        return self.site.folder

    @property
    def tree(self) -> str:
        return self.bench.looked.change.fingerprint.relevant

    async def run(self, entry: Accept) -> Sat:
        from donewhen.verify.exam.policy import timeout_for
        from donewhen.verify.exam.running import run_entry

        bench, config = self.bench, self.bench.config
        where = Where(
            self.folder,
            desk_of(bench.scratch),
            bench.outputs,
            bench.means.env,
            self.prepared.path,
            {**self.prepared.env, **self.walls.env},
            config.sandbox.env,
            self.walls,
            timeout_for(entry, config.verification.execution),
            bench.redactor,
            kept=bench.kept,
        )
        what = Phrase("verify.running", {"command": entry.line})

        def told(progress: Progress) -> None:
            bench.means.progress(what, progress.elapsed, progress.line)

        bench.means.progress(what)
        bench.record.started(CommandStarted("exam", entry.text, entry.argv, entry.cwd, "harness", self.tree))
        return await run_entry(entry, where, told)

    def keep(self, output: Output) -> str:
        return self.bench.record.output(output)

    def renew(self) -> None:
        if self.site.where != "in_place":
            looked = self.bench.looked
            looked.fingerprints.lay(looked.change.fingerprint.tree, self.folder)

    def after(self) -> tuple[str, tuple[str, ...]]:
        if self.site.where != "in_place":
            return self.tree, ()
        looked = self.bench.looked
        now = looked.fingerprints.take()
        if now.relevant == self.tree:
            return now.relevant, ()
        return now.relevant, tuple(looked.fingerprints.changed(looked.change.fingerprint.tree, now.tree))

    def doubt(self, entry: Accept) -> Phrase | None:
        return self_masked(entry) or behind(entry, self.folder).trouble

    def needs_counts(self, entry: Accept) -> Phrase | None:
        return behind(entry, self.folder).counted

    def refusal(self, entry: Accept) -> Phrase | None:
        from donewhen.guard.configured import guard_at
        from donewhen.verify.exam.policy import judge

        bench, looked = self.bench, self.bench.looked
        guard = guard_at(str(self.folder), looked.rules.loaded, bench.means.env)
        given: Given = "user" if entry.identity in looked.judged.given else "project"
        refused = judge(entry, guard, bench.config.verification.execution, given)
        return refused.reason if refused else None
