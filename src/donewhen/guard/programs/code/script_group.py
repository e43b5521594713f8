"""A sequence of values in a script language, built up operand by operand: commas, operators, assignments.

It asks the reading for operands and never looks at tokens itself beyond the one it is given.
"""

from typing import NamedTuple, Protocol

from donewhen.guard.programs.code.script_tables import Tongue
from donewhen.guard.programs.code.tokens import Token
from donewhen.guard.programs.code.values import (
    UNKNOWN,
    Seq,
    Table,
    Value,
    alternatives,
    bounded,
    choice,
    tainted,
    text_of,
)


class Reading(Protocol):
    """The part of the reader of tokens that a group needs."""

    at: int
    names: dict[str, Value]
    tongue: Tongue

    def operand(self) -> "Part | None": ...

    def sequence(self, stops: frozenset[str], one_line: bool = False) -> list[Value]: ...

    def bind(self, name: str, value: Value) -> None: ...

    def loop(self) -> None: ...

    def look(self, ahead: int = 0) -> Token: ...


ENDS = frozenset("if unless while until for foreach and or do then end rescue of in".split())
_CONCAT = {"+": "+", ".": ".", "..": "..", "<<": "+"}
_EITHER = frozenset(("?", ":", "||", "??", "or", "&&", "and"))
_ASSIGN = frozenset(("=", ":=", "<-", "||=", "//=", "??="))


class Part(NamedTuple):
    """An operand, and the name that it was read from (for an assignment to it)."""

    value: Value
    name: str = ""


class Group:
    """The values of a sequence as they are built up, operand by operand."""

    def __init__(self, reading: Reading, inside: bool) -> None:
        self.reading = reading
        self.inside = inside  # the brackets of a call
        self.values: list[Value] = []
        self.part: Part | None = None
        self.operator = ""
        self.key = ""

    def take(self, token: Token) -> None:
        if token.kind == "line" or (token.kind == "op" and token.text in ",;"):
            self.reading.at += 1
            if token.text == ",":
                self.close()
            elif token.text == ";":
                self.close()
                self.values = self.values[-1:]
        elif token.kind == "op" and token.text not in ("(", "[", "{"):
            self.reading.at += 1
            self._operate(token.text)
        elif token.kind == "name" and token.text in (
            "or",
            "and",
            "if",
            "unless",
            "while",
            "for",
            "of",
            "in",
            "until",
            "foreach",
            "as",
        ):
            self.reading.at += 1
            self._loops(token.text)
        else:
            self._operand()

    def _loops(self, word: str) -> None:
        if word in ("for", "foreach"):
            self.close()
            self.reading.loop()
            return
        if word == "as":
            self._each()
            return
        if word in ("of", "in") and self.part is not None and self.part.name:
            name = self.part.name
            part = self.reading.operand()
            value = part.value if part is not None else UNKNOWN
            found = choice(value.items) if isinstance(value, Seq) and value.items else tainted((value,))
            self.reading.names[name] = found
        self.close()
        self.operator = ""

    def _each(self) -> None:
        """PHP: `foreach (values as $key => $value)`."""
        value = self.part.value if self.part is not None else UNKNOWN
        found = choice(value.items) if isinstance(value, Seq) and value.items else tainted((value,))
        ahead = 2 if self.reading.look(1).text == "=>" else 0
        self.reading.names[self.reading.look(ahead).text] = found

    def _operate(self, text: str) -> None:
        if text == "=" and "=" in self.reading.tongue.named and self.inside and self.part is not None:
            self.key, self.part = self.part.name, None
        elif text in _ASSIGN and self.part is not None and self.part.name:
            self._assign("")
        elif text in ("+=", ".=") and self.part is not None and self.part.name:
            self._assign(text)
        elif text == "=>" and self.reading.tongue.name == "perl":
            self.close()
        elif text == "=>" and self.reading.tongue.name == "javascript":
            self.part, self.operator = None, ""
        elif text in self.reading.tongue.named and self.part is not None and self.part.name:
            self.key, self.part = self.part.name, None
        elif text == "-" and self.part is None:
            self.operator = "minus"
        else:
            self.operator = _CONCAT.get(text, "either" if text in _EITHER else "mixed" if self.part else "")

    def _assign(self, operator: str) -> None:
        """The name before it gets what follows, up to the statement's end."""
        reading, part = self.reading, self.part
        if part is None:
            return
        stops = frozenset((";", ",")) if part.name[:1] not in "@(" else frozenset((";",))
        values = reading.sequence(stops, one_line=True)
        value: Value = values[0] if len(values) == 1 else Seq(tuple(values))
        if operator:
            value = bounded(text_of(part.value) + text_of(value))
            reading.names[part.name] = value
        else:
            reading.bind(part.name, value)
        self.part = Part(value)

    def _operand(self) -> None:
        part = self.reading.operand()
        if part is None:
            return
        if self.operator == "minus":
            part = Part(-part.value if isinstance(part.value, int) else part.value)
        elif self.part is not None and self.operator:
            part = Part(_combined(self.part.value, self.operator, part.value))
        self.part, self.operator = part, ""

    def close(self) -> None:
        if self.part is not None:
            value = self.part.value
            self.values.append(Table(((self.key, value),)) if self.key else value)
        self.part, self.operator, self.key = None, "", ""


def _combined(left: Value, operator: str, right: Value) -> Value:
    if operator in ("+", ".", ".."):
        if isinstance(left, int) and isinstance(right, int) and operator == "+":
            return left + right
        if isinstance(left, Seq) and isinstance(right, Seq):
            return Seq(left.items + right.items)
        found = [bounded(text_of(a) + text_of(b)) for a in alternatives(left) for b in alternatives(right)]
        return choice(found)
    return choice((left, right)) if operator == "either" else tainted((left, right))


def ends_line(token: Token, group: Group) -> bool:
    """Does a statement without brackets end here?"""
    if token.kind == "line":
        return group.part is not None and not group.operator
    if token.kind == "op":
        return token.text == ";"
    return token.kind == "name" and token.text in ENDS and group.part is not None
