"""A `donewhen` that has loaded its modules already: each call is a process of its own, forked from this one.

A call is as real as `python -m donewhen` in everything but the start: its own process with its own memory,
working folder, environment, standard streams, signals and exit code. What a start itself decides (the language,
encodings, PYTHON* variables, the measuring of coverage) it can not show: `Cli` uses the cold door for those.

Run as a program with the number of a socket: every message on it brings five open files, which are the request,
standard input, output and error, and a pipe for the exit code. It ends when the socket's other end is closed.
"""

import atexit
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import struct
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

_STATUS = struct.Struct("i")
_LEFT_OUT = ("donewhen.__main__", "donewhen.pytest_plugin", "donewhen.ui.demo_project")
_LATE = (  # what donewhen loads of others when it needs it
    "asyncio sqlite3 lizard tree_sitter tree_sitter_go tree_sitter_java tree_sitter_javascript tree_sitter_python "
    "tree_sitter_rust tree_sitter_typescript yaml detect_secrets.core.scan detect_secrets.settings"
).split()


class Warm:
    """The tests' end of it: starts the server and sends it calls."""

    def __init__(self) -> None:
        import subprocess

        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, str(Path(__file__)), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env=kept | {"LANG": "C.UTF-8"},
                pass_fds=[theirs.fileno()],
            )

    def call(
        self, words: Sequence[str], stdin: bytes, cwd: Path, env: Mapping[str, str]
    ) -> tuple[int, bytes, bytes]:
        """Exit code (negative: the signal), output and error output of one call."""
        import tempfile

        with (
            tempfile.TemporaryFile() as request,
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            request.write(json.dumps({"words": list(words), "cwd": str(cwd), "env": dict(env)}).encode())
            given.write(stdin)
            for file in (request, given):
                file.flush()
                file.seek(0)
            answer, told = os.pipe()
            try:
                handles = [*(file.fileno() for file in (request, given, out, err)), told]
                socket.send_fds(self._socket, [b"\0"], handles)
            finally:
                os.close(told)
            with os.fdopen(answer, "rb") as pipe:
                status = pipe.read(_STATUS.size)
            assert len(status) == _STATUS.size, "the warm door has closed: the server is gone"
            out.seek(0)
            err.seek(0)
            return os.waitstatus_to_exitcode(_STATUS.unpack(status)[0]), out.read(), err.read()

    def close(self) -> None:
        self._socket.close()
        self._server.wait()


def _load() -> None:
    """Every module that a call may need; forked processes share them."""
    import donewhen

    ours = [
        found.name for found in pkgutil.walk_packages(donewhen.__path__, "donewhen.", onerror=lambda _: None)
    ]
    for name in [*ours, *_LATE]:
        if not name.startswith(_LEFT_OUT):
            with suppress(
                Exception
            ):  # an extra that is not installed, a file being edited: a call that needs it says so
                import_module(name)
    gc.collect()
    gc.freeze()


def _become(handles: Sequence[int]) -> list[str]:
    """In the forked process: take on the call's streams, folder and environment; its words."""
    with os.fdopen(handles[0], "rb") as file:
        request = json.load(file)
    for number, handle in enumerate(handles[1:4]):
        os.dup2(handle, number)
        os.close(handle)
    os.close(handles[4])
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    words: list[str] = request["words"]
    return words


def _serve(calls: socket.socket) -> list[str]:
    """Forks a process for each call and tells its status; returns in that process only, with the words."""
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(ended, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    running: dict[int, int] = {}
    heard: list[Any] = [calls, ended]
    while True:
        ready = select.select(heard, [], [])[0]
        if ended in ready:
            os.read(ended, 4096)
            _tell(running)
        if calls not in ready:
            continue
        message, handles, *_ = socket.recv_fds(calls, 1, 5)
        if not message:
            raise SystemExit(0)
        if pid := os.fork():
            running[pid] = handles[4]
            for handle in handles[:4]:
                os.close(handle)
            continue
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for handle in (ended, wake, calls.detach(), *running.values()):
            os.close(handle)
        return _become(handles)


def _tell(running: dict[int, int]) -> None:
    for pid in list(running):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            with os.fdopen(running.pop(pid), "wb") as pipe:
                pipe.write(_STATUS.pack(status))


def main() -> None:
    _load()
    sys.path.remove(str(Path(__file__).parent))
    import donewhen.__main__ as called
    from donewhen.ui.cli import main as donewhen

    words = _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv[:] = [str(called.__file__), *words]
    try:
        donewhen()
    except SystemExit as end:
        _leave(end.code)
    _leave(0)


def _leave(code: str | int | None) -> None:
    """As an interpreter ends, but without taking every loaded module apart, which costs more than most calls."""
    if isinstance(code, str):
        print(code, file=sys.stderr)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    main()
