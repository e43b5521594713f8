"""Tables of knowledge in TOML: read once, checked with file and line, then kept compiled.

Programs, phrases and patterns are data that people edit. Each table of a folder (or of one file) has its
own name; who owns the data says what a row may hold. The compiled form lies beside Python's own compiled
files, so that a hook reads no TOML and loads nothing that only a broken table needs; it is made again when a
file changes.
"""

import marshal
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from donewhen.core.errors import UserError

_VERSION = 1  # of the compiled form
Rows = dict[str, Any]


class Place(NamedTuple):
    """Where a row stands, for whoever refuses it."""

    path: str
    text: str
    name: str

    @property
    def file(self) -> str:
        return _name_of(self.path)

    def error(self, key: str, why: str) -> "UserError":
        from donewhen.core.errors import UserError

        place = f"{self.file}:{self._line(key)}"
        return UserError("shell.broken_row", place=place, row=self.name, why=why)

    def _line(self, key: str) -> int:
        """Where the key stands below the row's header; the header when it can't be found."""
        import re

        quoted = rf'(?:{re.escape(self.name)}|"{re.escape(self.name)}")'
        header = re.search(rf"^\[+{quoted}(?:\.[^\]]*)?\]", self.text, re.MULTILINE)
        start = header.start() if header else 0
        where = rf"""^[^\n#]*?(?<![\w-])["']?{re.escape(key)}["']?(?:\]|\s*[.=])"""
        found = re.compile(where, re.MULTILINE).search(self.text, start) if key else None
        return self.text.count("\n", 0, found.end() if found else start) + 1


Check = Callable[[Place, Any], Any]  # refuses a row, or gives what is kept of it
Whole = Callable[[Rows, dict[str, Place]], Rows]  # the same for all rows together


def beside(module: str, *names: str) -> str:
    """The path of a table that lies beside a module, by the module's `__file__`."""
    return "/".join((module.rpartition("/")[0], *names))


def load_tables(source: "str | os.PathLike[str]", check: Check, whole: Whole | None = None) -> Rows:
    """The rows of a TOML file, or of all files of a folder, as `check` gives them."""
    path = os.fspath(source)
    folder, _, name = path.rpartition("/")
    files = table_files(path)
    stamp = [_VERSION, *map(_stamp, (*files, _home_of(check)))]  # the schema may change too
    compiled = f"{folder}/__pycache__/{name.removesuffix('.toml')}.{sys.implementation.cache_tag}.rows"
    try:
        with open(compiled, "rb") as kept:  # noqa: PTH123 - pathlib takes longer to load than the rows
            known, rows = marshal.loads(kept.read())  # noqa: S302 - ours, like the .pyc beside it
        if known == stamp:
            return dict(rows)
    except (OSError, ValueError, EOFError, TypeError):
        pass
    rows = read_tables(files, check, whole)
    _keep(compiled, marshal.dumps((stamp, rows)))
    return rows


def table_files(source: "str | os.PathLike[str]") -> list[str]:
    path = os.fspath(source)
    if path.endswith(".toml"):
        return [path]
    return [f"{path}/{name}" for name in sorted(os.listdir(path)) if name.endswith(".toml")]  # noqa: PTH208


def _home_of(check: Check) -> str:
    """The module with the schema."""
    return str(sys.modules[check.__module__].__file__)


def _stamp(path: str) -> str:
    status = os.stat(path)  # noqa: PTH116
    return f"{_name_of(path)}:{status.st_mtime_ns}:{status.st_size}"


def _name_of(path: str) -> str:
    return path.rpartition("/")[2]


def read_tables(files: Sequence[str], check: Check, whole: Whole | None = None) -> Rows:
    found: Rows = {}
    places: dict[str, Place] = {}
    for path in files:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            text = file.read()
        for name, row in _parsed(path, text).items():
            place = Place(path, text, name)
            if name in found:
                raise place.error("", f"{name} has a row in {places[name].file}")
            places[name] = place
            found[name] = check(place, row)
    return whole(found, places) if whole else found


def _parsed(path: str, text: str) -> Rows:
    import re
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        from donewhen.core.errors import UserError

        line = re.search(r"line (\d+)", str(error))
        place = f"{_name_of(path)}:{line[1] if line else 1}"
        raise UserError("shell.broken_table", place=place, why=str(error)) from None


def check_pattern(place: Place, key: str, source: str) -> str:
    """The pattern, refused when it is none."""
    import re

    try:
        re.compile(source)
    except re.error as error:
        raise place.error(key, f"{key} is no pattern: {error}") from None
    return source


def _keep(path: str, data: bytes) -> None:
    """Where it can't be written, the next process reads the tables again."""
    made = f"{path}.{os.getpid()}"
    try:
        os.makedirs(path.rpartition("/")[0], exist_ok=True)  # noqa: PTH103
        with open(made, "wb") as file:  # noqa: PTH123
            file.write(data)
        os.replace(made, path)  # noqa: PTH105
    except OSError:
        pass
