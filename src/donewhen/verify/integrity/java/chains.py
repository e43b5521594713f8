"""Fluent assertions: AssertJ and Truth (`assertThat(x).isEqualTo(3)`), Hamcrest's matchers, Mockito."""

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.curly.demands import compared
from donewhen.verify.integrity.curly.grove import Twig
from donewhen.verify.integrity.curly.paths import arguments, base, dotted
from donewhen.verify.integrity.curly.scope import Scope, gather
from donewhen.verify.integrity.curly.telling import Place, Teller, Told

_OPENS = frozenset(
    ("assertThat", "then", "assertThatThrownBy", "assertThatCode", "assertThatExceptionOfType",
    "assertWithMessage",
     "assertThatNoException", "assertThatIllegalArgumentException", "assertThatNullPointerException",
     "assertThatIllegalStateException", "assertThatObject", "catchThrowable")
)  # fmt: skip
_VERIFIES = frozenset(("verify",))
_LINKS: dict[str, AssertionKind] = {
    **dict.fromkeys(
        ("isEqualTo", "isSameAs", "containsExactly", "containsExactlyInAnyOrder",
        "containsExactlyElementsIn", "hasSize",
         "containsOnly", "isEqualByComparingTo", "isSameInstanceAs", "hasToString",
         "containsExactlyEntriesIn", "hasValue",
         "isEqualToIgnoringCase", "hasLength"), "equal"),
    **dict.fromkeys(("isNotEqualTo", "isNotSameAs"), "unequal"),
    **dict.fromkeys(("contains", "containsEntry", "containsKey", "startsWith", "endsWith",
    "hasMessageContaining",
                     "containsValue", "containsIgnoringCase", "isIn", "containsAll", "containsAtLeast"),
                     "contains"),
    **dict.fromkeys(("isCloseTo", "isWithin", "of", "isNotCloseTo"), "close"),
    **dict.fromkeys(("isGreaterThan", "isLessThan", "isGreaterThanOrEqualTo", "isLessThanOrEqualTo",
    "isBetween", "isPositive",
                     "isNegative", "isAtLeast", "isAtMost", "isBefore", "isAfter"), "order"),
    **dict.fromkeys(("isInstanceOf", "isExactlyInstanceOf", "hasSameClassAs"), "type"),
    **dict.fromkeys(("hasMessage", "isThrownBy", "hasMessageThat", "hasCauseInstanceOf",
    "hasRootCauseInstanceOf"), "raises"),
    "isTrue": "true", "isFalse": "false", "isNull": "null", "isNotNull": "not_null", "matches": "matches",
    "containsPattern": "matches", "matchesPattern": "matches", "doesNotThrowAnyException": "other",
}  # fmt: skip
_STARTS = (
    "is",
    "has",
    "contains",
    "does",
    "are",
    "starts",
    "ends",
    "matches",
    "satisf",
    "all",
    "any",
    "none",
    "exists",
    "be",
)
_MATCHERS: dict[str, AssertionKind] = {
    "is": "equal", "equalTo": "equal", "not": "unequal", "nullValue": "null", "notNullValue": "not_null",
    "containsString": "contains", "hasItem": "contains", "hasItems": "contains", "startsWith": "contains",
    "endsWith": "contains", "hasEntry": "contains", "hasKey": "contains", "contains": "equal",
    "containsInAnyOrder": "equal",
    "hasSize": "equal", "closeTo": "close", "greaterThan": "order", "lessThan": "order",
    "greaterThanOrEqualTo": "order",
    "lessThanOrEqualTo": "order", "instanceOf": "type", "matchesPattern": "matches",
    "sameInstance": "equal", "anything": "other",
}  # fmt: skip
_LONGEST = 24


