"""What calls mean in a Java test: assertions of JUnit and TestNG, assumptions, failing, catching."""

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.curly.demands import compared, constant, demands
from donewhen.verify.integrity.curly.grove import Twig, below
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.curly.scope import Scope, gather
from donewhen.verify.integrity.curly.telling import Place, Teller, Told
from donewhen.verify.integrity.java.chains import chained, matched

PREDICATES: dict[str, AssertionKind] = {
    "equals": "equal", "equalsIgnoreCase": "equal", "deepEquals": "equal", "contains": "contains",
    "startsWith": "contains",
    "endsWith": "contains", "containsKey": "contains", "containsAll": "contains", "matches": "matches",
    "isNull": "null",
    "nonNull": "not_null",
}  # fmt: skip
_TABLE: dict[str, tuple[AssertionKind, int]] = {
    **dict.fromkeys(("assertEquals", "assertSame", "assertArrayEquals", "assertIterableEquals",
    "assertLinesMatch"), ("equal", 2)),
    **dict.fromkeys(("assertNotEquals", "assertNotSame"), ("unequal", 2)),
    **dict.fromkeys(("assertEqualsNoOrder", "assertEqualsDeep"), ("equal", 2)),
    "assertNull": ("null", 1), "assertNotNull": ("not_null", 1), "assertInstanceOf": ("type", 2),
    "assertTrue": ("true", 1), "assertFalse": ("false", 1),
}  # fmt: skip
_THROWS = frozenset(("assertThrows", "assertThrowsExactly", "expectThrows"))
_CALM = frozenset(("assertDoesNotThrow", "assertTimeout", "assertTimeoutPreemptively"))
_ASSUMES = {"assumeTrue": True, "assumeFalse": False}
_SKIPPING = ("SkipException", "TestAbortedException", "AssumptionViolatedException", "TestSkippedException")
_FAILURES = frozenset(
    ("AssertionError", "Error", "Throwable", "AssertionFailedError", "MultipleFailuresError",
    "ComparisonFailure",
     "AssertionFailure")
)  # fmt: skip
_BROAD = _FAILURES | {"Exception", "RuntimeException"}
JUNIT4 = "junit4"
TESTNG = "testng"


def tell(teller: Teller, twig: Twig, scope: Scope, place: Place) -> Told | None:
    if twig.kind == "try":
        return _tried(teller, twig, place)
    if twig.kind == "throw":
        return _thrown(teller, twig, place)
    if twig.kind == "assert" and twig.kids:
        return Told(tuple(demands(teller.maker, twig.kids[0], True, scope, twig)), deeper=())
    if twig.kind != "call":
        return None
    before, _, last = dotted(twig).rpartition(".")
    chain = chained(teller, twig, scope, place)
    if chain is not None:
        return chain
    if last == "fail" and before in ("", "Assert", "Assertions", "TestCase", "org.junit.Assert"):
        return Told(fails=True, deeper=())
    if last.startswith("assum") or last == "abort":
        return _assumed(teller, twig, last, place)
    if last.startswith(("assert", "expectThrows")) and last not in teller.helpers:
        return _asserted(teller, twig, scope, last, place)
    return None


def _lambdas(args: list[Twig], place: Place) -> tuple[tuple[Twig, Place], ...]:
    return tuple((arg, place._replace(guard=None)) for arg in args if arg.kind == "lambda")


def _assumed(teller: Teller, twig: Twig, last: str, place: Place) -> Told | None:
    text = teller.maker.grove.normal(twig)
    args = arguments(twig)
    if last == "abort":
        return Told(skips=text, deeper=())
    if last not in _ASSUMES:
        return (
            Told(skips=text, sometimes=True, deeper=_lambdas(args, place)) if last == "assumeThat" else None
        )
    truths = [value for arg in args if (value := constant(arg)) is not None]
    if truths:
        return Told(deeper=()) if truths[0] is _ASSUMES[last] else Told(skips=text, deeper=())
    return Told(skips=text, sometimes=True, deeper=())


