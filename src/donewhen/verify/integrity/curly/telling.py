"""A test's body told in the order in which it runs: what it demands, when it is skipped, what hides failures.

What can't be reached is left out: after a return, under `if false`, in a loop over nothing. Helpers of the
same file are followed with their arguments put in, so that `check(t, Add(1, 2), 3)` demands what it says.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from donewhen.core.integrity.model import Assertion
from donewhen.verify.integrity.curly.demands import Maker, constant, demands
from donewhen.verify.integrity.curly.grove import Twig
from donewhen.verify.integrity.curly.leaving import (
    Asked,
    Left,
    asked,
    ends,
    hides,
    leaves,
    matched,
    picks,
    silent,
    skipped,
)
from donewhen.verify.integrity.curly.paths import arguments, dotted
from donewhen.verify.integrity.curly.scope import Bound, Scope, declared, gather, unsure_in

_STEPS = 60_000  # twigs of one test, helpers included
_DEEPEST = 4  # helpers that call helpers
_MOST = 5000  # assertions of one test


class Place(NamedTuple):
    """Where in a test something stands."""

    guard: tuple[Twig, bool, Scope] | None = None  # the condition that must come out so to get past it
    loose: bool = False  # is not reached every time
    why: str = ""  # the conditions under which it is
    under: tuple[tuple[Asked, ...], ...] = ()  # what came out already, where it would not fail otherwise
    hides: str = ""  # what catches failed assertions here
    hides_fail: str = ""  # what catches fail() here
    raises: tuple[str, ...] = ()  # a try that ends in fail(): what it waits for
    tried: Twig | None = None
    via: str = ""  # the call of the helper that we are in
    line: int = 0  # of that call
    depth: int = 0


class Told(NamedTuple):
    """What one call, throw or return means to the test."""

    asserts: tuple[Assertion, ...] = ()
    fails: bool = False  # ends it red: the condition around it is the demand
    skips: str = ""
    sometimes: bool = False  # skips only where something holds
    swallows: str = ""
    sub: bool = False  # starts a part with a name of its own
    deeper: tuple[tuple[Twig, Place], ...] | None = None  # what is left to tell; None: whatever is in it


class Helper(NamedTuple):
    params: tuple[str, ...]
    body: Twig
    scope: Scope


Step = tuple[Twig, Scope, Place]


class Reading:
    """What was gathered of one test."""

    def __init__(self) -> None:
        self.asserts: list[Assertion] = []
        self.skips: list[tuple[str, bool]] = []
        self.swallows = ""
        self.cases = 1
        self.subs: list[Step] = []
        self.steps = 0
        self.left: list[Left] = []
        self.demanded: set[tuple[int, str]] = set()

    @property
    def cut(self) -> bool:
        """Too large to be told to the end."""
        return self.steps >= _STEPS or len(self.asserts) >= _MOST


class Teller(NamedTuple):
    """A language's way to read bodies."""

    maker: Maker
    tell: Callable[["Teller", Twig, Scope, Place], Told | None]
    columns: Callable[[Twig, Scope], tuple[Scope, Twig, int | None]]  # a loop: names bound, body, rows
    params: Callable[[Twig], tuple[str, ...]]  # of a function or closure
    helpers: Mapping[str, Helper] = {}
    test_names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()  # what else assertions are called on in this file
    hidden: frozenset[int] = frozenset()  # starts of calls that catch failures which nobody looks at


def told(
    teller: Teller, body: Twig, scope: Scope, reading: Reading | None = None, place: Place | None = None
) -> Reading:
    """Everything that `body` says as a test."""
    whole = reading is None
    reading = Reading() if reading is None else reading
    waiting: list[Step] = [(body, scope, place or Place())]
    unsure = unsure_in(teller.maker.grove, body, teller.maker.tongue)
    while waiting and not reading.cut:
        twig, scope, place = waiting.pop()
        reading.steps += 1
        handle = _HANDLERS.get(twig.kind)
        if handle is None:
            waiting.extend((kid, scope, place) for kid in reversed(twig.kids))
        else:
            waiting.extend(reversed(handle(teller, reading, (twig, scope, place), unsure)))
    if whole:
        reading.skips += skipped(reading.left, reading.asserts, bool(teller.maker.errors))
    return reading


