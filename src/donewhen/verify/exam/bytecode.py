"""Compiled Python for an exam: what lies in the tree is neither read nor written, what is installed is used.

A `.pyc` beside a source is trusted by time and size alone: after an edit within the same second, or when one
was planted, the exam would test other code than the tree holds. So the exam compiles into a folder of its
own; links to what is already compiled for the interpreter and its installed packages save the time for those.
There are thousands, so this file works with plain texts.
"""
# ruff: noqa: PTH103, PTH120, PTH208, PTH211

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

_MOST_LINKS = 20_000
_DEEPEST = 12
_PYTHON = re.compile(r"python3(\.\d+t?)?")
_HOME = re.compile(r"^home[ \t]*=[ \t]*(/[^\n]*)$", re.MULTILINE)
_INSTALLED = ("site-packages", "dist-packages")
_SKIPPED = frozenset(("test", "tests", "idlelib", "lib2to3", "turtledemo", "ensurepip", "pip"))
_NO_CODE = (".dist-info", ".egg-info", ".libs", ".data")


def lay_bytecode(prefix: Path, kept: Path, path: Sequence[str]) -> None:
    """Make `prefix`, a value for PYTHONPYCACHEPREFIX, lead to what the first Python on `path` has compiled.

    The links themselves are made once and kept in `kept`, which commands may read and not write.
    """
    libraries = _libraries(path)
    if not libraries:
        return
    with suppress(OSError):
        links = _links(kept, libraries)
        for library, _ in libraries:
            here = Path(f"{prefix}{library}")
            here.parent.mkdir(parents=True, exist_ok=True)
            here.symlink_to(f"{links}{library}")


def _links(kept: Path, libraries: Sequence[tuple[str, frozenset[str]]]) -> Path:
    """The folder of links for these libraries; made anew when something was installed since."""
    which = _digest(library for library, _ in libraries)
    links = kept / f"{which}-{_digest(_state(library) for library, _ in libraries)}"
    if not links.is_dir():
        making = Path(tempfile.mkdtemp(prefix="making-", dir=_made(kept)))
        try:
            left = _MOST_LINKS
            for library, skipped in libraries:
                os.makedirs(os.path.dirname(f"{making}{library}"), exist_ok=True)
                left = _link(making, library, skipped, left, _DEEPEST)
            for old in kept.glob(f"{which}-*"):
                shutil.rmtree(old, ignore_errors=True)
            with suppress(OSError):  # somebody else was faster
                making.rename(links)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    return links


def _link(links: Path, folder: str, skipped: frozenset[str], left: int, depth: int) -> int:
    """Link what is compiled for `folder` and all below, at most `left` links; how many more may be made."""
    try:
        below = [entry for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return left
    compiled = f"{folder}/__pycache__"
    mirror = f"{links}{folder}"
    if [entry.name for entry in below] == ["__pycache__"]:
        os.symlink(compiled, mirror)
        return left - 1
    os.makedirs(mirror)
    for entry in below:
        if entry.name == "__pycache__":
            names = [name for name in os.listdir(compiled) if name.endswith(".pyc")][: max(0, left)]
            for name in names:
                os.symlink(f"{compiled}/{name}", f"{mirror}/{name}")
            left -= len(names)
        elif min(left, depth) > 0 and entry.name not in skipped and not entry.name.endswith(_NO_CODE):
            left = _link(links, entry.path, skipped, left, depth - 1)
    return left


def _state(library: str) -> str:
    folders = (library, *(f"{library}/{name}" for name in _INSTALLED))
    return " ".join(str(Path(each).stat().st_mtime_ns) for each in folders if Path(each).is_dir())


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _libraries(path: Sequence[str]) -> list[tuple[str, frozenset[str]]]:
    """The library folders of the first Python on `path`, each with the names that are passed over in it."""
    for folder in map(Path, path):
        if not any(os.path.exists(folder / name) for name in ("python3", "python")):  # noqa: PTH110 - closed folders
            continue
        base = _base(folder)
        if base is None:
            return [(each, _SKIPPED) for each in _found(folder)]
        standard = [(each, _SKIPPED.union(_INSTALLED)) for each in _found(base)]
        return [*((each, _SKIPPED) for each in _found(folder)), *standard]
    return []


def _found(folder: Path) -> list[str]:
    each = sorted(folder.parent.glob("lib/python3*"))
    return [str(one) for one in each if _PYTHON.fullmatch(one.name) and one.is_dir()]


def _base(folder: Path) -> Path | None:
    """Where the Python lies that a virtual environment was made from; None: it is none."""
    with suppress(OSError, ValueError):
        found = _HOME.search((folder.parent / "pyvenv.cfg").read_text()[:4096])
        return Path(found[1].strip()) if found else None
    return None