def _asserted(teller: Teller, twig: Twig, scope: Scope, last: str, place: Place) -> Told | None:
    args = arguments(twig)
    if last in _THROWS:
        return _throwing(teller, twig, scope, args, place)
    if last == "assertAll" or last in _CALM:
        made = () if last == "assertAll" else (_calm(teller, twig, scope),)
        return Told(made, deeper=tuple((arg, place) for arg in args))
    if last == "assertThat":
        return matched(teller, twig, scope, args)
    if last not in _TABLE:
        return None
    kind, wanted = _TABLE[last]
    args = _without_message(teller, args, wanted)
    if kind in ("true", "false") and args:
        return Told(tuple(demands(teller.maker, args[0], kind == "true", scope, twig)), deeper=())
    if len(args) < wanted:
        return Told(deeper=())
    if wanted == 1:
        return Told((compared(teller.maker, kind, twig, scope, args[0], None),), deeper=())
    actual, expected = (args[0], args[1]) if TESTNG in teller.words else (args[1], args[0])
    close = len(args) > 2 and args[2].kind == "number" and kind == "equal"
    return Told(
        (compared(teller.maker, "close" if close else kind, twig, scope, actual, expected),), deeper=()
    )


def _without_message(teller: Teller, args: list[Twig], wanted: int) -> list[Twig]:
    """JUnit 4 has its message first."""
    if JUNIT4 not in teller.words or len(args) <= wanted or args[0].kind not in ("string", "binary"):
        return args
    return args if wanted == 2 and len(args) == 3 and args[2].kind == "string" else args[1:]


def _throwing(teller: Teller, twig: Twig, scope: Scope, args: list[Twig], place: Place) -> Told:
    """What is thrown is what is demanded; an assertion inside would only have to fail."""
    kind = args[0].text.removesuffix(".class") if args else ""
    side = (
        gather(args[1], scope, teller.maker.tongue)
        if len(args) > 1
        else gather(twig, scope, teller.maker.tongue)
    )
    text = teller.maker.grove.normal(twig)
    made = Assertion(text, twig.line, "raises", side.subjects, side.literals, (kind,) if kind else ())
    inside = [dotted(one).rpartition(".")[2] for arg in args[1:] for one in below(arg) if one.kind == "call"]
    hides = kind in _FAILURES and any(name.startswith("assert") or name == "fail" for name in inside)
    return Told((made,), swallows=text if hides else "", deeper=())


def _calm(teller: Teller, twig: Twig, scope: Scope) -> Assertion:
    side = gather(twig, scope, teller.maker.tongue)
    subjects = tuple(name for name in side.subjects if not name.startswith("assert"))
    return Assertion(teller.maker.grove.normal(twig), twig.line, "other", subjects, side.literals)


def _thrown(teller: Teller, twig: Twig, place: Place) -> Told | None:
    if any(name in twig.text for name in _SKIPPING):
        return Told(skips=teller.maker.grove.normal(twig), deeper=())
    made = twig.kids[0] if twig.kids else None
    if made is None or made.kind != "new":
        return None
    failure = "AssertionError" in made.text or "AssertionFailedError" in made.text
    return Told(fails=True, deeper=()) if failure or place.guard is not None else None


def _tried(teller: Teller, twig: Twig, place: Place) -> Told:
    """What the catches make of failures inside the try."""
    body = twig.get("body")
    hides = hides_fail = ""
    waited: list[str] = []
    rest: list[tuple[Twig, Place]] = []
    for kid in twig.kids:
        if kid.kind == "catch_clause":
            types = _caught(kid)
            waited += types
            if not _speaks(kid):
                hides = hides or (teller.maker.grove.normal(kid) if _BROAD & set(types) else "")
                hides_fail = hides_fail or (teller.maker.grove.normal(kid) if _FAILURES & set(types) else "")
            rest.append((kid, place._replace(loose=True, guard=None)))
        elif kid.kind == "finally_clause":
            if any(one.kind == "return" for one in below(kid)):
                hides = hides_fail = teller.maker.grove.normal(kid)
            rest.append((kid, place._replace(guard=None)))
        elif kid is not body:
            rest.append((kid, place))
    if body is None:
        return Told(deeper=tuple(rest))
    inside = place._replace(
        guard=None,
        hides=hides or place.hides,
        hides_fail=hides_fail or place.hides_fail,
        raises=() if hides_fail else tuple(waited),
        tried=body if waited else None,
    )
    return Told(deeper=((body, inside), *rest))


def _caught(clause: Twig) -> list[str]:
    parameter = next((kid for kid in clause.kids if kid.kind == "catch_formal_parameter"), None)
    types = (
        next((kid for kid in parameter.kids if kid.kind == "catch_type"), None)
        if parameter is not None
        else None
    )
    return [kid.text.rpartition(".")[2] for kid in types.kids] if types is not None else []


def _speaks(clause: Twig) -> bool:
    for one in below(clause):
        if one.kind in ("throw", "assert"):
            return True
        if one.kind == "call":
            name = dotted(one).rpartition(".")[2]
            if name.startswith(("assert", "fail", "verify", "check", "expect")):
                return True
    return False
