"""Commands of the harness with the tree that they ran on, where that is not the change as it stands."""

from donewhen.core.elsewhere import as_hoped, purpose_of
from donewhen.core.events.facts import CommandEnded
from donewhen.ui.words import t

_PLACES = {
    "base": "base",
    "old-code": "old_code",
    "new-tests-on-base": "old_code",
    "base-tests": "base_tests",
    "alone": "alone",
    "alone-with-leftovers": "leftovers",
    "other-seed": "seed",
}


def on_tree(command: str, tree: str) -> str:
    """The command, and on which tree where it is another than the change."""
    purpose = purpose_of(tree)
    if not purpose:
        return command
    return t("run.on_tree", command=command, where=t(f"run.on_{_PLACES.get(purpose, 'other')}"))


def went(ended: CommandEnded) -> str:
    """How an exam on another tree went, as the end of a sentence; empty for one on the change."""
    if not purpose_of(ended.before):
        return ""
    if as_hoped(ended):
        return t("run.went_hoped")
    return t("run.went_well" if ended.exit == 0 else "run.went_badly")
