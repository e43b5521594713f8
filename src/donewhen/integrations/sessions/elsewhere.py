"""Where a session's work lies: the place that is judged, and what was done that is not in it."""

import os
import shlex
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.shown import LONGEST_LINE, one_name
from donewhen.core.texts import Phrase
from donewhen.integrations.sessions.folder import Session
from donewhen.integrations.sessions.starting import Start, Tip, fingerprints_of, identity, tips, worktrees
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.ignoring import Ignored
from donewhen.workspace.git.repository import Repository, find_repository, repository_at

_DOCUMENTS = (".md", ".rst", ".adoc", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_MOST_DOCUMENTS = 50
_TICK = 10_000_000  # nanoseconds that the times of files may be behind the clock


_NOT_HERE = {
    "branch": "sessions.not_here_branch",
    "stash": "sessions.not_here_stash",
    "worktree": "sessions.not_here_worktree",
}


class Place(NamedTuple):
    """What is judged."""

    repository: Repository
    tree: str
    changed: bool  # since then
    base: str  # the tree that it is measured by; empty for the commit that the session began at
    documents: bool = False  # and all that changed is documents that nothing else names
    others: tuple[Phrase, ...] = ()  # places with changes that are not judged with it


def place_of(
    session: Session, folder: str, env: Mapping[str, str], ignored: Ignored | None, base: str
) -> Place:
    """The worktree that the client stands in, where something was done in it; else the session's own.

    `ignored`: the rules that held when the session began. `base`: the tree that a change is measured by.

    SetupError `git.no_repository` where the session's folder is no longer the top of a repository.
    """
    repository = find_repository(Path(session.root), env)
    if session.tree and str(repository.root) != session.root:
        raise SetupError("git.no_repository", folder=session.root)
    prints = fingerprints_of(repository, env, ignored)
    tree = prints.take().tree
    changed = _own_changes(base, tree, prints, repository)
    documents = changed and _documents_only(base, tree, prints, repository)
    beside = _beside(repository, folder, env)
    if beside is not None:
        at = fingerprints_of(beside, env, ignored)
        there = at.take().tree
        if there not in (session.tree, at.tree(session.base)):
            two = (Phrase("sessions.two_places", {"one": beside.root, "other": repository.root}),)
            return Place(beside, there, True, "", others=two if changed else ())
    measure = "" if base == prints.tree(session.base) else base
    return Place(repository, tree, changed, measure, documents)


def _beside(repository: Repository, folder: str, env: Mapping[str, str]) -> Repository | None:
    try:
        found = find_repository(Path(folder), env) if folder else None
    except SetupError:
        return None
    other = found is not None and found.common == repository.common and found.root != repository.root
    return found if other else None


def _own_changes(before: str, after: str, prints: Fingerprints, repository: Repository) -> bool:
    """Whether anything differs but worktrees made in the folder: each of them is a place of its own."""
    if before == after or not before:
        return before != after
    inside = tuple(str(root.relative_to(repository.root)) for root in _inside(repository))
    try:
        paths = prints.changed(before, after)
    except SetupError:
        return True  # nobody knows any more what it was
    below = tuple(f"{each}/" for each in inside)
    return any(kind != "added" or not f"{path}/".startswith(below) for path, kind in paths.items())


def _documents_only(before: str, after: str, prints: Fingerprints, repository: Repository) -> bool:
    """Whether only documents differ, and no manifest, code or test speaks of them or of their kind."""
    try:
        paths = list(prints.changed(before, after)) if before else []
    except SetupError:
        return False
    if not paths or len(paths) > _MOST_DOCUMENTS or not all(p.lower().endswith(_DOCUMENTS) for p in paths):
        return False
    words = {path.rpartition("/")[2] for path in paths} | {f"*{Path(path).suffix}" for path in paths}
    wanted = [word for each in sorted(words) for word in ("-e", each)]
    others = [f":(exclude,icase)*{each}" for each in _DOCUMENTS]
    # 0: found; 1: not found; anything else: nobody can say
    return repository.git().attempt("grep", "-qIF", *wanted, "--", ".", *others).exit == 1


def _inside(repository: Repository) -> Iterator[Path]:
    for root, _ in worktrees(repository):
        if root != repository.root and root.is_relative_to(repository.root):
            found = repository_at(root, repository.env)
            if found is not None and found.common == repository.common:
                yield root


def not_here(
    place: Place, session: Session, start: Start, proven: Collection[str], env: Mapping[str, str]
) -> Iterator[Phrase]:
    """Work since the start that the judged tree does not hold: it would be done without a proof."""
    if start.identity and not _is_same(start.identity, identity(Path(session.root))):
        yield Phrase("sessions.other_folder", {"path": session.root})
    yield from place.others
    told: set[str] = set()
    known = frozenset(start.commits)
    fresh = [tip for tip in tips(place.repository) if tip.commit not in known]
    for tip in fresh:
        if tip.commit in told:
            continue
        told.add(tip.commit)
        if _is_new(tip, place, start, proven):
            yield Phrase(_NOT_HERE[tip.kind], {"name": _shown(tip.name)})
    for root, _ in worktrees(place.repository):
        if root not in (place.repository.root, Path(session.root)) and _is_dirty(root, session.since, env):
            yield Phrase("sessions.not_here_changes", {"name": _shown(str(root))})


def _is_same(before: str, now: str) -> bool:
    """A repository that was made in the session is no other one."""
    folder, git = before.split(" ")
    return now == before or (git == "-" and now.split(" ")[0] == folder)


def _is_new(tip: Tip, place: Place, start: Start, proven: Collection[str]) -> bool:
    """Whether it holds a commit that neither the judged HEAD has nor anything that was there before."""
    git = place.repository.git()
    tree = os.fsdecode(git.attempt("rev-parse", "--verify", "--quiet", f"{tip.commit}^{{tree}}").out).strip()
    if tree in proven or tree == place.tree:
        return False
    held = [each for each in (place.repository.head, *start.commits) if each]
    asked = "\n".join((tip.commit, *(f"^{each}" for each in held)))
    ran = git.attempt(
        "rev-list", "--max-count=1", "--ignore-missing", "--stdin", stdin=asked.encode() + b"\n"
    )
    return ran.exit != 0 or bool(ran.out.strip())


def _is_dirty(root: Path, since: float, env: Mapping[str, str]) -> bool:
    """Whether somebody wrote there since the start, and did not commit it."""
    repository = repository_at(root, env)
    if repository is None:
        return False
    prints = fingerprints_of(repository, env)
    now = prints.take().tree
    head = prints.tree(repository.head)
    if now == head:
        return False
    moment = int(since * 1_000_000_000) - _TICK
    return any(_written(root / path, root) >= moment for path in prints.changed(head, now))


def _written(path: Path, top: Path) -> int:
    """When a file was last changed; of one that is gone, the folder that it was in."""
    while True:
        try:
            return path.lstat().st_ctime_ns
        except OSError:
            if path == top:
                return 0
            path = path.parent


def _shown(name: str) -> str:
    return one_name(shlex.quote(name), LONGEST_LINE)
