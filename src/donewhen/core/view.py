"""The workspace as the gate sees it: its fingerprint, what differs from the start, and its files.

`MemoryFiles` is a tree held in memory: gate cases and tests use it, a run brings the real one.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

from donewhen.core.codec import EMPTY

Change = Literal["added", "modified", "deleted"]


class Files(Protocol):
    def text(self, path: str) -> str | None:
        """The current content of a file; None when there is none."""

    def holds(self, folder: str) -> bool:
        """Whether a file is somewhere in this folder."""


class View(NamedTuple):
    fingerprint: str  # the tree that would be shipped
    relevant: str  # the same up to paths that can't matter: what evidence is compared with
    files: Files
    changed: Mapping[str, Change] = EMPTY  # against the start; exempt and ignored paths left out


class MemoryFiles:
    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = MappingProxyType(dict(files))

    def text(self, path: str) -> str | None:
        return self._files.get(path)

    def holds(self, folder: str) -> bool:
        prefix = "" if folder in ("", ".") else folder.rstrip("/") + "/"
        return any(path.startswith(prefix) for path in self._files)
