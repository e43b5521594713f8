"""Tests that the goal orders, looked for in the change as it stands. Reading only; the rule is in core."""

from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.ordered import unfulfilled
from donewhen.core.integrity.ordered_words import orders_tests
from donewhen.run.verifying.inspecting import GitTree
from donewhen.run.verifying.rerunning import Proper
from donewhen.verify.integrity.inspecting import pairs_of

_MOST = 2_000  # changed files


def ordered_tests(proper: Proper, goal: str) -> tuple[Finding, ...]:
    """What is wanting of the tests that the goal orders."""
    changed = sorted(proper.looked.change.changed)
    if len(changed) > _MOST or not orders_tests(goal):
        return ()
    fingerprints = proper.looked.fingerprints
    base = GitTree(fingerprints, fingerprints.tree(proper.looked.change.base.commit)).read(changed)
    now = GitTree(fingerprints, proper.tree).read(changed)
    texts = {path: data.decode(errors="replace") for path, data in now.items()}
    return tuple(unfulfilled(goal, changed, tuple(pairs_of(changed, base, now)), texts))
