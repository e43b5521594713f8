"""What our hook refused to a client at work, as the hook wrote it down: each call of a tool once.

A client may have our hook twice, from its user's settings and from the run's, and both refuse the same call.
"""

import json
import os
from pathlib import Path

from donewhen.core.events import facts

_LARGEST = 256 * 1024
_MOST = 200  # of one call of the client


class Refusals:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0  # bytes
        self._known: set[str] = set()
        self._told = 0

    def new(self) -> tuple[facts.Denied, ...]:
        """Those since this was asked last; a line that is not whole yet is left for the next time."""
        try:
            handle = os.open(self._file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return ()
        with os.fdopen(handle, "rb") as file:
            file.seek(self._read)
            whole, ending, _ = file.read(_LARGEST).rpartition(b"\n")
        self._read += len(whole) + len(ending)
        lines = whole.decode(errors="replace").splitlines()
        found = tuple(each for line in lines if (each := self._refusal(line)) is not None)
        found = found[: _MOST - self._told]
        self._told += len(found)
        return found

    def last(self) -> tuple[facts.Denied, ...]:
        """The rest, when the client has ended; the next call begins with an empty file."""
        found = self.new()
        self._file.unlink(missing_ok=True)
        self._read = self._told = 0
        return found

    def _refusal(self, line: str) -> facts.Denied | None:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(data, dict):
            return None
        tool, rule, reason, call = (str(data.get(name, "")) for name in ("tool", "rule", "reason", "call"))
        if not rule or call in self._known:
            return None
        self._known |= {call} if call else set()
        return facts.Denied(tool, rule, reason)
