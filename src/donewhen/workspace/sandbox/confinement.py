"""What a command is to be confined to: the wish, as plain data, with every path real and absolute.

`confine` looks at the file system once, because walls are put up only at places that exist and never at the
near end of a link. It refuses folders that would open the whole machine. How the wish is met is `plan`'s.
"""

import os
import pwd
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.config.files import is_file
from donewhen.core.errors import SetupError
from donewhen.workspace.sandbox.caches import CACHES, Usual, laid, lies_at, moved
from donewhen.workspace.sandbox.credentials import OF_ROOT, credential_paths, named_paths, socket_paths

Mode = Literal["auto", "required", "off"]
Network = Literal["none", "registries", "full"]
Temp = Literal["private", "shared"]
Filled = Literal["", "laid", "moved"]  # over the cache, or in a folder that its variable names


class Hidden(NamedTuple):
    path: str
    folder: bool


class Cache(NamedTuple):
    """A folder that tools fill for later: read from the user, written to a layer of the run."""

    path: str
    exists: bool
    variable: str = ""
    needed: bool = False  # by commands that have no network
    named: bool = False  # by its variable, in the user's environment
    filled: Filled = ""  # what the set-up that lends has of it


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
    sockets: tuple[str, ...] = ()  # of the host's services; covered with the network
    read_only: tuple[str, ...] = ()  # in places that may be written, but not to be written themselves
    lent: bool = False  # caches are read, and written only to a layer that nobody reads later
    lender: str = ""  # the layer of the set-up whose caches these are
    shared_temp: bool = False  # the machine's temp folder may be read and written


def confine(
    workspace: Path,
    scratch: Path,
    env: Mapping[str, str],
    *,
    mode: Mode = "auto",
    network: Network = "full",
    temp: Temp = "private",
    writable: Sequence[Path] = (),
    readable: Sequence[Path] = (),
    caches: Sequence[Path] = (),
    hide: Sequence[Path] = (),
    read_only: Sequence[Path] = (),
    lent: bool = False,
    lender: Path | None = None,
) -> Confinement:
    """The confinement of a run; `scratch` is a folder of the harness for its temp and cache layers.

    `caches` are added to the usual ones, `hide` to the usual credentials (donewhen's own folders belong
    there). `read_only` are places inside the writable ones that must stay as they are. With `lent` caches
    are for reading: those that a set-up with the scratch `lender` filled, else the user's own.
    """
    home = env.get("HOME", "")
    own = _folder(workspace, home)
    usual = [path for each in _homes(home) for path in credential_paths(each)]
    named = map(os.path.realpath, (*named_paths(env), *socket_paths(env)))
    system = OF_ROOT if os.geteuid() == 0 else ()
    layer = _real(lender / "caches") if lender else ""
    kept = [*read_only, *([Path(moved(layer))] if layer else [])]
    covered = (*usual, *(path for path in named if not _holds(path, own, home)), *system, *map(str, hide))
    return Confinement(
        own,
        _real(scratch / "tmp"),
        _real(scratch / "caches"),
        _real(scratch / "empty"),
        mode,
        network,
        tuple(_folder(path, home) for path in writable),
        (*(_real(path) for path in readable), _real(Path(sys.base_prefix)), *_programs_in_temp(env)),
        _caches(own, env, caches, layer),
        _hidden(covered),
        _sockets([own, _real(scratch), *map(_real, writable)]) if network == "none" else (),
        tuple(sorted({_real(path) for path in kept if path.exists()})),
        lent,
        layer,
        temp == "shared",
    )


def _homes(home: str) -> list[str]:
    """Whose credentials could be read: the user's, whatever HOME says, and for root everybody's."""
    homes = [home]
    with suppress(KeyError):
        homes.append(pwd.getpwuid(os.geteuid()).pw_dir)
    if os.geteuid() == 0:
        with suppress(OSError):
            homes += sorted(str(home) for home in Path("/home").iterdir())
    return list(dict.fromkeys(homes))


