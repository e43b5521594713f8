"""The process that does what takes long: it makes sessions, reads prompts and examines the work.

It is forked from the hook and belongs to no group of ours, so that it goes on when the client ends the hook;
what it found then stands in the ledger, and the next hook takes it. The hook itself loads none of it.
"""

import gc
import json
import os
import signal
import sys
import time
from importlib import import_module
from typing import Any

from donewhen.core.errors import SetupError
from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.failures import Late
from donewhen.integrations.hook.gaps import Broken
from donewhen.integrations.hook.payload import Payload, read_until
from donewhen.integrations.hook.places import LOG, private_folder

MODULE = "donewhen.integrations.sessions.worker"
LARGEST_LOG = 1024 * 1024
_LONGEST = 2000  # characters of why it failed
_THRESHOLD = 100_000  # objects until cycles are looked for
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


class Worked(SystemExit):
    """The worker, a process of its own, has come to its end."""


def ask(
    course: Course, payload: Payload, verb: str, *, within: float = 0.0, subagent: str = ""
) -> dict[str, Any]:
    """What the worker answers; `Late` at the deadline or `within` seconds, and then it goes on alone."""
    reading, writing = os.pipe()
    child = forked(course, writing)
    if child == 0:
        os.close(reading)
        _work(course, payload, verb, subagent)
    os.close(writing)
    left = max(course.left, 0.01)
    out = read_until(reading, time.monotonic() + (min(within, left) if within else left))
    os.close(reading)
    if out is None:
        raise Late
    _, status = os.waitpid(child, 0)
    return _answer(course, verb, os.waitstatus_to_exitcode(status), out)


def let_work(course: Course, payload: Payload, verb: str) -> None:
    """The same, but nobody waits: what it does is there when the next event needs it."""
    if forked(course) == 0:
        _work(course, payload, verb, "")


def forked(course: Course, out: int | None = None) -> int:
    """The child, 0 in itself: it writes to `out`, and complains in the session's log."""
    child = os.fork()
    if child:
        return child
    os.setsid()
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    os.dup2(nothing if out is None else out, 1)
    os.dup2(_log(course.folder), 2)
    return 0


def _work(course: Course, payload: Payload, verb: str, subagent: str) -> None:
    """The child's part; its paths are absolute, since it stands in no folder of the project."""
    asked = {
        "client": course.client,
        "session_id": payload.session,
        "folder": payload.folder,
        "event": payload.event,
        "payload": payload.data,
        "subagent": subagent,
    }
    code = 70
    try:
        os.chdir("/")
        gc.enable()
        gc.set_threshold(_THRESHOLD)
        code = import_module(MODULE).work(verb, asked)
    except BaseException:
        import traceback

        traceback.print_exc()
    if "asyncio" in sys.modules:  # an exam was begun: its ledger is closed with care
        raise Worked(code)
    sys.stderr.flush()
    os._exit(code)


def _answer(course: Course, verb: str, code: int, out: bytes) -> dict[str, Any]:
    log = f"{course.folder}/{LOG}"
    try:
        data = json.loads(out)
    except (ValueError, RecursionError):
        data = None
    if code != 0:
        why = data.get("error") if isinstance(data, dict) else None
        if isinstance(data, dict) and data.get("broken") is True:
            raise Broken(str(why)[:_LONGEST])
        if isinstance(why, str) and why:
            raise SetupError("hooked.worker_told", verb=verb, why=why[:_LONGEST])
        raise SetupError("hooked.worker_failed", verb=verb, code=code, log=log)
    if not isinstance(data, dict):
        raise SetupError("hooked.worker_answer", verb=verb, log=log)
    return data


def text_of(course: Course, verb: str, data: dict[str, Any], name: str) -> str:
    """A text of the answer, which the client gets to see."""
    value = data.get(name, "")
    if not isinstance(value, str):
        raise SetupError("hooked.worker_answer", verb=verb, log=f"{course.folder}/{LOG}")
    return value


def _log(folder: str) -> int:
    """Where the worker complains; nowhere when something else is in the place of its log."""
    private_folder(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        handle = os.open(f"{folder}/{LOG}", flags, 0o600)
    except OSError:
        handle = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    if os.fstat(handle).st_size > LARGEST_LOG:
        os.ftruncate(handle, 0)
    return handle
