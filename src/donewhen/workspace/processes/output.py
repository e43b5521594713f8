"""What a command prints, taken as it comes: kept whole in a file, or in memory while it is little, and
shown as head and tail.

Secrets are taken out before anything is written or shown; text is passed on at line ends, so that none is
cut in two. Control sequences stay in the file and go from what is shown. Past its cap the file stays as it
is and the rest is only counted: a command is never made to wait, and never fills the disk.
"""

import os
import tempfile
from pathlib import Path
from typing import IO, NamedTuple

from donewhen.core.lazy import lazy
from donewhen.secrets.redact import Redactor
from donewhen.workspace.processes.command import Output

SHOWN = 64 * 1024
_MARKER = 64  # room for the words between head and tail
_HEAD = SHOWN // 2 - _MARKER
_TAIL = SHOWN - _HEAD - _MARKER
_PIECE = 256 * 1024  # this much is taken at once, if it has a line end
_LONGEST = 1024 * 1024  # a line longer than this is cut
_AROUND = 8 * 1024  # where a line is cut, this much on both sides is looked at for secrets
_KEY_BLOCK = 64 * 1024  # no private key is longer
_CONTROL = lazy(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b[\]P^_X][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)?|\x1b[ -/]{0,8}[0-~]?"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_RETURNS = lazy(r"\r+\n?")


def cleaned(text: str) -> str:
    """Without control sequences and marks that reorder text; an overwritten line becomes one of its own."""
    return _RETURNS.sub("\n", _CONTROL.sub("", text))


class Part(NamedTuple):
    """A stretch of the kept output, and where the next one begins."""

    text: str
    next: int


