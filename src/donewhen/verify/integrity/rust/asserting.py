"""What calls and macros mean in a Rust test."""

import re

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.curly.demands import compared, demands
from donewhen.verify.integrity.curly.grove import Grove, Twig, below
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.curly.scope import Scope, gather
from donewhen.verify.integrity.curly.telling import Place, Teller, Told
from donewhen.verify.integrity.rust.grammar import ASSERTS

PREDICATES: dict[str, AssertionKind] = {
    "is_none": "null", "is_some": "not_null", "is_err": "raises", "is_ok": "null", "contains": "contains",
    "starts_with": "contains", "ends_with": "contains", "contains_key": "contains", "is_match": "matches",
    "eq": "equal",
    "ne": "unequal", "matches": "matches", "eq_ignore_ascii_case": "equal",
}  # fmt: skip
FAILS = frozenset(("panic", "unreachable", "todo", "unimplemented", "bail", "ensure"))
_OTHERS: dict[str, AssertionKind] = {
    "assert_matches": "matches", "assert_snapshot": "snapshot", "assert_debug_snapshot": "snapshot",
    "assert_json_snapshot": "snapshot", "assert_yaml_snapshot": "snapshot", "assert_approx_eq": "close",
    "assert_relative_eq": "close", "assert_abs_diff_eq": "close", "assert_ulps_eq": "close",
    "assert_float_eq": "close",
    "assert_let": "matches", "assert_that": "other", "verify_that": "other", "expect_that": "other",
    "expect_eq": "equal",
    "assert_ok": "null", "assert_err": "raises", "assert_json_eq": "equal", "check": "other",
    "assert_lt": "order",
    "assert_gt": "order", "assert_le": "order", "assert_ge": "order", "assert_contains": "contains",
}  # fmt: skip
_UNUSED = re.compile(r"let\s+_\w*\s*(?::[^=]{0,200})?=")
_CATCHES = ("catch_unwind", "thread::spawn")
_ANYTHING = re.compile(r"matches!\(.{0,400}, _\)$")


def tell(teller: Teller, twig: Twig, scope: Scope, place: Place) -> Told | None:
    if twig.kind == "macro":
        return _macro(teller, twig, scope)
    if twig.kind == "return":
        return _returned(twig, place)
    if twig.kind != "call":
        return None
    name = dotted(twig).rpartition("::")[2]
    if name in ASSERTS:
        return _asserted(teller, twig, scope, name, place)
    if twig.node.start_byte in teller.hidden:
        text = teller.maker.grove.normal(twig)[:160]
        inside = place._replace(hides=text, hides_fail=text)
        return Told(deeper=tuple((kid, inside) for kid in twig.kids))
    if name.endswith((".unwrap_err", ".expect_err")):
        side = gather(twig, scope, teller.maker.tongue)
        subjects = tuple(one for one in side.subjects if one != dotted(twig))
        return Told(
            (Assertion(teller.maker.grove.normal(twig), twig.line, "raises", subjects, side.literals),)
        )
    return None


def _returned(twig: Twig, place: Place) -> Told | None:
    value = twig.kids[0] if twig.kids else None
    if place.guard is not None and value is not None and value.kind == "call" and dotted(value) == "Err":
        return Told(fails=True, deeper=())
    return None


def _macro(teller: Teller, twig: Twig, scope: Scope) -> Told | None:
    name = twig.kids[0].text.rpartition("::")[2] if twig.kids else ""
    if name in FAILS:
        return Told(fails=True, deeper=())
    kind: AssertionKind | None = _OTHERS.get(name)
    if kind is None and name in ASSERTS:
        kind = "unequal" if name.endswith("_ne") else "equal" if name.endswith("_eq") else "true"
    if kind is None:
        return None
    side = gather(twig.kids[-1], scope, teller.maker.tongue)
    text = teller.maker.grove.normal(twig)
    made = Assertion(text, twig.line, kind, side.subjects or side.names, side.literals, side.literals)
    return Told((made,), deeper=())


def _asserted(teller: Teller, twig: Twig, scope: Scope, name: str, place: Place) -> Told:
    args = arguments(twig)
    lambdas = tuple((arg, place._replace(guard=None)) for arg in args if arg.kind == "lambda")
    if name.endswith(("_eq", "_ne")):
        kind: AssertionKind = "equal" if name.endswith("_eq") else "unequal"
        if len(args) < 2:
            return Told(deeper=())
        return Told((compared(teller.maker, kind, twig, scope, args[0], args[1]),), deeper=lambdas)
    if not args:
        return Told(deeper=())
    made = demands(teller.maker, args[0], True, scope, twig)
    empty = _ANYTHING.search(teller.maker.grove.normal(args[0])) is not None
    return Told(tuple(one._replace(hollow=True) for one in made) if empty else tuple(made), deeper=lambdas)


def hidden(grove: Grove) -> frozenset[int]:
    """Starts of calls that catch panics while nobody asks what came of it."""
    found: set[int] = set()
    if not any(word in grove.root.text for word in _CATCHES):
        return frozenset()
    for kind in ("expression_statement", "assign", "if", "switch"):
        for twig in grove.kinds.get(kind, ()):
            if any(word in twig.text for word in _CATCHES):
                found |= _unasked(twig)
    return frozenset(found)


def _unasked(twig: Twig) -> set[int]:
    if twig.kind == "assign":
        root = twig.get("value")
        if not _UNUSED.match(twig.text):
            return set()
    elif twig.kind in ("if", "switch"):
        root = twig.get("condition") or twig.get("value")
        inside = [kid for kid in twig.kids if kid is not root]
        if any(_speaks(one) for kid in inside for one in below(kid)):
            return set()
    else:
        root = twig.kids[0] if twig.kids else None
        if root is None or root.kind != "call" or dotted(root).rpartition(".")[2] in ("unwrap", "expect"):
            return set()
        if dotted(root).rpartition("::")[2] in ASSERTS:
            return set()
    calls = (one for one in below(root) if one.kind == "call") if root is not None else ()
    return {
        one.node.start_byte for one in calls if dotted(one).rpartition("::")[2] in ("catch_unwind", "spawn")
    }


def _speaks(twig: Twig) -> bool:
    if twig.kind == "macro":
        return bool(twig.kids) and twig.kids[0].text.rpartition("::")[2] in FAILS
    return twig.kind == "call" and dotted(twig).rpartition("::")[2] in (
        *ASSERTS,
        "resume_unwind",
        "std::panic::resume_unwind",
    )
