"""How a file tool works: at once or in a thread, ended in order, and its refusals said as results.

A thread can't be ended from outside: it is asked to stop, the programs it waits for are killed, and it is
waited for, so that nothing is written after a call was said to be over.
"""

import asyncio
import difflib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from donewhen.core.errors import AgentError
from donewhen.core.shown import one_name
from donewhen.tools.inside import folder, names_in
from donewhen.tools.model import ToolContext, ToolResult
from donewhen.tools.output import shown

_MOST_NAMES = 1000  # of a folder, compared with a name that is missing
_LONGEST = 100
_CLASSES = {
    "not_found": "not_found",
    "not_found_near": "not_found",
    "no_such_line": "not_found",
    "edit_failed": "no_match",
    "bad_path": "bad_arguments",
    "bad_pattern": "bad_arguments",
    "bad_glob": "bad_arguments",
    "bad_range": "bad_arguments",
    "bad_text": "bad_arguments",
    "too_large": "too_large",
    "too_large_whole": "too_large",
    "too_many": "too_large",
    "is_binary": "binary",
    "exists": "exists",
}


class Stopped(Exception):
    """The call was cancelled; whoever sees this leaves everything as it is."""


class Stop:
    """Asks a thread to end, and ends the programs that it waits for."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._processes: set[subprocess.Popen[bytes]] = set()

    def check(self) -> None:
        if self._asked.is_set():
            raise Stopped

    def ask(self) -> None:
        self._asked.set()
        for process in tuple(self._processes):
            _kill(process)

    @contextmanager
    def over(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        """While a program runs: it is killed with its group when the call is cancelled."""
        self._processes.add(process)
        try:
            if self._asked.is_set():
                _kill(process)
            yield
        finally:
            self._processes.discard(process)
        self.check()


Work = Callable[[Stop], ToolResult]


def at_once(work: Work, context: ToolContext) -> ToolResult:
    """The result of work that is too short to be cancelled."""
    return _answered(work, context, Stop())


async def aside(work: Work, context: ToolContext) -> ToolResult:
    """The result of work in a thread."""
    stop = Stop()
    task = asyncio.ensure_future(asyncio.to_thread(_answered, work, context, stop))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.ask()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise


def _answered(work: Work, context: ToolContext, stop: Stop) -> ToolResult:
    try:
        return work(stop)
    except AgentError as error:
        error = _helped(error, context)
        said = shown(error.say(context.language), context.redact, context.language)
        return ToolResult(False, error=said, error_class=_CLASSES.get(error.key.partition(".")[2], "refused"))


def _helped(error: AgentError, context: ToolContext) -> AgentError:
    """A missing file is often a misspelt one: the names that are near it help."""
    if error.key != "toolbox.not_found":
        return error
    path = str(error.values["path"])
    above, _, name = path.rpartition("/")
    try:
        with folder(context.root, above or ".") as handle:
            there = names_in(handle)[:_MOST_NAMES]
    except (AgentError, OSError):
        return error
    near = difflib.get_close_matches(name[:_LONGEST], [each[:_LONGEST] for each in there], 3, 0.6)
    listed = ", ".join(f"`{one_name(f'{above}/{each}' if above else each)}`" for each in near)
    return AgentError("toolbox.not_found_near", path=path, near=listed) if near else error


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
