"""Sessions that went on while donewhen was gone or broken, by the notes that the installed line leaves.

A session with such a gap is never accepted: nobody knows what was done in it. The gap of a session that is
over is told at the next start.
"""

import os
from contextlib import suppress

from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.payload import Payload
from donewhen.integrations.hook.places import CLIENT_PROCESS, GAPS, SESSION

_GOES_ON = ("resume", "compact")  # a start by these is no new session


class Broken(Exception):
    """A part of this installation is missing: what can't run must not stop anybody's agent."""


def record_gap(course: Course, payload: Payload, state: str) -> None:
    """Keep in the ledger that events of this session were missed; a note of an earlier session goes."""
    process = course.env.get(CLIENT_PROCESS, "")
    note = f"{state}/{GAPS}/{process}"
    if not process.isdigit() or not os.path.lexists(note):
        return
    begins = course.kind == "start" and payload.text("source") not in _GOES_ON
    if not begins or os.path.lexists(f"{course.folder}/{SESSION}"):
        from donewhen.integrations.hook.worker import ask

        ask(course, payload, "gap")
    with suppress(OSError):
        os.unlink(note)  # noqa: PTH108 - no path objects on this way


def take_past_gaps(state: str) -> int:
    """How many sessions that are over had a gap; their notes go."""
    ended = [f"{state}/{GAPS}/{name}" for name in gaps(state) if not _lives(int(name))]
    for note in ended:
        with suppress(OSError):
            os.unlink(note)  # noqa: PTH108
    return len(ended)


def gaps(state: str) -> list[str]:
    """The client processes that went on without us."""
    try:
        return sorted(name for name in os.listdir(f"{state}/{GAPS}") if name.isdigit())  # noqa: PTH208
    except OSError:
        return []


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
