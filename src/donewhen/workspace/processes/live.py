"""A command that is running: its supervisor, its output, its end.

The supervisor is told what to do over a control socket and tells back how it went; when this object or the
whole of donewhen goes, the socket closes and the supervisor kills everything. Starting blocks for the few
milliseconds of a fork; all else waits in the event loop.
"""

import asyncio
import errno
import marshal
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from types import CodeType
from typing import IO, Any

from donewhen.core.texts import Phrase
from donewhen.workspace.processes import groups
from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.output import Sink
from donewhen.workspace.sandbox.plan import Plan
from donewhen.workspace.sandbox.support import find_program

_BOOT = """\
import marshal, sys
with open(int(sys.argv[1]), "rb") as file:
    supervisor, walls, options = marshal.load(file)
space = {"__name__": "supervisor"}
exec(supervisor, space)
space["main"](int(sys.argv[2]), options, walls)
space["os"]._exit(0)
"""
_READ = 256 * 1024
_LEFT = 16  # reads: a pipe holds no more than that
_TRIES, _PAUSE = 200, 0.005
_PATIENCE = 15.0  # the supervisor gives up before
_BASH = ("bash", "--noprofile", "--norc", "-c")
_COULD_NOT = {errno.ENOENT: 127, errno.ENOTDIR: 127}


@cache
def _compiled(name: str) -> CodeType:
    path = Path(__file__).parents[1] / name
    return compile(path.read_bytes(), f"<{path.stem}>", "exec", dont_inherit=True, optimize=2)


class Live:
    """Made by `start`. `ended` is done when the command and all it left behind are gone."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.sink = Sink(command.outputs, command.redactor, command.limits.output)
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._begun = time.monotonic()
        self._duration = 0
        self._said = b""
        self._asked = ""
        self._groups = groups.Groups()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._pipe = -1
        self.failure: Phrase | None = None

    def start(self) -> None:
        """Start the command; what is wrong with it shows in `finished`, never as an exception."""
        self.failure = _unusable(self.command)
        if self.failure is None:
            try:
                self._launch()
            except (OSError, ValueError, OverflowError) as error:
                why = error.strerror if isinstance(error, OSError) else None
                self.failure = Phrase("process.not_started", {"why": why or str(error)})
        if self.failure is not None:
            self._close()

    def _launch(self) -> None:
        command = self.command
        for folder in command.plan.folders:
            Path(folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in command.plan.files:
            Path(file).touch(mode=0o444)
        self._groups = groups.make(dict(command.plan.groups), command.limits)
        words = (*self._groups.prefix, *_standing(command.plan), os.path.realpath(sys.executable))
        with ExitStack() as given:  # what only the other side needs
            payload = given.enter_context(_file(marshal.dumps(_payload(command))))
            stdin = given.enter_context(_file(command.stdin))
            near, far = socket.socketpair()
            given.enter_context(far)
            near.setblocking(False)
            self._control = near
            self._pipe, write = os.pipe()
            given.callback(os.close, write)
            os.set_blocking(self._pipe, False)
            numbers = (payload.fileno(), far.fileno())
            self._process = subprocess.Popen(
                [*words, "-I", "-S", "-c", _BOOT, *map(str, numbers)],
                stdin=stdin,
                stdout=write,
                stderr=write,
                pass_fds=numbers,
                env={"PATH": "/usr/bin:/bin"},
                start_new_session=True,
                cwd="/",
            )
        loop = asyncio.get_running_loop()
        loop.add_reader(self._pipe, self._read)
        loop.add_reader(near, self._listen)

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
        self._said += said
        if not said:
            self._close()

    def ask(self, why: str) -> None:
        """End the command and all it started: ask, wait the grace, kill. `why` is timed_out or killed."""
        self._asked = self._asked or why
        self._tell(b"T" if self.command.grace else b"K")

    def _tell(self, what: bytes) -> None:
        if self._control is not None:
            with suppress(OSError):
                self._control.send(what)
        if self._process is not None:
            with suppress(OSError):
                self._process.send_signal(signal.SIGCONT)  # the command may have stopped it

    async def wait(self, seconds: float | None) -> bool:
        """Whether the command ended within `seconds`."""
        await asyncio.wait([self.ended], timeout=seconds)
        return self.ended.done()

    async def finish(self) -> Finished:
        """Wait for the end of a command that was asked to end; one that does not come is forced."""
        if not await self.wait(self.command.grace + _PATIENCE):
            self.abandon()
        return self.finished()

    def abandon(self) -> None:
        """Kill everything now, without the event loop."""
        self._asked = self._asked or "killed"
        self._tell(b"K")
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
        if self._control is not None:
            with suppress(OSError):
                self._said += self._control.recv(8192)
        self._close()

    def _close(self) -> None:
        """All is over: take what is left of the output, let go of everything."""
        loop = asyncio.get_running_loop()
        if self._control is not None:
            loop.remove_reader(self._control)
            self._control.close()
            self._control = None
        self._end_process()
        if self._pipe >= 0:
            loop.remove_reader(self._pipe)
            with suppress(BlockingIOError):  # somebody else may hold the other end for ever
                for _ in range(_LEFT):
                    self.sink.take(os.read(self._pipe, _READ))
            os.close(self._pipe)
            self._pipe = -1
        self._groups.remove()
        self.sink.close()
        self._duration = round((time.monotonic() - self._begun) * 1000)
        if not self.ended.done():
            self.ended.set_result(None)

    def _end_process(self) -> None:
        """The supervisor is on its way out, or was killed: then its command's group and session go too."""
        if self._process is None:
            return
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        started = self._said.partition(b"started ")[2].split(b"\n")[0]
        if started.isdigit() and b"ended " not in self._said and not self.command.plan.own_processes:
            _kill_traces(int(started), os.fstat(self._pipe).st_ino)

    def finished(self) -> Finished:
        output = self.sink.output()
        failure, status, left = self.failure or _failure(self.command, self._said, output.text), None, 0
        if b"ended " in self._said:
            words = self._said.rpartition(b"ended ")[2].split()
            status, left = (None if words[0] == b"lost" else int(words[0])), int(words[1])
        elif failure is None:
            failure = Phrase("process.lost")
        number = -status if status is not None and status < 0 else None
        code = status if number is None else 128 + number
        if self._said.startswith(b"failed ") and failure and failure.key == "process.no_program":
            code = _COULD_NOT.get(int(self._said.split()[1]), 126)
        asked = bool(self._asked)
        return Finished(
            None if asked else code,
            output,
            self._duration,
            number,
            self._asked == "timed_out",
            self._asked == "killed",
            left,
            failure,
        )


