"""Server-sent events, read from bytes as they come.

Any cut of the stream into chunks gives the same events. What was begun and never ended is no event, so an
answer that broke off is not taken for a short one.
"""

from typing import NamedTuple

LONGEST_LINE = 16 * 1024 * 1024
LARGEST_EVENT = 32 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


class Event(NamedTuple):
    name: str
    data: bytes


class TooLarge(Exception):
    """A line or an event beyond all bounds."""


class Events:
    """The parser of one stream."""

    def __init__(self, longest_line: int = LONGEST_LINE, largest_event: int = LARGEST_EVENT) -> None:
        self._longest = longest_line
        self._largest = largest_event
        self._begun: list[bytes] = []  # chunks of a line without its end
        self._begun_size = 0
        self._after_cr = False
        self._first = True
        self._name = ""
        self._data: list[bytes] = []
        self._data_size = 0

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that this chunk completes."""
        if not chunk:
            return []
        found: list[Event] = []
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        for line in chunk.splitlines(keepends=True):
            self._begun.append(line)
            self._begun_size += len(line)
            if self._begun_size > self._longest:
                raise TooLarge
            if line.endswith((b"\n", b"\r")):
                self._line(b"".join(self._begun).rstrip(b"\r\n"), found)
                self._begun, self._begun_size = [], 0
        return found

    def end(self) -> list[Event]:
        """The last event, where only the empty line after it is missing."""
        found: list[Event] = []
        if not self._begun:
            self._dispatch(found)
        return found

    def _line(self, line: bytes, found: list[Event]) -> None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if not line:
            self._dispatch(found)
            return
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
            self._data_size += len(value) + 1
            if self._data_size > self._largest:
                raise TooLarge
        elif field == b"event":
            self._name = value.decode(errors="replace")

    def _dispatch(self, found: list[Event]) -> None:
        if self._data:
            found.append(Event(self._name, b"\n".join(self._data)))
        self._name, self._data, self._data_size = "", [], 0
