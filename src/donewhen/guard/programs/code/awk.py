"""awk programs: commands that they run, files that they read and write, what of the environment they print.

A scanner of tokens, not a parser: it looks at `system(…)`, pipes, redirections of `print` and `getline`, and
puts together the texts given there. A text that depends on the data is marked.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from donewhen.guard.call import Call, Nested, Text, Words
from donewhen.guard.effects import Connects, Effect, Reads, Reveals, Sends, Unknown, Writes
from donewhen.guard.marks import HOLE
from donewhen.guard.programs.code.scene import Scene, filtering
from donewhen.guard.programs.code.tokens import unescape
from donewhen.guard.programs.code.values import TooMuch, secret_name

_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|\\\n)|(?P<comment>#[^\n]*)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<name>@?[A-Za-z_]\w*)|(?P<number>[\d.]+)'
    r"|(?P<op>\|&|>>|\+\+|--|&&|\|\||[<>=!+*/%^-]=|.|\n)",
    re.DOTALL,
)
_STOPS = frozenset((";", "\n", "}", ")", "{", "|", "|&", ">", ">>", ",", ""))
_STEPS = 50_000
_INDEX = 20  # tokens of an index that are looked through
_OUTPUTS = frozenset(("/dev/stdout", "/dev/stderr", "/dev/stdin", "-"))


class _Token(NamedTuple):
    kind: str
    text: str


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        if text[at] == "/" and _may_be_pattern(found):
            at = _pattern(text, at + 1)
            found.append(_Token("pattern", ""))
            continue
        token = _TOKEN.match(text, at)
        if token is None:
            at += 1
            continue
        at = token.end()
        kind = token.lastgroup or ""
        if kind not in ("space", "comment"):
            body = token[0]
            found.append(_Token(kind, unescape(body[1:-1]) if kind == "text" else body))
    return found


def _may_be_pattern(found: list[_Token]) -> bool:
    if not found:
        return True
    last = found[-1]
    return last.kind == "op" and last.text not in (")", "]", "$", "++", "--")


def _pattern(text: str, at: int) -> int:
    inside = False
    while at < len(text) and text[at] != "\n" and (inside or text[at] != "/"):
        inside = {"[": True, "]": False}.get(text[at], inside)
        at += 2 if text[at] == "\\" else 1
    return at + 1


def awk(text: str, call: Call, variables: Mapping[str, str]) -> Iterator[Effect | Nested]:
    """What a program does besides printing to its output."""
    reading = _Reading(_tokens(text), call, dict(variables))
    reading.scene.filters = filtering(text)
    try:
        yield from reading.effects()
    except TooMuch:
        yield Unknown("guard.unknown_code", text[:200])


class _Reading:
    def __init__(self, tokens: list[_Token], call: Call, variables: dict[str, str]) -> None:
        self.tokens = tokens
        self.call = call
        self.scene = Scene(call, call.name)
        self.variables = variables
        self.printing = 0  # the depth of brackets at a print, plus one
        self.depth = 0
        self.steps = 0

    def look(self, at: int) -> _Token:
        return self.tokens[at] if 0 <= at < len(self.tokens) else _Token("op", "")

    def effects(self) -> Iterator[Effect | Nested]:
        for at, token in enumerate(self.tokens):
            if token.kind == "name":
                yield from self._name(at, token.text)
            elif token.kind == "op":
                yield from self._operator(at, token.text)

    def _name(self, at: int, name: str) -> Iterator[Effect | Nested]:
        if name in ("print", "printf"):
            self.printing = self.depth + 1
            yield from self._printed(at)
        elif name == "system" and self.look(at + 1).text == "(":
            yield from self._runs(self._expression(at + 2))
        elif name in ("@include", "include") and self.look(at + 1).kind == "text":
            yield Reads(self.call.at(self.look(at + 1).text))
        elif name in ("@load", "extension"):
            yield Unknown("guard.unknown_code", name)
        elif name.startswith("@") and self.look(at + 1).text == "(":
            yield from self._indirect(name[1:], at)
        elif name == "ARGV" and self.look(at + 1).text == "[":
            yield from self._argument(at)
        elif self.look(at + 1).text == "=" and self.look(at + 2).text != "=":
            self._set(name, self._expression(at + 2))

    def _indirect(self, name: str, at: int) -> Iterator[Effect | Nested]:
        """`@f(…)` calls the function whose name is in f."""
        if self.variables.get(name, HOLE) in ("system", HOLE):
            yield from self._runs(self._expression(at + 2))

    def _argument(self, at: int) -> Iterator[Effect | Nested]:
        """A file that the program puts among its operands."""
        end = min(at + _INDEX, len(self.tokens))
        while at < end and self.look(at).text != "]":
            at += 1
        if self.look(at + 1).text == "=":
            yield from self._file(self._expression(at + 2), False)

    def _set(self, name: str, value: str) -> None:
        known = self.variables.get(name)
        self.variables[name] = value if known is None or known == value else HOLE

    def _operator(self, at: int, text: str) -> Iterator[Effect | Nested]:
        if text in "([{":
            self.depth += text != "{"
        elif text in ")]":
            self.depth -= 1
        elif text in (";", "\n", "}"):
            self.printing = self.depth = 0
        elif text in (">", ">>") and self.printing == self.depth + 1:
            yield from self._file(self._expression(at + 1), True)
        elif text in ("|", "|&"):
            if self.look(at + 1).text == "getline":
                yield from self._runs(self._before(at))
            else:
                yield from self._fed(self._expression(at + 1), at)
        elif text == "<" and self._getline_before(at):
            yield from self._file(self._expression(at + 1), False)

    def _getline_before(self, at: int) -> bool:
        back = [self.look(at - 1), self.look(at - 2)]
        return any(token.text == "getline" for token in back)

    def _runs(self, text: str) -> Iterator[Effect | Nested]:
        if text.startswith("/inet"):
            yield from self._file(text, True)
        elif text.strip(HOLE):
            yield Text(text, self.call.name)
        else:
            yield Unknown("guard.unknown_text", "")

    def _fed(self, command: str, at: int) -> Iterator[Effect | Nested]:
        """A command that gets what is printed; words without a shell's signs are followed with their "
        "input."""
        start = at
        while start > 0 and self.look(start).text not in ("print", "printf", ";", "{", "}", "\n"):
            start -= 1
        plain = command.split()
        if not plain or any(sign in command for sign in "|;&<>()$`\"'\\*?~" + HOLE):
            yield from self._runs(command)
            return
        printed = self._expression(start + 1) if start + 1 < at else HOLE
        if self.look(start).text == "printf" and "%" in printed:
            printed = HOLE
        yield Words(tuple(plain), self.call.name, stdin=unescape(printed) or HOLE)

    def _file(self, path: str, writes: bool) -> Iterator[Effect | Nested]:
        if path.startswith("/inet"):
            host = (path.split("/") + [""] * 6)[4] or HOLE
            yield Connects(host)
            yield Sends(host, "data")
        elif path not in _OUTPUTS:
            yield (Writes if writes else Reads)(self.call.at(path))

    def _printed(self, at: int) -> Iterator[Effect]:
        """The environment among the things printed."""
        for position in range(at + 1, min(at + 60, len(self.tokens))):
            token = self.look(position)
            if token.text in (";", "\n", "}") and token.kind == "op":
                return
            if token.text == "ENVIRON" and self.look(position + 1).text == "[":
                key = self.look(position + 2)
                if key.kind != "text":
                    yield Reveals("filtered" if self.scene.filters else "environment")
                elif secret_name(key.text):
                    yield Reveals("variable", key.text)

    def _expression(self, at: int) -> str:
        """Texts and names side by side are joined; everything else is unknown."""
        parts: list[str] = []
        depth = 0
        while at < len(self.tokens) and len(parts) < 200:
            self.steps += 1
            if self.steps > _STEPS:
                raise TooMuch
            token = self.look(at)
            if token.kind == "op" and token.text in "(" and token.text:
                depth += 1
            elif token.kind == "op" and token.text == ")" and depth:
                depth -= 1
            elif token.kind == "op" and token.text in _STOPS and not (depth and token.text == ","):
                break
            else:
                at, part = self._part(at, token)
                parts.append(part)
            at += 1
        return "".join(parts)

    def _part(self, at: int, token: _Token) -> tuple[int, str]:
        if token.kind in ("text", "number"):
            return at, token.text
        if token.text == "ENVIRON" and self.look(at + 2).kind == "text":
            return at + 3, self.scene.variable(self.look(at + 2).text)
        if token.text == "$" and self.look(at + 1).kind in ("name", "number"):
            return at + 1, HOLE
        if token.kind == "name":
            return at, self.variables.get(token.text, HOLE)
        if token.text == "[":
            while at < len(self.tokens) and self.look(at).text != "]":
                at += 1
        return at, HOLE

    def _before(self, at: int) -> str:
        """The expression that ends before a token: back to where its statement begins."""
        start = at
        while start > 0 and not (
            self.look(start - 1).kind == "op" and self.look(start - 1).text in ";{}\n(,&&||!"
        ):
            start -= 1
        kept, self.tokens = self.tokens, self.tokens[:at]
        found = self._expression(start)
        self.tokens = kept
        return found
