"""Values of code that is read but never run: what an expression would be, as far as its text tells.

Texts may hold marks, so that the unknown and its origin (network, secret, environment) travel through joining
and formatting. Nothing here runs the code or touches the machine, and no value grows beyond a bound.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donewhen.guard.marks import ENVIRONMENT, HOLE, NETWORK, SECRET, STAR, certain

Value = object
LIMIT = 65_536  # characters of one text
ENVIRONMENTS = frozenset(("os.environ", "process.env", "ENV", "$_ENV", "$_SERVER", "Deno.env", "Bun.env"))
ORIGINS = (NETWORK, SECRET, ENVIRONMENT)
_SECRET_PARTS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "API_KEY", "APIKEY", "ACCESS_KEY",
"PRIVATE_KEY",
                 "CREDENTIAL", "_KEY", "_PWD", "_PASS", "_DSN", "DATABASE_URL")  # fmt: skip


class TooMuch(Exception):
    """The code is larger or deeper than is worth reading."""


class Ref(NamedTuple):
    """Something of a library, by its full name: `os.system`, `child_process.exec`."""

    name: str


class Member(NamedTuple):
    """A member of a value, not yet called."""

    of: Value
    name: str


class Seq(NamedTuple):
    items: tuple[Value, ...]


class Table(NamedTuple):
    items: tuple[tuple[str, Value], ...]

    def get(self, key: str) -> Value:
        return next((value for name, value in reversed(self.items) if name == key), UNKNOWN)


class PathText(NamedTuple):
    """A path object; its text may hold marks."""

    text: str


class Opened(NamedTuple):
    """A file opened for writing."""

    path: str


class Choice(NamedTuple):
    """One of several values: branches that were taken apart."""

    values: tuple[Value, ...]


class Number(NamedTuple):
    """A number that is not known."""

    of: str = ""


class Unsure(NamedTuple):
    """Any value at all."""

    opaque: bool = False  # it was hidden on purpose: a computed name, a loaded library
    again: bool = False  # what a function gets from itself, further below the same path


UNKNOWN = Unsure()
OPAQUE = Unsure(opaque=True)
AGAIN = Unsure(again=True)
NUMBER = Number()


def text_of(value: Value) -> str:
    """As a marked text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, PathText | Opened):
        return value.text if isinstance(value, PathText) else value.path
    if isinstance(value, Number):
        return STAR
    return origin(value) or HOLE


def origin(value: Value) -> str:
    """The marks of origin that a value holds anywhere; what is held many times is looked at once."""
    if isinstance(value, str):
        return "".join(mark for mark in ORIGINS if mark in value)
    found: set[str] = set()
    seen: set[int] = set()
    left: list[Value] = [value]
    while left and len(seen) < _MOST:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, PathText):
            one = one.text
        if isinstance(one, str):
            found.update(mark for mark in ORIGINS if mark in one)
        elif isinstance(one, Ref):
            found.update(ENVIRONMENT if one.name in ENVIRONMENTS else ())
        else:
            left += _parts(one)
    return "".join(mark for mark in ORIGINS if mark in found)


_MOST = 4_000  # values that are looked at


def _parts(value: Value) -> Iterable[Value]:
    if isinstance(value, Seq):
        return value.items
    if isinstance(value, Table):
        return [item for _, item in value.items]
    if isinstance(value, Choice):
        return value.values
    return (value.of,) if isinstance(value, Member) else ()


def tainted(values: Iterable[Value]) -> Value:
    """What an unknown function makes of values: unknown, but of the same origin."""
    found = origin(Seq(tuple(values)))
    return found if found else UNKNOWN


def alternatives(value: Value) -> tuple[Value, ...]:
    return value.values if isinstance(value, Choice) else (value,)


def choice(values: Iterable[Value]) -> Value:
    """The values without repetition; too many are unknown."""
    found: list[Value] = []
    for value in values:
        for one in alternatives(value):
            if not any(type(one) is type(other) and one == other for other in found):
                found.append(one)
        if len(found) > 8:
            return UNKNOWN
    return found[0] if len(found) == 1 else Choice(tuple(found)) if found else UNKNOWN


def either(values: Sequence[Value]) -> Value:
    """As `choice`; of a list that took more in one branch only the longer one is kept when it began empty,
    and all that it may hold when there are many."""
    found = [one for value in values for one in alternatives(value)]
    if not found or not all(isinstance(one, Seq) for one in found):
        return choice(values)
    lists = [one for one in found if isinstance(one, Seq) and one.items]
    return choice(lists or found[:1]) if len(lists) <= 4 else iterated(Choice(tuple(lists)))


def iterated(value: Value) -> Value:
    """What a loop over one of several lists may meet: whatever any of them holds."""
    if not isinstance(value, Choice) or not all(isinstance(one, Seq) for one in value.values):
        return value
    held: dict[object, Value] = {}  # large values by identity: they may hold each other many times over
    for one in value.values:
        for item in one.items if isinstance(one, Seq) else ():
            held[item if isinstance(item, str | PathText) else id(item)] = item
    return Seq(tuple(held.values())[:4096])


def bounded(text: str) -> Value:
    return text if len(text) <= LIMIT else tainted((text[:LIMIT],))


def items_of(value: Value) -> tuple[Value, ...] | None:
    """What a loop over the value would meet, in order; None when that is not known."""
    if isinstance(value, Seq):
        return value.items
    if isinstance(value, Table):
        return tuple(name for name, _ in value.items)
    if isinstance(value, str) and certain(value):
        return tuple(value) if len(value) <= 4096 else None
    if isinstance(value, bytes):
        return tuple(value) if len(value) <= 4096 else None
    return None


def secret_name(name: str) -> bool:
    """Does a variable's name say that its value is a credential?"""
    upper = name.upper()
    return any(part in upper for part in _SECRET_PARTS)
