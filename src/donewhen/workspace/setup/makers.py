"""Tools that make an environment of their own, and how their commands are run by one that is there already.

`uv run pytest` makes or changes an environment before it tests anything, and needs the network for it. Where
an environment at hand has the runner, the plain command does the same without. Only known tests of a project
are rewritten; what somebody declared is run as declared.
"""

import json
import os
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from donewhen.commands import parse
from donewhen.core.target import describe_line
from donewhen.project import programs
from donewhen.workspace.setup.node import node_at_hand
from donewhen.workspace.setup.python import python_at_hand
from donewhen.workspace.setup.python_hand import MAKERS as _PYTHON

_RUN = frozenset(command.split()[0] for command in programs.LOCKED_BY.values()) | {"hatch", "rye"}
_FETCH = frozenset(("npx", "pnpx", "bunx"))
MAKERS = _PYTHON | _FETCH
_MANAGERS = frozenset(("pnpm", "yarn", "bun"))
_BIN = "node_modules/.bin"


def maker(argv: Sequence[str]) -> str:
    """The tool that a command starts, where it makes an environment or fetches itself first; else empty."""
    name = programs.program(argv)
    return name if name in MAKERS | _MANAGERS else ""


def run_at_hand(folder: Path, argv: Sequence[str], env: Mapping[str, str]) -> tuple[str, ...]:
    """The command as the environment at hand runs it; as it is where there is none that has its runner."""
    words = tuple(argv)
    ways = (*_plain(words), *_without_manager(folder, words, env))
    for whole in (True, False):  # where two would start, the one that also finds the sources
        for plain in ways:
            if _is_there(folder, plain, env, whole=whole):
                return plain
    return words


def _plain(words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Ways to run the same without the tool, best first; none where the words leave any doubt."""
    head, rest = words[:1], words[1:]
    inner = words
    if head and head[0] in _RUN:
        inner = rest[1:] if rest[:1] == ("run",) else ()
    elif head and head[0] in _FETCH:
        name = "".join(rest[:1])
        known = bool(name) and not name.startswith("-") and not set("@/") & set(name)
        return [(f"{_BIN}/{name}", *rest[1:])] if known else []
    if not inner or inner[0].startswith("-") or inner[0] in MAKERS:
        return []
    if inner[0] == "pytest":  # as a module it also finds sources that are not installed
        return [inner, ("python", "-m", *inner), ("python3", "-m", *inner)]
    if inner == words:
        return []
    return [inner, ("python3", *inner[1:])] if inner[0] == "python" else [inner]


def _without_manager(folder: Path, words: tuple[str, ...], env: Mapping[str, str]) -> list[tuple[str, ...]]:
    """What a script of package.json runs as tests, where its package manager is not installed."""
    name = words[-1] if words[1:] in (("test",), ("run", words[-1])) else ""
    if not name or words[0] not in _MANAGERS or shutil.which(words[0], path=env.get("PATH", "")):
        return []
    try:
        script = json.loads((folder / "package.json").read_bytes())["scripts"][name]
        parts = [tuple(shlex.split(part)) for part in script.split("&&")]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
    tests = [part for part in parts if part and describe_line(shlex.join(part), parse).is_test]
    return [(f"{_BIN}/{part[0]}", *part[1:]) for part in tests if "/" not in part[0]][:1]


def _is_there(folder: Path, words: tuple[str, ...], env: Mapping[str, str], *, whole: bool) -> bool:
    if words[0].startswith(f"{_BIN}/"):
        return os.access(folder / words[0], os.X_OK) and node_at_hand(folder, [words], env) is not None
    return python_at_hand(folder, [words], env, whole=whole) is not None
