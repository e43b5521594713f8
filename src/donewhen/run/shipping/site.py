"""The site of a run: where its agent works and what it started from.

Usually a workspace of its own, with `--in-place` the user's working tree. Opening one writes nothing of the
user's but references below refs/donewhen and the objects that they keep: HEAD, index, stash and working tree
stay as they are. A site that was there and is gone or altered is told, never made again in silence.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from donewhen.config.files import private_folder
from donewhen.core.errors import SetupError, UserError
from donewhen.core.texts import Phrase
from donewhen.run.shipping.naming import branch_for
from donewhen.run.shipping.pins import kept_for, pin
from donewhen.run.shipping.starting import Start, start_from
from donewhen.workspace.census import CENSUS, keep_census, take_census
from donewhen.workspace.fingerprint.beside import ignored_files
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, Ignored, ignored_now, ignored_then
from donewhen.workspace.git.repository import Repository, find_repository
from donewhen.workspace.rooms.checkpoints import checkpoint
from donewhen.workspace.rooms.filling import nothing
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.reach import is_own
from donewhen.workspace.rooms.workspaces import Workspace, find_workspace, open_workspace

if TYPE_CHECKING:
    from donewhen.config import Config
    from donewhen.core.events.run import WorkspaceOpened

Kind = Literal["clone", "worktree", "in_place"]
START = "start"  # the checkpoint of a working tree before the first action in it


class Site(NamedTuple):
    user: Repository
    repository: Repository  # where the agent works; in place, the user's
    folder: Path
    kind: Kind
    branch: str  # of the user's repository, where the result goes
    base: str  # the commit that it started from
    base_tree: str
    fingerprints: Fingerprints
    workspace: Workspace | None  # None: in place
    notes: tuple[Phrase, ...]
    run_id: str
    scratch: Path  # for files of this run that are no work; made by whoever needs it


def open_site(
    user: Repository,
    run_id: str,
    places: Places,
    config: "Config",
    *,
    in_place: bool = False,
    with_changes: bool = False,
    branch: str = "",
    meanwhile: Callable[[], None] = nothing,
) -> Site:
    """The site of a new run. UserError when the wish can't be met, with what to do instead.

    `meanwhile` is done while git fills a workspace.
    """
    if in_place and user.busy:
        raise UserError("shipping.busy", operation=user.busy, folder=user.root)
    name = branch_for(user, run_id, branch, user.head, config.guardrails.protected_branches)
    plain = _fingerprints(user, places.home, config)
    start = start_from(user, run_id, places, plain, with_changes=with_changes)
    if in_place and start.left_out:
        raise UserError("shipping.dirty_in_place", number=start.left_out, folder=user.root)
    if in_place:
        return _in_place(user, run_id, places, config, name, start)
    kind = config.workspace.kind
    workspace = open_workspace(user, run_id, start.base, places, kind, meanwhile=meanwhile)
    return _of_workspace(user, workspace, places, config, name, start.notes)


def check_wish(
    user: Repository,
    run_id: str,
    places: Places,
    config: "Config",
    *,
    in_place: bool,
    with_changes: bool,
    branch: str,
) -> None:
    """What is wrong with a wish, told before anything is made or written: UserError."""
    if in_place and user.busy:
        raise UserError("shipping.busy", operation=user.busy, folder=user.root)
    branch_for(user, run_id, branch, user.head, config.guardrails.protected_branches)
    if in_place and not with_changes:
        fingerprints = _fingerprints(user, places.home, config)
        changed = fingerprints.changed(fingerprints.tree(user.head), fingerprints.take().tree)
        if changed:
            raise UserError("shipping.dirty_in_place", number=len(changed), folder=user.root)


def reopen_site(
    user: Repository, run_id: str, places: Places, config: "Config", opened: "WorkspaceOpened"
) -> Site:
    """The site of a run that was opened before, as the ledger has it; SetupError when it is no more."""
    base = user.commit(opened.base)
    if not base:
        raise SetupError("shipping.base_gone", base=opened.base[:12], run=run_id, folder=user.root)
    if opened.kind == "in_place":
        if os.path.realpath(user.root) != os.path.realpath(opened.path):
            raise gone(user, run_id, Path(opened.path), opened.branch)
        return _in_place(user, run_id, places, config, opened.branch, Start(base))
    folder = places.runs / run_id
    try:
        workspace = find_workspace(run_id, places)
    except SetupError:
        raise altered(user, run_id, folder, opened.branch) from None
    if workspace is None:
        raise gone(user, run_id, folder, opened.branch)
    if workspace.base != base or workspace.kind != opened.kind:
        raise altered(user, run_id, folder, opened.branch)
    return _of_workspace(user, workspace, places, config, opened.branch)


def present(site: Site) -> None:
    """Told before anything is asked of a site: its folder may have been removed under the run."""
    if not os.path.lexists(site.folder / ".git"):
        raise gone(site.user, site.run_id, site.folder, site.branch)


def gone(user: Repository, run_id: str, folder: Path, branch: str) -> SetupError:
    return SetupError("shipping.gone", folder=folder, run=run_id, kept=kept_for(user, run_id, branch))


def altered(user: Repository, run_id: str, folder: Path, branch: str) -> SetupError:
    return SetupError("shipping.altered", folder=folder, run=run_id, kept=kept_for(user, run_id, branch))


def _in_place(
    user: Repository, run_id: str, places: Places, config: "Config", branch: str, start: Start
) -> Site:
    scratch = places.scratch / run_id
    kept = private_folder(scratch) / KEPT_RULES
    if not kept.exists():
        ignored_now(user, user.env).keep(kept)
        ignored = ignored_files(user, places.home / "exclude")
        keep_census(scratch / CENSUS, take_census(user.root, user.env, ignored))
    fingerprints = _fingerprints(user, places.home, config, ignored_then(kept))
    name = f"{run_id}/{START}"
    if name not in fingerprints.kept():
        checkpoint(fingerprints, name)
        pin(user, run_id, "base", start.base)
    tree = _tree(user, start.base)
    kind: Kind = "in_place"
    parts = (user, user, user.root, kind, branch, start.base, tree)
    return Site(*parts, fingerprints, None, start.notes, run_id, scratch)


def _of_workspace(
    user: Repository,
    workspace: Workspace,
    places: Places,
    config: "Config",
    branch: str,
    notes: tuple[Phrase, ...] = (),
) -> Site:
    run_id = workspace.run_id
    try:
        found = find_repository(workspace.folder, user.env)
    except SetupError:
        raise altered(user, run_id, workspace.folder, branch) from None
    if not is_own(found, workspace.folder, user):
        raise altered(user, run_id, workspace.folder, branch)
    tree = _tree(user, workspace.base)
    fingerprints = _fingerprints(found, workspace.home, config)
    parts = (user, found, workspace.folder, workspace.kind, branch, workspace.base, tree, fingerprints)
    return Site(*parts, workspace, (*notes, *workspace.notes), run_id, places.scratch / run_id)


def _fingerprints(
    repository: Repository, home: Path, config: "Config", ignored: Ignored | None = None
) -> Fingerprints:
    exempt, irrelevant = config.verification_exempt_dirs, config.evidence.irrelevant
    return Fingerprints(repository, home, exempt=exempt, irrelevant=irrelevant, ignored=ignored)


def _tree(user: Repository, commit: str) -> str:
    if user.tree and commit == user.head:
        return user.tree
    return user.git().line("rev-parse", "--verify", f"{commit}^{{tree}}")
