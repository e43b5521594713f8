"""The accepted tree becomes a commit on the run's branch of the user's repository, exactly that tree.

Nothing in the workspace is asked or run: hooks, filters, settings and locks that an agent left there have no
say. HEAD, index and working tree of the user stay as they are. Before the branch is moved the commit
is kept under a reference of ours, so that a branch which can't be moved loses nothing.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.core.errors import InvariantBroken, SetupError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.committing import Made, make_commit
from donewhen.run.shipping.history import is_clean, own_objects, tip_of
from donewhen.run.shipping.message import signed_off, trailer
from donewhen.run.shipping.pins import pin, unpin
from donewhen.run.shipping.site import Site
from donewhen.store.crashing import crash_point
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.reach import is_reachable
from donewhen.workspace.rooms.results import admit, builds_on, lending, movable, move_branch


class Shipped(NamedTuple):
    branch: str
    commit: str
    tree: str
    into: str = ""  # the branch that it was merged into
    merged: str = ""  # the commit there; then `tree` is that one's


class _Way(NamedTuple):
    """A commit to build on, and where objects may be read."""

    parent: str
    lent: tuple[Path, ...]


def ship(
    site: Site,
    run_id: str,
    tree: str,
    message: str,
    env: Mapping[str, str],
    secret_patterns: tuple[str, ...] = (),
) -> Shipped:
    """Put the accepted tree on the run's branch; doing it twice gives the same commit.

    `secret_patterns`: names of files that no commit of the agent's may have added.
    """
    user = find_repository(site.user.root, site.user.env)
    before = _shipped_before(site, user, run_id, tree)
    if before:
        pin(user, run_id, "shipped", before)
        return Shipped(site.branch, before, tree)
    made = Made(tree, (), signed_off(message, run_id, tree))
    commit = _brought(site, user, made, env, secret_patterns)
    if tree_of(user, commit) != tree:
        raise InvariantBroken("shipping.other_tree", commit=commit, tree=tree, run=run_id)
    kept = pin(user, run_id, "work", commit)
    crash_point("work pinned")
    try:
        old = movable(user, site.branch, commit, site.folder)
        if old != commit:
            move_branch(user, site.branch, commit, old, f"donewhen: result of {run_id}")
            crash_point("branch moved")
    except SetupError as error:
        why = Phrase(error.key, error.values)
        raise SetupError("shipping.not_moved", branch=site.branch, why=why, kept=kept) from None
    pin(user, run_id, "shipped", commit)  # that it was, is told by no branch: agents move theirs as well
    crash_point("result pinned")
    unpin(user, run_id, "work")
    return Shipped(site.branch, commit, tree)


def tree_of(user: Repository, commit: str) -> str:
    return user.git().line("rev-parse", "--verify", f"{commit}^{{tree}}")


def bring(site: Site, user: Repository, made: Made, lent: tuple[Path, ...], env: Mapping[str, str]) -> str:
    """A new commit with all of its objects in the user's repository; no reference names it yet."""
    commit = make_commit(user, made, lent, env)
    admit(user, commit, lent, (site.base,), _aside(site))
    return commit


def _had(site: Site, user: Repository, way: _Way) -> str:
    """A commit that is there already, in the user's repository as well."""
    if not is_reachable(user, way.parent):
        admit(user, way.parent, way.lent, (site.base,), _aside(site))
    return way.parent


def _aside(site: Site) -> Path:
    return site.scratch.with_name(f"{site.run_id}.pack")


def _brought(
    site: Site, user: Repository, made: Made, env: Mapping[str, str], secret_patterns: tuple[str, ...]
) -> str:
    """By the first way that works: an agent may have spoilt its commits or their objects."""
    failed: SetupError | None = None
    for way in _ways(site, user, secret_patterns):
        try:
            if _has_tree(user, way, made.tree):
                return _had(site, user, way)
            return bring(site, user, made._replace(parents=(way.parent,)), way.lent, env)
        except SetupError as error:
            failed = error
    raise failed or InvariantBroken("shipping.no_way", run=site.run_id)


def _ways(site: Site, user: Repository, secret_patterns: tuple[str, ...]) -> Iterator[_Way]:
    everywhere = own_objects(site)
    try:
        tip = tip_of(site, user)
        if tip != site.base and is_clean(site, user, tip, secret_patterns):
            yield _Way(tip, everywhere)
    except SetupError:
        pass  # commits that can't be read are no commits to build on
    yield _Way(site.base, everywhere[:1])  # ours alone: objects of the agent's may lie about their content
    if len(everywhere) > 1:
        yield _Way(site.base, everywhere)


def _has_tree(user: Repository, way: _Way, tree: str) -> bool:
    words = ("rev-parse", "--verify", "--quiet", f"{way.parent}^{{tree}}")
    ran = user.git().attempt(*words, GIT_ALTERNATE_OBJECT_DIRECTORIES=lending(way.lent))
    return ran.exit == 0 and ran.out.decode().strip() == tree


def _shipped_before(site: Site, user: Repository, run_id: str, tree: str) -> str:
    """The commit of a process that was killed before it could say so; empty when there is none."""
    there = user.commit(f"refs/heads/{site.branch}")
    if not there or there == site.base or tree_of(user, there) != tree:
        return ""
    said = user.git().run("rev-list", "--no-walk", "--format=%B", there).decode(errors="replace")
    ours = trailer(run_id) in said.splitlines()
    return there if ours and builds_on(user, site.base, there) else ""
