"""Paths inside a workspace: which of them can't matter, which are source, which a pattern means.

Text only; nothing is looked up on disk, so links are the workspace's business. A path that leaves the
workspace is never exempt, irrelevant or in scope. Globs are written as in gitignore files and matched without
regular expressions: many stars must not take for ever on a path that an agent chose.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.core.errors import UserError

LONGEST_PATH = 4096
LONGEST_PATTERN = 1000

TEMPORARY_FOLDERS = (".scratch", ".temp", "tmp/")
_CACHES = frozenset((".pytest_cache", ".mypy_cache", ".ruff_cache", "__pycache__"))
STATE_FOLDERS = _CACHES | {".donewhen", ".git", "node_modules", ".venv"}
TOOL_FOLDERS = _CACHES | {
    "node_modules",
    ".tox",
    ".nox",
    ".idea",
    ".aider.tags.cache.v3",
    ".aider.tags.cache.v4",
}  # new files in them are no work
_OURS = frozenset((".donewhen", ".git"))
TEMPORARY_ENDINGS = (".tmp", ".bak", "~")
SOURCE_EXTENSIONS = frozenset(
    (
        "ts tsx js jsx mjs cjs vue svelte py pyi ipynb go rs java kt scala swift c cc cpp h hpp cs rb php "
        "dart lua ex zig sh"
    ).split()
)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def relative(path: str) -> str | None:
    """The path from the workspace's root, in its shortest form; None for one that is not inside it."""
    if not path.strip() or "\0" in path or len(path) > LONGEST_PATH:
        return None
    if path.startswith(("/", "~/")) or path == "~" or _DRIVE.match(path):
        return None
    short = posixpath.normpath(path)
    return None if short == ".." or short.startswith("../") else short


class Patterns:
    """Gitignore patterns, in order: the last match decides; what is in an ignored folder stays so."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._globs = tuple(glob for text in patterns if (glob := _compile(text)))

    def match(self, path: str) -> bool:
        parts = _parts(path)
        return any(
            self._verdict(parts[:depth], folder=depth < len(parts)) for depth in range(1, len(parts) + 1)
        )

    def _verdict(self, parts: tuple[str, ...], folder: bool) -> bool:
        for glob in reversed(self._globs):
            if (folder or not glob.folder_only) and _covers(glob, parts):
                return not glob.negated
        return False


class Scope:
    """Path globs of a promise: each means what it matches, and everything below that.

    With a slash, or without any wildcard, a glob starts at the root (`src`, `docs/*.md`); `*.md` is found at
    any depth. The last glob that matches decides, so that `!src/gen` takes something out again.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        globs = (_compile(_rooted(text)) for text in patterns)
        self._globs = tuple(glob for glob in globs if glob)

    def match(self, path: str) -> bool:
        parts = _parts(path)
        if not parts:
            return False
        for glob in reversed(self._globs):
            if _within(glob, parts):
                return not glob.negated
        return False


class Exempt:
    """Files that need no proof: in temporary and tool folders, or temporary copies.

    Never by a source file's name. Folders: a name without slash is one at any depth, one with a slash starts
    at the root (`tmp/`).
    """

    def __init__(self, extra_folders: Iterable[str] = ()) -> None:
        folders = dict.fromkeys((*TEMPORARY_FOLDERS, *(text.strip() for text in extra_folders)))
        globs = (_compile(_folder(text)) for text in folders if relative(text.lstrip("/")))
        self._globs = tuple(glob for glob in globs if glob)

    def match(self, path: str) -> bool:
        parts = _parts(path)
        if not parts:
            return False
        if parts[-1].endswith(TEMPORARY_ENDINGS) or STATE_FOLDERS.intersection(parts):
            return True
        return any(_within(glob, parts[:-1]) for glob in self._globs)


def is_ours(path: str) -> bool:
    """Inside a `.git` folder or the harness's own state: a change there is harm."""
    return not _OURS.isdisjoint(path.lower().split("/"))  # some disks ignore case


def is_source(path: str, extra: Iterable[str] = ()) -> bool:
    """Whether a file is engineering source, by its extension."""
    extension = posixpath.splitext(path)[1].removeprefix(".").lower()
    more = {text.strip().lower().removeprefix("*").removeprefix(".") for text in extra}
    return bool(extension) and (extension in SOURCE_EXTENSIONS or extension in more)


def _parts(path: str) -> tuple[str, ...]:
    """The names of a path inside the workspace; none for any other and for the root itself."""
    short = relative(path)
    return tuple(short.split("/")) if short and short != "." else ()


def _within(glob: "_Glob", parts: tuple[str, ...]) -> bool:
    """Whether the glob means the path or a folder that it is in."""
    depths = range(1, len(parts) + (0 if glob.folder_only and len(parts) > 1 else 1))
    return any(_covers(glob, parts[:depth]) for depth in depths)


