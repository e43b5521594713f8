"""Ends what a scenario left running: processes that carry its own throw-away home in their environment.

The home is a new folder for each scenario, so no process but its own can carry it. Where the system does not
show environments (no /proc), nothing is ended here.
"""

import contextlib
import os
import signal
from pathlib import Path

_PROC = Path("/proc")


def end_leftovers(home: Path) -> list[int]:
    """The ids of the processes that were ended."""
    mark = b"HOME=" + os.fsencode(home)
    ended = []
    for pid in _ids():
        if pid != os.getpid() and mark in _environment(pid):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                ended.append(pid)
    return ended


def _ids() -> list[int]:
    if not _PROC.is_dir():
        return []
    return [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal()]


def _environment(pid: int) -> list[bytes]:
    try:
        return (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:  # gone, or of somebody else
        return []
