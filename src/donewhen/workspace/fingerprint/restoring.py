"""The way back: a working tree is made what it was, and that is checked.

Git directories of repositories inside are never touched, whoever made them; their files are.
"""

import os

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.laying import open_folders, put_files
from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.fingerprint.relevant import without
from donewhen.workspace.fingerprint.worktree import Taken, WorkTree
from donewhen.workspace.git.runner import names

_ROUNDS = 4  # an ignore rule that goes brings files to light, which go in the next round


def restore(own: Own, tree: WorkTree, taken: Taken, target: str) -> None:
    """Make the files of a working tree those of `target`; SetupError when that can't be."""
    for _ in range(_ROUNDS):
        plain = _plain(own, tree, taken, target)
        _inside(own, tree, taken, target)
        if taken.plain == plain:
            return
        differing = names(
            own.reading(tree.root).run(
                "diff-tree", "-r", "-z", "--no-renames", "--name-only", taken.plain, plain
            )
        )
        open_folders(tree.root, differing)
        put_files(own, plain, tree.root, tree.index)
        taken = tree.take()
    if taken.plain != _plain(own, tree, taken, target):
        raise SetupError("git.not_restored", folder=tree.root)


def _plain(own: Own, tree: WorkTree, taken: Taken, target: str) -> str:
    """The target without the repositories that are inside now."""
    below = tuple(f"{one.path}/" for one in taken.inside)
    paths = {one.path for one in taken.inside}
    listed = own.reading(tree.root).run("ls-tree", "-r", "-z", "--full-tree", target).split(b"\0")
    gone = []
    for line in listed:
        facts, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        if facts.startswith(b"160000") or path in paths or (below and path.startswith(below)):
            gone.append(path)
    return without(own, target, gone)


def _inside(own: Own, tree: WorkTree, taken: Taken, target: str) -> None:
    for one in taken.inside:
        git = own.reading(tree.root)
        words = ("ls-tree", "-z", "-d", "--full-tree", target, "--", one.path)
        facts = git.attempt(*words, GIT_LITERAL_PATHSPECS="1").out.partition(b"\t")[0].split(b" ")
        if len(facts) == 3 and facts[1] == b"tree":
            child = tree.child(one.path)
            restore(own, child, child.take(), facts[2].decode())
