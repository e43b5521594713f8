"""Which of the changed files a gate looks at: by language, without what nobody wrote by hand.

By path alone; no file is opened, so a mark inside a text (`@generated`) is for those who read it. A file of
the project is never left out because its name merely looks odd, and one that the change brings together with
its folder (`fresh`) was not put there by a build or an installer: it is looked at wherever it lies.
"""

import re
import stat
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from donewhen.core.texts import Phrase
from donewhen.project.roles import role_of
from donewhen.project.tools import Scope

_ENDINGS = {
    "python": "py pyi",
    "javascript": "js jsx mjs cjs",
    "typescript": "ts tsx mts cts",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "kotlin": "kt kts",
    "scala": "scala",
    "swift": "swift",
    "c": "c h",
    "cpp": "cc cpp cxx hpp hh hxx",
    "csharp": "cs",
    "ruby": "rb",
    "php": "php",
    "lua": "lua",
    "objc": "m mm",
    "solidity": "sol",
    "erlang": "erl",
    "zig": "zig",
    "r": "r",
    "perl": "pl pm",
    "vue": "vue",
}
_LANGUAGES: Mapping[str, str] = MappingProxyType(
    {ending: language for language, endings in _ENDINGS.items() for ending in endings.split()}
)
MEASURED: frozenset[str] = frozenset(_ENDINGS)  # what lizard can count
_VENDORED = frozenset(
    "node_modules bower_components jspm_packages vendor vendored third_party third-party site-packages .venv "
    "venv .tox .nox .eggs .yarn .pnpm-store".split()
)
_KEPT = frozenset(  # what tools write for themselves
    ".git .hg .svn __pycache__ .mypy_cache .ruff_cache .pytest_cache .next .nuxt .svelte-kit .turbo .gradle "
    "__generated__".split()
)
_BUILT = frozenset("dist build out target coverage htmlcov".split())  # left out where they start the path
_GENERATED = re.compile(
    r"[^/]{1,200}(?:"
    r"[.-]min\.[cm]?js|[.-]bundle\.[cm]?js|\.bundle\.min\.js"
    r"|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h|gw\.go)|_pb\.(?:js|ts|d\.ts)|_grpc_pb\.(?:js|d\.ts)"
    r"|_generated\.(?:go|py|rs|ts|js)|\.generated\.(?:[cm]?[jt]sx?|cs|go|py|rs)|\.gen\.(?:go|[cm]?[jt]s)"
    r"|\.g\.(?:dart|cs)|\.designer\.cs|_string\.go"
    r")",
    re.IGNORECASE,
)
_MIB = 1024 * 1024
LARGEST = 8 * _MIB  # of a file: the tools read smaller ones within their time, so padding hides nothing
Foreign = Literal["vendored", "generated"]
Passed = Literal["vendored", "generated", "unreadable"]
_NONE: frozenset[str] = frozenset()
_MEMBERS = frozenset("packages apps libs modules crates services projects".split())


def language_of(path: str) -> str:
    """The language that the file's ending names; empty for one that no gate knows."""
    head, _, ending = path.rpartition("/")[2].lower().rpartition(".")
    return _LANGUAGES.get(ending, "") if head else ""


def foreign_as(path: str) -> Foreign | None:
    """Why a path looks like nobody's handwork; None for a file of the project."""
    *folders, name = path.split("/")
    small = [folder.lower() for folder in folders]
    if not _VENDORED.isdisjoint(small):
        return "vendored"
    if not _KEPT.isdisjoint(small) or _is_built(small) or _GENERATED.fullmatch(name):
        return "generated"
    return None


def passed_over(path: str, fresh: AbstractSet[str] = _NONE) -> Passed | None:
    """Why no gate looks at a file, as far as its path tells; None where they do."""
    if not _is_readable(path):
        return "unreadable"
    return None if path in fresh else foreign_as(path)


def is_test(path: str) -> bool:
    """A test, or what only tests use."""
    return role_of(path) in ("test", "support")


def in_languages(files: Iterable[str], *languages: str, fresh: AbstractSet[str] = _NONE) -> tuple[str, ...]:
    """The files in these languages that somebody wrote, in their order; `fresh`: came with their folder."""
    wanted = frozenset(languages)
    return tuple(path for path in files if language_of(path) in wanted and passed_over(path, fresh) is None)


def _is_readable(path: str) -> bool:
    """A name that is no UTF-8: some tools fail on it for all files of the run, others can't report it."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_built(folders: list[str]) -> bool:
    """`dist/x.js`, `packages/a/dist/x.js`; `src/build/x.py` is a package that happens to be called so."""
    first = 2 if len(folders) > 2 and folders[0] in _MEMBERS else 0
    return len(folders) > first and folders[first] in _BUILT


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
