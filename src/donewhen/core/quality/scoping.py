"""Which of the changed files a gate looks at: by language, without what nobody wrote by hand.

By path alone; no file is opened, so a mark inside a text (`@generated`) is for those who read it. A file of
the project is never left out because its name merely looks odd.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from donewhen.core.integrity.roles import role_of

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
_FOREIGN = frozenset(
    "node_modules bower_components jspm_packages vendor vendored third_party third-party site-packages .venv "
    "venv .tox .nox .git .hg .svn .eggs __pycache__ .mypy_cache .ruff_cache .pytest_cache .yarn .pnpm-store "
    ".next .nuxt .svelte-kit .turbo .gradle __generated__".split()
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
_MEMBERS = frozenset("packages apps libs modules crates services projects".split())


def language_of(path: str) -> str:
    """The language that the file's ending names; empty for one that no gate knows."""
    head, _, ending = path.rpartition("/")[2].lower().rpartition(".")
    return _LANGUAGES.get(ending, "") if head else ""


def is_foreign(path: str) -> bool:
    """Vendored, built, generated or minified: not written by whoever changes it."""
    *folders, name = path.split("/")
    small = [folder.lower() for folder in folders]
    if not _FOREIGN.isdisjoint(small):
        return True
    return _is_built(small) or _GENERATED.fullmatch(name) is not None


def is_test(path: str) -> bool:
    """A test, or what only tests use."""
    return role_of(path) in ("test", "support")


def in_languages(files: Iterable[str], *languages: str) -> tuple[str, ...]:
    """The files in these languages that somebody wrote, in their order."""
    wanted = frozenset(languages)
    return tuple(path for path in files if language_of(path) in wanted and not is_foreign(path))


def _is_built(folders: list[str]) -> bool:
    """`dist/x.js`, `packages/a/dist/x.js`; `src/build/x.py` is a package that happens to be called so."""
    first = 2 if len(folders) > 2 and folders[0] in _MEMBERS else 0
    return len(folders) > first and folders[first] in _BUILT
