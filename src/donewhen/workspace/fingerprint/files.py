"""The files of a folder as the gate reads them: bounded, and never through a link that leaves the folder."""

import os
import stat
from pathlib import Path

from donewhen.core.paths import relative
from donewhen.core.view import Files

LARGEST = 16 * 1024 * 1024  # bytes; of a larger file the beginning is read
_MOST_LOOKED_AT = 200_000
_OURS = ".git"


def files_of(root: Path) -> Files:
    """The files below a folder, read when they are asked for."""
    return _Folder(root)


class _Folder:
    def __init__(self, root: Path) -> None:
        self._root = Path(os.path.realpath(root))

    def text(self, path: str) -> str | None:
        handle = self._open(path)
        if handle is None:
            return None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            return None
        try:
            with os.fdopen(handle, "rb") as file:
                return file.read(LARGEST).decode(errors="replace")
        except OSError:
            return None

    def holds(self, folder: str) -> bool:
        start = self._inside(folder or ".")
        waiting = [] if start is None else [self._root / start]
        looked = 0
        while waiting and looked < _MOST_LOOKED_AT:
            try:
                with os.scandir(waiting.pop()) as entries:
                    for entry in entries:
                        looked += 1
                        if entry.name == _OURS:
                            continue
                        if not entry.is_dir(follow_symlinks=False):
                            return True
                        waiting.append(Path(entry.path))
            except OSError:
                continue
        return False

    def _inside(self, path: str) -> Path | None:
        """Where a path leads, links followed, from the root; None when that is outside."""
        short = relative(path)
        if short is None:
            return None
        real = Path(os.path.realpath(self._root / short))
        return real.relative_to(self._root) if real.is_relative_to(self._root) else None

    def _open(self, path: str) -> int | None:
        """Step by step, so that a folder that becomes a link meanwhile leads nowhere."""
        inside = self._inside(path)
        if inside is None or not inside.parts:
            return None
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        at = None
        try:
            at = os.open(self._root, flags | os.O_DIRECTORY)
            for name in inside.parts[:-1]:
                above, at = at, os.open(name, flags | os.O_DIRECTORY, dir_fd=at)
                os.close(above)
            return os.open(inside.parts[-1], flags, dir_fd=at)
        except OSError:
            return None
        finally:
            if at is not None:
                os.close(at)
