"""Names that JavaScript code takes out of libraries: `const {a: b} = …`, `import {a as b} from "…"`."""

from collections.abc import Sequence
from typing import Protocol

from donewhen.guard.programs.code.scene import Scene
from donewhen.guard.programs.code.script_calls import member_of, name_of
from donewhen.guard.programs.code.script_tables import Tongue
from donewhen.guard.programs.code.tokens import Token
from donewhen.guard.programs.code.values import UNKNOWN, Value


class Reading(Protocol):
    """The part of the reader of tokens that is needed here."""

    scene: Scene
    tongue: Tongue
    names: dict[str, Value]
    tokens: list[Token]
    at: int

    def look(self, ahead: int = 0) -> Token: ...

    def is_op(self, *texts: str) -> bool: ...

    def sequence(self, stops: frozenset[str], one_line: bool = False) -> list[Value]: ...


def unpack(reading: Reading) -> None:
    """`const {a, b: c} = value`."""
    if not reading.is_op("{"):
        return
    pairs = _names_in_braces(reading)
    if reading.is_op("="):
        reading.at += 1
        values = reading.sequence(frozenset((";",)), one_line=True)
        _bind_members(reading, pairs, values[0] if values else UNKNOWN)


def _names_in_braces(reading: Reading) -> list[tuple[str, str]]:
    reading.at += 1
    pairs: list[tuple[str, str]] = []
    while reading.at < len(reading.tokens) and not reading.is_op("}"):
        token = reading.look()
        reading.at += 1
        if token.kind == "name" and reading.look().text in (":", "as") and reading.look(1).kind == "name":
            pairs.append((token.text, reading.look(1).text))
            reading.at += 2
        elif token.kind in ("name", "text"):
            pairs.append((token.text, token.text))
    reading.at += 1
    return pairs


def _bind_members(reading: Reading, pairs: Sequence[tuple[str, str]], of: Value) -> None:
    for name, alias in pairs:
        reading.names[alias] = member_of(reading.scene, reading.tongue, of, name)


def promised(reading: Reading, library: Value) -> None:
    """`import("m").then(({a}) => …)`: the names that the function takes; nothing is consumed."""
    start = reading.at
    while reading.look().text in ("(", "async", "function") and reading.look().kind != "text":
        reading.at += 1
    if reading.is_op("{"):
        _bind_members(reading, _names_in_braces(reading), library)
    elif reading.look().kind == "name":
        reading.names[reading.look().text] = library
    reading.at = start


def imports(reading: Reading) -> None:
    """`import x, {a as b} from 'm'`, `import * as x from 'm'`."""
    pairs: list[tuple[str, str]] = []
    whole: list[str] = []
    while reading.at < len(reading.tokens) and reading.look().kind != "text":
        if reading.is_op("{"):
            pairs += _names_in_braces(reading)
            continue
        token = reading.look()
        reading.at += 1
        if token.kind == "name" and token.text not in ("as", "from"):
            whole.append(token.text)
    library = name_of(reading.scene, reading.tongue, reading.look().text.removeprefix("node:"))
    reading.at += 1
    for name in whole:
        reading.names[name] = library
    _bind_members(reading, pairs, library)
