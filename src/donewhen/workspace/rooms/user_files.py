"""A room that has what the user's folder has beside the tree: environments as links, small files as copies.

Caches of tools stay away. Links lead to the user's own packages, which commands in the room read and can't
write; a package that is a part of the project itself leads to the
room's own copy of that part. Nothing of the user's is written, and what was brought is gone again when the
room is closed.
"""

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from donewhen.config.files import is_file
from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.beside import Beside, stays_away
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.setup.python_installed import Installed

_MOST_FILES = 5000
_MOST_BYTES = 64 * 1024 * 1024
_MOST_PACKAGES = 20_000
_PACKAGES = "node_modules"
_OWN = (".cache", ".vite", ".tmp")  # how names begin of what tools write among packages
_DENIED = re.compile(r"^.*(?:EROFS|EACCES|[Rr]ead-only file system|[Pp]ermission denied).*$", re.MULTILINE)


@contextlib.contextmanager
def lent(
    root: Path, room: Path, found: Iterable[Beside], without: Collection[str] = ()
) -> Iterator[tuple[Path, ...]]:
    """Bring these into the room, but for single files; the places outside of it that its links lead to."""
    brought: list[Path] = []
    places: list[Path] = []
    budget = _Budget()
    try:
        for aside in found:
            target = room / aside.path
            if not _is_free(room, target):
                continue
            brought.append(target)
            with contextlib.suppress(OSError):
                target.parent.mkdir(parents=True, exist_ok=True)
                if aside.environment:
                    _link(root, room, root / aside.path, target)
                    places.append(root / aside.path)
                else:
                    _copy(root / aside.path, target, budget, frozenset(root / path for path in without))
        yield tuple(places)
    finally:
        for target in brought:
            with contextlib.suppress(SetupError):  # goes at the next opening of the room
                remove_tree(target)


def _is_free(room: Path, target: Path) -> bool:
    """Nothing is there, and no folder on the way is a link that leads somewhere else."""
    if os.path.lexists(target):
        return False
    return Path(os.path.realpath(target.parent)) == Path(os.path.realpath(room)) / target.parent.relative_to(
        room
    )


def _link(root: Path, room: Path, source: Path, target: Path) -> None:
    if source.name != _PACKAGES or source.is_symlink():
        target.symlink_to(os.path.realpath(source))
        return
    target.mkdir()  # a folder of its own: tools write caches into it
    for package in sorted(source.iterdir())[:_MOST_PACKAGES]:
        here = target / package.name
        if package.name.startswith(_OWN):
            continue
        if package.name.startswith("@") and package.is_dir() and not package.is_symlink():
            here.mkdir()
            for inner in sorted(package.iterdir())[:_MOST_PACKAGES]:
                _link_package(root, room, inner, here / inner.name)
        elif package.name == ".bin" and package.is_dir() and not package.is_symlink():
            here.mkdir()
            for program in sorted(package.iterdir())[:_MOST_PACKAGES]:
                near = program.is_symlink() and not program.readlink().is_absolute()
                (here / program.name).symlink_to(program.readlink() if near else program)
        else:
            _link_package(root, room, package, here)


def _link_package(root: Path, room: Path, source: Path, target: Path) -> None:
    """A link of a workspace leads to a part of the project: in the room, to the room's."""
    real = Path(os.path.realpath(source))
    top = Path(os.path.realpath(root))
    own = source.is_symlink() and real.is_relative_to(top) and _PACKAGES not in real.relative_to(top).parts
    target.symlink_to(room / real.relative_to(top) if own else source)


def packages_written(root: Path, said: str) -> frozenset[str]:
    """Packages of the user that a command would have written into, by what it printed."""
    place = re.escape(f"{os.path.realpath(root)}/{_PACKAGES}/")
    inside = re.compile(rf"{place}((?:@[\w.-]+/)?(?![.@])[\w.-]+)/")
    return frozenset(name for line in _DENIED.findall(said) for name in inside.findall(line))


def give_packages(root: Path, room: Path, packages: Iterable[str]) -> None:
    """Copies of these in the room, where links to the user's stand."""
    budget = _Budget()
    for name in packages:
        source, target = root / _PACKAGES / name, room / _PACKAGES / name
        if target.is_symlink() and source.is_dir() and not target.parent.is_symlink():
            copy = target.with_name(f"{_OWN[-1]}-{target.name}")
            with contextlib.suppress(OSError):
                _copy(source.resolve(), copy, budget, ())
                if copy.is_dir():
                    target.unlink()
                    copy.rename(target)


class _Budget:
    """How much may still be copied."""

    def __init__(self) -> None:
        self.files = _MOST_FILES
        self.bytes = _MOST_BYTES


def _copy(source: Path, target: Path, budget: _Budget, without: Collection[Path]) -> None:
    """A file or a link as it is; a folder with all that is in it, or not at all. Nothing else."""
    found = _listed(source, target, budget, without)
    for here, there, facts in found or ():
        if stat.S_ISDIR(facts.st_mode):
            there.mkdir(parents=True, exist_ok=True)
        else:
            shutil.copy2(here, there, follow_symlinks=False)


def _listed(
    source: Path, target: Path, budget: _Budget, without: Collection[Path]
) -> list[tuple[Path, Path, os.stat_result]] | None:
    """What is to be copied, folders first; None where it is too much."""
    found: list[tuple[Path, Path, os.stat_result]] = []
    size, waiting = 0, [(source, target)]
    while waiting:
        here, there = waiting.pop()
        if here in without or stays_away(str(here)):
            continue
        facts = here.lstat()
        if stat.S_ISDIR(facts.st_mode):
            waiting += [(inner, there / inner.name) for inner in here.iterdir()]
        elif not stat.S_ISREG(facts.st_mode) and not stat.S_ISLNK(facts.st_mode):
            continue
        size += facts.st_size
        found.append((here, there, facts))
        if len(found) > budget.files or size > budget.bytes:
            return None
    budget.files -= len(found)
    budget.bytes -= size
    return found


def own_sources(root: Path, room: Path, path: Iterable[str], folders: Collection[str]) -> Mapping[str, str]:
    """Variables that let Python find the room's sources where an editable install leads to the user's.

    `folders`: those at the top of the tree in the room.
    """
    sites: list[Path] = []
    for folder in path:
        prefix = Path(folder).parent
        if is_file(prefix / "pyvenv.cfg"):
            sites += sorted(prefix.glob("lib/python*/site-packages"))
    installed = Installed(sites)
    led = installed.sources_in(root)
    if not led and not installed.is_from("", root):
        return {}
    usual = "src" if "src" in folders else ""
    places = dict.fromkeys((*(place for place in led if place.partition("/")[0] in folders), usual))
    return {"PYTHONPATH": ":".join(str(room / place) for place in places)}
