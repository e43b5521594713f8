"""A command that is running: its supervisor, its output, its end.

The supervisor is told what to do over a control socket and tells back how it went; when this object or the
whole of donewhen goes, the socket closes and the supervisor kills everything. Starting blocks for less than
a millisecond, or for the few of a fork; all else waits in the event loop.
"""

import asyncio
import os
import signal
import socket
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from donewhen.core.texts import Phrase
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.groups import Groups
from donewhen.workspace.processes.launching import Ends, nameless, start_fresh
from donewhen.workspace.processes.loops import shared
from donewhen.workspace.processes.output import Sink
from donewhen.workspace.processes.servers import Server
from donewhen.workspace.processes.telling import Told, read_told, result, unusable
from donewhen.workspace.processes.traces import kill_traces

_READ = 256 * 1024
_LEFT = 16  # reads: a pipe holds no more than that
_PATIENCE = 15.0  # the supervisor gives up before
_SHORT = 0.005  # seconds: what a shorter command prints is read at its end, at once


class Live:
    """Made by `start`. `over` is done when the command has ended, `ended` when all it left is gone too."""

    def __init__(self, command: Command) -> None:
        self.command = command
        loop = asyncio.get_running_loop()
        self.over: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()
        self._waiters: set[asyncio.Future[None]] = set()
        self._shared = shared()
        self._begun = time.monotonic()
        self._duration = 0
        self._said = b""
        self._told = Told()
        self._silent = False  # the supervisor has hung up
        self._asked = ""
        self._groups = Groups()
        self._process: subprocess.Popen[bytes] | None = None  # a supervisor of its own
        self._server: Server | None = None  # or the one that had one ready
        self._control: socket.socket | None = None
        self._pipe = -1
        self._reading: asyncio.TimerHandle | None = None  # from when on output is read as it comes
        self.failure: Phrase | None = None
        self._sink: Sink | None = None

    def start(self) -> None:
        """Start the command; what is wrong with it shows in `finished`, never as an exception."""
        command = self.command
        self.failure = unusable(command)
        if self.failure is None:
            self._try(self._shared.server_for(command))
        self._sink = self.sink  # made while it starts
        if self.failure is not None:
            self._close()

    @property
    def sink(self) -> Sink:
        """What it prints; there whenever it is asked for, also when the start was interrupted."""
        if self._sink is None:
            command = self.command
            self._sink = Sink(command.outputs, command.redactor, command.limits.output, command.in_memory)
        return self._sink

    def _try(self, server: Server | None) -> None:
        try:
            self._launch(server)
        except (OSError, ValueError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            self.failure = Phrase("process.not_started", {"why": why or str(error)})

    def _launch(self, server: Server | None) -> None:
        command = self.command
        for folder in command.plan.folders:
            if not os.path.isdir(folder):  # noqa: PTH112 - asked for every command
                Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in command.plan.files:
            Path(file).touch(mode=0o444)
        self._groups = self._shared.groups.take(dict(command.plan.groups), command.limits)
        with ExitStack() as given:  # what only the other side needs
            near, far = socket.socketpair()
            self._control = near
            given.enter_context(far)
            near.setblocking(False)
            self._pipe, write = os.pipe()
            given.callback(os.close, write)
            os.set_blocking(self._pipe, False)
            stdin = given.enter_context(nameless(command.stdin) if command.stdin else _nothing())
            ends = Ends(far, write, stdin.fileno())
            if server is not None and server.hand_over(command, self._groups.doors, ends):
                self._server = server
            else:
                self._process = start_fresh(command, self._groups, ends)
        loop = asyncio.get_running_loop()
        self._reading = loop.call_later(_SHORT, loop.add_reader, self._pipe, self._read)
        loop.add_reader(near.fileno(), self._listen)

    def _read(self) -> None:
        with suppress(BlockingIOError):
            data = os.read(self._pipe, _READ)
            if data:
                self.sink.take(data)
            else:
                asyncio.get_running_loop().remove_reader(self._pipe)

    def _listen(self) -> None:
        said = b""
        try:
            said = self._control.recv(8192) if self._control else b""
        except BlockingIOError:
            return  # woken for nothing
        except ConnectionError:
            pass
        self._hear(said)
        if self._silent and self._server is not None and self._told.untouched and not self._asked:
            self._start_again()
        elif self._silent or (self._server is not None and self._told.ended):
            self._close()
        elif self._told.left and not self.over.done():
            self._drain()
            self._duration = self._taken()
            self._mark_over()

    def _start_again(self) -> None:
        """What was ready for the command died before it had its orders: nothing of it has happened yet."""
        self._server = None
        self._silent = False
        self._said, self._told = b"", Told()
        self._let_go()
        self._give_back()
        self._try(None)
        if self.failure is not None:
            self._close()

    def ask(self, why: str) -> None:
        """End the command and all it started: ask, wait the grace, kill. `why` is timed_out or killed."""
        self._asked = self._asked or why
        self._tell(b"T" if self.command.grace else b"K")

    def _tell(self, what: bytes) -> None:
        if self._control is not None:
            with suppress(OSError):
                self._control.send(what)
            self._signal(signal.SIGCONT)  # the command may have stopped it

    def _signal(self, number: int) -> None:
        """To the supervisor, as long as it has not hung up: its number may be somebody else's then."""
        with suppress(OSError):
            if self._process is not None:
                self._process.send_signal(number)
            elif self._server is not None and self._told.supervisor and not self._silent:
                os.kill(self._told.supervisor, number)
            elif self._server is not None:
                self._server.wake()

    async def wait(self, seconds: float | None) -> bool:
        """Whether the command ended within `seconds`; what it left may live on."""
        if not self.over.done():
            loop = asyncio.get_running_loop()
            waiter = loop.create_future()
            self._waiters.add(waiter)
            timer = None if seconds is None else loop.call_later(seconds, _release, waiter)
            try:
                await waiter
            finally:
                self._waiters.discard(waiter)
                if timer is not None:
                    timer.cancel()
        return self.over.done()

    @property
    def leaves(self) -> bool:
        """Whether the command has ended by itself and what it left lives on."""
        return self.over.done() and not self.ended.done() and not self._asked

    async def finish(self) -> Finished:
        """Wait for the end of a command that was asked to end; one that does not come is forced."""
        if not self.ended.done():
            await asyncio.wait([self.ended], timeout=self.command.grace + _PATIENCE)
        if not self.ended.done():
            self.abandon()
        return self.finished()

    def abandon(self) -> None:
        """Kill everything now, without the event loop."""
        self._asked = self._asked or "killed"
        self._tell(b"K")
        if self._control is not None:
            self._hear_out(self._control, _PATIENCE)
        self._close()

    def _hear_out(self, control: socket.socket, seconds: float) -> None:
        """All that the supervisor still says, until it hangs up."""
        until = time.monotonic() + seconds
        with suppress(OSError):
            while not self._silent and (left := until - time.monotonic()) > 0:
                control.settimeout(left)
                self._hear(control.recv(8192))

    def _close(self) -> None:
        """All is over: take what is left of the output, let go of everything."""
        self._end_supervisor()
        self._drain()
        self._let_go()
        self._give_back()
        self.sink.close()
        self._duration = self._taken()
        self._mark_over()
        _release(self.ended)

    def _mark_over(self) -> None:
        """Whoever waits is told here, and not by `over`: that takes a turn of the loop less."""
        for future in (self.over, *self._waiters):
            _release(future)

    def _give_back(self) -> None:
        self._shared.groups.give_back(self._groups)
        self._groups = Groups()

    def _drain(self) -> None:
        with suppress(BlockingIOError):  # somebody else may hold the other end for ever
            for _ in range(_LEFT if self._pipe >= 0 else 0):
                data = os.read(self._pipe, _READ)
                if not data:
                    break
                self.sink.take(data)

    def _let_go(self) -> None:
        loop = asyncio.get_running_loop()
        if self._control is not None:
            loop.remove_reader(self._control.fileno())
            if self._server is not None and self._told.ended and not self._silent:
                self._shared.see_off(self._control, self._told.supervisor)
            else:
                self._control.close()
            self._control = None
        if self._reading is not None:
            self._reading.cancel()
        if self._pipe >= 0:
            loop.remove_reader(self._pipe)
            os.close(self._pipe)
            self._pipe = -1

    def _end_supervisor(self) -> None:
        """The supervisor is on its way out, or was killed: then its command's group and session go too."""
        told = self._told
        if self._process is not None:
            try:
                self._process.wait(1.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        elif self._control is not None and not (told.ended or self._silent):
            self._signal(signal.SIGKILL)
            self._hear_out(self._control, 1.0)
        if told.lost and not self.command.plan.own_processes:
            kill_traces(told.leader, os.fstat(self._pipe).st_ino)

    def _hear(self, said: bytes) -> None:
        """What the supervisor says; nothing when it has hung up."""
        self._silent = not said
        if said:
            self._said += said
            self._told = read_told(self._said)

    def _taken(self) -> int:
        return round((time.monotonic() - self._begun) * 1000)

    def finished(self) -> Finished:
        """What came of it so far."""
        self.sink.settle()
        return result(self.command, self._told, self.sink.output(), self._duration, self._asked, self.failure)


def _release(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _nothing() -> IO[bytes]:
    """An input that is empty and no file: programs that search what they are given search their folder."""
    return open(os.devnull, "rb", buffering=0)  # noqa: PTH123 - the caller closes it
