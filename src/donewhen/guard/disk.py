"""The machine as the guard may see it: links, small files, names; and the ground of a real folder.

Reads only, bounded, and never fails: what can't be looked up is taken as written. Without path objects,
whose import alone would be felt in every hook.
"""

import os
import stat
import time
from collections.abc import Mapping

from donewhen.guard.ground import PROTECTED, Disk, Ground
from donewhen.guard.tracked import in_index

MOST_BYTES = 64 * 1024
MOST_NAMES = 10_000
MOST_INDEX = 64 * 1024 * 1024
CLOCK_TICK = 0.02  # seconds that a file's time may lag behind the clock
_BARE = ("HEAD", "objects", "refs")
MOST_PRINTED = 4 * 1024 * 1024
GIT_SECONDS = 5.0
_GIT = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_GONE = " (deleted)"  # or a name that ends so, which the slower way knows to tell
NOWHERE = "/nonexistent/no-workspace"


class RealDisk:
    """The file system of this machine."""

    def real(self, path: str) -> str:
        try:
            return _by_handle(path) or os.path.realpath(path)
        except (OSError, ValueError):
            return path

    def text(self, path: str) -> str | None:
        try:
            if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
                return None
            with open(path, encoding="utf-8") as file:
                return file.read()
        except (OSError, ValueError):
            return None

    def names(self, folder: str) -> tuple[str, ...] | None:
        try:
            found = os.listdir(folder)
        except (OSError, ValueError):
            return None
        return tuple(found) if len(found) <= MOST_NAMES else None

    def tracked(self, root: str, path: str) -> bool | None:
        try:
            git = _git_folder(root)
            split = any(name.startswith("sharedindex.") for name in os.listdir(git))
            if split or os.path.getsize(f"{git}/index") > MOST_INDEX:
                return None  # split in two, or too large to look through
            with open(f"{git}/index", "rb") as file:
                return in_index(file.read(), os.fsencode(path))
        except (OSError, ValueError):
            return None

    def repository(self, folder: str) -> float | None:
        """By the oldest thing in it: some files of a repository are never written again."""
        try:
            if os.path.lexists(f"{folder}/.git"):
                return _oldest(_git_folder(folder))
            bare = all(os.path.lexists(f"{folder}/{name}") for name in _BARE)
            return _oldest(folder) if bare else None
        except (OSError, ValueError):
            return 0.0  # something is there that can't be looked at

    def untouched(self, path: str) -> float | None:
        try:
            top = os.lstat(path)
            first, seen = top.st_ctime, 0
            waiting = [path] if stat.S_ISDIR(top.st_mode) else []
            while waiting:
                with os.scandir(waiting.pop()) as entries:
                    for entry in entries:
                        seen += 1
                        first = min(first, entry.stat(follow_symlinks=False).st_ctime)
                        waiting += [entry.path] if entry.is_dir(follow_symlinks=False) else []
                if seen > MOST_NAMES:
                    return None
        except (OSError, ValueError):
            return None
        return first

    def git(self, folder: str, *words: str) -> str | None:
        import subprocess  # few commands ask git, and a hook waits for every import

        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        try:
            ran = subprocess.run(
                [*_GIT, "-C", folder, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env={**env, "LC_ALL": "C"},
                timeout=GIT_SECONDS,
                check=False,
            )
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        known = ran.returncode == 0 and len(ran.stdout) <= MOST_PRINTED
        return os.fsdecode(ran.stdout) if known else None


def _by_handle(path: str) -> str:
    """Where an existing path leads, asked of the system at once instead of part by part; else empty."""
    if not hasattr(os, "O_PATH"):
        return ""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        found = os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        return ""
    finally:
        os.close(handle)
    return found if found.startswith("/") and not found.endswith(_GONE) else ""


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
    home = REAL.real(env.get("HOME") or os.path.expanduser("~"))
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
        since=time.time() - CLOCK_TICK,
        disk=REAL,
    )


def _root(folder: str) -> str:
    candidate = folder
    while not os.path.exists(f"{candidate.rstrip('/')}/.git"):
        above = os.path.dirname(candidate)
        if above == candidate:
            return ""
        candidate = above
    return candidate


def _git_folder(root: str) -> str:
    link = REAL.text(f"{root}/.git")  # of a linked worktree: a file that names its folder
    return (
        f"{root}/.git" if link is None else os.path.join(root, link.strip().removeprefix("gitdir:").strip())
    )


def _oldest(folder: str) -> float:
    return min((os.lstat(f"{folder}/{name}").st_ctime for name in os.listdir(folder)), default=0.0)


def _branch(root: str) -> str:
    """The branch that is checked out, from git's own files."""
    head = (REAL.text(f"{_git_folder(root)}/HEAD") or "").strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
