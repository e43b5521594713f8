"""Tests that leave before they ask: `if clamp(180) != 100 { return; }` in front of that very demand.

A branch is silent where nothing in it fails or skips. It hides a demand only where its condition asks the
same subject with the same input, or the same result, and nothing before it asked that already; an error that
ends a test, and rows of a table that are of another kind, are left as they are.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion
from donewhen.verify.integrity.curly.demands import Maker, constant, demands
from donewhen.verify.integrity.curly.grove import Twig, below
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.curly.scope import Scope, gather

_LEAVES = ("return", "continue_statement", "continue_expression")
_ENDS = frozenset(
    ("return", "throw", "break_statement", "continue_statement", "break_expression", "continue_expression")
)
_SAYS = frozenset(
    "log logf println printf print eprintln eprint dbg info warn debug trace ok debugf infof".split()
)
_NOTHING = frozenset(("null", "not_null", "raises"))
_MOST = 60  # twigs of a branch that does nothing but leave
_RESULTS = frozenset(("call", "macro", "switch", "try_expression", "await_expression"))


class Asked(NamedTuple):
    """What a condition asks of the code."""

    kind: str
    subjects: frozenset[str]
    given: frozenset[str]
    names: frozenset[str]  # results by their local names


class Left(NamedTuple):
    """A silent return, what it asked, and how many demands were made before it."""

    text: str
    asked: tuple[Asked, ...]
    at: int


def asked(maker: Maker, condition: Twig, want: bool, scope: Scope) -> tuple[Asked, ...]:
    if condition.kind == "let_condition":
        return (matched(maker, condition.kids[-1], scope, condition.kids[0]),)
    names = frozenset(_results(condition, scope))
    found = demands(maker, condition, want, scope)
    return tuple(Asked(one.kind, frozenset(one.subjects), frozenset(one.given), names) for one in found)


def matched(maker: Maker, value: Twig, scope: Scope, pattern: Twig | None = None) -> Asked:
    """A value that must be of some form: `let Ok(v) = parse("x")`, `match parse("x")`."""
    side = gather(value, scope, maker.tongue)
    taken = [one.text for one in below(pattern) if one.kind == "ident"] if pattern is not None else []
    names = {*_results(value, scope), *(name for name in taken if name[:1].islower())}
    return Asked("true", frozenset(side.subjects), frozenset(side.literals), frozenset(names))


def _results(twig: Twig, scope: Scope) -> Iterable[str]:
    for one in below(twig):
        bound = scope.get(one.text) if one.kind == "ident" else None
        if bound is not None and any(each.kind in _RESULTS for each in bound.twigs[:1]):
            yield one.text


def leaves(branch: Twig) -> bool:
    """Whether it only says something and leaves."""
    last = branch
    for _ in range(6):
        if last.kind not in ("block", "expression_statement") or not last.kids:
            break
        last = last.kids[-1]
    if last.kind not in _LEAVES or (last.kind == "return" and not _is_bare(last)):
        return False
    return silent(branch)


def silent(branch: Twig) -> bool:
    """Whether nothing in it could fail or skip."""
    for number, twig in enumerate(below(branch)):
        called = dotted(twig) if twig.kind == "call" else twig.kids[0].text if twig.kind == "macro" else ""
        said = called.replace("::", ".").rpartition(".")[2].lower()
        if number > _MOST or twig.kind in ("throw", "assert", "if", "loop", "try", "try_expression"):
            return False
        if called and said not in _SAYS:
            return False
    return True


def _is_bare(leaving: Twig) -> bool:
    """It returns nothing, or says that all went well."""
    value = leaving.kids[-1].text.replace(" ", "") if leaving.kids else ""
    return value in ("", "Ok(())", "()", "nil", "null")


def hides(past: Iterable[Asked], made: Assertion, before: Sequence[Assertion], errors: bool) -> bool:
    """Whether a demand is only made where what it asks has come out already; `errors`: nil is all well."""
    for one in past:
        if (errors and one.kind in _NOTHING) or not _same(one, made):
            continue
        known = [each for each in before if each.kind not in _NOTHING or one.kind in _NOTHING]
        if not any(_same(one, each) for each in known):
            return True
    return False


def skipped(left: Iterable[Left], asserts: Sequence[Assertion], errors: bool) -> list[tuple[str, bool]]:
    """Returns in front of demands that they keep from being made."""
    return [
        (each.text, True)
        for each in left
        if any(hides(each.asked, made, asserts[: each.at], errors) for made in asserts[each.at :])
    ]


def _same(one: Asked, made: Assertion) -> bool:
    if one.subjects.intersection(made.subjects) and one.given == frozenset(made.given):
        return True
    return any(re.search(rf"\b{re.escape(name)}\b", made.text) for name in one.names)


def ends(twig: Twig) -> bool:
    """Nothing after it is reached: a return, also under a condition that always holds."""
    for _ in range(6):
        if twig.kind == "if" and (condition := twig.get("condition")) is not None and constant(condition):
            twig = twig.get("consequence") or twig.kids[-1]
        elif twig.kind in ("expression_statement", "block") and twig.kids:
            twig = twig.kids[0]
        else:
            break
    return twig.kind in _ENDS


def picks(condition: Twig) -> bool:
    """One row of a table is left out by what it holds: `if tt.name == "zero" { continue }`."""
    while condition.kind in ("paren", "condition") and condition.kids:
        condition = condition.kids[-1]
    if condition.kind == "call":
        return dotted(condition).endswith(".equals") and any(
            one.kind == "string" for one in arguments(condition)
        )
    named = any(kid.kind in ("ident", "select", "index") for kid in condition.kids)
    literal = any(kid.kind in ("string", "number") for kid in condition.kids)
    return named and literal and condition.kind == "binary" and condition.operator() == "=="
