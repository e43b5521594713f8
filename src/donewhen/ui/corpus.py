"""Files of cases for the `… test FILE` commands: JSON Lines, read strictly and within limits.

Every problem names the file and the line. What a case means is for the command that asked for it.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase

MOST_MIB = 16
MOST_LINES = 100_000


def cases(path: str | Path, fields: Iterable[str] | Mapping[str, type]) -> list[dict[str, Any]]:
    """The objects of a JSONL file (`-` for stdin) that all have `fields`; a mapping also says their types."""
    name = _name(path)
    lines = _text(path, name).split("\n")
    if len(lines) > MOST_LINES + 1:
        raise UserError("corpus.too_many", place=name, limit=MOST_LINES)
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            case = _object(line, f"{name}:{number}")
            _check(case, fields, f"{name}:{number}")
            found.append(case)
    if not found:
        raise UserError("corpus.empty", place=name)
    return found


def read_json(path: str | Path) -> dict[str, Any]:
    """The one object of a JSON file (`-` for stdin)."""
    return _object(_text(path, _name(path)), _name(path))


def _name(path: str | Path) -> str:
    return "stdin" if str(path) == "-" else str(path)


def _text(path: str | Path, name: str) -> str:
    most = MOST_MIB * 1024 * 1024
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(most + 1) if sys.stdin else b""
        else:
            with opened(path) as file:
                data = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError("corpus.cannot_read", place=name, why=why) from None
    if len(data) > most:
        raise UserError("corpus.too_large", place=name, limit=MOST_MIB)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UserError("corpus.not_text", place=f"{name}:{line}") from None


def opened(path: str | Path) -> BinaryIO:
    """A file to read; a pipe that nobody writes to is at its end and does not block."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(handle, True)
    return os.fdopen(handle, "rb")


def _object(text: str, place: str) -> dict[str, Any]:
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise UserError("corpus.not_json", place=place, why=Phrase("corpus.too_deep")) from None
    except ValueError as error:
        why = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise UserError("corpus.not_json", place=place, why=why) from None
    if not isinstance(data, dict):
        raise UserError("corpus.not_object", place=place)
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:60]!r} is given twice")
    return found


_KINDS = {
    str: Phrase("corpus.a_text"),
    bool: Phrase("corpus.a_boolean"),
    list: Phrase("corpus.a_list"),
    dict: Phrase("corpus.an_object"),
    int: Phrase("corpus.a_number"),
}


def _check(case: dict[str, Any], fields: Iterable[str] | Mapping[str, type], place: str) -> None:
    for field in fields:
        if field not in case:
            raise UserError("corpus.missing_field", place=place, field=field)
        kind = fields[field] if isinstance(fields, Mapping) else None
        if kind is not None and type(case[field]) is not kind:
            raise UserError("corpus.wrong_type", place=place, field=field, kind=_KINDS[kind])
