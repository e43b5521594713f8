"""Where an action takes place: workspace, home, branches, what may be written, what counts as a secret.

A frozen value, so that a decision is a function of the action and of this. Only `disk` looks at the machine;
corpora are judged with `NO_DISK`, which sees nothing.
"""

import math
import posixpath
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from donewhen.guard.marks import BELOW, HOLE, anything

PROTECTED = ("main", "master", "dev", "staging", "release/*")
TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 (named, not used)
DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/fd", "/dev/full")


class Disk(Protocol):
    """What the guard may ask of the machine; all answers are about now and may be wrong a moment later."""

    def real(self, path: str) -> str:
        """The absolute path with its symbolic links followed, as far as it exists."""
        ...

    def text(self, path: str) -> str | None:
        """A small text file's content; None when there is none that can be read."""
        ...

    def names(self, folder: str) -> tuple[str, ...] | None:
        """The names in a folder; None when that is not known."""
        ...

    def tracked(self, root: str, path: str) -> bool | None:
        """Does git track this path of the work tree, or something below it? None when that is not known."""
        ...

    def repository(self, folder: str) -> float | None:
        """When the repository of which this is the top folder was made; None: it is none."""
        ...

    def untouched(self, path: str) -> float | None:
        """When of all that is here and below the first was last changed; None when that is not known."""
        ...

    def git(self, folder: str, *words: str) -> str | None:
        """What a git command prints that only reads; None when git can't tell."""
        ...


class _NoDisk:
    def real(self, path: str) -> str:
        return path

    def text(self, path: str) -> str | None:
        return None

    def names(self, folder: str) -> tuple[str, ...] | None:
        return None

    def tracked(self, root: str, path: str) -> bool | None:
        return None

    def repository(self, folder: str) -> float | None:
        return None

    def untouched(self, path: str) -> float | None:
        return None

    def git(self, folder: str, *words: str) -> str | None:
        return None


NO_DISK: Disk = _NoDisk()


class Ground(NamedTuple):
    workspace: str
    folder: str  # where the command starts
    home: str
    user: str = "dev"
    branch: str = ""  # checked out in the workspace; empty: not known
    remote: str = "origin"
    protected: tuple[str, ...] = PROTECTED
    writable: tuple[str, ...] = (*TEMPORARY, *DEVICES)  # besides the workspace
    own: tuple[str, ...] = ()  # folders of donewhen's state and settings, where they are not the usual ones
    secret_patterns: tuple[str, ...] = ()
    danger_patterns: tuple[str, ...] = ()
    variables: Mapping[str, str] = MappingProxyType({})  # of the environment, where their values are known
    since: float = math.inf  # what came to be later was made by this run
    client_folders: tuple[str, ...] = ()  # of coding agents, where they are not the usual ones
    checkout: bool = False  # the user's own: work that is not the agent's lies in it
    disk: Disk = NO_DISK


def absolute(path: str, folder: str) -> str:
    """The path from the root, `.` and `..` resolved as text; a mark that may hold anything stays in it."""
    if path.startswith("/"):
        whole = path
    elif path and path[0] in "\x00\x04\x05\x06":
        return path  # it may be absolute
    else:
        whole = f"{folder}/{path}"
    if "//" not in whole and "/." not in whole and not whole.endswith("/"):
        return whole
    if ".." not in whole:
        return (
            posixpath.normpath(whole).replace("//", "/", 1)
            if whole.startswith("//")
            else posixpath.normpath(whole)
        )
    kept: list[str] = []
    for name in whole.split("/"):
        if name == ".." and kept and (anything(kept[-1]) or BELOW in kept[-1]):
            kept[-1] = HOLE
        elif name == "..":
            kept = kept[:-1]
        elif name not in ("", "."):
            kept.append(name)
    return (
        "" if kept and kept[0][:1] in "\x00\x04\x05\x06" and not whole.startswith("/") else "/"
    ) + "/".join(kept)