def _rooted(pattern: str) -> str:
    text = pattern.strip()
    sign, name = ("!", text[1:]) if text.startswith("!") else ("", text)
    name = name.removeprefix("./")
    plain = "/" not in name.rstrip("/") and not any(wild in name for wild in "*?[")
    return f"{sign}/{name}" if plain and name else f"{sign}{name}"


def _folder(name: str) -> str:
    """A folder of the configuration as a glob: a slash anywhere ties it to the root."""
    short = posixpath.normpath(name.lstrip("/"))
    return f"/{short}" if "/" in name else short


class _Wild(NamedTuple):
    """Any number of things: characters in a name, names in a path."""

    many: bool = True


class _Class(NamedTuple):
    """`[a-z]`, `[!0-9]`; `?` is the class that excludes nothing."""

    ranges: tuple[tuple[str, str], ...] = ()
    negated: bool = True


_STAR = _Wild()
_Name = tuple[str | _Class | _Wild, ...]  # a literal is one character


class _Glob(NamedTuple):
    names: tuple[_Name | _Wild, ...]
    negated: bool = False
    folder_only: bool = False


@lru_cache(maxsize=1024)
def _compile(text: str) -> _Glob | None:
    """None for a blank line or a comment."""
    if len(text) > LONGEST_PATTERN:
        raise UserError("paths.pattern_too_long", start=text[:40], longest=LONGEST_PATTERN)
    pattern = _trimmed(text)
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern.removeprefix("!")
    folder_only = pattern.endswith("/")
    body = pattern.rstrip("/")
    if not body:
        return None
    anchored = "/" in body
    names = [_name(part) for part in body.split("/") if part]
    if not anchored and names != [_STAR]:
        names.insert(0, _STAR)
    if names[-1] == _STAR:
        names.append((_STAR,))  # what is inside, not the folder itself
    return _Glob(tuple(names), negated, folder_only)


def _covers(glob: _Glob, parts: Sequence[str]) -> bool:
    """Whether the glob matches the whole path."""
    return _match(glob.names, parts, _name_matches)


def _trimmed(text: str) -> str:
    """Without spaces at the end, unless a backslash keeps one."""
    short = text.rstrip("\r\n").rstrip(" \t")
    return short + " " if short.endswith("\\") and len(short) < len(text.rstrip("\r\n")) else short


def _name(part: str) -> _Name | _Wild:
    if part == "**":
        return _STAR
    tokens: list[str | _Class | _Wild] = []
    at = 0
    while at < len(part):
        token, at = _token(part, at)
        if not (token == _STAR and tokens and tokens[-1] == _STAR):
            tokens.append(token)
    return tuple(tokens)


def _token(part: str, at: int) -> tuple[str | _Class | _Wild, int]:
    character = part[at]
    if character == "*":
        return _STAR, at + 1
    if character == "?":
        return _Class(), at + 1
    if character == "\\" and at + 1 < len(part):
        return part[at + 1], at + 2
    if character == "[":
        found = _class(part, at + 1)
        if found:
            return found
    return character, at + 1


def _class(part: str, at: int) -> tuple[_Class, int] | None:
    """`part[at]` stands behind the bracket; None when nothing closes it."""
    negated = part[at : at + 1] in ("!", "^")
    start = at = at + negated
    ranges = []
    while at < len(part) and (part[at] != "]" or at == start):
        low, at = _character(part, at)
        high = low
        if part[at : at + 1] == "-" and part[at + 1 : at + 2] not in ("]", ""):
            high, at = _character(part, at + 1)
        ranges.append((low, high))
    return (_Class(tuple(ranges), negated), at + 1) if at < len(part) else None


def _character(part: str, at: int) -> tuple[str, int]:
    if part[at] == "\\" and at + 1 < len(part):
        return part[at + 1], at + 2
    return part[at], at + 1


def _name_matches(token: object, name: str) -> bool:
    return isinstance(token, tuple) and _match(token, name, _character_matches)


def _character_matches(token: object, character: str) -> bool:
    if isinstance(token, _Class):
        return any(low <= character <= high for low, high in token.ranges) != token.negated
    return token == character


def _match(tokens: Sequence[object], things: Sequence[str], same: Callable[[object, str], bool]) -> bool:
    """Every token takes one thing, a star any number; only the latest star ever has to take more."""
    at = token = 0
    star = back = -1
    while at < len(things):
        if token < len(tokens) and isinstance(tokens[token], _Wild):
            star, back = token, at
            token += 1
        elif token < len(tokens) and same(tokens[token], things[at]):
            token += 1
            at += 1
        elif star >= 0:
            back += 1
            token, at = star + 1, back
        else:
            return False
    return all(isinstance(rest, _Wild) for rest in tokens[token:])
