"""The process that does what takes long: it makes sessions, reads prompts and examines the work.

It is started by name and never imported. It belongs to no group of ours, so that it goes on when the client
ends the hook; what it found then stands in the ledger, and the next hook takes it.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Any

from donewhen.core.errors import SetupError
from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.failures import Late
from donewhen.integrations.hook.gaps import Broken
from donewhen.integrations.hook.payload import Payload
from donewhen.integrations.hook.places import LOG, private_folder

MODULE = "donewhen.integrations.sessions.worker"
LARGEST_LOG = 1024 * 1024
_LONGEST = 2000  # characters of why it failed


def ask(course: Course, payload: Payload, verb: str, **more: Any) -> dict[str, Any]:
    """What the worker answers; `Late` at the deadline, and then it goes on alone."""
    import subprocess

    child = _started(course, verb, subprocess.PIPE)
    try:
        out, _ = child.communicate(_asked(course, payload, more), max(course.left, 0.01))
    except subprocess.TimeoutExpired:
        raise Late from None
    return _answer(course, verb, child.returncode, out)


def let_work(course: Course, payload: Payload, verb: str) -> None:
    """The same, but nobody waits: what it does is there when the next event needs it."""
    import subprocess

    child = _started(course, verb, subprocess.DEVNULL)
    with suppress(BrokenPipeError):
        child.stdin.write(_asked(course, payload, {}))
        child.stdin.close()


def _asked(course: Course, payload: Payload, more: dict[str, Any]) -> bytes:
    asked = {
        "client": course.client,
        "session_id": payload.session,
        "folder": payload.folder,
        "event": payload.event,
        "payload": payload.data,
        **more,
    }
    return json.dumps(asked).encode()


def _started(course: Course, verb: str, out: int) -> Any:
    import subprocess

    with _log(course.folder) as log:
        try:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", MODULE, verb],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=log,
                cwd="/",
                env={**course.env, "PYTHONSAFEPATH": "1"},
                start_new_session=True,
            )
        except (FileNotFoundError, PermissionError) as error:
            raise Broken(f"{sys.executable}: {error.strerror}") from None


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


def _log(folder: str) -> Any:
    """Where the worker complains; nowhere when something else is in the place of its log."""
    private_folder(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        handle = os.open(f"{folder}/{LOG}", flags, 0o600)
    except OSError:
        handle = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    if os.fstat(handle).st_size > LARGEST_LOG:
        os.ftruncate(handle, 0)
    return os.fdopen(handle, "ab", buffering=0)
