"""Who holds a lease, so that a dead process's lease need not run out: host, process id and its start.

A process id alone is not enough, ids are used again; the start time of the process tells them apart where
the system shows it. An owner on another host, or one that can't be judged, counts as alive.
"""

import os
import socket
from pathlib import Path


def this_process() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{_started(os.getpid())}"


def is_alive(owner: str) -> bool:
    host, _, rest = owner.partition("/")
    pid, _, started = rest.partition("/")
    if host != socket.gethostname() or not pid.isdigit():
        return bool(owner)
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return not _zombie(int(pid)) and started == _started(int(pid))


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat after the name, which may itself hold spaces and brackets."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _started(pid: int) -> str:
    fields = _stat(pid)
    return fields[19] if len(fields) > 19 else ""


def _zombie(pid: int) -> bool:
    return _stat(pid)[:1] == ["Z"]
