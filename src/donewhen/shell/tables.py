"""Tables of knowledge in TOML: read once, checked with file and line, then kept compiled.

Programs, phrases and patterns are data that people edit. Each table of a folder (or of one file) has its
own name; who owns the data says what a row may hold. The compiled form lies beside Python's own compiled
files, so that a hook reads no TOML; it is made again when a file changes.
"""

import marshal
import os
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.errors import UserError

_VERSION = 1  # of the compiled form
Rows = dict[str, Any]


class Place(NamedTuple):
    """Where a row stands, for whoever refuses it."""

    path: Path
    text: str
    name: str

    def error(self, key: str, why: str) -> UserError:
        place = f"{self.path.name}:{self._line(key)}"
        return UserError("shell.broken_row", place=place, row=self.name, why=why)

    def _line(self, key: str) -> int:
        """Where the key stands below the row's header; the header when it can't be found."""
        quoted = rf'(?:{re.escape(self.name)}|"{re.escape(self.name)}")'
        header = re.search(rf"^\[+{quoted}(?:\.[^\]]*)?\]", self.text, re.MULTILINE)
        start = header.start() if header else 0
        where = rf"""^[^\n#]*?(?<![\w-])["']?{re.escape(key)}["']?(?:\]|\s*[.=])"""
        found = re.compile(where, re.MULTILINE).search(self.text, start) if key else None
        return self.text.count("\n", 0, found.end() if found else start) + 1


Check = Callable[[Place, Any], Any]  # refuses a row, or gives what is kept of it


def load_tables(source: Path, check: Check) -> Rows:
    """The rows of a TOML file, or of all files of a folder, as `check` gives them."""
    files = [source] if source.suffix else sorted(source.glob("*.toml"))
    stamp = [_VERSION, *(f"{each.name}:{_stamp(each)}" for each in files)]
    compiled = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.rows"
    try:
        known, rows = marshal.loads(compiled.read_bytes())  # noqa: S302 - ours, like the .pyc beside it
        if known == stamp:
            return dict(rows)
    except (OSError, ValueError, EOFError, TypeError):
        pass
    rows = read_tables(files, check)
    _keep(compiled, marshal.dumps((stamp, rows)))
    return rows


def _stamp(path: Path) -> str:
    status = path.stat()
    return f"{status.st_mtime_ns}:{status.st_size}"


def read_tables(files: list[Path], check: Check) -> Rows:
    found: Rows = {}
    homes: dict[str, str] = {}
    for path in files:
        text = path.read_text(encoding="utf-8")
        for name, row in _parsed(path, text).items():
            place = Place(path, text, name)
            if name in found:
                raise place.error("", f"there is a row {name} in {homes[name]} already")
            homes[name] = path.name
            found[name] = check(place, row)
    return found


def _parsed(path: Path, text: str) -> Rows:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = f"{path.name}:{line[1] if line else 1}"
        raise UserError("shell.broken_table", place=place, why=str(error)) from None


def check_pattern(place: Place, key: str, source: str) -> str:
    """The pattern, refused when it is none."""
    try:
        re.compile(source)
    except re.error as error:
        raise place.error(key, f"{key} is no pattern: {error}") from None
    return source


def _keep(path: Path, data: bytes) -> None:
    """Where it can't be written, the next process reads the tables again."""
    try:
        path.parent.mkdir(exist_ok=True)
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        beside.write_bytes(data)
        beside.replace(path)
    except OSError:
        pass
