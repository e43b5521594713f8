"""An exam that runs for real, through the steps of `verify`, to be run again by what is tested."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from donewhen.commands import parse
from donewhen.core.events import Event
from donewhen.core.tally import Flaky
from donewhen.intake.request import Request
from donewhen.secrets.redact import Redactor
from donewhen.store import open_store
from donewhen.store.results import Results
from donewhen.verify.change import Means, Wanted, look_round
from donewhen.verify.exam_run import ExamCommand, Memory, run_command
from donewhen.verify.place import open_exam_place
from donewhen.verify.record import begun
from donewhen.verify.rerun import ExamContext
from tests.projects import git, repository, write

T = TypeVar("T")
__all__ = ["Desk", "FinishedExam", "git", "write"]


class FinishedExam(NamedTuple):
    context: ExamContext
    commands: tuple[ExamCommand, ...]

    @property
    def green(self) -> bool:
        return all(each.result.ended is not None and each.result.ended.exit == 0 for each in self.commands)


class Desk:
    """A project with a base commit, and a machine of its own round it."""

    def __init__(
        self, folder: Path, files: dict[str, str], *accept: str, settings: tuple[str, ...] = ()
    ) -> None:
        self.root = folder / "project"
        self.accept = accept
        self.settings = settings
        home = folder / "home"
        home.mkdir()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "DONEWHEN_STATE_DIR": str(folder / "state"),
            "DONEWHEN_CACHE_DIR": str(folder / "cache"),
            "DONEWHEN_CONFIG_DIR": str(folder / "config"),
        }
        self.state = folder / "state"
        repository(self.root, files)
        self.events: list[Event] = []

    def write(self, **files: str) -> None:
        write(self.root, files)

    def do(
        self,
        act: Callable[[FinishedExam], Awaitable[T]],
        *,
        cache: bool = True,
        clean_room: bool = False,
        base: str = "HEAD",
    ) -> T:
        """Run the exam on the folder as it is, then do something with it."""
        wanted = Wanted(Request(accept=self.accept), base=base, cache=cache, clean_room=clean_room)
        return asyncio.run(self._do(act, wanted))

    async def _do(self, act: Callable[[FinishedExam], Awaitable[T]], wanted: Wanted) -> T:
        means = Means(self.root, self.env, self.settings)
        looked = look_round(wanted, means)
        url = looked.rules.config.store.url
        with (
            open_store(url, state=self.state, folder=self.root, redactor=Redactor()) as opened,
            begun(opened, looked.repository, looked.change, "fix_bug") as record,
        ):
            memory = Memory(Results(self.state / "results"), record.run_id, wanted.cache, Flaky(), parse)
            entries = looked.judged.entries
            commands = []
            async with open_exam_place(looked, wanted, means, opened.path, record, entries) as place:
                for entry in entries:
                    commands.append(await run_command(entry, place, memory))
                    record.command_ended(commands[-1])
            context = ExamContext(looked, wanted, means, opened.path, record, memory, place, tuple(entries))
            done = await act(FinishedExam(context, tuple(commands)))
            run_id = record.run_id
        with open_store(url, state=self.state, folder=self.root, redactor=Redactor()) as opened:
            self.events = list(opened.store.read(run_id))
        return done
