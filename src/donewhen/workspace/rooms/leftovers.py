"""What an exam leaves in a kept room must not help or hurt the next one.

After the set-up it is noted which files beside the tree are there; whatever else turns up goes at the next
opening. Ignored files and compiled caches stay: whoever wants none of those takes a clean room.
"""

import os
from pathlib import Path

from donewhen.workspace.git.runner import Git, names
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.sweeping import SETTLED

_LARGEST = 16 * 1024 * 1024


def settle(git: Git) -> None:
    """Note what lies in a room beside its tree: it belongs there."""
    note = _note(git.folder)
    fresh = note.with_name(f"{note.name}.new")
    fresh.write_bytes(b"\0".join(os.fsencode(path) for path in _beside(git)))
    fresh.replace(note)


def clear_leftovers(git: Git) -> None:
    """Remove what lies beside the tree and was not noted; without a note nothing is known and all stays."""
    try:
        with _note(git.folder).open("rb") as file:
            noted = set(names(file.read(_LARGEST)))
    except FileNotFoundError:
        return
    for path in _beside(git):
        if path not in noted:
            remove_tree(git.folder / path)


def _beside(git: Git) -> list[str]:
    """Untracked files and folders that no rule of the tree ignores; a folder of such is named once."""
    words = ("ls-files", "-z", "--others", "--directory", "--no-empty-directory", "--exclude-standard")
    return [path.rstrip("/") for path in names(git.run(*words, "--exclude=__pycache__/"))]


def _note(folder: Path) -> Path:
    return folder.with_name(folder.name + SETTLED)
