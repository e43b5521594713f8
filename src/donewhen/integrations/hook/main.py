"""The door: we end with 0 or 2, and stdout holds one JSON object or nothing.

Only an installation that misses a part of itself ends with another status, as one that is gone does.
"""

import gc
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

from donewhen.core.errors import UserError
from donewhen.integrations.hook.course import Course, Ending, arguments
from donewhen.integrations.hook.dialects import KINDS, kind_of
from donewhen.integrations.hook.failures import BROKEN, Interrupted, failed, set_alarm
from donewhen.integrations.hook.payload import parsed, read_input, refused
from donewhen.integrations.hook.places import CLIENTS
from donewhen.integrations.hook.unarmed import concerns
from donewhen.integrations.hook.worker import Worked

_REFUSED = 2


def main(words: list[str], read: bytes = b"") -> NoReturn:
    """Never raises, but in a worker that this process became. `read`: what was read of the input before."""
    ending = Ending(_REFUSED, "", "donewhen hook failed")
    worker: BaseException | None = None
    try:
        gc.disable()  # we end before anything could be worth collecting
        with suppress(BaseException):
            try:
                ending = _ending(words, read)
            except Worked as done:
                worker = done
            except ImportError as error:  # not even what tells of a failure is there
                ending = Ending(BROKEN, "", f"donewhen is broken: {error}")
    finally:
        if worker is None:
            _finish(ending)
    raise worker


def _ending(words: list[str], read: bytes) -> Ending:
    course = Course(os.environ)
    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupted)
        if {"-h", "--help"} & set(words):
            return Ending(0, _usage(course))
        arguments(course, words)
        set_alarm(course)
        return _answer(course, read)
    except Worked:
        raise
    except BaseException as error:
        return failed(course, error)


def _answer(course: Course, read: bytes) -> Ending:
    raw = read
    try:
        raw = read_input(read)
        payload = parsed(raw)
        if not payload.event and not course.kind:
            raise refused("input_field", field="hook_event_name")
    except UserError:
        if concerns(course.client, raw, course.env):
            raise
        return Ending(0)
    if payload.event:  # the client's own word counts, whatever it was installed under
        course.kind = kind_of(course.client, payload.event)
        if not course.kind:
            return Ending(0)
        set_alarm(course)
    from donewhen.integrations.hook.handling import handled

    return handled(course, payload)


def _usage(course: Course) -> str:
    from donewhen.core.texts import say

    return say("hooked.usage", course.language, clients=", ".join(CLIENTS), events=", ".join(KINDS))


def _interrupted(*_: Any) -> None:
    raise Interrupted


def _finish(ending: Ending) -> NoReturn:
    """Without a farewell: nothing that was written waits, and the client does."""
    code = ending.code
    try:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        if ending.err:
            with suppress(OSError):
                _write(2, ending.err)
        if ending.out:
            _write(1, ending.out)
    except BaseException:
        code = _REFUSED  # an answer that did not arrive is a yes to most clients
    finally:
        sys.stdout = sys.stderr = None
        os._exit(code)


def _write(handle: int, text: str) -> None:
    data = f"{text}\n".encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(handle, data) :]
