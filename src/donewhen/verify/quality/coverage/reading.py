"""Reports that a test run itself wrote, at the places where tools put them, and which reader each needs.

One that is older than the run speaks of another tree and is never read. What it holds decides its form, not
its name: a project may call its files as it likes.
"""

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType

from donewhen.core.quality.coverage import Covered, merge
from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.coverage.parsing import LARGEST, wrong_form
from donewhen.verify.reports.frames import visible

_PLACES = (
    "coverage.xml",
    "coverage.json",
    "lcov.info",
    "cobertura.xml",
    "coverage/coverage-final.json",
    "coverage/lcov.info",
    "coverage/cobertura-coverage.xml",
    "cover.out",
    "coverage.out",
    "coverage.txt",
    "target/site/jacoco/jacoco.xml",
)
_GLOBS = (
    (".nyc_output", "*.json"),
    ("coverage/tmp", "*.json"),
    ("target/site", "jacoco*/jacoco.xml"),
    ("build/reports/jacoco", "*.xml"),
    ("build/reports/jacoco", "*/*.xml"),
    ("build/reports/kover", "*.xml"),
)
_MODULES = ("*", "packages/*", "apps/*", "modules/*", "services/*", "crates/*")  # of one repository
_MOST = 400
_MOST_FOLDERS = 200
_HEAD = 4096
Read = Callable[[bytes, Path, str], Covered]


def written_reports(root: Path, since_ns: int) -> list[Path]:
    """Reports in the tree that are newer than this moment, those of the root first."""
    return [path for path in reports_in(root) if _written_at(path) >= since_ns]


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # gone since
        return 0


def reports_in(root: Path) -> list[Path]:
    """All reports at the usual places, whatever their age."""
    found: dict[Path, None] = {}
    for folder in islice(_folders(root), _MOST_FOLDERS):
        for path in (*(folder / name for name in _PLACES), *_matching(folder)):
            if len(found) < _MOST and _is_plain(path, root):
                found[path] = None
    return list(found)


def _folders(root: Path) -> Iterator[Path]:
    yield root
    for pattern in _MODULES:
        for folder in sorted(islice(root.glob(pattern), 4 * _MOST_FOLDERS)):
            if folder.name != "node_modules" and not folder.name.startswith(".") and folder.is_dir():
                yield folder


def _matching(folder: Path) -> Iterator[Path]:
    for place, pattern in _GLOBS:
        if (folder / place).is_dir():
            yield from sorted(islice((folder / place).glob(pattern), _MOST))


def _is_plain(path: Path, root: Path) -> bool:
    try:
        real = os.path.realpath(path.parent)
        inside = f"{real}/".startswith(f"{os.path.realpath(root).rstrip('/')}/")
        return inside and path.is_file() and not path.is_symlink()
    except OSError:
        return False


def read_report(path: Path, root: Path, folder: str | None = None) -> Covered:
    """One report of any form. Its relative paths start in `folder`, else in the folder it belongs to."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        raise wrong_form(visible(path.name, 200)) from None
    read = form_of(data)
    if read is None:
        raise wrong_form(visible(path.name, 200))
    return read(data, root, _owner(path, root) if folder is None else folder)


def read_all(paths: list[Path], root: Path, folder: str | None = None) -> Covered:
    return merge(read_report(path, root, folder) for path in paths)


def read_newer(root: Path, since_ns: int) -> Covered:
    """What the run wrote; refused when all there is was there before it."""
    newer = written_reports(root, since_ns)
    if newer:
        return read_all(newer, root)
    older = reports_in(root)
    if older:
        raise Unreadable("coverage.stale", file=visible(str(older[0].relative_to(root)), 200))
    return Covered()


def form_of(data: bytes) -> Read | None:
    """The reader for these bytes; None: they are no coverage report."""
    head = data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"mode: "):
        return _reader("goprofile")
    if head.startswith((b"TN:", b"SF:")):
        return _reader("lcov")
    if head.startswith(b"<"):
        return _xml(head)
    return _json(data[:LARGEST]) if head.startswith(b"{") else None


def _xml(head: bytes) -> Read | None:
    if b"<report" in head:
        return _reader("jacoco")
    return _reader("cobertura") if b"<coverage" in head else None


def _json(data: bytes) -> Read:
    if b'"executed_lines"' in data or b'"meta"' in data[:_HEAD]:
        return _reader("coveragepy")
    return _reader("v8") if b'"startOffset"' in data or b'"result"' in data[:_HEAD] else _reader("istanbul")


def _reader(name: str) -> Read:
    from importlib import import_module

    module: ModuleType = import_module(f"donewhen.verify.quality.coverage.{name}")
    read: Read = module.read
    return read


def _owner(path: Path, root: Path) -> str:
    """The folder that a report belongs to: above the folders that tools make for it."""
    parts = list(path.parent.relative_to(root).parts)
    for name in ("coverage", ".nyc_output", "target", "build"):
        if name in parts:
            parts = parts[: parts.index(name)]
    return "/".join(parts)
