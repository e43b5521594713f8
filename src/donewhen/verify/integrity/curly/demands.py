"""What a condition demands: `if got != want { t.Errorf }`, `assert!(a == b)` and `assertEquals(b, a)` alike.

A condition is told as assertions; whether they are enough is for others to say.
"""

from collections.abc import Mapping
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.curly.grove import Grove, Twig
from donewhen.verify.integrity.curly.paths import arguments, base, dotted
from donewhen.verify.integrity.curly.scope import Scope, Side, Tongue, gather, resolved

_FLIPPED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPPOSITE: dict[AssertionKind, AssertionKind] = {
    "equal": "unequal", "unequal": "equal", "true": "false", "false": "true", "null": "not_null",
    "not_null": "null", "raises": "null",
}  # fmt: skip
_SIZES = ("len", "length", "size", "count", "len()")


class Maker(NamedTuple):
    """What making an assertion takes."""

    grove: Grove
    tongue: Tongue
    predicates: Mapping[str, AssertionKind]  # by the last part of a called name: DeepEqual → equal
    errors: frozenset[str] = frozenset()  # names that hold errors: nil means that all went well


def compared(
    maker: Maker,
    kind: AssertionKind,
    whole: Twig,
    scope: Scope,
    actual: Twig | None,
    expected: Twig | None,
    *,
    sure: bool = False,
) -> Assertion:
    """`actual` against `expected`; unless `sure` which is which, the side that calls nothing is expected."""
    left = gather(actual, scope, maker.tongue) if actual is not None else Side()
    right = gather(expected, scope, maker.tongue) if expected is not None else Side()
    if not sure and right.subjects and not left.subjects:
        left, right = right, left
    subjects = left.subjects or left.names or right.subjects or right.names
    if not subjects and actual is not None and actual.kind in ("ident", "select"):
        subjects = (dotted(actual),)
    return Assertion(
        maker.grove.normal(whole),
        whole.line,
        kind,
        subjects,
        left.literals,
        right.literals,
        _hollow(maker, kind, scope, actual, expected, (left, right)),
    )


def _hollow(
    maker: Maker,
    kind: AssertionKind,
    scope: Scope,
    actual: Twig | None,
    expected: Twig | None,
    sides: tuple[Side, Side],
) -> bool:
    if actual is None:
        return False
    if expected is None:
        return sides[0].fixed and kind in ("true", "false", "not_null", "null")
    if all(side.fixed for side in sides):
        return True
    if kind in ("equal", "close", "order", "contains"):
        return _alias(maker, actual, scope) == _alias(maker, expected, scope)
    return False


def _alias(maker: Maker, twig: Twig, scope: Scope) -> str:
    """The text of an expression; of a name that only stands for another, that of the other."""
    for _ in range(4):
        target, around = resolved(twig, scope)
        if target.kind not in ("ident", "select"):
            bound = scope.get(twig.text) if twig.kind == "ident" else None
            if bound is not None and len(bound.twigs) == 1 and bound.twigs[0].kind == "ident":
                twig, scope = bound.twigs[0], bound.scope or {}
                continue
            break
        if target is twig:
            break
        twig, scope = target, around
    while twig.kind in ("paren", "ref") and twig.kids:
        twig = twig.kids[-1]
    return maker.grove.normal(twig)


def demands(
    maker: Maker, condition: Twig, want: bool, scope: Scope, whole: Twig | None = None
) -> list[Assertion]:
    """The condition must come out as `want`: one assertion for each part that must hold by itself."""
    found: list[Assertion] = []
    waiting = [(condition, want)]
    while waiting and len(found) < 40:
        here, wanted = waiting.pop()
        if here.kind in ("paren", "condition") and here.kids:
            waiting.append((here.kids[-1], wanted))
        elif here.kind == "unary" and here.operator() == "!":
            waiting.append((here.kids[-1], not wanted))
        elif here.kind == "binary" and here.operator() in ("&&", "||") and len(here.kids) == 2:
            both = (here.operator() == "&&") == wanted
            if both:
                waiting += [(here.kids[1], wanted), (here.kids[0], wanted)]
            else:
                found.append(_either(maker, here, wanted, scope, whole or here))
        else:
            found.append(_single(maker, here, wanted, scope, whole or here))
    return found


def _either(maker: Maker, here: Twig, want: bool, scope: Scope, whole: Twig) -> Assertion:
    """One of several is enough: it can't fail where one of them always holds."""
    parts = [_single(maker, kid, want, scope, whole) for kid in here.kids]
    sides = gather(here, scope, maker.tongue)
    always = any(_always(kid, want) for kid in here.kids)
    kind: AssertionKind = parts[0].kind if parts[0].kind == parts[1].kind else "other"
    if kind == "equal" and parts[0].given == parts[1].given and parts[0].subjects == parts[1].subjects:
        both = tuple(dict.fromkeys((*parts[0].expected, *parts[1].expected)))
        return parts[0]._replace(expected=both, hollow=always)
    return Assertion(
        maker.grove.normal(whole),
        whole.line,
        kind,
        sides.subjects or sides.names,
        sides.literals,
        sides.literals,
        always,
    )


def _always(twig: Twig, want: bool) -> bool:
    while twig.kind == "paren" and twig.kids:
        twig = twig.kids[-1]
    return constant(twig) is want