def _block(teller: Teller, reading: Reading, step: Step, unsure: frozenset[str]) -> list[Step]:
    twig, scope, place = step
    steps: list[Step] = []
    for kid in twig.kids:
        steps.append((kid, scope, place))
        if ends(kid):
            if len(steps) == 1 < len(twig.kids) and not place.via:
                text = teller.maker.grove.normal(kid)
                reading.skips.append((f"{place.why} {text}".strip(), place.loose))
            break
        scope = declared(kid, scope, teller.maker.tongue, unsure)
    return steps


_ASKS = ("env", "GOOS", "GOARCH", "Short(", "getProperty", "cfg!", "NumCPU")


def _leaves(teller: Teller, reading: Reading, condition: Twig, yes: Twig, place: Place) -> None:
    """`if os.Getenv("FULL") == "" { return }` is a skip by another name."""
    text = condition.text
    asks = any(word in text or word.upper() in text for word in _ASKS)
    if not place.via and not place.loose and ends(yes) and (asks or picks(condition)):
        reading.skips.append((f"if {teller.maker.grove.normal(condition)} return", True))


def _header(teller: Teller, twig: Twig, yes: Twig | None) -> str:
    """`if _, err := exec.LookPath("git"); err != nil`."""
    start, end = twig.span
    return teller.maker.grove.between(start, yes.span[0] if yes is not None else end)


def _if(teller: Teller, reading: Reading, step: Step, unsure: frozenset[str]) -> list[Step]:
    twig, scope, place = step
    condition, yes, no = twig.get("condition"), twig.get("consequence"), twig.get("alternative")
    first = twig.get("initializer")
    steps: list[Step] = []
    if first is not None:
        steps.append((first, scope, place))
        scope = declared(first, scope, teller.maker.tongue, unsure)
    if condition is None:
        return steps
    steps.append((condition, scope, place))
    always = constant(condition)
    inside = place._replace(loose=place.loose or always is None)
    if yes is not None and always is not False:
        guard = None if always else (condition, False, scope)
        if always is None:
            _leaves(teller, reading, condition, yes, place)
            if not place.via and leaves(yes):
                past = asked(teller.maker, condition, False, scope)
                reading.left.append(Left(f"{_header(teller, twig, yes)} return", past, len(reading.asserts)))
        why = "" if always else f"{place.why} {_header(teller, twig, yes)}".strip()
        under = _under(teller, place, (condition, True, scope), no) if always is None else place.under
        steps.append((yes, scope, inside._replace(guard=guard, why=why, under=under)))
    if no is not None and always is not True:
        guard = None if always is False else (condition, True, scope)
        why = "" if always is False else f"{place.why} unless {_header(teller, twig, yes)}".strip()
        under = _under(teller, place, (condition, False, scope), yes) if always is None else place.under
        steps.append((no, scope, inside._replace(guard=guard, why=why, under=under)))
    return steps


def _under(
    teller: Teller, place: Place, guard: tuple[Twig, bool, Scope], other: Twig | None
) -> tuple[tuple[Asked, ...], ...]:
    """A branch whose counterpart fails is no way round; one that nothing stands beside is."""
    quiet = other is None or silent(other)
    return (*place.under, asked(teller.maker, *guard) if quiet else ())


