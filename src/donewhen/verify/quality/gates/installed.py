"""Whether a program in a Python environment is what an installer put there.

An installer leaves RECORD beside the metadata: every file with its size and digest. A script that somebody
wrote into `bin` is in none, or differs. Environments that were moved have other first lines in their scripts,
so a script that does nothing but call a recorded module counts too. Only the program and the module that it
starts are compared, and each once while it stays the same; whoever forges RECORD as well is not caught here.
"""

import csv
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from donewhen.verify.quality.gates.versions import distributions, numbers, packages_of

_LARGEST_RECORD = 16 * 1024 * 1024
_LARGEST_PROGRAM = 512 * 1024 * 1024
_LARGEST_SCRIPT = 4096
_INTERPRETER = re.compile(r"(?:python|pypy)[0-9.]{0,8}")
_IMPORT = re.compile(r"from ([A-Za-z_][\w.]{0,200}) import ([A-Za-z_]\w{0,100})")
_EXIT = re.compile(r"sys\.exit\(([A-Za-z_]\w{0,100})(?:\.\w{1,100}){0,4}\(\)\)")
_SHELL = re.compile(r"""'''exec' "?([^"'\s]{1,4000})"? "\$0" "\$@\"""")
_SHELL_ENDS = "' '''"
_SAID = frozenset(  # what installers write around the call
    (
        "import re",
        "import sys",
        "if __name__ == '__main__':",
        r"sys.argv[0] = re.sub(r'(-script\.pyw|\.exe)?$', '', sys.argv[0])",
        r"sys.argv[0] = re.sub(r'(-script\.pyw?|\.exe)?$', '', sys.argv[0])",
        "sys.argv[0] = sys.argv[0].removesuffix('.exe')",
        "if sys.argv[0].endswith('-script.pyw'):",
        "sys.argv[0] = sys.argv[0][:-11]",
        "if sys.argv[0].endswith('.exe'):",
        "elif sys.argv[0].endswith('.exe'):",
        "sys.argv[0] = sys.argv[0][:-4]",
    )
)
_Row = tuple[str, str]  # digest and size, as RECORD has them
_State = tuple[int, int, int, int]


def python_install(program: Path, package: str) -> str:
    """The version of the package that brought the program into its environment; empty when none did."""
    for site in packages_of(program.parent.parent):
        for info, version in distributions(site, package):
            if numbers(version) and _is_recorded(program, site, info / "RECORD"):
                return version
    return ""


def _is_recorded(program: Path, site: Path, record: Path) -> bool:
    rows = _rows(str(record), _state(record))
    row = rows.get(os.path.relpath(program, site))
    if row is None:
        return False
    module = _called(program)
    listed = _of_module(rows, module) if module else {}
    if listed:
        return all(_is_same(site / name, each) for name, each in listed.items())
    return _is_same(program, row)


def _of_module(rows: Mapping[str, _Row], module: str) -> dict[str, _Row]:
    start = module.replace(".", "/")
    plain = (f"{start}.py", f"{start}/__init__.py")
    return {
        name: row
        for name, row in rows.items()
        if name in plain or (name.startswith(f"{start}.") and name.endswith((".so", ".pyd")))
    }


def _called(program: Path) -> str:
    """The module whose function a generated script calls; empty for any other program."""
    state = _state(program)
    if state is None or state[0] > _LARGEST_SCRIPT:
        return ""
    try:
        lines = program.read_bytes().decode().splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    interpreter, body = _interpreter(lines)
    folder, _, name = interpreter.rpartition("/")
    homes = (str(program.parent), os.path.realpath(program.parent))
    return _module(body) if folder in homes and _INTERPRETER.fullmatch(name) else ""


def _interpreter(lines: list[str]) -> tuple[str, list[str]]:
    """What the first line names, or the shell's line where that would be too long; and the lines after it."""
    if len(lines) > 2 and lines[0] == "#!/bin/sh" and lines[2] == _SHELL_ENDS:
        found = _SHELL.fullmatch(lines[1])
        return (found[1] if found else "", lines[3:])
    return (lines[0][2:].strip(), lines[1:]) if lines and lines[0].startswith("#!") else ("", [])


def _module(lines: list[str]) -> str:
    words = [line.strip().replace('"', "'") for line in lines]
    rest = [word for word in words if word and not word.startswith("#") and word not in _SAID]
    if len(rest) != 2:
        return ""
    brought, call = _IMPORT.fullmatch(rest[0]), _EXIT.fullmatch(rest[1])
    return brought[1] if brought and call and brought[2] == call[1] else ""


def _is_same(path: Path, row: _Row) -> bool:
    digest, size = row
    state = _state(path)
    if state is None or not digest or str(state[0]) != size or state[0] > _LARGEST_PROGRAM:
        return False
    return _digest(str(path), state) == digest


def _state(path: Path) -> _State | None:
    """Changes whenever the file does; None for what is no file."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    is_file = path.is_file()
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino) if is_file else None


@lru_cache(maxsize=64)
def _digest(path: str, state: _State) -> str:
    from base64 import urlsafe_b64encode
    from hashlib import file_digest

    try:
        with Path(path).open("rb") as file:
            found = file_digest(file, "sha256").digest()
    except OSError:
        return ""
    return f"sha256={urlsafe_b64encode(found).rstrip(b'=').decode()}"


@lru_cache(maxsize=32)
def _rows(record: str, state: _State | None) -> Mapping[str, _Row]:
    if state is None or state[0] > _LARGEST_RECORD:
        return MappingProxyType({})
    try:
        with Path(record).open(encoding="utf-8", newline="") as file:
            found = {row[0]: (row[1], row[2]) for row in csv.reader(file) if len(row) == 3}
    except (OSError, UnicodeDecodeError, csv.Error):
        return MappingProxyType({})
    return MappingProxyType(found)
