"""Where the harness finds the programs that it starts for itself: never in the project that it judges.

A PATH often leads into a project (an activated environment, `node_modules/.bin`), where an agent can write
whatever it likes under the name of git. What the project's own commands start is none of this module's.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

_LONGEST = 4096  # bytes of a `.git` file


def outside_path(folder: Path, env: Mapping[str, str]) -> str:
    """The absolute folders of the PATH that are in no working tree that `folder` is part of."""
    return _outside(str(folder), env.get("PATH", os.defpath), env.get("HOME", ""))


def outside_program(name: str, folder: Path, env: Mapping[str, str]) -> str:
    """Where a program lies outside of the project around `folder`; empty when it is nowhere else."""
    return _program(name, str(folder), env.get("PATH", os.defpath), env.get("HOME", ""))


def in_working_tree(folder: str, home: str) -> bool:
    """Whether a folder is part of somebody's project; a home that is kept in git is none."""
    return any(True for _ in _trees(os.path.realpath(folder), home))


@lru_cache(maxsize=256)
def _program(name: str, folder: str, path: str, home: str) -> str:
    projects = _projects(folder, home)
    for place in _outside(folder, path, home).split(":"):
        found = shutil.which(name, path=place) if place else None
        if found and not _is_below(os.path.realpath(found), projects):
            return found
    return ""


@lru_cache(maxsize=256)
def _outside(folder: str, path: str, home: str) -> str:
    projects = _projects(folder, home)
    places = [place for place in path.split(":") if place.startswith("/")]
    return ":".join(place for place in places if not _is_below(os.path.realpath(place), projects))


def _projects(folder: str, home: str) -> tuple[str, ...]:
    """The folder, the working trees round it, and the one that a linked working tree belongs to."""
    here = os.path.realpath(folder)
    nearest = next(_trees(here, ""), here)
    found = [here, nearest, *_trees(here, home)]
    found += [owner for tree in found if (owner := _owner(tree))]
    return tuple(f"{tree.rstrip('/')}/" for tree in dict.fromkeys(found) if tree != "/")


def _trees(here: str, home: str) -> Iterator[str]:
    """Working trees upward from a folder, the nearest first, but none that holds the user's home."""
    own = f"{os.path.realpath(home)}/" if home.startswith("/") else ""
    for above in (Path(here), *Path(here).parents):
        if own and own.startswith(f"{above}/".replace("//", "/")):
            return
        if os.path.lexists(above / ".git"):
            yield str(above)


def _owner(tree: str) -> str:
    try:
        with (Path(tree) / ".git").open("rb") as file:
            text = os.fsdecode(file.read(_LONGEST))
    except OSError:
        return ""
    pointed = os.path.realpath(Path(tree) / text.removeprefix("gitdir: ").strip("\r\n").replace("\0", ""))
    owner, inside, _ = pointed.partition("/.git/")
    return owner if inside and text.startswith("gitdir: ") else ""


def _is_below(place: str, projects: tuple[str, ...]) -> bool:
    return f"{place}/".startswith(projects)