def _switch(teller: Teller, reading: Reading, step: Step, _unsure: frozenset[str]) -> list[Step]:
    """Arms of a switch without a value are conditions of their own; of the others only the place is known."""
    twig, scope, place = step
    inside = place._replace(loose=True, guard=None)
    value = twig.get("value") or twig.get("condition")
    if value is not None:
        if not place.via and any(_arm_leaves(arm) for arm in teller.maker.grove.inside("arm", twig)):
            past = (matched(teller.maker, value, scope),)
            text = f"match {teller.maker.grove.normal(value)} return"
            reading.left.append(Left(text, past, len(reading.asserts)))
        if any(_arm_is_empty(arm) for arm in teller.maker.grove.inside("arm", twig)):
            inside = inside._replace(under=(*place.under, (matched(teller.maker, value, scope),)))
            inside = inside._replace(why=f"{place.why} match {teller.maker.grove.normal(value)}".strip())
        return [(kid, scope, inside) for kid in twig.kids]
    steps: list[Step] = []
    for arm in twig.kids:
        value = arm.get("value") if arm.kind == "arm" else None
        guard = (value.kids[0], False, scope) if value is not None and len(value.kids) == 1 else None
        steps += [(kid, scope, inside._replace(guard=guard)) for kid in arm.kids if kid is not value]
    return steps


def _arm_leaves(arm: Twig) -> bool:
    """`Err(_) => return`."""
    return len(arm.kids) > 1 and arm.kids[-1].kind in ("return", "block") and leaves(arm.kids[-1])


def _arm_is_empty(arm: Twig) -> bool:
    """`_ => {}`."""
    return len(arm.kids) > 1 and arm.kids[-1].text.replace(" ", "") in ("{}", "()")


def _loop(teller: Teller, reading: Reading, step: Step, _unsure: frozenset[str]) -> list[Step]:
    twig, scope, place = step
    condition = twig.get("condition")
    if condition is not None and constant(condition) is False:
        return []
    scope, body, rows = teller.columns(twig, scope)
    if rows == 0:
        return []
    if rows is not None and not place.via:
        reading.cases = max(reading.cases, rows)
    heads = [(kid, scope, place) for kid in twig.kids if kid is not body]
    return [*heads, (body, scope, place._replace(guard=None))]


def _assign(teller: Teller, reading: Reading, step: Step, _unsure: frozenset[str]) -> list[Step]:
    """A closure with a name is a helper: it says something only where it is called."""
    twig, scope, place = step
    other, value = twig.get("alternative"), twig.get("value")
    if other is not None and value is not None and not place.via and leaves(other):
        past = (matched(teller.maker, value, scope, twig.kids[0]),)
        reading.left.append(Left(f"{teller.maker.grove.normal(twig)[:160]}", past, len(reading.asserts)))
    named = {
        id(value)
        for _, value in teller.maker.tongue.assigned(twig)
        if value is not None and value.kind == "lambda"
    }
    waiting, steps = list(twig.kids), []
    while waiting:
        kid = waiting.pop(0)
        if id(kid) in named:
            continue
        if kid.kind == "expression_list":
            waiting[:0] = kid.kids
        else:
            steps.append((kid, scope, place))
    return steps


def _lambda(teller: Teller, _reading: Reading, step: Step, _unsure: frozenset[str]) -> list[Step]:
    twig, scope, place = step
    hidden: Scope = dict.fromkeys(teller.params(twig))
    body = twig.get("body")
    return [] if body is None else [(body, {**scope, **hidden}, place._replace(guard=None))]


def _meaning(teller: Teller, reading: Reading, step: Step, _unsure: frozenset[str]) -> list[Step]:
    """Calls, macros, throws, returns: whatever the language says about them."""
    twig, scope, place = step
    name = dotted(twig) if twig.kind == "call" else ""
    meaning = teller.tell(teller, twig, scope, place)
    if meaning is None:
        helper = _helper(teller, name, scope) if name else None
        if helper is not None and place.depth < _DEEPEST:
            _follow(teller, reading, step, helper)
        return [(kid, scope, place) for kid in twig.kids]
    _note(teller, reading, step, meaning)
    if meaning.deeper is None:
        return [(kid, scope, place) for kid in twig.kids]
    return [(kid, scope, where) for kid, where in meaning.deeper]


def _helper(teller: Teller, name: str, scope: Scope) -> Helper | None:
    bound = scope.get(name)
    if bound is not None and len(bound.twigs) == 1 and bound.twigs[0].kind == "lambda":
        closure = bound.twigs[0]
        body = closure.get("body")
        return None if body is None else Helper(teller.params(closure), body, bound.scope or {})
    last = name.replace("::", ".").rpartition(".")
    if last[2] in teller.test_names or (
        last[0] and last[0] not in ("this", "self", "Self", "super", "s", "suite")
    ):
        return None
    return teller.helpers.get(last[2])


