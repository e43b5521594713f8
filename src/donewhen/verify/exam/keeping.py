"""What a command must not have changed in a git directory, where no wall kept it from doing so.

Hooks and settings name programs that git starts later, as the user. They are compared before and after; what
differs is told, not undone: the user may have changed it himself meanwhile.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

_FILES = ("config", "config.worktree", "info/attributes")
_MOST_HOOKS = 500
_LARGEST = 4 * 2**20
State = Mapping[Path, str]


def state_of(places: Iterable[Path]) -> State:
    """The files of git directories that can start programs, each with a digest of what it holds."""
    files = [path for place in places for path in (*(place / name for name in _FILES), *_hooks(place))]
    return {path: _digest(path) for path in files if os.path.lexists(path)}


def _hooks(place: Path) -> list[Path]:
    with suppress(OSError), os.scandir(place / "hooks") as entries:
        return [Path(entry.path) for entry in islice(entries, _MOST_HOOKS)]
    return []


def _digest(path: Path) -> str:
    """Links are themselves, not what they lead to."""
    try:
        if path.is_symlink():
            return f"link {os.readlink(path)}"  # noqa: PTH115 - as text, whatever is in it
        mode = path.stat().st_mode
        with path.open("rb") if path.is_file() else open(os.devnull, "rb") as file:  # noqa: PTH123
            return f"{mode:o} {hashlib.sha256(file.read(_LARGEST)).hexdigest()}"
    except OSError:
        return "unreadable"


def altered(before: State, after: State) -> Path | None:
    """The first file that was added, changed or removed."""
    return min((path for path in {*before, *after} if before.get(path) != after.get(path)), default=None)
