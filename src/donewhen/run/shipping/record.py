"""The acceptance record of a run: written to the state folder, signed if the user asks for it.

None is written for a tree that the ledger does not say was accepted.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.config.paths import state_folder
from donewhen.core.errors import InvariantBroken

if TYPE_CHECKING:  # a run asks here at its start, and writes at its end
    from donewhen.config import Config
    from donewhen.run.shipping.commit import Shipped
    from donewhen.run.shipping.site import Site
    from donewhen.store import Opened


def record_of(state: Path, run_id: str) -> Path:
    from donewhen.verify.acceptance_record import record_path

    return record_path(state, run_id)


def keep_acceptance(
    opened: "Opened",
    run_id: str,
    site: "Site",
    shipped: "Shipped",
    tools: Mapping[str, str],
    config: "Config",
    env: Mapping[str, str],
) -> Path:
    """Where the record of an accepted run lies; `tools`: what the exam ran with.

    Its subject is the tree that ships; where that is a merge, the run's own is named beside it.
    """
    from donewhen.verify.acceptance_record import About, signing_by, write_record

    tree = shipped.tree
    decided = [event.body for event in opened.store.read(run_id) if event.type == "decided"]
    if not decided or (decided[-1].status, decided[-1].fingerprint) != ("accepted", tree):
        raise InvariantBroken("shipping.not_accepted", run=run_id, tree=tree)
    base, base_tree = _compared_with(site, shipped)
    about = About(
        site.user,
        base,
        base_tree,
        tree,
        site.fingerprints.changed(base_tree, tree),
        site.fingerprints.changed_ids(base_tree, tree),
        {name: value for name, value in tools.items() if value},
        _went(site, shipped),
    )
    path = record_of(state_folder(env), run_id)
    return write_record(opened, run_id, about, path, signing_by(config), env)


def _compared_with(site: "Site", shipped: "Shipped") -> tuple[str, str]:
    """What the change is a change of: the base of the run, or the target as it was before the merge."""
    if shipped.merged in ("", shipped.commit):
        return site.base, site.base_tree
    from donewhen.run.shipping.commit import tree_of

    before = site.user.commit(f"{shipped.merged}^1")
    return before, tree_of(site.user, before)


def _went(site: "Site", shipped: "Shipped") -> Mapping[str, str]:
    if not shipped.merged:
        return {}
    from donewhen.run.shipping.commit import tree_of

    return {
        "branch": shipped.branch,
        "commit": shipped.commit,
        "tree": tree_of(site.user, shipped.commit),
        "target": shipped.into,
        "merged": shipped.merged,
    }