def _follow(teller: Teller, reading: Reading, step: Step, helper: Helper) -> None:
    """The helper's body, its parameters standing for the arguments."""
    twig, scope, place = step
    given = arguments(twig)
    bound: Scope = dict(helper.scope)
    for name, argument in zip(helper.params, given, strict=False):
        bound[name] = Bound((argument,), scope)
    via = place.via or teller.maker.grove.normal(twig)
    line = place.line or twig.line
    inner = place._replace(guard=None, raises=(), tried=None, via=via, line=line, depth=place.depth + 1)
    before = len(reading.asserts)
    told(teller, helper.body, bound, reading, inner)
    if not place.via:
        _signed(reading, before, via)


def _signed(reading: Reading, before: int, via: str) -> None:
    """Assertions of a helper carry the text of its call; where it makes several, each its own besides."""
    several = len(reading.asserts) - before > 1
    for number in range(before, len(reading.asserts)):
        one = reading.asserts[number]
        reading.asserts[number] = one._replace(text=f"{via} : {one.text}" if several else via)


def _note(teller: Teller, reading: Reading, step: Step, meaning: Told) -> None:
    twig, _, place = step
    asserts = list(meaning.asserts)
    if meaning.fails:
        asserts += _failed(teller, reading, twig, place)
    if place.line:
        asserts = [one._replace(line=place.line) for one in asserts]
    _unasked(teller, reading, asserts, place, place.under[:-1] if meaning.fails else place.under)
    reading.asserts += asserts
    hidden = place.hides_fail if meaning.fails and not meaning.asserts else place.hides
    if asserts and hidden:
        reading.swallows = reading.swallows or hidden
    if meaning.swallows:
        reading.swallows = reading.swallows or meaning.swallows
    if meaning.sub and not place.via:
        reading.subs.append(step)
    if meaning.skips:
        text = f"{place.why} {meaning.skips}" if place.loose and place.why else meaning.skips
        reading.skips.append((text, meaning.sometimes or place.loose))


def _unasked(
    teller: Teller,
    reading: Reading,
    asserts: list[Assertion],
    place: Place,
    under: tuple[tuple[Asked, ...], ...],
) -> None:
    """Demands that are made only where they hold: `if add(1, 2) == 3 { assert_eq!(add(1, 2), 3) }`."""
    past = [one for group in under for one in group] if not place.via else []
    errors = bool(teller.maker.errors)
    if past and any(hides(past, made, reading.asserts, errors) for made in asserts):
        reading.swallows = reading.swallows or place.why


def _failed(teller: Teller, reading: Reading, twig: Twig, place: Place) -> list[Assertion]:
    maker = teller.maker
    if place.guard is None and place.raises and place.tried is not None:
        return [_waited(maker, place, place.tried)]
    if place.guard is None:
        return [Assertion(maker.grove.normal(twig), twig.line, "other")]
    condition, want, scope = place.guard
    once = (id(condition), place.via)
    if once in reading.demanded:
        return []
    reading.demanded.add(once)
    return demands(maker, condition, want, scope)


def _waited(maker: Maker, place: Place, tried: Twig) -> Assertion:
    sides = [gather(kid, {}, maker.tongue) for kid in tried.kids if "fail" not in kid.text[:24]]
    subjects = tuple(name for side in sides for name in side.subjects)
    literals = tuple(literal for side in sides for literal in side.literals)
    return Assertion(maker.grove.normal(tried), tried.line, "raises", subjects, literals, place.raises)


_Handler = Callable[[Teller, Reading, Step, frozenset[str]], list[Step]]
_HANDLERS: dict[str, _Handler] = {
    "block": _block,
    "if": _if,
    "switch": _switch,
    "loop": _loop,
    "assign": _assign,
    "lambda": _lambda,
    **dict.fromkeys(("call", "macro", "throw", "return", "assert", "try", "new", "defer"), _meaning),
}
