"""What killed processes left behind goes at the next opening, when nobody owns it any more."""

import contextlib
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.removal import GONE, remove_tree

CLEAN = "clean-"  # how the name of a clean room begins
INDEX = ".index"  # endings of the notes beside a room
SETTLED = ".settled"
_LEASE = ".lease"


def sweep(folder: Path) -> None:
    """Remove the clean rooms and half-removed folders in a folder that no living process owns."""
    with disk_told(folder):
        entries = sorted(path.name for path in folder.iterdir())
    for entry in entries:
        if GONE in entry or entry.startswith(CLEAN):
            found = folder / _main(entry)
            owner = found.with_name(found.name.partition(GONE)[0])
            # held: it is in use; not removable: the next one who sweeps tries again
            with contextlib.suppress(SetupError), lease(owner):
                remove_tree(found)
                if found == owner:
                    forget(owner)


def forget(room: Path) -> None:
    """Remove the notes beside a room that is gone."""
    for ending in (INDEX, SETTLED):
        room.with_name(room.name + ending).unlink(missing_ok=True)


def _main(entry: str) -> str:
    for ending in (_LEASE, INDEX, SETTLED):
        entry = entry.removesuffix(ending)
    return entry
