"""Parts of a gate, one a language or tool, and how they become one plan. Nothing is run.

Names of files go behind `--` or `./`, in portions that fit into a command line. Where the project configures
one tool, what is run beside it for another language advises and no more, also where the gate must pass.
"""

import configparser
import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from donewhen.core.lazy import portable
from donewhen.core.quality.model import Violation
from donewhen.core.quality.scoping import in_languages, language_of, passed_over
from donewhen.core.texts import Phrase
from donewhen.verify.quality.model import Ask, Missing, Planned, Scope, Stream, Tool
from donewhen.verify.quality.tool_output import Reader, reader_of
from donewhen.verify.quality.tools import KNOWN, find
from donewhen.workspace.setup.folder import Folder

MOST_BYTES = 100_000  # of one command line
_MIB = 1024 * 1024
LARGEST = 8 * _MIB  # of a file: the tools read smaller ones within their time, so padding hides nothing


class Part(NamedTuple):
    """`configured`: the project itself configures what is asked here."""

    asks: tuple[Ask, ...] = ()
    missing: tuple[Missing, ...] = ()
    configured: bool = False


class Wanted(NamedTuple):
    """A tool and how it is asked; without `files` it looks at everything that its configuration names."""

    gate: str
    tool: str
    flags: tuple[str, ...] | Callable[[Tool], tuple[str, ...]]
    asked: int = 0  # how many changed files it is asked for
    files: Sequence[str] | None = None  # from the root
    cwd: str = ""
    near: str = ""  # where the tool is looked for, where that is not `cwd`
    ok: frozenset[int] = frozenset((0, 1))
    stream: Stream = "stdout"
    env: Mapping[str, str] = MappingProxyType({})
    divider: str = "--"
    read: Reader | None = None  # else the tool's own
    configured: bool = True


def part(scope: Scope, wanted: Wanted) -> Part:
    tool = find(wanted.tool, scope, wanted.gate, wanted.near or wanted.cwd)
    if _is_nobodys_choice(wanted, tool, scope):
        return Part()
    if isinstance(tool, Missing):
        return Part(missing=(tool,), configured=wanted.configured)
    flags = wanted.flags(tool) if callable(wanted.flags) else wanted.flags
    read = wanted.read or reader_of(wanted.tool)
    ask = Ask(tool, (), read, wanted.cwd, wanted.ok, wanted.stream, wanted.env)
    if wanted.files is None:
        asks = [ask._replace(argv=(*tool.argv, *flags), files=wanted.asked, whole=True)]
    else:
        start = f"{wanted.cwd}/" if wanted.cwd else ""
        head = (*tool.argv, *flags, *((wanted.divider,) if wanted.divider else ()))
        names = [operand(path.removeprefix(start)) for path in wanted.files]
        portions = _portions(names, MOST_BYTES - _size(head))
        asks = [ask._replace(argv=(*head, *portion), files=len(portion)) for portion in portions]
    return Part(tuple(asks), configured=wanted.configured)


def _is_nobodys_choice(wanted: Wanted, tool: Tool | Missing, scope: Scope) -> bool:
    """Whether a linter or type checker is neither configured nor installed, and no gate must pass."""
    if wanted.configured or scope.required or wanted.gate not in ("lint", "types"):
        return False
    return KNOWN[wanted.tool].home == "python" and (isinstance(tool, Missing) or tool.origin == "ours")


def planned(parts: Iterable[Part], why: Phrase) -> Planned:
    """The parts as one plan; `why` is said when there is nothing to do."""
    kept = [each for each in parts if each.asks or each.missing]
    configured = any(each.configured for each in kept)
    if configured:
        kept = [each if each.configured else _advice(each) for each in kept]
    asks = tuple(ask for each in kept for ask in each.asks)
    missing = tuple(each for one in kept for each in one.missing)
    return Planned(asks, missing, configured, None if asks or missing else why)


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
    found: list[tuple[str, Phrase]] = []
    for path in files:
        size = _size_of(root / path) if language_of(path) else -1
        passed = passed_over(path, fresh)
        if size >= 0 and passed is not None:
            found.append((path, Phrase(f"gates.left_{passed}")))
        elif size > LARGEST:
            found.append((path, Phrase("gates.left_large", {"limit": LARGEST // _MIB})))
    return tuple(found)


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


def as_advice(read: Reader, rules: AbstractSet[str] = frozenset()) -> Reader:
    """The same with warnings instead of errors; with `rules`, of these alone."""
    return partial(_softened, read, rules)


def _softened(read: Reader, rules: AbstractSet[str], text: str, folder: str) -> tuple[Violation, ...]:
    return tuple(
        each._replace(severity="warning")
        if each.severity == "error" and (not rules or each.rule in rules)
        else each
        for each in read(text, folder)
    )


def _advice(one: Part) -> Part:
    return Part(tuple(ask._replace(read=as_advice(ask.read)) for ask in one.asks))


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


def _size_of(path: Path) -> int:
    """Of a regular file; -1 for what is none."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1


_STRING = portable(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)')
_COMMENTS = re.compile(rf"({_STRING})|//[^\n]*+|/\*(?:.*?\*/|.*+)", re.DOTALL)
_COMMAS = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)


class Project:
    """The files of a tree; every name is relative to its root."""

    def __init__(self, root: Path) -> None:
        self.files = Folder(root)
        self._tables: dict[str, Mapping[str, Any]] = {}
        self._there: dict[str, bool] = {}

    def data(self, name: str) -> Mapping[str, Any]:
        """A TOML, INI or JSON file as a mapping, by its name; empty when it is none."""
        if name not in self._tables:
            text = self.files.text(name)
            self._tables[name] = _parse(name.rpartition("/")[2], text) if text else {}
        return self._tables[name]

    def under(self, name: str, *keys: str) -> Mapping[str, Any]:
        """The mapping that lies under these keys; empty when there is none."""
        found: object = self.data(name)
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else {}

    def has(self, name: str) -> bool:
        if name not in self._there:  # the same few folders are asked about for every changed file
            self._there[name] = self.files.has(name)
        return self._there[name]

    def first(self, folder: str, names: Iterable[str]) -> str:
        """The first of these files in the folder, as a path from the root; empty when none is there."""
        return next((path for name in names if self.has(path := join(folder, name))), "")


def join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def upward(path: str) -> Iterator[str]:
    """The folders that a file lies in, the innermost first; the root is empty."""
    folder = path.rpartition("/")[0]
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def words(value: object) -> tuple[str, ...]:
    """A text or a list of texts, as lists and INI files write them."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _parse(name: str, text: str) -> Mapping[str, Any]:
    try:
        if name.endswith(".toml"):
            return tomllib.loads(text)
        if name.endswith(".json"):
            found = json.loads(_COMMAS.sub(r"\1", _COMMENTS.sub(r"\1", text)))
            return found if isinstance(found, dict) else {}
        parser = configparser.RawConfigParser(strict=False, interpolation=None)
        parser.read_string(text)
        return {section: dict(parser.items(section)) for section in parser.sections()}
    except (ValueError, RecursionError, configparser.Error):
        return {}
