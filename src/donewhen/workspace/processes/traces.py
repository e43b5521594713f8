"""What a lost supervisor left: found by its session and by the pipe it can write to, and killed.

Only needed when a supervisor was itself killed; one that lives ends its family on its own.
"""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

_TRIES, _PAUSE = 200, 0.005


def kill_traces(leader: int, pipe: int) -> None:
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
