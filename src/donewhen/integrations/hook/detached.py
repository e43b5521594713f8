"""What is done after a tool call without anybody waiting for it: the next event of the session does.

The process that goes on holds a lock that its kernel frees, whatever becomes of it.
"""

import fcntl
import os

from donewhen.integrations.hook.course import Course
from donewhen.integrations.hook.failures import set_alarm
from donewhen.integrations.hook.places import private_folder
from donewhen.integrations.hook.worker import forked

LOCK = "calls.lock"  # in the folder of a session
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


def detach(course: Course) -> bool:
    """Whether this is the process that answers the client; the other one goes on."""
    private_folder(course.folder)
    handle = os.open(f"{course.folder}/{LOCK}", _FLAGS, 0o600)
    fcntl.flock(handle, fcntl.LOCK_SH)
    if forked(course):
        return True
    set_alarm(course)
    return False


def await_calls(folder: str) -> None:
    """Until what is known of all calls that have ended is kept."""
    try:
        handle = os.open(f"{folder}/{LOCK}", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    finally:
        os.close(handle)