class Sink:
    """Takes bytes with `take`; `close` ends it. The file belongs to the caller afterwards.

    Up to `in_memory` bytes there is none: making one costs more than a short command.
    """

    def __init__(self, folder: Path, redactor: Redactor, most: int, in_memory: int = 0) -> None:
        self._folder = folder
        self._redactor = redactor
        self._most = most
        self._in_memory = in_memory
        self._file: IO[bytes] | None = None
        self._memory = bytearray()
        self._closed = False
        self.path = Path(os.devnull)
        self._waiting = bytearray()
        self._kept = 0
        self._cut = 0
        self.size = 0
        self._head = bytearray()
        self._tail = bytearray()
        self._shown = 0
        if not in_memory:
            self._file = self._made()

    def _made(self) -> IO[bytes]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(prefix="output-", dir=self._folder)
        except OSError:  # no room or no right: as if the cap were reached at once
            self._most = 0
            handle, name = os.open(os.devnull, os.O_WRONLY), str(self._folder / "output-not-kept")
        self.path = Path(name)
        return os.fdopen(handle, "wb", buffering=0)

    def take(self, data: bytes) -> None:
        self.size += len(data)
        self._waiting += data
        if len(self._waiting) >= _PIECE:
            self._pass_on(self._safe_end())

    def settle(self) -> None:
        """Pass on all whole lines, so that they can be read."""
        self._pass_on(self._safe_end())

    def close(self) -> None:
        if not self._closed:
            self._pass_on(len(self._waiting))
            self._closed = True
            if self._file is not None:
                self._file.close()

    def output(self) -> Output:
        """What there is so far, the unfinished last line with it."""
        rest = _shown(self._without_secrets(bytes(self._waiting)))
        room = _HEAD - len(self._head)
        head, tail = bytes(self._head) + rest[:room], (bytes(self._tail) + rest[room:])[-_TAIL:]
        left_out = self._shown + len(rest) - len(head) - len(tail)
        if not left_out:
            return Output((head + tail).decode("utf-8", "replace"), "", 0, self.size, self.path, self._cut)
        return Output(_whole(head), _whole(tail), left_out, self.size, self.path, self._cut)

    def read(self, offset: int, most: int = SHOWN) -> Part:
        """Whole lines of the kept output from `offset` (of the file) on, without control sequences."""
        self.settle()
        data = self._stretch(max(0, offset), max(1, most))
        end = max(0, offset) + len(data)
        if len(data) == most:  # not in the middle of a character
            data = data[: len(data) - _unfinished(data)] or data
            end = max(0, offset) + len(data)
        return Part(cleaned(data.decode("utf-8", "replace")), end)

    def _stretch(self, offset: int, most: int) -> bytes:
        if self._file is None:
            return bytes(self._memory[offset : offset + most])
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                return file.read(most)
        except OSError:
            return b""  # it was never there, or somebody took it away

    def _safe_end(self) -> int:
        """How much can be passed on: whole lines, or of one that is too long what ends outside a secret."""
        end = _line_end(self._waiting)
        if end or len(self._waiting) <= _LONGEST or b"\n" in self._waiting:
            return end
        for cut in range(len(self._waiting) - _AROUND, _LONGEST // 2, -_AROUND):
            before, after = self._waiting[cut - _AROUND : cut], self._waiting[cut : cut + _AROUND]
            whole = self._without_secrets(bytes(before + after))
            if self._without_secrets(bytes(before)) + self._without_secrets(bytes(after)) == whole:
                return cut
        return len(self._waiting)

    def _without_secrets(self, data: bytes) -> bytes:
        text = self._redactor.text(data.decode("utf-8", "surrogateescape"))
        return text.encode("utf-8", "surrogateescape")

    def _pass_on(self, end: int) -> None:
        if not end:
            return
        if self._kept >= self._most and len(self._tail) >= _TAIL and end > 4 * _TAIL:
            skipped = end - 4 * _TAIL  # past the cap only the end can still be shown
            self._cut += skipped
            self._shown += skipped
            del self._waiting[:skipped]
            end -= skipped
        safe = self._without_secrets(bytes(self._waiting[:end]))
        del self._waiting[:end]
        self._keep(safe)
        self._show(_shown(safe))

    def _keep(self, data: bytes) -> None:
        fits = data[: max(0, self._most - self._kept)]
        if self._file is None and self.size <= self._in_memory:
            self._memory += fits
            written = len(fits)
        else:
            written = self._written(fits)
        self._kept += written
        self._cut += len(data) - written

    def _written(self, data: bytes) -> int:
        """How much of it is in the file now, which is made when there was none."""
        if self._file is None:
            self._file = self._made()
            self._kept = self._write(self._file, bytes(self._memory))
            self._cut += len(self._memory) - self._kept
            self._memory.clear()
            data = data[: max(0, self._most - self._kept)]
        return self._write(self._file, data)

    def _write(self, file: IO[bytes], data: bytes) -> int:
        written = 0
        try:
            while self._most and written < len(data):
                written += file.write(data[written:])
        except OSError:  # a full disk: as if the cap were reached, the command goes on
            self._most = 0
        return written

    def _show(self, shown: bytes) -> None:
        self._shown += len(shown)
        room = _HEAD - len(self._head)
        self._head += shown[:room]
        self._tail += shown[room:]
        del self._tail[:-_TAIL]


def _line_end(waiting: bytearray) -> int:
    """Up to the last line end, but not into a private key that has not ended."""
    end = waiting.rfind(b"\n") + 1
    begin = waiting.rfind(b"-----BEGIN ", 0, end)
    if begin >= 0 and waiting.find(b"-----END ", begin, end) < 0 and end - begin < _KEY_BLOCK:
        return begin
    return end


def _shown(data: bytes) -> bytes:
    return cleaned(data.decode("utf-8", "replace")).encode()


def _whole(cut: bytes) -> str:
    """Text without the halves of characters at its ends."""
    return cut.decode("utf-8", "ignore")


def _unfinished(data: bytes) -> int:
    """How many bytes at the end begin a character that does not end."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < needed else 0
        if byte < 0x80:
            break
    return 0
