"""Control groups: the bounds that hold for a command as a whole, where groups can be made.

Each command has a group to itself. One that bounds only the number of processes and is empty afterwards is
used again, because making and removing costs more than the command's start; all go with their pool. The
command's first process joins by itself before it becomes anything else; behind walls that hide the groups,
through a line of sh before them. Where no group can be made this does nothing, and the plan said so.
"""

import os
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.processes.command import Limits

_JOIN = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 126; shift; n=$((n-1)); done; exec "$@"'
_OWN = 3  # the supervisor and what sets up the sandbox count too
_AGAIN = "-again"
_FILES = {"pids": ("pids.max",), "memory": ("memory.max", "memory.limit_in_bytes")}
_numbers = count(1)
_swept: list[bool] = []


class Groups(NamedTuple):
    folders: tuple[Path, ...] = ()

    @property
    def doors(self) -> tuple[str, ...]:
        """The files by which a process joins."""
        return tuple(str(_door(folder)) for folder in self.folders)

    @property
    def prefix(self) -> tuple[str, ...]:
        """The words before a command that make it join."""
        files = self.doors
        return ("/bin/sh", "-c", _JOIN, "sh", str(len(files)), *files) if files else ()


class Pool:
    """Groups for the commands of one event loop."""

    def __init__(self) -> None:
        self._free: list[Path] = []

    def take(self, parents: Mapping[str, str], limits: Limits) -> Groups:
        if parents and not _swept:
            _swept.append(True)
            sweep(parents)
        bounds = {"pids": limits.processes and limits.processes + _OWN, "memory": limits.memory}
        wanted: dict[str, list[tuple[str, int]]] = {}  # in the new layout one group has all bounds
        for controller, value in bounds.items():
            if value and controller in parents:
                wanted.setdefault(parents[controller], []).append((controller, value))
        made = (self._bounded(Path(parent), values) for parent, values in wanted.items())
        return Groups(tuple(folder for folder in made if folder is not None))

    def give_back(self, groups: Groups) -> None:
        """Who is still inside is killed, or already on the way out; such a group is not used again."""
        for folder in groups.folders:
            if folder.name.endswith(_AGAIN) and _is_empty(folder):
                self._free.append(folder)
            else:
                _remove(folder)

    def close(self) -> None:
        while self._free:
            _remove(self._free.pop())

    def _bounded(self, parent: Path, values: list[tuple[str, int]]) -> Path | None:
        again = _AGAIN if [controller for controller, _ in values] == ["pids"] else ""
        free = next((folder for folder in self._free if again and folder.parent == parent), None)
        if free is not None:
            self._free.remove(free)
            if _bound(free, values):
                return free
            _remove(free)
        return _made(parent / f"donewhen-{os.getpid()}-{next(_numbers)}{again}", values)


def _remove(folder: Path) -> None:
    _end(folder)
    with suppress(OSError):
        for _ in range(50):
            inside = _inside(folder)
            if not inside:
                break
            _kill(inside)
            time.sleep(0.002)
        folder.rmdir()


def _inside(folder: Path) -> list[str]:
    """The processes of a group; one that somebody else removed has none."""
    try:
        handle = os.open(f"{folder}/cgroup.procs", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    with suppress(OSError), os.fdopen(handle, "rb", buffering=0) as file:
        return file.read().decode().split()
    return []


def _is_empty(folder: Path) -> bool:
    """Whether nobody is inside, as far as can be seen; asked after every command."""
    try:
        handle = os.open(f"{folder}/cgroup.procs", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        return not os.read(handle, 1)
    except OSError:
        return True
    finally:
        os.close(handle)


@lru_cache(maxsize=64)
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


def _made(folder: Path, values: list[tuple[str, int]]) -> Path | None:
    try:
        folder.mkdir()
    except OSError:
        return None
    if _bound(folder, values):
        return folder
    with suppress(OSError):
        folder.rmdir()
    return None


def _bound(folder: Path, values: list[tuple[str, int]]) -> bool:
    """Whether all bounds were set."""
    return all(
        _set([folder / file for file in _FILES[controller]], str(value)) for controller, value in values
    )


def _set(files: list[Path], value: str) -> bool:
    """Whether the first of the files that is there took the value."""
    for file in files:
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        except OSError:
            return False
        try:
            os.write(handle, value.encode())
        except OSError:
            return False
        finally:
            os.close(handle)
        return True
    return False
