"""What calls mean in a Go test: failing, skipping, starting a part, and the assertion libraries."""

from typing import NamedTuple

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.curly.demands import compared, demands
from donewhen.verify.integrity.curly.grove import Twig
from donewhen.verify.integrity.curly.paths import arguments, base, dotted
from donewhen.verify.integrity.curly.scope import Scope, resolved
from donewhen.verify.integrity.curly.telling import Place, Teller, Told

FAILS = frozenset(("Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"))
SKIPS = frozenset(("Skip", "Skipf", "SkipNow"))
TESTERS = frozenset(("t", "tb", "b", "f", "tt", "test", "T", "s.T()", "suite.T()", "c"))
_ENDING = frozenset(("panic", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf"))
_LIBRARIES = frozenset(("assert", "require", "must", "qt"))
_MADE = frozenset(("assert.New", "require.New", "is.New", "qt.New"))
ERRORS = frozenset(("err", "err1", "err2", "gotErr", "r", "rec", "recovered", "e", "panicErr"))

PREDICATES: dict[str, AssertionKind] = {
    "DeepEqual": "equal", "Equal": "equal", "EqualFold": "equal", "EqualFunc": "equal",
    "Contains": "contains",
    "HasPrefix": "contains", "HasSuffix": "contains", "ContainsAny": "contains", "MatchString": "matches",
    "Match": "matches", "Is": "raises", "As": "raises",
}  # fmt: skip


class Shape(NamedTuple):
    kind: AssertionKind
    actual: int | None = None  # places among the arguments
    expected: int | None = None


_LATER, _FIRST = (1, 0), (0, 1)
_TABLE: dict[str, Shape] = {
    **{name: Shape("equal", *_LATER) for name in
       ("Equal", "EqualValues", "Exactly", "JSONEq", "YAMLEq", "Same", "ElementsMatch", "DeepEqual",
       "EqualExportedValues")},
    **{name: Shape("unequal", *_LATER) for name in ("NotEqual", "NotSame", "NotEqualValues")},
    **{name: Shape("raises", *_FIRST) for name in ("ErrorIs", "ErrorAs", "ErrorContains", "EqualError",
    "ErrorType")},
    **{name: Shape("raises", 0) for name in ("Error", "Err", "Panics")},
    **{name: Shape("raises", 1, 0) for name in ("PanicsWithValue", "PanicsWithError")},
    **{name: Shape("null", 0) for name in ("Nil", "NoError", "NilError", "NoErr", "NotPanics")},
    **{name: Shape("contains", *_FIRST) for name in ("Contains", "NotContains", "Subset", "NotSubset")},
    **{name: Shape("order", *_FIRST) for name in ("Greater", "GreaterOrEqual", "Less", "LessOrEqual")},
    **{name: Shape("close", *_LATER) for name in ("InDelta", "InEpsilon", "WithinDuration", "InDeltaSlice")},
    **{name: Shape("called", 0, 1) for name in ("AssertExpectations", "AssertCalled", "AssertNumberOfCalls",
    "AssertNotCalled")},
    **{name: Shape("type", 1, 0) for name in ("IsType", "Implements")},
    "NotNil": Shape("not_null", 0), "Len": Shape("equal", *_FIRST), "Regexp": Shape("matches", 1, 0),
    "Empty": Shape("other", 0), "NotEmpty": Shape("other", 0), "Zero": Shape("other", 0),
    "NotZero": Shape("other", 0),
    "Eventually": Shape("other", 0), "FileExists": Shape("other", 0), "DirExists": Shape("other", 0),
}  # fmt: skip
_TRUTHS = {"True": True, "False": False, "Assert": True, "Truef": True, "Falsef": False}
_CHECKERS: dict[str, AssertionKind] = {
    "Equals": "equal", "DeepEquals": "equal", "ContentEquals": "equal", "CmpEquals": "equal", "IsNil": "null",
    "IsNotNil": "not_null", "NotNil": "not_null", "ErrorMatches": "raises", "ErrorIs": "raises",
    "Matches": "matches",
    "HasLen": "equal", "IsTrue": "true", "IsFalse": "false", "Contains": "contains", "Not": "other",
    "Panics": "raises",
    "Equal": "equal", "BeNil": "null", "BeTrue": "true", "BeFalse": "false", "HaveOccurred": "raises",
    "ContainElement": "contains", "ContainSubstring": "contains", "ConsistOf": "equal", "HaveLen": "equal",
    "BeNumerically": "order", "MatchError": "raises", "Succeed": "null", "BeEmpty": "other",
    "MatchRegexp": "matches",
    "BeEquivalentTo": "equal", "PanicMatches": "raises", "JSONEquals": "equal",
}  # fmt: skip
_NEGATED: dict[AssertionKind, AssertionKind] = {"raises": "null", "equal": "unequal", "null": "not_null"}
_GOMEGA = {"To": True, "Should": True, "NotTo": False, "ToNot": False, "ShouldNot": False}


def tell(teller: Teller, twig: Twig, scope: Scope, place: Place) -> Told | None:
    if twig.kind == "defer":
        return _deferred(teller, twig, place)
    if twig.kind != "call":
        return None
    name = dotted(twig)
    before, _, last = name.rpartition(".")
    if name in _ENDING:
        return Told(fails=True, deeper=())
    if _tester(before):
        known = _of_tester(teller, twig, last, place)
        if known is not None:
            return known
    if last in _GOMEGA:
        return _expected(teller, twig, scope, last, place)
    if before and (before.rpartition(".")[2] in ("Require()", "Assert()") or _library(teller, before, scope)):
        return _asserted(teller, twig, scope, last, place)
    return None


def _tester(before: str) -> bool:
    return before in TESTERS or before.endswith(".T()")


def _library(teller: Teller, before: str, scope: Scope) -> bool:
    if before in _LIBRARIES or before in teller.words:
        return True
    bound = scope.get(before)
    return bound is not None and len(bound.twigs) == 1 and dotted(bound.twigs[0]) in _MADE


def _of_tester(teller: Teller, twig: Twig, last: str, place: Place) -> Told | None:
    args = arguments(twig)
    if last in SKIPS:
        return Told(skips=teller.maker.grove.normal(twig), deeper=())
    if last in FAILS and not (last == "Error" and args and args[0].kind == "ident" and args[0].text == "t"):
        return Told(fails=True, deeper=())
    if last == "Run" and len(args) == 2:
        named = args[0].kind == "string"
        inside = place._replace(guard=None)
        return Told(sub=named, deeper=() if named and not place.via else ((args[1], inside),))

    return None


def _deferred(teller: Teller, twig: Twig, place: Place) -> Told:
    """`recover()` whose answer nobody looks at turns a panic of the code into a pass."""
    calls = [dotted(one) for one in teller.maker.grove.inside("call", twig)]
    speaks = any(
        name in _ENDING or name.rpartition(".")[2] in FAILS or name in teller.helpers for name in calls
    )
    asserts = any(name.partition(".")[0] in ("assert", "require") for name in calls)
    if "recover" in calls and not speaks and not asserts:
        return Told(swallows=teller.maker.grove.normal(twig), deeper=())
    return Told(deeper=tuple((kid, place) for kid in twig.kids))


def _lambdas(args: list[Twig], place: Place) -> tuple[tuple[Twig, Place], ...]:
    return tuple((arg, place._replace(guard=None)) for arg in args if arg.kind == "lambda")


def _asserted(teller: Teller, twig: Twig, scope: Scope, last: str, place: Place) -> Told | None:
    args = arguments(twig)
    faked = bool(args) and _fake(args[0], scope)
    if args and (faked or dotted(args[0]) in TESTERS or dotted(args[0]).endswith(".T")):
        args = args[1:]
    name = last.removesuffix("f") if last.removesuffix("f") in _TABLE else last
    made: list[Assertion] = []
    if last in ("Fail", "FailNow", "Failf"):
        return Told(fails=True, deeper=())
    if last in ("Assert", "Check") and len(args) >= 2 and dotted(args[1]).rpartition(".")[2] in _CHECKERS:
        kind = _CHECKERS[dotted(args[1]).rpartition(".")[2]]
        made = [compared(teller.maker, kind, twig, scope, args[0], args[2] if len(args) > 2 else None)]
    elif name in _TABLE:
        shape = _TABLE[name]
        made = [
            compared(
                teller.maker, shape.kind, twig, scope, _at(args, shape.actual), _at(args, shape.expected)
            )
        ]
    elif last in _TRUTHS and args:
        made = demands(teller.maker, args[0], _TRUTHS[last], scope, twig)
    else:
        return None
    if faked:
        made = [one._replace(hollow=True) for one in made]
    return Told(tuple(made), deeper=_lambdas(args, place))


def _at(args: list[Twig], place: int | None) -> Twig | None:
    return args[place] if place is not None and place < len(args) else None


def _fake(argument: Twig, scope: Scope) -> bool:
    """A `testing.T` of one's own: what fails on it fails nothing."""
    made, _ = resolved(argument, scope)
    text = made.text.replace(" ", "")
    return text in ("&testing.T{}", "new(testing.T)", "testing.T{}")


def _expected(teller: Teller, twig: Twig, scope: Scope, last: str, place: Place) -> Told | None:
    """Gomega: `Expect(x).To(Equal(3))`."""
    start = base(twig)
    while start is not None and start.kind == "call" and base(start) is not None and not _opens(start):
        start = base(start)
    args = arguments(twig)
    if start is None or start.kind != "call" or not _opens(start) or not args:
        return None
    matcher = args[0]
    kind = _CHECKERS.get(dotted(matcher).rpartition(".")[2], "other")
    if not _GOMEGA[last]:
        kind = _NEGATED.get(kind, "other")
    actual, wanted = arguments(start), arguments(matcher) if matcher.kind == "call" else []
    made = compared(
        teller.maker, kind, twig, scope, actual[0] if actual else None, wanted[0] if wanted else None
    )
    if not made.expected and kind in ("true", "false"):
        made = made._replace(expected=(kind,))
    return Told((made,), deeper=_lambdas(actual, place))


def _opens(call: Twig) -> bool:
    return dotted(call).rpartition(".")[2] in ("Expect", "Ω", "Eventually", "Consistently")
