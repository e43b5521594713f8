"""Assertions as they are written: statements, methods of a test case, functions of libraries, errors.

Knows the names that runners and libraries give them; any other name that begins with `assert` demands
something that we can't tell apart. A helper of this file is not an assertion: what it demands is looked up.
"""

import re

from donewhen.core.integrity.model import Assertion, AssertionKind
from donewhen.verify.integrity.python.demands import Demand, condition, contained, pair, tolerance
from donewhen.verify.integrity.python.names import arguments, keywords
from donewhen.verify.integrity.python.page import Place
from donewhen.verify.integrity.python.sides import side
from donewhen.verify.integrity.python.text import normal
from donewhen.verify.integrity.python.tree import Node
from donewhen.verify.integrity.python.truth import related, truth

_PAIRS: dict[str, AssertionKind] = {
    "equal": "equal", "equals": "equal", "listequal": "equal", "dictequal": "equal", "tupleequal": "equal",
    "setequal": "equal", "sequenceequal": "equal", "multilineequal": "equal", "is": "equal",
    "arrayequal": "equal", "frameequal": "equal", "seriesequal": "equal", "indexequal": "equal",
    "htmlequal": "equal", "jsonequal": "equal", "xmlequal": "equal", "querysetequal": "equal",
    "querySetequal": "equal", "stringequal": "equal", "countequal": "contains", "itemsequal": "contains",
    "notequal": "unequal", "notequals": "unequal", "isnot": "unequal", "almostequal": "close",
    "almostequals": "close", "allclose": "close", "approxequal": "close", "arrayalmostequal": "close",
    "notalmostequal": "other", "greater": "order", "greaterequal": "order", "less": "order",
    "lessequal": "order", "regex": "matches", "regexpmatches": "matches", "notregex": "other",
    "isinstance": "type", "notisinstance": "other", "notin": "other", "dictcontainssubset": "contains",
}  # fmt: skip
_RAISES = frozenset(
    ("raises", "raisesregex", "raisesregexp", "raisesmessage", "warns", "warnsregex", "warnsmessage")
)
_PYTEST_RAISES = frozenset(("pytest.raises", "pytest.warns", "pytest.deprecated_call", "pytest.RaisesGroup"))
_CALLED = re.compile(r"^assert_(?:(?:not_|any_)?(?:called|awaited|call|await)|has_(?:calls|awaits))")
_FAILS = frozenset(("pytest.fail", "self.fail", "cls.fail", "unittest.TestCase.fail", "nose.tools.fail"))
_ASSERT_NAME = re.compile(r"^_?assert(?:_?[A-Z_]\w*|_\w+|s?)$")
_CHECK_NAME = re.compile(r"^_?(?:assert|check|verify|expect|ensure)_\w+$")
_FLUENT: dict[str, AssertionKind] = {
    "is_equal_to": "equal", "isequalto": "equal", "equals": "equal", "to_equal": "equal", "to_be": "equal",
    "equal": "equal", "is_true": "true", "is_false": "false", "is_none": "null", "contains": "contains",
    "is_instance_of": "type", "raises": "raises",
}  # fmt: skip
_FLUENT_START = re.compile(r"^(?:assertpy\.|hamcrest\.|expects\.|grappa\.)?(?:assert_that|expect|should)\(\)")


def of_statement(node: Node, place: Place) -> list[Demand]:
    """`assert x, y`."""
    return condition(node.parts[0], place) if node.parts else []


def of_call(call: Node, place: Place) -> list[Demand]:
    """The demands of an assertion call; none if it is not one."""
    name = place.page.names.called(call)
    last = name.rpartition(".")[2]
    if _CALLED.match(last):
        return [_mocked(call, place)]
    if name in _FAILS or (last == "fail" and name.startswith(("self.", "cls."))):
        return [Demand("other", text=normal(call))]
    if _FLUENT_START.match(name) and "." in name:
        return [_fluent(call, last, place)]
    key = _key(last)
    if key is None:
        return _unknown(call, name, place)
    return _by_key(key, call, place)


def _key(last: str) -> str | None:
    """`assertListEqual` and `assert_list_equal` are the same demand."""
    if not last.startswith("assert"):
        return None
    return last.removeprefix("assert").replace("_", "").lower()


def _by_key(key: str, call: Node, place: Place) -> list[Demand]:
    given = arguments(call)
    if key in _RAISES:
        return [expected_error(call, place)]
    if key in ("true", "", "false") and given:
        return condition(given[0], place, negated=key == "false")
    if key in ("isnone", "isnotnone") and given:
        found = side(given[0], place)
        none = key == "isnone"
        hollow = not none and truth(given[0], place) is True and found.constant
        return [
            Demand(
                "null" if none else "not_null",
                found.subjects,
                found.literals,
                ("null",) if none else (),
                hollow,
            )
        ]
    if key == "in" and len(given) >= 2:
        hollow = related(given[0], "in", given[1], place) is True
        return [contained(given[0], given[1], place)._replace(hollow=hollow)]
    if key == "that" and len(given) >= 2:
        return [_matched(given, place)]
    if key in _PAIRS and len(given) >= 2:
        return [_pair(key, call, given, place)]
    return _unknown(call, place.page.names.called(call), place)


