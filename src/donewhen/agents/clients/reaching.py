"""What must be seen of the machine for a program to start: walls that cover its folder would hide it.

Links are followed one by one, since each of their folders is passed on the way; a script needs what runs it,
a package of npm its neighbours, a virtual environment all of itself. Files are only looked at.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_MOST_LINKS = 40
_HEAD = 512  # bytes of a script that are read
_PACKAGES = "node_modules"


class Reach(NamedTuple):
    """How a program is started where not all is seen, and what has to be."""

    program: str
    places: tuple[Path, ...]
    starts: tuple[str, ...]  # files that are executed: the program, and what runs it if it is a script


def reach(program: str, env: Mapping[str, str]) -> Reach:
    """The program by a path without linked folders; one beside too much to be shown, by its real path."""
    home = os.path.realpath(env.get("HOME") or "/")
    hops = _hops(program)
    named = hops[-1] if _is_wide(str(Path(hops[0]).parent), home) else hops[0]
    runner = _runner(hops[-1], env.get("PATH", os.defpath))
    more = _hops(runner) if runner else ()
    places = dict.fromkeys(place for hop in (*hops, *more) for place in _places(hop, home))
    return Reach(named, tuple(map(Path, places)), (named, *((runner,) if runner else ())))


def _hops(path: str) -> tuple[str, ...]:
    """The program and all that its links lead to, each in a folder that is no link itself."""
    found: list[str] = []
    while len(found) < _MOST_LINKS:
        folder, name = os.path.split(path)
        here = f"{os.path.realpath(folder).rstrip('/')}/{name}"
        found.append(here)
        if not Path(here).is_symlink():
            break
        path = str(Path(here).parent / Path(here).readlink())
    return tuple(found)


def _places(file: str, home: str) -> Iterator[str]:
    folder = Path(file).parent
    packages = [above for above in folder.parents if above.name == _PACKAGES]
    if folder.name == _PACKAGES or packages:
        folder = packages[-1] if packages else folder
    elif (folder.parent / "pyvenv.cfg").is_file():
        folder = folder.parent
    elif folder.name == "bin" and (folder.parent / "lib").is_dir():
        yield str(folder.parent / "lib")
    yield file if _is_wide(str(folder), home) else str(folder)


def _is_wide(folder: str, home: str) -> bool:
    """A home, what homes lie in, and folders like /tmp hold more than a program needs."""
    return folder.count("/") < 2 or f"{home}/".startswith(f"{folder}/")


def _runner(file: str, path: str) -> str:
    """What the first line of a script names; empty for other files."""
    try:
        with Path(file).open("rb") as script:
            first = script.read(_HEAD).split(b"\n", 1)[0].decode(errors="replace")
    except OSError:
        return ""
    words = first[2:].split() if first.startswith("#!") else []
    if words and Path(words[0]).name == "env":
        named = (word for word in words[1:] if not word.startswith("-") and "=" not in word)
        return shutil.which(next(named, ""), path=path) or ""
    return words[0] if words and words[0].startswith("/") else ""