def _unusable(command: Command) -> Phrase | None:
    words = (*command.argv, command.text or "", str(command.folder), *command.env, *command.env.values())
    if any("\0" in word for word in words):
        return Phrase("process.bad_word")
    if command.text is not None and not find_program("bash"):
        return Phrase("process.no_bash")
    if command.text is None and not command.argv:
        return Phrase("process.nothing_to_run")
    return None


def _payload(command: Command) -> tuple[CodeType, CodeType | None, dict[str, Any]]:
    plan, limits = command.plan, command.limits
    argv = command.argv if command.text is None else (*_BASH, command.text)
    bounds = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_FSIZE": limits.file_size,
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_DATA": limits.memory,
    }
    env = {**command.env, **plan.env}
    options = {
        "program": os.fsencode(argv[0] if command.text is None else find_program("bash")),
        "argv": [os.fsencode(word) for word in argv],
        "env": {os.fsencode(name): os.fsencode(value) for name, value in env.items()},
        "folder": os.fsencode(command.folder.absolute()),
        "limits": {name: value for name, value in bounds.items() if value is not None},
        "grace": float(command.grace),
        "reaper": sys.platform == "linux" and not plan.own_processes,
        "own_network": plan.own_network,
        "scoped": plan.scoped,
        "rules": plan.rules and [list(part) if isinstance(part, tuple) else part for part in plan.rules],
    }
    walls = _compiled("sandbox/landlock.py") if plan.rules or plan.own_network or plan.scoped else None
    return _compiled("processes/supervisor.py"), walls, options


def _standing(plan: Plan) -> tuple[str, ...]:
    """The words of a plan without covers for what is gone since: nothing can be laid over it."""
    words = plan.prefix
    for cover in plan.covers:
        if not os.path.lexists(cover[-1]):
            size = len(cover)
            starts = (at for at in range(len(words)) if words[at : at + size] == cover)
            words = next((words[:at] + words[at + size :] for at in starts), words)
    return words


def _file(data: bytes) -> IO[bytes]:
    """An open file without a name that holds `data`: no pipe that could fill up."""
    if hasattr(os, "memfd_create"):  # in memory: a full disk must not stop commands that would clean it up
        file: IO[bytes] = os.fdopen(os.memfd_create("donewhen"), "w+b")
    else:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        file.write(data)
        file.seek(0)
    except OSError:
        file.close()
        raise
    return file


def _failure(command: Command, said: bytes, shown: str) -> Phrase | None:
    """Why a command was not started, from what the supervisor, or what should have started it, said."""
    if said.startswith(b"failed "):
        _, _, what, *why = said.decode(errors="replace").split(" ")
        text = " ".join(why)
        program = command.argv[0] if command.text is None else "bash"
        if what == "program":
            return Phrase("process.no_program", {"program": program, "why": text})
        if what == "folder":
            return Phrase("process.no_folder", {"folder": str(command.folder), "why": text})
        return Phrase("process.no_sandbox" if what == "sandbox" else "process.not_started", {"why": text})
    if b"started " not in said:
        key = "process.no_sandbox" if command.plan.prefix else "process.not_started"
        return Phrase(key, {"why": shown.strip()[:400]})
    return None


def _kill_traces(leader: int, pipe: int) -> None:
    """Kill what a lost supervisor left, and see it gone: nobody else collects it for us."""
    for _ in range(_TRIES):
        left = _traces(leader, pipe)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not left:
            return
        time.sleep(_PAUSE)


def _traces(leader: int, pipe: int) -> list[int]:
    """The processes of a session, and those that can still write to a pipe, where the system shows them."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        if int(entry.name) == os.getpid():
            continue
        with suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X"):
                continue
            if int(fields[3]) == leader or _writes_to(entry, f"pipe:[{pipe}]"):
                found.append(int(entry.name))
    return found


def _writes_to(process: Path, pipe: str) -> bool:
    """Whether a process has the writing end of a pipe; one of ours that is just starting has the other."""
    numbers = [link.name for link in (process / "fd").iterdir() if str(link.readlink()) == pipe]
    flags = [(process / "fdinfo" / number).read_text().split()[3] for number in numbers]
    return any(int(each, 8) & os.O_ACCMODE == os.O_WRONLY for each in flags)