def _pair(key: str, call: Node, given: list[Node], place: Place) -> Demand:
    kind = _PAIRS[key]
    if kind in ("type", "matches"):
        found = side(given[0], place)
        wanted = (normal(given[1]),) if kind == "type" else side(given[1], place).whole
        hollow = kind == "type" and given[1].word == "object"
        return Demand(kind, found.subjects, found.literals, wanted, hollow)
    demand = pair(kind, given[0], given[1], place, tolerance(call, place) if kind == "close" else ())
    settled = related(given[0], _SIGNS.get(key) or _BY_KIND.get(kind, "=="), given[1], place)
    return demand._replace(hollow=settled is True and kind != "other")


_SIGNS = {
    "greater": ">",
    "greaterequal": ">=",
    "less": "<",
    "lessequal": "<=",
    "is": "is",
    "isnot": "is not",
}
_BY_KIND: dict[AssertionKind, str] = {"unequal": "!="}


def _mocked(call: Node, place: Place) -> Demand:
    function = call.get("function")
    home = function.get("object") if function is not None else None
    found = side(home, place) if home is not None else None
    given = call.get("arguments")
    expected = side(given, place).literals if given is not None else ()
    return Demand("called", found.subjects if found else (), (), expected)


def _fluent(call: Node, last: str, place: Place) -> Demand:
    kind = _FLUENT.get(last.lower(), "other")
    function = call.get("function")
    start = function.get("object") if function is not None else None
    while start is not None and start.kind == "attribute":
        start = start.get("object")
    actual = arguments(start) if start is not None and start.kind == "call" else []
    given = arguments(call)
    if not actual:
        return Demand("other", text=normal(call))
    if kind == "equal" and given:
        return pair(kind, actual[0], given[0], place)
    found = side(actual[0], place)
    wanted = tuple(one for part in given for one in side(part, place).whole)
    return Demand(kind, found.subjects, found.literals, wanted)


def _matched(given: list[Node], place: Place) -> Demand:
    """`assert_that(x, equal_to(3))`."""
    found, matcher = side(given[0], place), given[1]
    inner = arguments(matcher) if matcher.kind == "call" else []
    equal = place.page.names.dotted(matcher).removesuffix("()").endswith(("equal_to", "is_"))
    if equal and inner:
        return pair("equal", given[0], inner[0], place)
    wanted = tuple(one for part in inner for one in side(part, place).whole)
    return Demand("other", found.subjects, found.literals, wanted)


def _unknown(call: Node, name: str, place: Place) -> list[Demand]:
    last = name.rpartition(".")[2]
    parent = call.parent
    awaited = parent is not None and parent.kind == "await"
    statement = parent.parent if awaited and parent is not None else parent
    alone = statement is not None and statement.kind == "expression_statement"
    assertion = _ASSERT_NAME.match(last) is not None
    if not assertion and not (alone and _CHECK_NAME.match(last)):
        return []
    if not alone and not (statement is not None and statement.kind in ("with_item", "as_pattern")):
        return []
    found = side(call, place)
    subjects = tuple(name for name in found.subjects if not name.endswith(last))
    return [Demand("other", subjects, found.literals, found.literals)]


def is_known_assertion(name: str) -> bool:
    """`assertEqual` and the others that the runner has; a project's own `assertBalanced` is none of them."""
    return name.startswith("assert") and name[6:7].isupper() and _key(name) in _BUILT_IN


_BUILT_IN = frozenset(
    "equal equals notequal true false is isnot isnone isnotnone in notin isinstance notisinstance raises "
    "raisesregex warns warnsregex logs nologs almostequal notalmostequal greater greaterequal less lessequal "
    "regex notregex countequal multilineequal sequenceequal listequal tupleequal setequal dictequal".split()
)


def is_expected_error(call: Node, place: Place) -> bool:
    name = place.page.names.called(call)
    return name in _PYTEST_RAISES or _key(name.rpartition(".")[2]) in _RAISES


def expected_error(call: Node, place: Place, body: Node | None = None) -> Demand:
    """An error that must come: of which class, from what; `body` is the block that must raise it."""
    given = arguments(call)
    wanted = [normal(given[0])] if given else []
    more = given[1:]
    inside: list[Node] = []
    if body is not None:
        inside = body.parts
    elif len(given) > 1:
        regex = "regex" in place.page.names.called(call).lower()
        inside = given[2:] if regex else given[1:]
        more = given[1:2] if regex else []
    match = keywords(call).get("match") or keywords(call).get("expected_regex")
    texts = [one for part in [*more, *([match] if match else [])] for one in side(part, place).whole]
    subjects: list[str] = []
    literals: list[str] = []
    for part in inside:
        found = side(part, place)
        subjects.extend(found.subjects)
        literals.extend(found.literals)
    alone = body is not None and body.parent is not None and len(body.parent.kids[1].parts) == 1
    hollow = alone and any(_raises_itself(part, place) for part in inside[:1])
    return Demand("raises", tuple(dict.fromkeys(subjects)), tuple(literals), tuple(wanted + texts), hollow)


def _raises_itself(statement: Node, place: Place) -> bool:
    if statement.kind == "raise_statement":
        return True
    if statement.kind == "assert_statement" and statement.parts:
        return truth(statement.parts[0], place) is False
    return False


def as_assertion(demand: Demand, text: str, line: int) -> Assertion:
    return Assertion(text, line, demand.kind, demand.subjects, demand.given, demand.expected, demand.hollow)
