"""A workspace goes only when nothing is lost with it: all of its work is in the user's repository.

Whatever speaks against it is said, and the workspace stays. Nothing but what the harness made is removed.
"""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.loose_ends import homes_inside, loose_ends
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.workspaces import Workspace


class Removed(NamedTuple):
    folder: Path


class Kept(NamedTuple):
    folder: Path
    reasons: tuple[Phrase, ...]


def remove_workspace(workspace: Workspace, repository: Repository, held: str = "") -> Removed | Kept:
    """Remove a workspace, its fingerprints and the pin of its base, unless work would be lost.

    `held`: a tree that a branch of the user's has, so that a working tree which is it loses nothing.
    """
    try:
        with lease(workspace.folder):
            reasons = _reasons(workspace, repository, held)
            if reasons:
                return Kept(workspace.folder, tuple(reasons))
            _remove(workspace, repository)
            return Removed(workspace.folder)
    except SetupError as error:
        if error.key != "rooms.held":
            raise
        return Kept(workspace.folder, (Phrase(error.key, error.values),))


def _reasons(workspace: Workspace, repository: Repository, held: str) -> list[Phrase]:
    folder = workspace.folder
    if not os.path.lexists(folder):
        return []
    if not stat.S_ISDIR(folder.lstat().st_mode) or not workspace.record.is_file():
        return [Phrase("rooms.altered", {"folder": folder})]
    reasons = loose_ends(folder, repository, workspace.home)
    settled = _settled(workspace, repository, held) if held and reasons else None
    return [reason for reason in reasons if reason != settled]


def _settled(workspace: Workspace, repository: Repository, held: str) -> Phrase | None:
    """What is said of changes that are not committed here, when the user's repository holds all of them."""
    try:
        found = find_repository(workspace.folder, repository.env)
        fingerprints = Fingerprints(found, workspace.home)
        tree = fingerprints.take().tree
        changed = sorted(fingerprints.changed(found.head, tree)) if tree == held else []
    except SetupError:
        return None
    return Phrase("rooms.uncommitted", {"number": len(changed), "path": changed[0]}) if changed else None


def _remove(workspace: Workspace, repository: Repository) -> None:
    git = repository.git()
    remove_tree(workspace.folder)
    if workspace.kind == "worktree":
        git.attempt("worktree", "remove", "--force", "--force", str(workspace.folder))
    for home in (workspace.home, homes_inside(workspace.home)):
        remove_tree(home)
    workspace.record.unlink(missing_ok=True)
    git.attempt("update-ref", "-d", workspace.pin)
