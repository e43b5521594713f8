"""The entries of the user's own configuration of git, read again only when one of its files has changed.

What is remembered holds for this process and a short while: where git looks for the configuration of the
system is its own affair, so a file that appears there is seen a little later. Configuration that includes
other files is never remembered.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.git.runner import Git

_SCOPES = frozenset((b"system", b"global"))
_READ_THEM: dict[str, str | None] = {"GIT_CONFIG_NOSYSTEM": None, "GIT_CONFIG_GLOBAL": None}
_NAMED_BY_USER = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_DECISIVE = (*_NAMED_BY_USER, "HOME", "XDG_CONFIG_HOME", "PATH")
_SYSTEM = "/etc/gitconfig"
_LONGEST = 30.0  # seconds

Pairs = tuple[tuple[str, str], ...]
_Facts = tuple[tuple[int, ...], ...]


class _Read(NamedTuple):
    pairs: Pairs
    files: tuple[str, ...]
    facts: _Facts
    until: float


_remembered: dict[tuple[str | None, ...], _Read] = {}


def user_pairs(env: Mapping[str, str]) -> Pairs:
    """Names and values, in the order in which they were read: a later one wins."""
    key = tuple(env.get(name) for name in _DECISIVE)
    known = _remembered.get(key)
    if known is not None and known.until > time.monotonic() and _facts(known.files) == known.facts:
        return known.pairs
    usual = _usual(env)
    before = _facts(usual)
    pairs, origins = _ask(env)
    _remembered.clear()
    if _facts(usual) == before and not any(name.startswith("include") for name, _ in pairs):
        files = tuple(dict.fromkeys((*usual, *origins)))
        _remembered[key] = _Read(pairs, files, _facts(files), time.monotonic() + _LONGEST)
    return pairs


def _ask(env: Mapping[str, str]) -> tuple[Pairs, tuple[str, ...]]:
    more = _READ_THEM | {name: env[name] for name in _NAMED_BY_USER if name in env}
    # no repository is there, so only the user's own files are read
    git = Git(Path("/"), env, Path(os.devnull), more=more)
    parts = git.attempt("config", "--null", "--show-scope", "--show-origin", "--list").out.split(b"\0")
    found: list[tuple[str, str]] = []
    files: dict[str, None] = {}
    for scope, origin, entry in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        name, given, value = os.fsdecode(entry).partition("\n")
        if scope in _SCOPES:
            found.append((name, value if given else "true"))
            files[os.path.join("/", os.fsdecode(origin).removeprefix("file:"))] = None  # noqa: PTH118
    return tuple(found), tuple(files)


def _usual(env: Mapping[str, str]) -> tuple[str, ...]:
    """Where git looks, as far as that is known; a file may also come to be there."""
    home = env.get("HOME", "")
    base = env.get("XDG_CONFIG_HOME") or f"{home}/.config"
    named = (env.get(name, "").lstrip("/") for name in _NAMED_BY_USER[:2])
    return (f"{home}/.gitconfig", f"{base}/git/config", _SYSTEM, *(f"/{name}" for name in named if name))


def _facts(files: tuple[str, ...]) -> _Facts:
    return tuple(_fact(file) for file in files)


def _fact(file: str) -> tuple[int, ...]:
    try:
        seen = os.stat(file)  # noqa: PTH116 - through links, as git reads it
    except (OSError, ValueError):
        return ()
    return seen.st_ino, seen.st_dev, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
