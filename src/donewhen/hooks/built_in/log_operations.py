"""`log-operations`: one line of JSON for each tool call and change of state, in a file of the run's own.

`<state folder>/logs/<run>.jsonl`, readable by the user alone, without secrets and bounded in line and file.
It is a convenience beside the ledger, so nothing that goes wrong with it stops a run: it is told, once.
"""

import os
import re
import stat
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any

from donewhen.config.files import private_folder
from donewhen.config.paths import state_folder
from donewhen.core.codec import dumps
from donewhen.core.errors import UserError
from donewhen.core.hooking import Occasion
from donewhen.core.texts import Phrase
from donewhen.hooks.model import PASS, Answer, Ask, Kit

LARGEST = 32 * 1024 * 1024  # of one run's file; what comes later is only in the ledger
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_TEXT = 1000  # characters of one text
_READ = 8 * _TEXT  # looked at for secrets, so that none is shown by half
_MOST = 50  # entries of one list or object
_DEEPEST = 5
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def make(kit: Kit) -> Ask:
    log = _Log(kit)

    async def ask(occasion: Occasion) -> Answer:
        try:
            log.append(_line(occasion, kit))
        except OSError as error:
            return Answer(failed=Phrase("hooks.no_log", {"why": os.strerror(error.errno or 0)}))
        except (UserError, ValueError, TypeError) as error:
            return Answer(failed=Phrase("hooks.no_log", {"why": str(error)}))
        return PASS

    return ask


def log_file(kit: Kit) -> Path:
    if not _RUN.fullmatch(kit.run_id):
        raise ValueError("run")
    return state_folder(kit.env) / "logs" / f"{kit.run_id}.jsonl"


def _line(occasion: Occasion, kit: Kit) -> bytes:
    when = datetime.now(UTC).isoformat(timespec="milliseconds")
    data = kit.redactor.data(bounded(occasion.data, _READ))
    line = {"time": when, "run": occasion.run_id, "point": occasion.point, "data": bounded(data, _TEXT)}
    return dumps(line).encode() + b"\n"


def bounded(data: Any, longest: int, depth: int = 0) -> Any:
    """JSON data of a size that a line can hold; what is left out is marked."""
    if isinstance(data, str):
        return data if len(data) <= longest else data[: longest - 1] + "…"
    if isinstance(data, dict) or hasattr(data, "items"):
        if depth == _DEEPEST:
            return "…"
        pairs = list(data.items())[:_MOST]
        return {str(key)[:_TEXT]: bounded(value, longest, depth + 1) for key, value in pairs}
    if isinstance(data, list | tuple):
        return [bounded(value, longest, depth + 1) for value in data[:_MOST]] if depth < _DEEPEST else "…"
    return data if isinstance(data, int | None) else str(data)[:longest]  # a float may be no JSON number


class _Log:
    """A file that stays open, and is made again when somebody took it away."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._file: FileIO | None = None

    def append(self, line: bytes) -> None:
        """In one write, so that lines of two processes never mix."""
        file = self._file
        facts = os.fstat(file.fileno()) if file is not None else None
        if file is None or facts is None or not facts.st_nlink:
            file = self._file = _opened(log_file(self._kit))
            facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            self._file = None
            raise ValueError(f"{file.name} is no file")
        if facts.st_size + len(line) <= LARGEST:
            file.write(line)


def _opened(path: Path) -> FileIO:
    def opener(name: str, _: int) -> int:
        return os.open(name, _FLAGS, 0o600)

    try:
        return FileIO(str(path), "a", opener=opener)
    except FileNotFoundError:
        private_folder(path.parent)
        return FileIO(str(path), "a", opener=opener)