def constant(twig: Twig) -> bool | None:
    """True or False where a condition is that literal."""
    while twig.kind in ("paren", "condition") and len(twig.kids) == 1:
        twig = twig.kids[0]
    if twig.kind in ("true", "false"):
        return twig.text == "true"
    if twig.kind == "unary" and twig.operator() == "!" and twig.kids:
        inner = twig.kids[-1]
        return None if inner.kind not in ("true", "false") else inner.text != "true"
    if twig.kind == "binary" and len(twig.kids) == 2 and all(kid.kind == "number" for kid in twig.kids):
        return _compared(twig)
    return None


def _compared(twig: Twig) -> bool | None:
    left, right = twig.kids[0].text, twig.kids[1].text
    operator = twig.operator()
    if operator in ("==", "!="):
        return (left == right) == (operator == "==")
    return None


def _single(maker: Maker, here: Twig, want: bool, scope: Scope, whole: Twig) -> Assertion:
    if here.kind == "binary" and here.operator() in _FLIPPED and len(here.kids) == 2:
        return _operated(maker, here, want, scope, whole)
    target, around = resolved(here, scope)
    if target is not here and target.kind in ("binary", "call", "macro"):
        told = _single(maker, target, want, around, target)
        return told._replace(text=maker.grove.normal(whole), line=whole.line)
    if here.kind in ("call", "macro"):
        return _asked(maker, here, want, scope, whole)
    if here.kind == "instanceof":
        return compared(maker, "type", whole, scope, here.kids[0], here.kids[-1], sure=True)
    kind: AssertionKind = "true" if want else "false"
    made = compared(maker, kind, whole, scope, here, None)
    always = constant(here)
    return made._replace(hollow=made.hollow and always is not (not want))


def _operated(maker: Maker, here: Twig, want: bool, scope: Scope, whole: Twig) -> Assertion:
    operator = here.operator() if want else _FLIPPED[here.operator()]
    left, right = here.kids
    if operator not in ("==", "!="):
        return _ordered(maker, operator, left, right, scope, whole)
    for one, other in ((left, right), (right, left)):
        if one.kind == "null":
            kind: AssertionKind = "null" if operator == "==" else "not_null"
            if kind == "not_null" and other.text in maker.errors:
                kind = "raises"
            return compared(maker, kind, whole, scope, other, None)
        if one.kind in ("true", "false"):
            return demands(maker, other, (one.text == "true") == (operator == "=="), scope, whole)[0]
        told = _difference(maker, one, other, operator, scope, whole)
        if told is not None:
            return told
    return compared(maker, "equal" if operator == "==" else "unequal", whole, scope, left, right)


def _difference(
    maker: Maker, one: Twig, other: Twig, operator: str, scope: Scope, whole: Twig
) -> Assertion | None:
    """`cmp.Diff(want, got) == ""` is an equality of the two."""
    if one.kind != "string" or len(one.text) != 2:
        return None
    call, around = resolved(other, scope)
    if call.kind != "call" or not dotted(call).endswith("Diff"):
        return None
    args = arguments(call)
    if len(args) < 2:
        return None
    kind: AssertionKind = "equal" if operator == "==" else "unequal"
    made = compared(maker, kind, call, around, args[1], args[0])
    return made._replace(text=f"{maker.grove.normal(call)} {operator} {one.text}", line=whole.line)


def _ordered(maker: Maker, operator: str, left: Twig, right: Twig, scope: Scope, whole: Twig) -> Assertion:
    text = maker.grove.normal(left) + maker.grove.normal(right)
    kind: AssertionKind = "close" if operator in ("<", "<=") and "abs" in text.lower() else "order"
    made = compared(maker, kind, whole, scope, left, right)
    return made._replace(hollow=made.hollow or _natural(operator, left, right))


def _natural(operator: str, left: Twig, right: Twig) -> bool:
    """`len(x) >= 0` and its mirror: sizes are never below nothing."""
    if operator in ("<=", "<"):
        left, right, operator = right, left, {"<=": ">=", "<": ">"}[operator]
    if left.kind != "call":
        return False
    sized = dotted(left).replace("::", ".").rpartition(".")[2] in _SIZES
    return sized and (operator, right.text) in ((">=", "0"), (">", "-1"))


def _asked(maker: Maker, call: Twig, want: bool, scope: Scope, whole: Twig) -> Assertion:
    """A call that answers yes or no."""
    name = dotted(call) if call.kind == "call" else (call.kids[0].text if call.kids else "")
    kind = maker.predicates.get(name.replace("::", ".").rpartition(".")[2], "true")
    if not want:
        kind = _OPPOSITE.get(kind, "false")
    args, under = arguments(call), base(call) if call.kind == "call" else None
    if call.kind == "macro" or kind in ("true", "false"):
        side = gather(call, scope, maker.tongue)
        answer = () if kind in ("true", "false") else side.literals
        return Assertion(
            maker.grove.normal(whole),
            whole.line,
            kind,
            side.subjects or side.names,
            side.literals,
            answer,
        )
    known = under is not None and under.kind == "ident" and under.text in _PACKAGES
    if len(args) >= 2 and (under is None or known):
        return compared(maker, kind, whole, scope, args[0], args[1])
    if len(args) == 1 and under is not None and not known:
        return compared(maker, kind, whole, scope, under, args[0])
    return compared(maker, kind, whole, scope, under or (args[0] if args else None), None)


_PACKAGES = frozenset(
    ("reflect", "bytes", "strings", "slices", "maps", "cmp", "errors", "regexp", "math", "Objects",
    "Arrays", "assert",
     "Math", "unicode", "filepath", "path", "os")
)  # fmt: skip
