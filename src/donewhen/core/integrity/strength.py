"""How strict an assertion is beside the one that it took the place of.

`true`, `false` and `null` are comparisons with a literal; two ways to write one comparison are one. Which
literals were compared is judged elsewhere: here only the kinds.
"""

from typing import NamedTuple

from donewhen.core.integrity.model import Assertion
from donewhen.core.integrity.values import FALSY, canonical

_LITERAL = {
    "true": ("equal", "true"),
    "false": ("equal", "false"),
    "null": ("equal", "null"),
    "not_null": ("unequal", "null"),
}
_STRICTER: dict[str, frozenset[str]] = {
    "equal": frozenset(),
    "unequal": frozenset(("equal",)),
    "not_null": frozenset(("equal", "unequal", "contains", "close", "order", "type", "matches", "called")),
    "true": frozenset(("equal", "contains", "close", "order", "matches")),
    "false": frozenset(("equal",)),
    "null": frozenset(),
    "raises": frozenset(),
    "contains": frozenset(("equal",)),
    "close": frozenset(("equal",)),
    "order": frozenset(("equal", "close")),
    "type": frozenset(("equal",)),
    "matches": frozenset(("equal", "contains")),
    "snapshot": frozenset(("equal",)),
    "called": frozenset(("equal",)),
    "other": frozenset(
        """equal unequal not_null true false null raises contains close order type matches snapshot
        called""".split()
    ),
}  # kind at the base → kinds that demand at least as much of the same subject
BROAD = frozenset(("Exception", "BaseException", "Error", "Throwable", "RuntimeException", "error", "any"))


class Demand(NamedTuple):
    kind: str
    given: tuple[str, ...]
    expected: tuple[str, ...]


def demand(assertion: Assertion) -> Demand:
    """What it demands, however it is written."""
    given = tuple(map(canonical, assertion.given))
    expected = tuple(map(canonical, assertion.expected))
    kind, literal = _LITERAL.get(assertion.kind, (assertion.kind, ""))
    return Demand(kind, given, (literal,) if literal else expected)


def stricter(before: Assertion, now: Assertion) -> bool:
    """Whether the kind of `now` demands more than that of `before` did, of the same subject and input."""
    if before.kind == "raises" and now.kind == "raises":
        return frozenset(before.expected) < frozenset(now.expected) and not broader(before, now)
    if now.hollow or now.kind not in _STRICTER[before.kind]:
        return False
    expected = frozenset(map(canonical, now.expected))
    if now.kind == "equal" and before.kind in ("true", "not_null"):
        return not expected & (FALSY if before.kind == "true" else frozenset(("null",)))
    if now.kind == "equal" and before.kind == "false":
        return not expected or bool(expected & FALSY)
    return True


def mere_truth(before: Assertion, now: Assertion) -> bool:
    """Whether a comparison with a value became one with whatever is true."""
    if before.kind == now.kind or now.kind != "true":
        return False
    return before.kind != "false" and not frozenset(map(canonical, before.expected)) & FALSY


def broader(before: Assertion, now: Assertion) -> bool:
    """Whether an exact exception became any exception, or lost a part of what it had to say."""
    if before.kind != "raises" or now.kind != "raises":
        return False
    names = {each.strip('"').rpartition(".")[2] for each in now.expected}
    had = {each.strip('"').rpartition(".")[2] for each in before.expected}
    return bool((names & BROAD) - had) or names < had
