"""What a file holds: taken without waiting, within limits, and as text that can be put back as it was.

Bytes that are no UTF-8 survive a round; line ends and a byte order mark are kept apart from the text, so that
whoever edits it need not know of them. A file with a NUL is binary and refused.
"""

import hashlib
import os
import stat
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import AgentError
from donewhen.core.shown import one_name
from donewhen.tools.inside import FILE, place, telling

WHOLE = 2 * 1024 * 1024  # bytes that are read without a range
RANGED = 50 * 1024 * 1024
WRITTEN = 10 * 1024 * 1024
_MEGA = 1024 * 1024
_BOM = b"\xef\xbb\xbf"


class Content(NamedTuple):
    """The bytes of a regular file, and the facts of the very file that was read."""

    data: bytes
    facts: os.stat_result


class Text(NamedTuple):
    """Text with plain line ends, if the file's are all of one kind; and what to put back."""

    text: str
    crlf: bool = False
    bom: bool = False

    def bytes(self) -> bytes:
        plain = self.text.replace("\n", "\r\n") if self.crlf else self.text
        return (_BOM if self.bom else b"") + plain.encode(errors="surrogateescape")

    def fitted(self, text: str) -> str:
        """Text that is to go into this one, with line ends as here."""
        return text.replace("\r\n", "\n") if self.crlf else text


def read(root: Path, path: str, largest: int) -> Content:
    """A regular file of at most `largest` bytes; AgentError for any other."""
    with place(root, path) as (folder, name), telling(path):
        return taken(folder, name, path, largest)


def taken(folder: int, name: str, path: str, largest: int) -> Content:
    """The same in an open folder; OSError as it comes."""
    handle = os.open(name, FILE, dir_fd=folder)
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            kind = "toolbox.is_a_folder" if stat.S_ISDIR(facts.st_mode) else "toolbox.not_regular"
            raise AgentError(kind, path=one_name(path), cause="")
        if facts.st_size > largest:
            raise too_large(path, facts.st_size, largest)
        data = _all(handle, largest + 1)
    finally:
        os.close(handle)
    if len(data) > largest:  # it grew, or its size is a fiction
        raise too_large(path, len(data), largest)
    return Content(data, facts)


def too_large(path: str, size: int, largest: int) -> AgentError:
    whole = largest == WHOLE
    return AgentError(
        "toolbox.too_large_whole" if whole else "toolbox.too_large",
        path=one_name(path),
        size=f"{size / _MEGA:.1f}",
        most=largest // _MEGA,
    )


def refuse_binary(data: bytes, path: str) -> None:
    if b"\0" in data:
        raise AgentError("toolbox.is_binary", path=one_name(path), size=len(data))


def text_of(data: bytes) -> Text:
    bom = data.startswith(_BOM)
    body = data[len(_BOM) :] if bom else data
    ends = body.count(b"\n")
    crlf = 0 < ends == body.count(b"\r\n")
    text = body.decode(errors="surrogateescape")
    return Text(text.replace("\r\n", "\n") if crlf else text, crlf, bom)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _all(handle: int, most: int) -> bytes:
    parts = []
    while most > 0 and (part := os.read(handle, min(most, _MEGA))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)
