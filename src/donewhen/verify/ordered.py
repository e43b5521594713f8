"""Tests that the goal orders: looked for in the change as it stands, and sat on the code that there was.

A test that came with a fix is red without it. Where the goal asks for both, the exam is sat with the new
tests on the base's product; what it means is said only where the new tests were run there for certain.
"""

from pathlib import PurePosixPath
from typing import NamedTuple

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding, Pair
from donewhen.core.integrity.ordered import unfulfilled
from donewhen.core.integrity.ordered_words import orders_a_fix, orders_tests
from donewhen.core.integrity.roles import role_of
from donewhen.core.texts import Phrase
from donewhen.verify.exam_run import Rerun
from donewhen.verify.inspecting import GitTree
from donewhen.verify.integrity.inspecting import pairs_of
from donewhen.verify.rerun import Again, Proper, sit_again

_MOST = 2_000  # changed files
_OLD_CODE = "old-code"
_BASE = "base"


class _Brought(NamedTuple):
    changed: tuple[str, ...]
    pairs: tuple[Pair, ...]
    texts: dict[str, str]
    own: frozenset[str]  # names of the project's modules


def ordered_tests(proper: Proper, goal: str) -> tuple[Finding, ...]:
    """What is wanting of the tests that the goal orders, by reading."""
    brought = _brought(proper) if orders_tests(goal) else None
    if brought is None:
        return ()
    return tuple(unfulfilled(goal, brought.changed, brought.pairs, brought.texts, brought.own))


async def green_on_old_code(proper: Proper, goal: str) -> tuple[Finding, ...]:
    """Ordered tests that pass without the fix they were ordered with; to be asked after a green exam."""
    if not orders_tests(goal) or not orders_a_fix(goal):
        return ()
    brought = _brought(proper)
    product = [path for path in brought.changed if role_of(path) == "source"] if brought else []
    if brought is None or not product or _tests_in(product, brought):
        return ()
    tests = [pair for pair in brought.pairs if pair.now and pair.now.tests and role_of(pair.path) == "test"]
    if not tests:
        return ()
    prints = proper.looked.fingerprints
    base = prints.tree(proper.looked.change.base.commit)
    others = [path for path in brought.changed if role_of(path) in ("source", "other")]
    mixed = prints.composed(base, proper.tree, others)
    with_tests = (await sit_again(proper, Again(mixed, _OLD_CODE))).rerun
    if not with_tests.green or with_tests.why is not None:
        return ()
    if not more_were_run((await sit_again(proper, Again(base, _BASE))).rerun, with_tests):
        return ()
    message, wanted = Phrase("ordered.old_code_passes"), Phrase("ordered.red_wanted")
    return (found("test-hollow", tests[0].path, 1, message=message, wanted=wanted),)


def more_were_run(before: Rerun, after: Rerun) -> bool:
    """Whether a sitting ran tests that the one before it had not; not where nobody counted."""
    if not after.executed or before.failed:
        return False
    if before.why is not None:
        return before.executed == 0  # there was nothing to run; else nobody can say
    if before.executed is None:
        return not before.green  # it was red for want of any test
    return after.executed > before.executed


def _tests_in(product: list[str], brought: _Brought) -> bool:
    """Whether tests may stand in the product's own files, which would be taken back with it."""
    inside = any(pair.path in product and pair.now and pair.now.tests for pair in brought.pairs)
    return inside or any(">>> " in brought.texts.get(path, "") for path in brought.changed)


def _brought(proper: Proper) -> _Brought | None:
    """None where there is more than can be looked at."""
    changed = tuple(sorted(proper.looked.change.changed))
    if len(changed) > _MOST:
        return None
    prints = proper.looked.fingerprints
    base = GitTree(prints, prints.tree(proper.looked.change.base.commit)).read(changed)
    tree = GitTree(prints, proper.tree)
    now = tree.read(changed)
    texts = {path: data.decode(errors="replace") for path, data in now.items()}
    names = {part.partition(".")[0] for path in tree.paths() for part in PurePosixPath(path).parts}
    return _Brought(changed, tuple(pairs_of(changed, base, now)), texts, frozenset(names))
