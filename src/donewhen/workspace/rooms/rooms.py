"""Rooms: folders that hold exactly one tree, for an exam that nothing left over can help.

An exam room is kept and brought up to date the next time; a clean room is fresh and goes when it was used.
Both are git working trees of their own, because tools ask git for versions and files: HEAD and references as
in the repository, the index as the tree. The git directory is made anew at each opening, so whatever an exam
wrote into the last one is never read by us.
"""

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.furnishing import Room, Work, furnish
from donewhen.workspace.rooms.gitdir import Head
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.leftovers import Spoilt
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.sweeping import CLEAN, forget, sweep

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


def room(places: Places, name: str) -> Path:
    """The folder of a kept room, made if need be."""
    folder = _named(places, name)
    if os.path.lexists(folder) and not stat.S_ISDIR(folder.lstat().st_mode):
        folder.unlink()
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _named(places: Places, name: str) -> Path:
    if not _NAME.fullmatch(name) or name.startswith(CLEAN):
        raise SetupError("rooms.bad_room", name=name)
    return places.rooms / name


@contextlib.contextmanager
def open_room(
    repository: Repository,
    fingerprints: Fingerprints,
    tree: str,
    places: Places,
    name: str = "exam",
    *,
    wait: float = 0.0,
) -> Iterator[Room]:
    """A kept room, brought up to date with a tree of the working tree as it is now; ours while it is open.

    One in which somebody altered what the set-up made is thrown away, and made and laid anew.
    """
    sweep(places.rooms)
    with lease(_named(places, name), wait):
        with disk_told(places.rooms):
            head = Head(repository.head, repository.branch)
            work = Work(repository, fingerprints, tree, head, present=True)
            try:
                opened = furnish(work, room(places, name), places.homes)
            except Spoilt:
                remove_tree(_named(places, name))
                forget(_named(places, name))
                opened = furnish(work, room(places, name), places.homes)
        yield opened


@contextlib.contextmanager
def clean_room(
    repository: Repository, fingerprints: Fingerprints, tree: str, places: Places, commit: str = ""
) -> Iterator[Room]:
    """A fresh room with exactly this tree, gone afterwards; HEAD is `commit`, else the repository's own."""
    sweep(places.rooms)
    head = Head(commit) if commit else Head(repository.head, repository.branch)
    folder = places.rooms / f"{CLEAN}{secrets.token_hex(6)}"
    with lease(folder):
        try:
            with disk_told(folder):
                folder.mkdir(mode=0o700)
                work = Work(repository, fingerprints, tree, head, present=not commit)
                opened = furnish(work, folder, places.homes)
            yield opened
        finally:
            with contextlib.suppress(SetupError):  # what can't be removed now goes when the next one sweeps
                remove_tree(folder)
            forget(folder)
