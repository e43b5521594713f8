"""Of a repository that an agent could write: is it the one we made, and is its work held elsewhere?"""

import os
from pathlib import Path

from donewhen.workspace.git.repository import Repository


def is_own(found: Repository, folder: Path, user: Repository) -> bool:
    """Whether git looks where we look: an agent can point a git directory elsewhere."""
    real = Path(os.path.realpath(folder))
    if Path(os.path.realpath(found.root)) != real:
        return False
    own = Path(os.path.realpath(found.git_dir))
    if own == real / ".git":
        return Path(os.path.realpath(found.common)) == own and not (real / ".git").is_symlink()
    return own.is_relative_to(Path(os.path.realpath(user.common)) / "worktrees")


def is_reachable(user: Repository, id: str) -> bool:
    """Whether all of an object is held by a reference of the user's; a missing one is not.

    Not `--all`: that counts the HEAD of every worktree, and the one in question may be among them.
    """
    ran = user.git().attempt("rev-list", "--objects", "--max-count=1", id, "--not", "--glob=refs/*")
    return ran.exit == 0 and not ran.out.strip()
