"""Commands that run beside the conversation: started, looked at, waited for, killed; none outlives it.

Every one ends in a report, whoever looks or not, so that the ledger hears of it. A foreground command that
takes too long is moved here without being touched, and what a command with `keep_left` leaves running lives
on here. A background command that leaves something is reported twice: with its own result, and with the end
of the rest.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple, Self

from donewhen.core.errors import AgentError
from donewhen.workspace.processes.command import Command, Finished, Output
from donewhen.workspace.processes.live import Live
from donewhen.workspace.processes.output import Part

Report = Callable[[str, Finished], None]


class Status(NamedTuple):
    handle: str
    finished: Finished | None  # None while it runs; once all is over, of the rest that it had left
    output: Output
    alive: bool = False  # it runs, or something that it left

    @property
    def running(self) -> bool:
        return self.finished is None


class _Entry(NamedTuple):
    live: Live
    first: asyncio.Future[Finished]  # what came of the command itself
    task: asyncio.Task[Finished]


class Background:
    """Use as an async context: leaving it kills what still runs."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._entries: dict[str, _Entry] = {}
        self._front: set[Live] = set()
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def start(self, command: Command) -> str:
        """Start a command and return its handle."""
        self._refuse_when_closed()
        live = Live(command)
        live.start()
        return self._keep(live, command.timeout)

    async def foreground(self, command: Command, after: float) -> Finished | Status:
        """The result of a command, or, when it takes longer than `after` seconds, what it is by then."""
        self._refuse_when_closed()
        live = Live(command)
        self._front.add(live)
        try:
            live.start()
            limit = after if command.timeout is None else min(after, command.timeout)
            if not await live.wait(limit) and not self._closed:
                if limit < after:
                    live.ask("timed_out")
                else:
                    left = None if command.timeout is None else command.timeout - after
                    return self.status(self._keep(live, left))
            if live.leaves and not self._closed:
                return self._entries[self._keep(live, None)].first.result()
            return await live.finish()
        except BaseException:
            live.abandon()
            raise
        finally:
            self._front.discard(live)

    def handles(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def alive(self) -> tuple[str, ...]:
        """The handles that still have processes."""
        return tuple(handle for handle, entry in self._entries.items() if not entry.task.done())

    def status(self, handle: str) -> Status:
        live, first, task = self._entry(handle)
        live.sink.settle()
        if task.done():
            finished = live.finished() if task.cancelled() else task.result()
            return Status(handle, finished, finished.output)
        return Status(handle, first.result() if first.done() else None, live.sink.output(), alive=True)

    async def wait(self, handle: str, seconds: float | None = None) -> Status:
        """The status once it has ended, or after `seconds`; of one that has, once what it left has too."""
        _, first, task = self._entry(handle)
        waited: list[asyncio.Future[Finished]] = [task] if first.done() else [first, task]
        await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return self.status(handle)

    async def kill(self, handle: str) -> Status:
        live, _, task = self._entry(handle)
        if not live.ended.done():
            live.ask("killed")
        await asyncio.wait([task])
        return self.status(handle)

    def read(self, handle: str, offset: int, most: int = 64 * 1024) -> Part:
        """The output from `offset` on, whole lines while it runs."""
        return self._entry(handle).live.sink.read(offset, most)

    async def close(self) -> None:
        """Kill what runs, in front too, and start nothing more; when this returns all reports are made.

        When it is cancelled all is killed at once, and each report follows as the loop goes on or ends.
        """
        self._closed = True
        running = [entry for entry in self._entries.values() if not entry.task.done()]
        lives = [*(entry.live for entry in running), *self._front]
        try:
            for live in lives:
                live.ask("killed")
            waited: list[asyncio.Future[Any]] = [*(entry.task for entry in running)]
            waited += [live.ended for live in lives]
            if waited:
                await asyncio.wait(waited)
        finally:
            for live in lives:
                if not live.ended.done():
                    live.abandon()

    def _keep(self, live: Live, seconds: float | None) -> str:
        """Look after a command from now on; one that has ended has given its result already."""
        loop = asyncio.get_running_loop()
        handle = f"b{len(self._entries) + 1}"
        first: asyncio.Future[Finished] = loop.create_future()
        if live.leaves:
            first.set_result(live.finished()._replace(handle=handle))
        task = loop.create_task(self._watch(handle, live, seconds, first))
        self._entries[handle] = _Entry(live, first, task)
        task.add_done_callback(lambda done: self._clear(handle, live, done))
        return handle

    def _clear(self, handle: str, live: Live, task: asyncio.Task[Finished]) -> None:
        """A task that is cancelled before its first step never comes to its own `finally`."""
        if task.cancelled() and not live.ended.done():
            live.abandon()
            self._report(handle, live.finished()._replace(rest=self._entries[handle].first.done()))

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise AgentError("process.closed")

    async def _watch(
        self, handle: str, live: Live, seconds: float | None, first: asyncio.Future[Finished]
    ) -> Finished:
        finished = None
        try:
            if not first.done():
                await self._see_end(handle, live, seconds, first)
            if live.leaves:
                await asyncio.wait([live.ended])
            finished = await live.finish()
        finally:
            if not live.ended.done():
                live.abandon()
            finished = (finished or live.finished())._replace(rest=first.done())
            self._report(handle, finished)
            if not first.done():
                first.set_result(finished)
        return finished

    async def _see_end(
        self, handle: str, live: Live, seconds: float | None, first: asyncio.Future[Finished]
    ) -> None:
        """Until the command itself has ended or its time is up; reported here if it leaves something."""
        if not await live.wait(seconds):
            live.ask("timed_out")
        elif live.leaves:
            finished = live.finished()._replace(handle=handle)
            self._report(handle, finished)
            first.set_result(finished)

    def _entry(self, handle: str) -> _Entry:
        with suppress(KeyError):
            return self._entries[handle]
        raise AgentError("process.no_handle", handle=handle, known=", ".join(self._entries) or "-")
