"""Control groups: the bounds that hold for a command as a whole, where groups can be made.

A group is made for each command and removed after it. The command's first process joins by itself, through
a line of sh before it becomes anything else. Where no group can be made this does nothing, and the plan
said so.
"""

import os
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.processes.command import Limits

_JOIN = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 126; shift; n=$((n-1)); done; exec "$@"'
_OWN = 3  # the supervisor and what sets up the sandbox count too
_numbers = count(1)
_swept: list[bool] = []


class Groups(NamedTuple):
    folders: tuple[Path, ...] = ()

    @property
    def prefix(self) -> tuple[str, ...]:
        """The words before a command that make it join."""
        if not self.folders:
            return ()
        files = [str(_door(folder)) for folder in self.folders]
        return ("/bin/sh", "-c", _JOIN, "sh", str(len(files)), *files)

    def remove(self) -> None:
        """Remove the groups; who is still inside is killed, or already on the way out."""
        for folder in self.folders:
            _end(folder)
            with suppress(OSError):
                for _ in range(50):
                    inside = (folder / "cgroup.procs").read_text().split()
                    if not inside:
                        break
                    _kill(inside)
                    time.sleep(0.002)
                folder.rmdir()


def _door(folder: Path) -> Path:
    """The file to join by: the old layout's `tasks` takes one thread without stopping all forks (11 ms)."""
    tasks = folder / "tasks"
    return tasks if tasks.exists() else folder / "cgroup.procs"


def _end(folder: Path) -> None:
    """No more forks in a group: what forks faster than it can be listed would get away otherwise."""
    for name, text in (("cgroup.kill", "1"), ("pids.max", "0")):
        with suppress(OSError), (folder / name).open("r+") as file:
            file.write(text)


def _kill(pids: list[str]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(int(pid), signal.SIGKILL)


def sweep(parents: Mapping[str, str]) -> None:
    """Remove the groups of a donewhen that was killed; one that still has processes stays."""
    for parent in set(parents.values()):
        for folder in Path(parent).glob("donewhen-*-*"):
            owner = folder.name.split("-")[1]
            if owner.isdigit() and not Path("/proc", owner).exists():
                with suppress(OSError):
                    folder.rmdir()


def make(parents: Mapping[str, str], limits: Limits) -> Groups:
    wanted = {
        "pids": (("pids.max",), limits.processes and limits.processes + _OWN),
        "memory": (("memory.max", "memory.limit_in_bytes"), limits.memory),
    }
    if parents and not _swept:
        _swept.append(True)
        sweep(parents)
    folders = []
    for controller, (files, value) in wanted.items():
        if value and controller in parents:
            folder = Path(parents[controller]) / f"donewhen-{os.getpid()}-{next(_numbers)}"
            if _made(folder, files, value):
                folders.append(folder)
    return Groups(tuple(dict.fromkeys(folders)))


def _made(folder: Path, files: tuple[str, ...], value: int) -> bool:
    try:
        folder.mkdir()
        for file in files:
            if (folder / file).exists():
                (folder / file).write_text(str(value))
    except OSError:
        with suppress(OSError):
            folder.rmdir()
        return False
    return True
