"""The changed sources of a tree that tools can bear, and why others are left out."""

import stat
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path

from donewhen.core.texts import Phrase
from donewhen.project.languages import in_languages, language_of, passed_over
from donewhen.project.tools import Scope

_MIB = 1024 * 1024
LARGEST = 8 * _MIB  # of a file: the tools read smaller ones within their time, so padding hides nothing


def words(value: object) -> tuple[str, ...]:
    """A text or a list of texts, as lists and INI files write them."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def grouped(files: Iterable[str], key: Callable[[str], str | None]) -> dict[str, list[str]]:
    """Files by what `key` says of them; those of which it says nothing are left out."""
    found: dict[str, list[str]] = {}
    for path in files:
        name = key(path)
        if name is not None:
            found.setdefault(name, []).append(path)
    return found


def present(scope: Scope, files: Iterable[str]) -> tuple[str, ...]:
    """Those that are regular files no larger than tools can bear; a link's target may lie anywhere."""
    return tuple(path for path in files if 0 <= _size_of(scope.root / path) <= LARGEST)


def sources(scope: Scope, *languages: str) -> tuple[str, ...]:
    """The changed files in these languages that a tool is asked about."""
    return present(scope, in_languages(scope.files, *languages, fresh=scope.fresh))


def left_out(
    root: Path, files: Iterable[str], fresh: AbstractSet[str] = frozenset()
) -> tuple[tuple[str, Phrase], ...]:
    """The changed source files that no gate looks at, each with the reason."""
    found: list[tuple[str, Phrase]] = []
    for path in files:
        size, passed = _size_of(root / path) if language_of(path) else -1, passed_over(path, fresh)
        if size >= 0 and passed is not None:
            found.append((path, Phrase(f"gates.left_{passed}")))
        elif size > LARGEST:
            found.append((path, Phrase("gates.left_large", {"limit": LARGEST // _MIB})))
    return tuple(found)


def _size_of(path: Path) -> int:
    """Of a regular file; -1 for what is none."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1
