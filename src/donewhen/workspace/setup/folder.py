"""One folder of a project, read with care: bounded, tolerant, and never through a link that leads out of it.

What is broken, too large or no regular file reads as empty. What the texts mean is decided elsewhere.
"""

import json
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from donewhen.config.files import read_regular
from donewhen.core.errors import DonewhenError

_LARGEST = 512 * 1024
_MOST_NAMES = 2000
_MOST_SEEN = 20_000
_NOISE = frozenset((".git", "node_modules", ".venv", "target", "build", "dist", "vendor", "deps", "_build"))


class Folder:
    """Every path is relative to the folder; every text is read once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._texts: dict[str, str] = {}

    def text(self, name: str, most: int = _LARGEST) -> str:
        """The text of a file; empty when there is none that can be read."""
        if name not in self._texts:
            self._texts[name] = self._read(name, most)
        return self._texts[name]

    def json(self, name: str) -> dict[str, Any]:
        """A JSON mapping; empty when the file is none."""
        try:
            found = json.loads(self.text(name) or "null")
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def has(self, name: str) -> bool:
        return self._inside(name) is not None

    def first(self, *names: str) -> str:
        """The first of the names that is there; empty when none is."""
        return next((name for name in names if self.has(name)), "")

    def there(self, *names: str) -> tuple[str, ...]:
        return tuple(name for name in names if self.has(name))

    def folders(self, name: str = "") -> list[str]:
        """The folders in `name`, sorted, as paths from here; links and what tools fill are left out."""
        return [path for path, is_folder in self._entries(name) if is_folder]

    def files(self, pattern: str, depth: int = 0) -> list[str]:
        """The files whose name fits, here and down to `depth` folders below."""
        found: list[str] = []
        level = [("", 0)]
        seen = 0
        while level and seen < _MOST_SEEN:
            folder, down = level.pop(0)
            entries = self._entries(folder)
            seen += len(entries) + 1
            names = (path for path, is_folder in entries if not is_folder)
            found += (path for path in names if fnmatchcase(path.rpartition("/")[2], pattern))
            if down < depth:
                level += ((path, down + 1) for path, is_folder in entries if is_folder)
        return found

    def _entries(self, name: str) -> list[tuple[str, bool]]:
        folder = self._inside(name) if name else self.path
        found: list[tuple[str, bool]] = []
        if folder is None:
            return found
        try:
            with os.scandir(folder) as entries:
                for count, entry in enumerate(entries):
                    if count >= _MOST_NAMES:
                        break
                    is_folder = entry.is_dir(follow_symlinks=False)
                    if not (is_folder and entry.name in _NOISE):
                        found.append((f"{name}/{entry.name}" if name else entry.name, is_folder))
        except OSError:
            return []
        return sorted(found)

    def _inside(self, name: str) -> Path | None:
        return inside(self.path, name)

    def _read(self, name: str, most: int) -> str:
        return read_inside(self.path, name, most)


def inside(root: Path, name: str) -> Path | None:
    """Where `name` is; None when it is not there or a link leads out of the root."""
    path = root / name
    try:
        real = os.path.realpath(path, strict=True)
    except (OSError, ValueError):  # a loop of links, a NUL
        return None
    return path if f"{real}/".startswith(f"{os.path.realpath(root)}/") else None


def read_inside(root: Path, name: str, most: int = _LARGEST) -> str:
    """The text of a regular file of at most `most` bytes; empty for everything else."""
    path = inside(root, name)
    if path is None:
        return ""
    try:
        found = read_regular(path, name, largest=most)
    except DonewhenError:
        return ""
    return found.data.decode("utf-8", "replace").removeprefix("\ufeff") if found else ""