def chained(teller: Teller, twig: Twig, scope: Scope, place: Place) -> Told | None:
    """The whole chain that ends in this call, one assertion for each link that demands something."""
    links: list[Twig] = []
    here: Twig | None = twig
    while here is not None and here.kind == "call" and len(links) < _LONGEST:
        links.append(here)
        here = base(here)
    names = [_name(one) for one in links]
    start = next((at for at, name in enumerate(names) if name in _OPENS | _VERIFIES), None)
    if start is None or start == 0:
        return None
    root = links[start]
    if names[start] in _VERIFIES:
        return Told((_verified(teller, twig, scope, root),), deeper=())
    given = arguments(root)
    throwing = names[start].startswith(
        ("assertThatThrown", "assertThatException", "assertThatIllegal", "assertThatNull")
    )
    made = [
        _linked(teller, twig, one, scope, given[0] if given else None, throwing)
        for one in reversed(links[:start])
        if _name(one) in _LINKS or _name(one).startswith(_STARTS)
    ]
    if names[start] == "assertWithMessage" or not given:
        subject = next((arguments(one) for one in links[:start] if _name(one) in ("that", "isThrownBy")), [])
        if subject:
            made = [_linked(teller, twig, one, scope, subject[0], throwing) for one in links[:start][:1]]
    return Told(tuple(made), deeper=())


def _name(call: Twig) -> str:
    label = call.get("name")
    return label.text if label is not None else ""


def _linked(
    teller: Teller, whole: Twig, link: Twig, scope: Scope, actual: Twig | None, throwing: bool
) -> Assertion:
    kind = _LINKS.get(_name(link), "other")
    if throwing and kind in ("type", "other"):
        kind = "raises"
    args = arguments(link)
    made = compared(teller.maker, kind, whole, scope, actual, args[0] if args else None, sure=True)
    more = [literal for arg in args[1:] for literal in gather(arg, scope, teller.maker.tongue).literals]
    expected = (*made.expected, *more) or (kind,) if kind in ("true", "false") else (*made.expected, *more)
    if kind in ("raises", "type") and args and args[0].text.endswith(".class"):
        expected = (args[0].text.removesuffix(".class"),)
    what = teller.maker.grove.normal(actual) if actual is not None else ""
    listed = ", ".join(teller.maker.grove.normal(arg) for arg in args)
    return made._replace(text=f"assertThat({what}).{_name(link)}({listed})", expected=expected)


def _verified(teller: Teller, twig: Twig, scope: Scope, root: Twig) -> Assertion:
    side = gather(twig, scope, teller.maker.tongue)
    subject = f"{arguments(root)[0].text if arguments(root) else ''}.{_name(twig)}"
    return Assertion(
        teller.maker.grove.normal(twig), twig.line, "called", (subject,), side.literals, side.literals
    )


def matched(teller: Teller, twig: Twig, scope: Scope, args: list[Twig]) -> Told:
    """Hamcrest: `assertThat(actual, is(3))`, with or without a reason before it."""
    if len(args) < 2:
        return Told(deeper=())
    actual, matcher = args[-2], args[-1]
    wanted: AssertionKind | None = None
    negated = False
    for _ in range(4):
        name = dotted(matcher).rpartition(".")[2] if matcher.kind == "call" else ""
        inner = arguments(matcher) if matcher.kind == "call" else []
        wanted = _MATCHERS.get(name, "other")
        negated = negated or name == "not"
        if (
            name in ("is", "not")
            and inner
            and inner[0].kind == "call"
            and dotted(inner[0]).rpartition(".")[2] in _MATCHERS
        ):
            matcher = inner[0]
            continue
        break
    if len(args) == 2 and args[1].kind != "call" and args[0].kind == "string":
        return Told((compared(teller.maker, "true", twig, scope, args[1], None),), deeper=())
    if negated:
        wanted = "not_null" if wanted == "null" else "unequal"
    inner = arguments(matcher) if matcher.kind == "call" else []
    made = compared(
        teller.maker, wanted or "other", twig, scope, actual, inner[0] if inner else None, sure=True
    )
    name = dotted(matcher).rpartition(".")[2] if matcher.kind == "call" else ""
    return Told((made._replace(hollow=made.hollow or name == "anything"),), deeper=())
