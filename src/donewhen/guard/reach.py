"""Which places of the workspace a write or a deletion changes, for the bounds of a run.

Stars take the names that are on the disk, links count where they lead, too. What a star or a program's own
choice leaves open stays open: `Spot` says so, and bounds deny only what is sure.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from donewhen.guard.bounds import Spot
from donewhen.guard.effects import Deletes, Writes
from donewhen.guard.globs import matches
from donewhen.guard.ground import Disk, Ground
from donewhen.guard.marks import BELOW, anything, certain

MOST_PATHS = 500  # that one glob takes; with more it stays a glob
MOST_BELOW = 5000  # names looked at below a folder


class _Way(NamedTuple):
    path: str  # absolute, all of it known
    open: str = ""  # the next name, where something below is meant

    @property
    def known(self) -> str:
        """A glob in one folder; empty for names that a program chooses itself."""
        return "" if anything(self.open) or BELOW in self.open else self.open


def spots(effect: Deletes | Writes, ground: Ground) -> Iterator[Spot]:
    """Nothing for what lies outside the workspace."""
    root = ground.workspace
    if not effect.path.startswith(f"{root}/"):
        return
    follow = not (isinstance(effect, Deletes) or effect.how == "link")
    real_root = ground.disk.real(root)
    for way in _ways(root, effect.path[len(root) + 1 :].split("/"), ground.disk):
        real = _real(way.path, ground.disk, follow or bool(way.open))
        inner = {_inner(way.path, root), _inner(real, real_root)}
        for path in sorted(one for one in inner if one is not None):
            yield Spot(path, "below", way.known) if way.open else Spot(path, _kind(effect))


def below(spot: Spot, ground: Ground) -> Iterator[Spot]:
    """What is on the disk in a folder, each by itself, to a bounded number; links are not followed."""
    disk, root = ground.disk, ground.disk.real(ground.workspace)
    waiting = [f"{root}/{spot.path}"]
    seen = 0
    while waiting and seen < MOST_BELOW:
        folder = waiting.pop()
        for name in disk.names(folder) or ():
            seen += 1
            path = f"{folder}/{name}"
            yield Spot(path[len(root) + 1 :], "one")
            if disk.real(path) == path:
                waiting.append(path)


def _kind(effect: Deletes | Writes) -> Literal["one", "whole", "made"]:
    if isinstance(effect, Deletes):
        return "whole" if effect.deep else "one"
    return "made" if effect.how == "folder" else "whole"


def _ways(root: str, names: list[str], disk: Disk) -> list[_Way]:
    reached = [root]
    for name in names:
        if certain(name):
            reached = [f"{folder}/{name}" for folder in reached]
            continue
        taken = None if anything(name) or BELOW in name else _taken(reached, name, disk)
        if taken is None:
            return [_Way(folder, name) for folder in reached]
        reached = taken
    return [_Way(path) for path in reached]


def _taken(folders: list[str], name: str, disk: Disk) -> list[str] | None:
    """What a live glob takes in these folders; None when the disk does not say."""
    listed = [(folder, names) for folder in folders if (names := disk.names(folder)) is not None]
    found = [f"{folder}/{one}" for folder, names in listed for one in names if matches(name, one)]
    return found if listed and len(found) <= MOST_PATHS else None


def _real(path: str, disk: Disk, follow: bool) -> str:
    if follow:
        return disk.real(path)
    folder, _, name = path.rpartition("/")
    return f"{disk.real(folder).rstrip('/')}/{name}"


def _inner(path: str, root: str) -> str | None:
    if path == root:
        return ""
    return path[len(root) + 1 :] if path.startswith(f"{root}/") else None
