"""Working trees that have a branch checked out, and how they can follow when it moves. Nothing is changed.

One follows only where nothing of its owner's could be lost: everything committed, no operation under way, no
file in the way that git does not track, ignored ones included (git itself would overwrite these).
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.texts import Phrase
from donewhen.run.shipping.naming import shown
from donewhen.run.shipping.target_filters import foreign_filters, used_filters
from donewhen.workspace.git.repository import Repository, repository_at
from donewhen.workspace.git.runner import Git, names
from donewhen.workspace.rooms.filling import filters_off

Way = Literal["there", "index", "files"]  # nothing to do; only the index is behind; the files are
_HEAD_NAMES = ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START")
_NAMED_BY_USER = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_QUIET = ("--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty")
_HIDES = frozenset("hSs")  # how `ls-files -v` marks files whose changes git was told not to see


class Seat(NamedTuple):
    """A working tree that a branch is checked out in."""

    folder: Path
    repository: Repository | None  # None: the folder is not there
    branch: str
    lent: str = ""  # folders of objects that may be read as well, as git takes them


class Step(NamedTuple):
    """From one commit to another."""

    old: str
    new: str


def seats(user: Repository, branch: str, lent: str = "") -> tuple[Seat, ...]:
    """Every working tree of the repository that has the branch checked out, or will when its rebase ends."""
    found = []
    for folder, name in _listed(user):
        repository = repository_at(folder, user.env) if folder.is_dir() else None
        if name == f"refs/heads/{branch}" or (repository and branch in _held(repository)):
            found.append(Seat(folder, repository, branch, lent))
    return tuple(found)


def git_of(seat: Repository, lent: str = "") -> Git:
    """git as its owner has it set up, line ends and filters included, without hooks.

    Filters of the repository's own are off: a change could have written what they run.
    """
    more: dict[str, str | None] = {"GIT_CONFIG_NOSYSTEM": None, "GIT_CONFIG_GLOBAL": None}
    more |= {name: seat.env[name] for name in _NAMED_BY_USER if name in seat.env}
    more |= {"GIT_ALTERNATE_OBJECT_DIRECTORIES": lent} if lent else {}
    return Git(seat.root, seat.env, seat.git_dir, filters_off(foreign_filters(seat)), more)


def way(seat: Seat, step: Step, aside: Path) -> Way | Phrase:
    """How its files can follow, or why they can't; `aside`: a file that can be written and removed."""
    where = {"branch": seat.branch, "folder": seat.folder}
    repository = seat.repository
    if repository is None:
        return Phrase("shipping_target.absent", where)
    if repository.busy:
        return Phrase("shipping_target.busy", {**where, "operation": repository.busy})
    if (repository.git_dir / "index.lock").exists():
        return Phrase("shipping_target.locked", where)
    git = git_of(repository, seat.lent)
    filters = used_filters(repository, git, foreign_filters(repository), step)
    if filters:
        return Phrase("shipping_target.filtered", {**where, "names": shown(filters)})
    changed = _changed(git)
    if not changed and not _staged(git, step.new):
        return "there"
    staged = _staged(git, step.old)
    if staged:
        return Phrase("shipping_target.dirty", {**where, "names": shown(sorted(staged))})
    dirty = Phrase("shipping_target.dirty", {**where, "names": shown(sorted(changed))})
    hindered = dirty if changed else _hindered(git, step, where)
    if hindered is not None and not beside(git, step.new, aside):
        return "index"  # a run in this very folder: its files are what the commit has
    return hindered or "files"


def behind(seat: Seat, step: Step) -> set[str]:
    """Files of the step that the index still has as they were; all else there is its owner's."""
    if seat.repository is None:
        return set()
    git = git_of(seat.repository, seat.lent)
    return (_staged(git, step.new) - _staged(git, step.old)) & kinds_of(git, step).keys()


def _hindered(git: Git, step: Step, where: Mapping[str, object]) -> Phrase | None:
    kinds = kinds_of(git, step)
    hidden = _hidden(git) & kinds.keys()
    if hidden:
        return Phrase("shipping_target.dirty", {**where, "names": shown(sorted(hidden))})
    added = sorted(path for path, letter in kinds.items() if letter == b"A")
    stand = list(dict.fromkeys(_in_the_way(git.folder, added, kinds)))
    if stand:
        return Phrase("shipping_target.in_the_way", {**where, "names": shown(stand)})
    tried = git.attempt("read-tree", "-n", "-m", "-u", step.old, step.new)
    if tried.exit:
        why = " ".join(tried.err.split())[:300]
        return Phrase("shipping_target.refused", {**where, "why": why})
    return None


def kinds_of(git: Git, step: Step) -> dict[str, bytes]:
    """What differs between two commits, with the letters that git has for it."""
    words = ("diff-tree", "-r", "-z", "--no-renames", "--name-status", step.old, step.new)
    listed = git.run(*words).split(b"\0")
    return {os.fsdecode(path): letter for letter, path in zip(listed[::2], listed[1::2], strict=False)}


def _in_the_way(root: Path, added: list[str], kinds: Mapping[str, bytes]) -> Iterator[str]:
    """Files of nobody's commit that lie where a new one would, or where its folder would."""
    for path in added:
        if os.path.lexists(root / path):
            yield path
        for above in Path(path).parents:
            file = root / above
            if os.path.lexists(file) and (file.is_symlink() or not file.is_dir()) and str(above) not in kinds:
                yield str(above)


def _hidden(git: Git) -> set[str]:
    """Files that are there and whose changes git does not look for."""
    lines = names(git.run("ls-files", "-v", "-z"))
    marked = (line[2:] for line in lines if line[:1] in _HIDES or line[:1].islower())
    return {path for path in marked if os.path.lexists(git.folder / path)}


def _changed(git: Git) -> set[str]:
    """Tracked files that are not as the index has them."""
    return set(names(git.run("diff", "--name-only", "-z", *_QUIET)))


def _staged(git: Git, commit: str) -> set[str]:
    """What the index has otherwise than a commit."""
    return set(names(git.run("diff", "--cached", "--name-only", "-z", *_QUIET, commit)))


def beside(git: Git, commit: str, aside: Path) -> set[str]:
    """What the files have otherwise than a commit, by an index of our own."""
    own = git._replace(more={**git.more, "GIT_INDEX_FILE": str(aside)})
    try:
        own.run("read-tree", commit)
        return _changed(own)
    finally:
        aside.unlink(missing_ok=True)


def _listed(user: Repository) -> list[tuple[Path, str]]:
    """The folders of all working trees, each with the full name of its branch."""
    ran = user.git().attempt("worktree", "list", "--porcelain", "-z")
    end = "\0"
    if ran.exit:  # git before 2.36
        ran, end = user.git().attempt("worktree", "list", "--porcelain"), "\n"
    found = []
    for block in os.fsdecode(ran.out).split(end * 2):
        facts = dict(line.partition(" ")[::2] for line in block.split(end))
        if facts.get("worktree") and "bare" not in facts:
            found.append((Path(facts["worktree"]), facts.get("branch", "")))
    return found


def _held(repository: Repository) -> list[str]:
    """Branches that an unfinished operation will come back to."""
    found = []
    for file in _HEAD_NAMES:
        path = repository.git_dir / file
        if path.is_file():
            found.append(os.fsdecode(path.read_bytes()[:4096]).strip().removeprefix("refs/heads/"))
    return found
