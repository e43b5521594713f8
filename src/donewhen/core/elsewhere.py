"""Sittings of an exam on another tree than the change: what they come to is no word about the change.

Such a result names its tree by purpose and id, as no tree is named; here it is told apart from the others.
"""

from donewhen.core.events.facts import CommandEnded

_HOPED_RED = frozenset({"old-code", "new-tests-on-base"})  # new tests on the code that there was


def tree_label(purpose: str, tree: str) -> str:
    """Stands for the tree in results and ledger; no tree has such an id."""
    return f"{purpose}:{tree}"


def purpose_of(tree: str) -> str:
    """What the exam on a tree of that name was for; empty for a tree itself."""
    purpose, colon, _ = tree.partition(":")
    return purpose if colon else ""


def as_hoped(ended: CommandEnded) -> bool:
    """Whether it failed where it had to: a test that came with a fix is red without it."""
    failed = ended.state == "completed" and ended.exit not in (None, 0)
    return failed and purpose_of(ended.before) in _HOPED_RED
