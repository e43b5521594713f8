"""What a command is to be confined to: the wish, as plain data, with every path real and absolute.

`confine` looks at the file system once, because walls are put up only at places that exist and never at the
near end of a link. It refuses folders that would open the whole machine. How the wish is met is `plan`'s.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.errors import SetupError
from donewhen.workspace.sandbox.caches import CACHES
from donewhen.workspace.sandbox.credentials import credential_paths, socket_paths

Mode = Literal["auto", "required", "off"]
Network = Literal["none", "registries", "full"]


class Hidden(NamedTuple):
    path: str
    folder: bool


class Cache(NamedTuple):
    """A folder that tools fill for later: read from the user, written to a layer of the run."""

    path: str
    exists: bool
    variable: str = ""


class Confinement(NamedTuple):
    workspace: str
    temp: str  # stands for /tmp where that can be, else it is TMPDIR
    layer: str  # holds what is written to caches
    empty: str  # a file that stands for hidden ones
    mode: Mode = "auto"
    network: Network = "full"
    writable: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()  # must stay visible even where their surroundings are covered
    caches: tuple[Cache, ...] = ()
    hide: tuple[Hidden, ...] = ()


def confine(
    workspace: Path,
    scratch: Path,
    env: Mapping[str, str],
    *,
    mode: Mode = "auto",
    network: Network = "full",
    writable: Sequence[Path] = (),
    readable: Sequence[Path] = (),
    caches: Sequence[Path] = (),
    hide: Sequence[Path] = (),
) -> Confinement:
    """The confinement of a run; `scratch` is a folder of the harness for its temp and cache layers.

    `caches` are added to the usual ones, `hide` to the usual credentials (donewhen's own folders belong
    there).
    """
    home = env.get("HOME", "")
    covered = (*credential_paths(home), *socket_paths(), *map(str, hide))
    return Confinement(
        _folder(workspace, home),
        _real(scratch / "tmp"),
        _real(scratch / "caches"),
        _real(scratch / "empty"),
        mode,
        network,
        tuple(_folder(path, home) for path in writable),
        (*(_real(path) for path in readable), _real(Path(sys.base_prefix))),
        _caches(home, caches),
        _hidden(covered),
    )


def _real(path: Path) -> str:
    return os.path.realpath(path)


def _folder(path: Path, home: str) -> str:
    """A folder that may be written: neither the root nor the user's home nor anything above it."""
    real = _real(path)
    above = real.rstrip("/") + "/"
    if (home and f"{os.path.realpath(home)}/".startswith(above)) or real == "/":
        raise SetupError("sandbox.bad_folder", folder=real)
    return real


def _caches(home: str, declared: Sequence[Path]) -> tuple[Cache, ...]:
    usual = [(Path(home) / below, variable) for below, variable in CACHES] if home else []
    found: dict[str, Cache] = {}
    for path, variable in (*usual, *((path, "") for path in declared)):
        real = _real(path)
        found.setdefault(real, Cache(real, Path(real).is_dir(), variable))
    inside = [
        cache
        for cache in found.values()
        if not any(f"{cache.path}/".startswith(f"{c}/") for c in found if c != cache.path)
    ]
    return tuple(sorted(inside))


def _hidden(paths: Sequence[str]) -> tuple[Hidden, ...]:
    found = {}
    for path in map(os.path.realpath, paths):
        if path != "/" and os.path.lexists(path):
            found[path] = Hidden(path, Path(path).is_dir())
    return tuple(sorted(found.values()))
