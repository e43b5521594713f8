"""Which of the changed files a gate looks at: by language, without what nobody wrote by hand.

By path alone; no file is opened, so a mark inside a text (`@generated`) is for those who read it. A file of
the project is never left out because its name merely looks odd, and one that the change brings together with
its folder (`fresh`) was not put there by a build or an installer: it is looked at wherever it lies.
"""

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Literal

from donewhen.project.roles import role_of

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
