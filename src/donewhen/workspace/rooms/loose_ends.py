"""What would be lost with a workspace: work that the user's repository does not hold.

Everything that can't be told counts as work. Nothing is changed here.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, ignored_now, ignored_then
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.gitdir import refs
from donewhen.workspace.rooms.nested import DEEPEST, counterpart, nested_in
from donewhen.workspace.rooms.reach import is_own, is_reachable

_SEEN_FROM_ELSEWHERE = "refs/remotes/"


def loose_ends(folder: Path, user: Repository, home: Path) -> list[Phrase]:
    """Why the working tree at `folder` must stay; empty when all of it is in the user's repository too."""
    try:
        return list(_all(folder, user, home, "", DEEPEST))
    except SetupError as error:
        return [Phrase("rooms.unclear", {"folder": folder, "why": Phrase(error.key, error.values)})]


def homes_inside(home: Path) -> Path:
    """Where the fingerprints of repositories inside a workspace are."""
    return home.with_name(f"{home.name}.inside")


def _all(folder: Path, user: Repository, home: Path, prefix: str, depth: int) -> Iterator[Phrase]:
    found = find_repository(folder, user.env)
    if not is_own(found, folder, user):
        yield Phrase("rooms.altered", {"folder": folder})
        return
    if found.busy:
        yield Phrase("rooms.busy", {"folder": folder, "operation": found.busy})
    if found.common != user.common and _has_worktrees(found):
        yield Phrase("rooms.has_worktrees", {"folder": folder})
    yield from _unreachable(found, user, prefix)
    rules = ignored_then(home / KEPT_RULES) or ignored_now(user, user.env)  # never the agent's own
    fingerprints = Fingerprints(found, home, ignored=rules)
    tree = fingerprints.take().tree
    if tree != fingerprints.tree(found.head):
        changed = sorted(fingerprints.changed(found.head, tree))
        yield Phrase("rooms.uncommitted", {"number": len(changed), "path": prefix + (changed or ["?"])[0]})
    for nested in nested_in(found.git(), found.head) if found.head else ():
        yield from _nested(found, user, nested.path, home, prefix, depth)


def _nested(
    found: Repository, user: Repository, path: str, home: Path, prefix: str, depth: int
) -> Iterator[Phrase]:
    if not os.path.lexists(found.root / path / ".git"):
        return  # not checked out: nothing of its own
    same = counterpart(user, path) if depth else None
    if same is None:
        yield Phrase("rooms.nested_work", {"path": prefix + path})
        return
    inner = f"{prefix}{path}/"
    name = hashlib.sha256(os.fsencode(inner)).hexdigest()[:16]
    yield from _all(found.root / path, same, homes_inside(home) / name, inner, depth - 1)


def _has_worktrees(found: Repository) -> bool:
    return (found.common / "worktrees").is_dir() and any((found.common / "worktrees").iterdir())


def _unreachable(found: Repository, user: Repository, prefix: str) -> Iterator[Phrase]:
    safe = {ref.id for ref in refs(user)}
    if found.common != user.common:
        tips = {ref.id: ref.name for ref in refs(found) if not ref.name.startswith(_SEEN_FROM_ELSEWHERE)}
        tips |= dict.fromkeys(_stashed(found), "stash")
    else:
        tips = {}  # a worktree shares its references with the user
    if found.head:
        tips.setdefault(found.head, "HEAD")
    for id, name in tips.items():
        if id not in safe and not is_reachable(user, id):
            yield Phrase("rooms.unreachable", {"name": prefix + name.removeprefix("refs/heads/")})


def _stashed(found: Repository) -> list[str]:
    ran = found.git().attempt("rev-list", "--walk-reflogs", "--ignore-missing", "refs/stash")
    return ran.out.decode().split() if ran.exit == 0 else []
