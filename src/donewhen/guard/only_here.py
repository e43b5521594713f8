"""What exists nowhere but here: commits that no other branch or remote has, files that git does not keep.

Asked of git itself, and only for the few commands that may lose something; None where git can't tell.
"""

import os

from donewhen.guard.effects import Deletes, Rewrites
from donewhen.guard.ground import Ground
from donewhen.guard.marks import anything, certain, could_be, lead

MOST_FILES = 10_000


def unpublished(rewrite: Rewrites, ground: Ground) -> bool | None:
    """Has no remote any of the commits that are rewritten?"""
    words = "rev-list", "--count", *rewrite.commits
    if not rewrite.commits or not rewrite.folder or not certain(" ".join((rewrite.folder, *words))):
        return None
    every = ground.disk.git(rewrite.folder, *words, "--")
    own = ground.disk.git(rewrite.folder, *words, "--not", "--remotes", "--")
    return None if every is None or own is None else every == own


def unmerged(rewrite: Rewrites, ground: Ground) -> bool | None:
    """Does the branch hold a commit that is on no other one, here or on a remote?"""
    ref = f"refs/heads/{rewrite.ref}"
    if not rewrite.folder or not certain(rewrite.folder + ref):
        return None
    if ground.disk.git(rewrite.folder, "for-each-ref", ref) == "":
        return False  # there is no such branch
    found = ground.disk.git(
        rewrite.folder, "rev-list", "--max-count=1", ref, "--not", f"--exclude={ref}", "--all", "--"
    )
    return None if found is None else bool(found.strip())


def deleted_work(effect: Deletes, ground: Ground) -> bool:
    """Would it delete a file that git does not keep as it is, and that was there before the agent came?"""
    root = ground.disk.real(ground.workspace)
    path = effect.path
    if path.startswith(f"{ground.workspace}/"):
        path = root + path[len(ground.workspace) :]
    if not path.startswith(f"{root}/") or anything(path):
        return False
    return any(_goes(one, path, effect.deep) for one in _at_risk(path, root, ground))


def changed_before(path: str, ground: Ground) -> bool:
    """Has the file, or one below it, changes that git does not keep and the agent did not make?"""
    return deleted_work(Deletes(path, deep=True), ground)


def _at_risk(path: str, root: str, ground: Ground) -> list[str]:
    top = path if certain(path) else lead(path).rpartition("/")[0]
    words = "ls-files", "-z", "--modified", "--others", "--exclude-standard", "--"
    listed = ground.disk.git(root, *words, f":(literal){top[len(root) + 1 :]}" if top != root else ".")
    if listed is None:  # without git nothing keeps a file
        return [path] if certain(path) and _old(path, ground) else []
    names = [name for name in listed.split("\0") if name]
    paths = dict.fromkeys(f"{root}/{name.rstrip('/')}" for name in names[:MOST_FILES])
    return [one for one in paths if _old(one, ground)]


def _goes(one: str, path: str, deep: bool) -> bool:
    if certain(path):
        return one == path or (deep and one.startswith(f"{path}/"))
    return could_be(path, one)


def _old(path: str, ground: Ground) -> bool:
    try:
        return os.lstat(path).st_ctime < ground.since
    except (OSError, ValueError):
        return False  # gone already
