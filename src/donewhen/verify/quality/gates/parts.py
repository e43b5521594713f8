"""Parts of a gate, one a language or tool, and how they become one plan.

Names of files go behind `--` or `./`, in portions that fit into a command line. Where the project configures
one tool, what is run beside it for another language advises and no more, also where the gate must pass.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.quality.model import Violation
from donewhen.core.quality.scoping import in_languages, language_of, passed_over
from donewhen.core.texts import Phrase
from donewhen.verify.quality.model import Ask, Missing, Planned, Scope, Stream, Tool

MOST_BYTES = 100_000  # of one command line
_MIB = 1024 * 1024
LARGEST = 8 * _MIB  # of a file: the tools read smaller ones within their time, so padding hides nothing
Reader = Callable[[str, str], tuple[Violation, ...]]
_NO_ENV: Mapping[str, str] = MappingProxyType({})
_FOUND = frozenset((0, 1))


class Part(NamedTuple):
    """`configured`: the project itself configures what is asked here."""

    asks: tuple[Ask, ...] = ()
    missing: tuple[Missing, ...] = ()
    configured: bool = False


class Run(NamedTuple):
    """How a tool is asked about files; `flags` end before the first name."""

    tool: Tool
    flags: tuple[str, ...]
    read: Reader
    cwd: str = ""
    ok: frozenset[int] = _FOUND
    stream: Stream = "stdout"
    env: Mapping[str, str] = _NO_ENV


def planned(parts: Iterable[Part], why: Phrase) -> Planned:
    """The parts as one plan; `why` is said when there is nothing to do."""
    kept = [part for part in parts if part.asks or part.missing]
    configured = any(part.configured for part in kept)
    if configured:
        kept = [part if part.configured else _advice(part) for part in kept]
    asks = tuple(ask for part in kept for ask in part.asks)
    missing = tuple(each for part in kept for each in part.missing)
    return Planned(asks, missing, configured, None if asks or missing else why)


def about(run: Run, files: Sequence[str], divider: str = "--") -> tuple[Ask, ...]:
    """Runs over these files, given from the root, as many as their names need."""
    start = f"{run.cwd}/" if run.cwd else ""
    head = (*run.tool.argv, *run.flags, *((divider,) if divider else ()))
    names = [operand(path.removeprefix(start)) for path in files]
    return tuple(
        _ask(run, (*head, *portion), len(portion)) for portion in _portions(names, MOST_BYTES - _size(head))
    )


def whole(run: Run, files: int) -> Ask:
    """One run over what the project's own configuration names."""
    return _ask(run, (*run.tool.argv, *run.flags), files)._replace(whole=True)


def operand(name: str) -> str:
    """A name that no tool takes for an option or for a list of arguments."""
    return f"./{name}" if name[:1] in ("-", "@", "+", "!", "#", "~") else name


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
    return tuple(
        (path, why) for path in files if language_of(path) and (why := _why_left(root / path, path, fresh))
    )


def grouped(files: Iterable[str], key: Callable[[str], str | None]) -> dict[str, list[str]]:
    """Files by what `key` says of them; those of which it says nothing are left out."""
    found: dict[str, list[str]] = {}
    for path in files:
        name = key(path)
        if name is not None:
            found.setdefault(name, []).append(path)
    return found


def cache(scope: Scope, gate: str, name: str) -> str:
    """A folder for what a tool keeps, apart for each gate: they run at once; empty when there is no place."""
    return str(scope.caches / gate / name) if scope.caches is not None else ""


def _ask(run: Run, argv: tuple[str, ...], files: int) -> Ask:
    return Ask(run.tool, argv, run.read, run.cwd, run.ok, run.stream, run.env, files)


def _advice(part: Part) -> Part:
    return Part(tuple(ask._replace(read=partial(_as_warnings, ask.read)) for ask in part.asks))


def _as_warnings(read: Reader, text: str, folder: str) -> tuple[Violation, ...]:
    return tuple(
        each._replace(severity="warning") if each.severity == "error" else each for each in read(text, folder)
    )


def _portions(names: Sequence[str], room: int) -> Iterator[tuple[str, ...]]:
    portion: list[str] = []
    used = 0
    for name in names:
        size = _size((name,))
        if portion and used + size > room:
            yield tuple(portion)
            portion, used = [], 0
        portion.append(name)
        used += size
    if portion:
        yield tuple(portion)


def _size(argv: Iterable[str]) -> int:
    return sum(len(os.fsencode(each)) + 1 for each in argv)


def _why_left(place: Path, path: str, fresh: AbstractSet[str]) -> Phrase | None:
    size = _size_of(place)
    if size < 0:
        return None
    passed = passed_over(path, fresh)
    if passed is not None:
        return Phrase(f"gates.left_{passed}")
    return Phrase("gates.left_large", {"limit": LARGEST // _MIB}) if size > LARGEST else None


def _size_of(path: Path) -> int:
    """Of a regular file; -1 for what is none."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1
