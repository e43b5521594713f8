"""The machine as the guard may see it: links, small files, names; and the ground of a real folder.

Reads only, bounded, and never fails: what can't be looked up is taken as written.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from donewhen.guard.ground import PROTECTED, Disk, Ground

MOST_BYTES = 64 * 1024
MOST_NAMES = 10_000
NOWHERE = "/nonexistent/no-workspace"


class RealDisk:
    """The file system of this machine."""

    def real(self, path: str) -> str:
        try:
            return os.path.realpath(path)
        except (OSError, ValueError):
            return path

    def text(self, path: str) -> str | None:
        try:
            file = Path(path)
            if not file.is_file() or file.stat().st_size > MOST_BYTES:
                return None
            return file.read_text(encoding="utf-8")
        except (OSError, ValueError):
            return None

    def names(self, folder: str) -> tuple[str, ...] | None:
        try:
            found = [entry.name for entry in Path(folder).iterdir()]
        except (OSError, ValueError):
            return None
        return tuple(found) if len(found) <= MOST_NAMES else None


REAL: Disk = RealDisk()


def ground_at(
    folder: str,
    env: Mapping[str, str],
    protected: tuple[str, ...] = PROTECTED,
    secret_patterns: tuple[str, ...] = (),
    danger_patterns: tuple[str, ...] = (),
    own: tuple[str, ...] = (),
) -> Ground:
    """The ground of a folder: its repository's root is the workspace, else the folder itself."""
    start = REAL.real(folder)
    root = _root(start)
    home = REAL.real(env.get("HOME") or str(Path.home()))
    if not root and (home == start or home.startswith(start.rstrip("/") + "/")):
        root = NOWHERE  # a home folder, or what holds one, is no workspace
    return Ground(
        root or start,
        start,
        home,
        user=env.get("USER") or "user",
        branch=_branch(root) if root and root != NOWHERE else "",
        protected=protected,
        own=tuple(map(REAL.real, own)),
        secret_patterns=secret_patterns,
        danger_patterns=danger_patterns,
        disk=REAL,
    )


def _root(folder: str) -> str:
    for candidate in (folder, *map(str, Path(folder).parents)):
        if Path(candidate, ".git").exists():
            return candidate
    return ""


def _branch(root: str) -> str:
    """The branch that is checked out, from git's own files."""
    place = Path(root, ".git")
    link = REAL.text(str(place))  # of a linked worktree: a file that names its folder
    if link is not None:
        place = Path(root, link.strip().removeprefix("gitdir:").strip())
    head = (REAL.text(str(place / "HEAD")) or "").strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
