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
from donewhen.integrations.hook.dialects import CLIENTS, KINDS, kind_of
from donewhen.integrations.hook.failures import BROKEN, Interrupted, Late, failed
from donewhen.integrations.hook.payload import parsed, read_input, refused

GRACE = 2.0  # seconds after the deadline until we are ended from outside of ourselves
_REFUSED = 2


def main(words: list[str]) -> NoReturn:
    """Never returns, never raises."""
    ending = Ending(_REFUSED, "", "donewhen hook failed")
    try:
        gc.disable()  # we end before anything could be worth collecting
        with suppress(BaseException):
            try:
                ending = _ending(words)
            except ImportError as error:  # not even what tells of a failure is there
                ending = Ending(BROKEN, "", f"donewhen is broken: {error}")
    finally:
        _finish(ending)


def _ending(words: list[str]) -> Ending:
    course = Course(os.environ)
    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _interrupted)
        if {"-h", "--help"} & set(words):
            return Ending(0, _usage(course))
        arguments(course, words)
        _set_alarm(course)
        return _answer(course)
    except BaseException as error:
        return failed(course, error)


def _answer(course: Course) -> Ending:
    raw = b""
    try:
        raw = read_input()
        payload = parsed(raw)
        if not payload.event and not course.kind:
            raise refused("input_field", field="hook_event_name")
    except UserError:
        from donewhen.integrations.hook.unread import concerns

        if concerns(course, raw):
            raise
        return Ending(0)
    if payload.event:  # the client's own word counts, whatever it was installed under
        course.kind = kind_of(course.client, payload.event)
        if not course.kind:
            return Ending(0)
        _set_alarm(course)
    from donewhen.integrations.hook.handling import handled

    return handled(course, payload)


def _usage(course: Course) -> str:
    from donewhen.core.texts import say

    return say("hooked.usage", course.language, clients=", ".join(CLIENTS), events=", ".join(KINDS))


def _set_alarm(course: Course) -> None:
    """The last resort: first an error that can still be told, then an end without a word."""
    rung: list[int] = []

    def ring(*_: Any) -> None:
        rung.append(1)
        if len(rung) > 1:
            os._exit(failed_code(course))
        raise Late

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(course.left, 0.0) + min(GRACE, course.deadline / 4), 1.0)


def failed_code(course: Course) -> int:
    from donewhen.integrations.hook.dialects import CLOSED

    return _REFUSED if course.kind in CLOSED else 0


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
