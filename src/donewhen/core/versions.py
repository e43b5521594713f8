"""Write versions of files: each write bumps a path's version, and only reading back confirms a version.

A confirmation never reaches beyond what was written when it was given, so a later write always needs its own.
What a file holds is not known here: whoever reads it says what was found.
"""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.events.facts import By, FileChanged, FileConfirmed
from donewhen.core.view import Change

READING_TOOLS = frozenset(("read_file", "file_info"))


class Delivered(NamedTuple):
    """A file as far as it was written and confirmed; version 0 is what nobody was seen writing."""

    path: str
    written: int = 0
    confirmed: int = -1  # none yet

    @property
    def pending(self) -> bool:
        return self.confirmed < self.written


class Versions:
    """Takes facts one by one."""

    def __init__(self) -> None:
        self.written: dict[str, int] = {}  # path → version of its last write
        self.confirmed: dict[str, int] = {}
        self._gone: set[str] = set()

    def change(self, body: FileChanged) -> None:
        moved = (body.origin,) if body.change == "move" and body.origin else ()
        for path in (*moved, *((body.path,) if body.change == "delete" else ())):
            self.written.pop(path, None)
            self.confirmed.pop(path, None)
            self._gone.add(path)
        if body.change != "delete":
            self._gone.discard(body.path)
            self.written[body.path] = max(body.version, self.written.get(body.path, 0) + 1)

    def confirm(self, body: FileConfirmed) -> None:
        version = min(body.version, self.written.get(body.path, 0))
        self.confirmed[body.path] = max(version, self.confirmed.get(body.path, -1))

    def of(self, path: str) -> Delivered:
        return Delivered(path, self.written.get(path, 0), self.confirmed.get(path, -1))

    def touched(self) -> Mapping[str, Change]:
        """What the facts alone say of the change; that something was put back as it was they don't know."""
        gone: dict[str, Change] = dict.fromkeys(self._gone, "deleted")
        return gone | dict.fromkeys(self.written, "modified")


def read_back(
    versions: Versions, tool: str, path: str, text: str | None, by: By = "agent"
) -> FileConfirmed | None:
    """The fact that a tool's look at a file is worth: none for a file that is missing or empty."""
    if tool not in READING_TOOLS or not text:
        return None
    return FileConfirmed(path, versions.of(path).written, by)
