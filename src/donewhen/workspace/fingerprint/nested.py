"""Repositories inside a working tree: submodules, and folders that somebody made a repository.

To git such a folder is one commit, whatever lies in it, and nothing at all before its first: then its files
are plain ones of the tree. Its files are part of what an exam runs on, so they are taken like the rest; the
git directory in it is only asked for its commit and for what it tracks.
"""

import hashlib
import os
import posixpath
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.workspace.fingerprint.adding import write_tree
from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.fingerprint.tracked import id_length, is_folder
from donewhen.workspace.git.repository import git_directory
from donewhen.workspace.git.runner import Git, names


class Inside(NamedTuple):
    path: str
    commit: str  # empty: it has none yet, and its files count as the tree's own
    whole: str  # the tree of its files


class Combined(NamedTuple):
    tree: str  # with the commits of repositories inside, or their files where there is none
    whole: str  # with their files


def still_inside(
    own: Own, root: Path, links: Iterable[str], found: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The folders that are repositories: those that are tracked as such, and those found that still are."""
    tracked = [path for path in links if is_real(root, path)]
    there = [path for path in found if is_real(root, path) and git_directory(root / path)]
    there = [path for path in there if path not in tracked]
    if there:
        listed = b"".join(os.fsencode(path) + b"\0" for path in there)
        ran = own.reading(root).attempt("check-ignore", "-z", "--no-index", "--stdin", stdin=listed)
        ignored = set(names(ran.out))
        there = [path for path in there if path not in ignored]
    return tracked, there


def is_real(root: Path, path: str) -> bool:
    """Whether a path is a folder that no link leads to."""
    while path:
        if not is_folder(root / path):
            return False
        path = posixpath.dirname(path)
    return True


def commit_at(own: Own, folder: Path) -> str:
    """The commit that a repository inside is at; empty when it has none."""
    git_dir = git_directory(folder)
    if git_dir is None:
        return ""
    ran = Git(folder, own.env, git_dir).attempt("rev-parse", "--verify", "--quiet", "HEAD")
    commit = os.fsdecode(ran.out).strip()
    return commit if ran.exit == 0 and len(commit) == id_length(own.format) else ""


def shelf_of(shelf: Path, path: str) -> Path:
    return shelf / "nested" / hashlib.sha256(os.fsencode(path)).hexdigest()[:32]


def combine(own: Own, root: Path, index: Path, inside: Sequence[Inside]) -> Combined:
    """The tree of an index (a copy that may be written) with its repositories inside."""
    links = b"".join(
        f"160000 {one.commit}\t".encode() + os.fsencode(one.path) + b"\0" for one in inside if one.commit
    )
    plain = b"".join(_files(own, root, one) for one in inside if not one.commit)
    git = own.adding(root, index)
    if links or plain:
        git.run("update-index", "-z", "--index-info", stdin=links + plain)
    tree = write_tree(own, root, index)
    files = b"".join(_files(own, root, one) for one in inside if one.commit)
    if files or links:
        gone = b"".join(
            b"0 " + b"0" * id_length(own.format) + b"\t" + os.fsencode(one.path) + b"\0"
            for one in inside
            if one.commit
        )
        git.run("update-index", "-z", "--index-info", stdin=gone + files)
    return Combined(tree, write_tree(own, root, index))


def _files(own: Own, root: Path, one: Inside) -> bytes:
    listed = own.reading(root).run("ls-tree", "-r", "-z", "--full-tree", one.whole)
    lines = []
    for line in listed.split(b"\0"):
        facts, _, path = line.partition(b"\t")
        if path:
            mode, _, id = facts.split(b" ")
            lines.append(mode + b" " + id + b"\t" + os.fsencode(one.path) + b"/" + path + b"\0")
    return b"".join(lines)
