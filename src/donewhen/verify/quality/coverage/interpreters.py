"""Which Python a command of the project runs on, and what is installed there; nothing is run.

An interpreter of the project is code of the project. Its folders say what is installed; where they can't, as
behind a shim, the answer is None and the run will tell.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from donewhen.verify.exam.files import small_text

_PYTHON = re.compile(r"python(?:\d(?:\.\d{1,2})?)?")
_SHEBANG = re.compile(rb"#!\s{0,10}(/\S{1,400})(?:\s{1,10}(\S{1,200}))?")
_LIBRARIES = ("lib/python3*/site-packages", "lib64/python3*/site-packages")
_SYSTEM = ("lib/python3/dist-packages", "local/lib/python3*/dist-packages")
_SHARED = re.compile(r"^include-system-site-packages\s{0,10}=\s{0,10}true", re.MULTILINE | re.IGNORECASE)
_COVERAGE = "coverage/__init__.py"
_ANY = "*.dist-info"
_BARE = re.compile(r"(?:pip|setuptools|wheel|pkg_resources|distribute)-")  # what an empty environment has
_HOME = re.compile(r"^home\s{0,10}=\s{0,10}(/[^\n]{1,400})", re.MULTILINE)


def find_program(name: str, path: Sequence[str]) -> Path | None:
    """The first program of this name; `path` holds absolute folders, anything else is not looked into."""
    if name.startswith("/"):
        return Path(name) if _runs(Path(name)) else None
    if not name or "/" in name:
        return None
    return next(
        (place for folder in path if folder.startswith("/") and _runs(place := Path(folder, name))), None
    )


def _runs(place: Path) -> bool:
    try:
        return place.is_file() and os.access(place, os.X_OK)
    except (OSError, ValueError):
        return False


def python_for(argv: Sequence[str], path: Sequence[str], folder: Path) -> Path | None:
    """The interpreter with coverage.py that the command most likely runs on; None: none has it."""
    seen: dict[Path, bool | None] = {}
    for place in _candidates(argv, path, folder):
        seen.setdefault(place, has_coverage(place))
    sure = (place for place, has in seen.items() if has)
    maybe = (place for place, has in seen.items() if has is None)
    return next(sure, None) or next(maybe, None)


def _candidates(argv: Sequence[str], path: Sequence[str], folder: Path) -> Iterator[Path]:
    head = argv[0] if argv else ""
    program = find_program(str(folder / head) if "/" in head else head, path)
    if program is not None:
        if _PYTHON.fullmatch(program.name):
            yield program
        elif (named := _named_by(program, path)) is not None:
            yield named
    for name in ("python", "python3"):
        found = find_program(name, path)
        if found is not None:
            yield found


def _named_by(script: Path, path: Sequence[str]) -> Path | None:
    """The interpreter that a script's first line names."""
    try:
        with script.open("rb") as file:
            found = _SHEBANG.match(file.read(1024))
    except OSError:
        return None
    words = [os.fsdecode(word) for word in found.groups() if word] if found else []
    if len(words) == 2 and words[0].endswith("/env"):
        words = [words[1]]
    place = find_program(words[0], path) if words else None
    return place if place is not None and _PYTHON.fullmatch(place.name) else None


def has_coverage(interpreter: Path) -> bool | None:
    """Whether its folders hold coverage.py; None: they can't be told."""
    return _has(interpreter, _COVERAGE)


def has_packages(interpreter: Path) -> bool | None:
    """Whether anything at all was installed into it; None: its folders can't be told."""
    return _has(interpreter, _ANY)


def _has(interpreter: Path, what: str) -> bool | None:
    prefix = interpreter.parent.parent
    settings = small_text(prefix / "pyvenv.cfg")
    if settings:
        if _holds(prefix, _LIBRARIES, what):
            return True
        home = _HOME.search(settings)
        shared = _SHARED.search(settings) and home
        return bool(shared and home and _holds(Path(home[1].strip()).parent, (*_LIBRARIES, *_SYSTEM), what))
    if _is_script(interpreter):
        return None
    real = Path(os.path.realpath(interpreter)).parent.parent
    return any(_holds(each, (*_LIBRARIES, *_SYSTEM), what) for each in (prefix, real))


def _holds(prefix: Path, libraries: Sequence[str], what: str) -> bool:
    try:
        return any(
            not _BARE.match(found.name)
            for each in libraries
            for place in prefix.glob(each)
            for found in place.glob(what)
        )
    except OSError:
        return False


def _is_script(program: Path) -> bool:
    try:
        with program.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False
