"""Failures of our own: a refusal where a yes would let something pass, else a line on stderr.

A stop that we can't check is refused twice; the third time in a row it is let go, loudly, since an agent that
nobody lets end burns money for nothing. The count is one digit in a file of the session, overwritten in
place: that works on a full disk as well.
"""

import os
import signal
from contextlib import suppress
from typing import Any

from donewhen.core.errors import DonewhenError
from donewhen.core.texts import say
from donewhen.integrations.hook.course import Course, Ending
from donewhen.integrations.hook.dialects import CLOSED
from donewhen.integrations.hook.gaps import Broken
from donewhen.integrations.hook.places import FAILURES, private_folder, session_folder, state_folder

MOST = 3
GRACE = 2.0  # seconds after the deadline until we are ended from outside of ourselves
BROKEN = 3  # the installed line takes it for an absence: the step is allowed, and the session never accepted


class Late(BaseException):
    """The deadline has passed, and something still has not come back."""


class Interrupted(BaseException):
    """The client wants the hook to end."""


def set_alarm(course: Course) -> None:
    """The last resort: first an error that can still be told, then an end without a word."""
    rung: list[int] = []

    def ring(*_: Any) -> None:
        rung.append(1)
        if len(rung) > 1:
            os._exit(2 if course.kind in CLOSED else 0)
        raise Late

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(course.left, 0.0) + min(GRACE, course.deadline / 4), 1.0)


def failed(course: Course, error: BaseException) -> Ending:
    why = _why(course, error)
    if isinstance(error, Broken | ImportError | SyntaxError):
        return Ending(BROKEN, "", say("hooked.broken", course.language, why=why))
    event = course.kind or "?"
    said = say("hooked.failed", course.language, event=event, why=why)
    if course.kind == "stop" and not isinstance(error, Interrupted | KeyboardInterrupt):
        folder = course.folder or _unknown_session(course)
        count = counted(folder)
        if count >= MOST or (count < 0 and course.repeated):
            reset(folder)
            loud = say("hooked.let_go", course.language, count=MOST if count < 0 else count, why=why)
            _note(course, loud)
            return Ending(0, err=loud)
    if course.kind in CLOSED:
        return Ending(2, "", said)
    return Ending(0, err=said)


def _why(course: Course, error: BaseException) -> str:
    if isinstance(error, DonewhenError):
        return error.say(course.language)
    if isinstance(error, Broken | ImportError):
        return str(error)
    if isinstance(error, Late):
        return say("hooked.late", course.language, seconds=round(course.deadline))
    if isinstance(error, Interrupted | KeyboardInterrupt):
        return say("hooked.interrupted", course.language)
    return say("hooked.bug", course.language, kind=type(error).__name__, place=_place(error))


def _place(error: BaseException) -> str:
    """The line of ours that it came from; never the error's own words, which may quote anything."""
    found, trace = "?", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        if isinstance(name, str) and name.startswith("donewhen."):
            found = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


def _unknown_session(course: Course) -> str:
    """Where failures are counted when not even the session's name could be read: by the folder we are in."""
    with suppress(OSError, DonewhenError):
        here = os.getcwd()  # noqa: PTH109 - no path objects on this way
        return session_folder(state_folder(course.env), course.client or "unknown", f"unread {here}")
    return ""


def counted(folder: str) -> int:
    """This failure's number in the row; -1 when it can't be kept."""
    try:
        handle = _opened(folder)
        try:
            before = os.pread(handle, 1, 0)
            count = (int(before) if before.isdigit() else 0) + 1
            os.pwrite(handle, str(min(count, 9)).encode(), 0)
        finally:
            os.close(handle)
    except OSError:
        return -1
    return count


def reset(folder: str) -> None:
    """A stop was checked; also makes the file, so that there is one when the disk is full."""
    with suppress(OSError):
        handle = _opened(folder)
        try:
            os.pwrite(handle, b"0", 0)
        finally:
            os.close(handle)


def _opened(folder: str) -> int:
    if not folder:
        raise OSError
    private_folder(folder)
    return os.open(f"{folder}/{FAILURES}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _note(course: Course, text: str) -> None:
    """In the ledger too, if that can be had: it may be the very thing that fails."""
    with suppress(BaseException):
        from donewhen.core.events.facts import HookCalled
        from donewhen.core.events.run import Noted
        from donewhen.integrations.hook.ledger import open_ledger
        from donewhen.integrations.hook.sessions import read_session

        session = read_session(course)
        ledger = open_ledger(session.store, session.heads, course.env, (), 1.0)
        called = HookCalled("donewhen", "stop", "failed", "hook_failed")
        ledger.append(session.run, called, Noted(text, "error"))
