"""Who holds a lease, so that a dead process's lease need not run out.

An owner is host, boot, process namespace, process id and the start of that process: ids are used again,
containers share host names. Only an owner of this very system that is provably gone counts as dead.
"""

import os
import socket
from functools import cache
from pathlib import Path

_FIELDS = 5


def this_process() -> str:
    return "/".join((*_system(), str(os.getpid()), _started(os.getpid())))


def described(owner: str) -> str:
    """The owner for people: process and host; what is no owner of ours as it is."""
    fields = owner.split("/")
    return f"process {fields[3]} on {fields[0]}" if len(fields) == _FIELDS else owner


def is_alive(owner: str) -> bool:
    fields = owner.split("/")
    if len(fields) != _FIELDS or fields[0] != _system()[0]:
        return bool(owner)
    if fields[1] != _system()[1]:
        return not (fields[1] and _system()[1])  # this machine was started again since
    plain = fields[3].isascii() and fields[3].isdigit() and len(fields[3]) < 11
    pid = int(fields[3]) if plain else 0
    if fields[2] != _system()[2] or not 0 < pid < 2**31:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        if not _started(pid):  # another user's, and nobody tells since when
            return True
    return not _zombie(pid) and fields[4] == _started(pid)


@cache
def _system() -> tuple[str, str, str]:
    """Host, boot and process namespace; the last two are empty where the system does not tell."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8]
        space = str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    except OSError:
        boot = space = ""
    return socket.gethostname().replace("/", "_"), boot, space


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
