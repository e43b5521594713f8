"""Where the harness finds the programs that it starts for itself: never in the project that it judges.

A PATH often leads into a project (an activated environment, `node_modules/.bin`), where an agent can write
whatever it likes under the name of git. What the project's own commands start is none of this module's.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

SYSTEM = ("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin", "/opt/homebrew/bin")
_LONGEST = 4096  # bytes of a `.git` file


def outside_path(folder: Path, env: Mapping[str, str]) -> str:
    """The absolute folders of the PATH that are in no working tree that `folder` is part of.

    A folder that is part of none (`/`, one of the harness) stands for any project: then it is none at all.
    """
    return _outside(str(folder), env.get("PATH", os.defpath), env.get("HOME", ""))


def outside_program(name: str, folder: Path, env: Mapping[str, str]) -> str:
    """Where a program lies outside of the project around `folder`; empty when it is nowhere else."""
    return _program(name, str(folder), env.get("PATH", os.defpath), env.get("HOME", ""))


def in_working_tree(folder: str, home: str) -> bool:
    """Whether a folder is part of somebody's project; a home that is kept in git is none."""
    return any(True for _ in _trees(_real(folder), home))


@lru_cache(maxsize=256)
def _program(name: str, folder: str, path: str, home: str) -> str:
    for place in _outside(folder, path, home).split(":"):
        found = shutil.which(name, path=place) if place else None
        if found and (place in SYSTEM or _is_outside(_real(found), folder, home)):
            return found
    return ""


@lru_cache(maxsize=256)
def _outside(folder: str, path: str, home: str) -> str:
    """Those that are in no working tree at all come first: a room is far from the project that it copies."""
    places = [place for place in path.split(":") if place.startswith("/")]
    places = [place for place in places if place in SYSTEM or _is_outside(_real(place), folder, home)]
    return ":".join(sorted(places, key=lambda place: place not in SYSTEM and in_working_tree(place, home)))


def _is_outside(place: str, folder: str, home: str) -> bool:
    projects, alone = _projects(folder, home)
    return not (alone and in_working_tree(place, home)) and not f"{place}/".startswith(projects)


@lru_cache(maxsize=256)
def _projects(folder: str, home: str) -> tuple[tuple[str, ...], bool]:
    """The folder, the working trees round it, and the one that a linked working tree belongs to; and
    whether it is part of none."""
    here = _real(folder)
    nearest = next(_trees(here, ""), None)
    found = [here, nearest or here, *_trees(here, home)]
    found += [owner for tree in found if (owner := _owner(tree))]
    return tuple(f"{tree}/" for tree in dict.fromkeys(found) if tree != "/"), nearest is None


def _trees(here: str, home: str) -> Iterator[str]:
    """Working trees upward from a folder, the nearest first, but none that holds the user's home."""
    own = _home(home)
    for above in (Path(here), *Path(here).parents):
        if own and own.startswith(f"{above}/".replace("//", "/")):
            return
        if os.path.lexists(above / ".git"):
            yield str(above)


@lru_cache(maxsize=16)
def _home(home: str) -> str:
    return f"{os.path.realpath(home)}/" if home.startswith("/") else ""


def _owner(tree: str) -> str:
    link = Path(tree) / ".git"
    try:
        if not link.is_file():  # nor a pipe, which nobody might ever write to
            return ""
        with link.open("rb") as file:
            text = os.fsdecode(file.read(_LONGEST))
    except OSError:
        return ""
    pointed = os.path.realpath(Path(tree) / text.removeprefix("gitdir: ").strip("\r\n").replace("\0", ""))
    owner, inside, _ = pointed.partition("/.git/")
    return owner if inside and text.startswith("gitdir: ") else ""


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL in it: no such place
        return path
