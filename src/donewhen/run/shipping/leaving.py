"""The end of a site: it goes when all of its work is in the user's repository, and stays when it is not.

After a failure what was not committed is kept as a commit under a reference of ours, so that even a workspace
that somebody removes loses no work. In place nothing of the user's is touched.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.commit import bring, tree_of
from donewhen.run.shipping.committing import Made
from donewhen.run.shipping.history import own_objects, tip_of
from donewhen.run.shipping.message import trailer
from donewhen.run.shipping.pins import kept_for, pin, pin_name, unpin
from donewhen.run.shipping.site import Site, present
from donewhen.store.crashing import crash_point
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.leaving import Kept, Removed, remove_workspace
from donewhen.workspace.rooms.removal import remove_tree
from donewhen.workspace.rooms.results import builds_on
from donewhen.workspace.rooms.workspaces import Workspace


def leave(site: Site) -> Removed | Kept:
    """Remove the site, if nothing is lost with it."""
    user = find_repository(site.user.root, site.user.env)
    shipped = _shipped_tree(site, user)
    if site.workspace is None:
        if shipped:
            _forget(user, site.run_id, site.branch)
        return Kept(site.folder, (Phrase("shipping.in_place"),))
    reasons = () if shipped else _unshipped(site, user)
    outcome = Kept(site.folder, reasons) if reasons else remove_workspace(site.workspace, user, shipped)
    crash_point("workspace removed")
    if isinstance(outcome, Removed):
        _drop_own_branch(site, site.workspace, user)
        if shipped:
            _forget(user, site.run_id, site.branch)
        crash_point("references dropped")
        remove_tree(site.scratch)
    return outcome


def rescue(site: Site, run_id: str, last: str = "", env: Mapping[str, str] | None = None) -> str:
    """Keep the work of a run that was not accepted as a commit; empty when there is none.

    `last`: the tree that the harness saw last, for a workspace that is no more.
    """
    user = find_repository(site.user.root, site.user.env)
    try:
        present(site)
        tree, tip = site.fingerprints.take().tree, _tip(site, user)
    except SetupError:
        if not last:
            raise
        tree, tip = last, site.base
    if tree == site.base_tree and tip == site.base:
        return ""
    before = user.commit(pin_name(run_id, "work"))
    if before and tree_of(user, before) == tree:
        return before
    text = f"donewhen: work of run {run_id}, which was not accepted\n\n{trailer(run_id)}\n"
    commit = _kept(site, user, Made(tree, (tip,), text), env or user.env)
    pin(user, run_id, "work", commit)
    crash_point("work rescued")
    return commit


def _kept(site: Site, user: Repository, made: Made, env: Mapping[str, str]) -> str:
    lent = own_objects(site)
    try:
        return bring(site, user, made, lent, env)
    except SetupError:  # commits or objects that the agent spoilt: the tree alone, by our own objects
        return bring(site, user, made._replace(parents=(site.base,)), lent[:1], env)


def _tip(site: Site, user: Repository) -> str:
    try:
        return tip_of(site, user)
    except SetupError:
        return site.base


def _shipped_tree(site: Site, user: Repository) -> str:
    """The tree that was shipped, while the run's branch has it; empty for none."""
    shipped = user.commit(pin_name(site.run_id, "shipped"))
    if not shipped or not builds_on(user, shipped, f"refs/heads/{site.branch}"):
        return ""
    return tree_of(user, shipped)


def _unshipped(site: Site, user: Repository) -> tuple[Phrase, ...]:
    """Why a workspace stays whose work nobody accepted; what else would be lost is asked after this."""
    if not os.path.lexists(site.folder):
        kept = kept_for(user, site.run_id, site.branch)
        return (Phrase("shipping.gone", {"folder": site.folder, "run": site.run_id, "kept": kept}),)
    try:
        changed = site.fingerprints.take().tree != site.base_tree
    except SetupError as error:
        why = Phrase(error.key, error.values)
        return (Phrase("rooms.unclear", {"folder": site.folder, "why": why}),)
    return (Phrase("shipping.unaccepted", {"folder": site.folder}),) if changed else ()


def _drop_own_branch(site: Site, workspace: Workspace, user: Repository) -> None:
    """A worktree came with a branch at its base; one that never moved holds nothing."""
    if workspace.kind == "worktree":
        user.git().attempt("update-ref", "-d", f"refs/heads/{workspace.branch}", site.base)


def put_away(user: Repository, run_id: str, branch: str, scratch: Path) -> None:
    """What is left of a site whose workspace is gone, after its work was shipped."""
    shipped = user.commit(pin_name(run_id, "shipped"))
    if not shipped or builds_on(user, shipped, f"refs/heads/{branch}"):
        _forget(user, run_id, branch)
    remove_tree(scratch)


def _forget(user: Repository, run_id: str, branch: str) -> None:
    """The branch holds all that the pins held."""
    for what in ("base", "shipped", "merged", "target"):
        unpin(user, run_id, what)
    work = user.commit(pin_name(run_id, "work"))
    if work and builds_on(user, work, f"refs/heads/{branch}"):
        unpin(user, run_id, "work")