def _holds(path: str, workspace: str, home: str) -> bool:
    """Whether a home or the workspace lies in `path`: a careless variable must not cover them."""
    return any(f"{each}/".startswith(f"{path}/") for each in (workspace, os.path.realpath(home or "/")))


def _programs_in_temp(env: Mapping[str, str]) -> list[str]:
    """What PATH names below the machine's temp folders, whole environments too: private ones hide it."""
    temp = tuple(f"{_real(Path(folder))}/" for folder in ("/tmp", "/dev/shm"))  # noqa: S108 - only compared
    words = env.get("PATH", "").split(os.pathsep)
    folders = [Path(_real(Path(word))) for word in words if word.startswith("/")]
    return [
        str(folder.parent if is_file(folder.parent / "pyvenv.cfg") else folder)
        for folder in folders
        if str(folder).startswith(temp)
    ]


def _real(path: Path) -> str:
    return os.path.realpath(path)


def _folder(path: Path, home: str) -> str:
    """A folder that may be written: neither the root nor the user's home nor anything above it."""
    real = _real(path)
    above = real.rstrip("/") + "/"
    if (home and f"{os.path.realpath(home)}/".startswith(above)) or real == "/":
        raise SetupError("sandbox.bad_folder", folder=real)
    return real


def _caches(
    workspace: str, env: Mapping[str, str], declared: Sequence[Path], layer: str
) -> tuple[Cache, ...]:
    home = env.get("HOME", "")
    wanted = [(usual, *lies_at(usual, home, env)) for usual in CACHES]
    wanted += [(Usual("", "", needed=True), str(path), False) for path in declared]
    found: dict[str, Cache] = {}
    for usual, path, named in wanted:
        real = os.path.realpath(path or "/")
        if real != "/" and not _holds(real, workspace, home) and not f"{real}/".startswith(f"{workspace}/"):
            exists = Path(real).is_dir()
            filled = _filled(layer, real, usual.variable, exists)
            found.setdefault(real, Cache(real, exists, usual.variable, usual.needed, named, filled))
    inside = [
        cache
        for cache in found.values()
        if not any(f"{cache.path}/".startswith(f"{c}/") for c in found if c != cache.path)
    ]
    return tuple(sorted(inside))


def _filled(layer: str, path: str, variable: str, exists: bool) -> Filled:
    """What a set-up left in its layer for a cache."""
    if layer and exists and _holds_files(f"{laid(layer, path)}/new"):
        return "laid"
    return "moved" if layer and variable and _holds_files(f"{moved(layer)}/{variable}") else ""


def _holds_files(folder: str) -> bool:
    try:
        return not Path(folder).is_symlink() and any(os.scandir(folder))
    except OSError:
        return False


def _hidden(paths: Sequence[str]) -> tuple[Hidden, ...]:
    found = {}
    for path in map(os.path.realpath, filter(os.path.lexists, paths)):  # few of hundreds are there
        if path != "/" and os.path.lexists(path):
            found[path] = Hidden(path, Path(path).is_dir())
    return tuple(sorted(found.values()))


def _sockets(ours: list[str]) -> tuple[str, ...]:
    """Sockets with a name in the file system that somebody holds open, where no folder is covered whole."""
    try:
        lines = Path("/proc/net/unix").read_text(errors="surrogateescape").splitlines()[1:]
    except OSError:
        return ()
    skipped = tuple(f"{each}/" for each in (*ours, "/run", "/var/run", "/tmp", "/dev", "/proc"))  # noqa: S108
    paths = {fields[7] for fields in (line.split(" ", 7) for line in lines) if len(fields) == 8}
    return tuple(
        sorted(
            path
            for path in (each.strip() for each in paths)
            if path.startswith("/")
            and not path.startswith(skipped)
            and os.path.realpath(path) == path
            and os.path.lexists(path)
        )
    )
