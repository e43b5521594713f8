"""Functions that JavaScript code gives names to: read where they are called, with what they are given.

A function that is never called, is handed on as a value, or calls itself for anything but a place further
below, is read once more with parameters that may be anything.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol

from donewhen.guard.marks import anything
from donewhen.guard.programs.code.tokens import Token
from donewhen.guard.programs.code.values import UNKNOWN, Ref, Value, tainted, text_of

_DEEPEST = 6
_MOST = 60  # functions; the code of more is read where it stands
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class Own(NamedTuple):
    parameters: tuple[str, ...]
    body: tuple[Token, ...]
    length: int  # tokens of the whole definition
    short: bool = False  # its body is one expression, which is what it returns


class Reading(Protocol):
    names: dict[str, Value]
    tokens: list[Token]
    at: int
    depth: int

    def sequence(self, stops: frozenset[str], one_line: bool = False) -> list[Value]: ...


class Functions:
    """Those of one piece of code."""

    def __init__(self) -> None:
        self.named: dict[str, Own] = {}
        self.starts: dict[int, int] = {}  # a definition's first token, by its identity, and its length
        self._kept: list[list[Token]] = []  # so that no identity is used twice
        self._open: set[str] = set()  # to be read with anything
        self._inside: list[tuple[str, str]] = []
        self._noted = 0

    def note(self, tokens: list[Token]) -> None:
        """The definitions among the tokens."""
        self._kept.append(tokens)
        fresh: dict[str, int] = {}
        for at, token in enumerate(tokens):
            more = token.kind == "name" and self._noted < _MOST
            found = _defined(tokens, at) if more else None
            if found is not None:
                self._noted += 1
                name, own = found
                if name in self.named:  # which of the two is meant is not known
                    self._open.add(f"={name}")
                    continue
                self.named[name] = own
                self.starts[id(token)] = own.length
                self._open.add(name)
                fresh[name] = at
        for at, token in enumerate(tokens):
            if token.kind == "name" and token.text in fresh and not _defines_or_calls(tokens, at, fresh):
                self._open.add(f"={token.text}")

    def enter(self, reading: Reading, name: str, values: Sequence[Value]) -> Value:
        given = text_of(values[0]) if values else ""
        before = next((outer for inside, outer in self._inside if inside == name), None)
        if before is not None or len(self._inside) > _DEEPEST:
            if before is None or not _descends(before, given):
                self._open.add(f"={name}")
            return tainted(values)
        self._open.discard(name)
        self._inside.append((name, given))
        result = self._read(reading, self.named[name], values)
        self._inside.pop()
        known = self.named[name].short or isinstance(result, Ref)
        return result if known else tainted((*values, result))

    def rest(self, reading: Reading) -> None:
        """What is left to be read with anything."""
        for _ in range(4):
            left, self._open = sorted(self._open), set()
            for name in left:
                self._read(reading, self.named[name.lstrip("=")], ())

    def _read(self, reading: Reading, own: Own, values: Sequence[Value]) -> Value:
        result: list[Value] = []
        outside = {name: reading.names.get(name) for name in own.parameters}
        for name, value in zip_longest(own.parameters, values[: len(own.parameters)], fillvalue=UNKNOWN):
            reading.names[str(name)] = value
        tokens, at = reading.tokens, reading.at
        reading.tokens, reading.at = list(own.body), 0
        reading.depth += 2
        while reading.at < len(reading.tokens):
            result = reading.sequence(frozenset()) or result
            reading.at += 1
        reading.depth -= 2
        reading.tokens, reading.at = tokens, at
        for name, former in outside.items():
            if former is None:
                reading.names.pop(name, None)
            else:
                reading.names[name] = former
        return result[-1] if result else UNKNOWN


def _descends(outer: str, inner: str) -> bool:
    return inner.startswith(f"{outer}/") and ".." not in inner[len(outer) :] and not anything(outer)


def _defines_or_calls(tokens: list[Token], at: int, fresh: dict[str, int]) -> bool:
    start = fresh[tokens[at].text]
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    return at in (start, start + 1) or after == "(" or (at > 0 and tokens[at - 1].text in (".", "?."))


def _defined(tokens: list[Token], at: int) -> tuple[str, Own] | None:
    """The function that is defined from here on, by `function name(…) {…}` or `name = (…) => …`."""
    if at and tokens[at - 1].text in (".", "?."):
        return None
    if tokens[at].text == "function":
        name, place = _text(tokens, at + 1, "name"), at + 2
    elif _text(tokens, at + 1) == "=":
        name, place = tokens[at].text, at + 2
        place += _text(tokens, place) == "async"
    else:
        return None
    parameters, place = _parameters(tokens, place)
    if not name or parameters is None:
        return None
    if tokens[at].text != "function":
        if _text(tokens, place) != "=>":
            return None
        place += 1
    while place < len(tokens) and tokens[place].kind == "line":
        place += 1
    if _text(tokens, place) == "{":
        end = _end(tokens, place + 1)
        return name, Own(parameters, tuple(tokens[place + 1 : end]), end + 1 - at)
    if tokens[at].text == "function":
        return None
    end = _end(tokens, place, short=True)
    return name, Own(parameters, tuple(tokens[place:end]), end - at, short=True)


def _text(tokens: list[Token], at: int, kind: str = "") -> str:
    if at >= len(tokens) or tokens[at].kind == "text" or (kind and tokens[at].kind != kind):
        return ""
    return tokens[at].text


def _parameters(tokens: list[Token], at: int) -> tuple[tuple[str, ...] | None, int]:
    """Plain names in brackets, or one without; None for anything finer."""
    if at < len(tokens) and tokens[at].kind == "name" and _text(tokens, at + 1) == "=>":
        return (tokens[at].text,), at + 1
    if _text(tokens, at) != "(":
        return None, at
    names: list[str] = []
    for place in range(at + 1, len(tokens)):
        if _text(tokens, place) == ")":
            return tuple(names), place + 1
        if tokens[place].kind == "name":
            names.append(tokens[place].text)
        elif _text(tokens, place) != ",":
            return None, at
    return None, at


def _end(tokens: list[Token], at: int, short: bool = False) -> int:
    """Where the bracket closes that was opened before, or a statement of its own ends."""
    depth = 0
    for place in range(at, len(tokens)):
        text = _text(tokens, place)
        if short and not depth and (text in (";", ",") or tokens[place].kind == "line"):
            return place
        if text in _OPENING and tokens[place].kind == "op":
            depth += 1
        elif text in _CLOSING and tokens[place].kind == "op":
            depth -= 1
            if depth < 0:
                return place
    return len(tokens)
