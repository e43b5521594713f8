"""Makefiles given in the line: their recipes are shell texts, and so is what `$(shell …)` and `!=` run.

Only simple variables are followed. Conditions are not decided: every recipe may run.
"""

import re
from collections.abc import Iterator

from donewhen.guard.call import Call, Nested, Text
from donewhen.guard.effects import Effect, Reads, Reveals
from donewhen.guard.marks import HOLE
from donewhen.guard.programs.deeds import secret_name

_ASSIGN = re.compile(
    r"^[ ]*(?:export\s+|override\s+)*([\w.-]+)[ \t]*(:{0,3}=|\?=|\+=|!=)[ \t]*(.*)$", re.DOTALL
)
_RULE = re.compile(r"^([^\t#=:][^=:]*):{1,2}(?!=)([^;]*)(?:;(.*))?$", re.DOTALL)
_INCLUDE = re.compile(r"^[ ]*[-s]?include\s+(.*)$")
_DEEP = 6
_SHOWN = re.compile(r"\$\{\w+\}")


def make(text: str, call: Call) -> Iterator[Effect | Nested]:
    """What the text of a makefile would run."""
    yield from _Makefile(call).lines(text.replace("\\\n", "\\\0x").split("\n"))


def expanded(value: str, call: Call) -> Iterator[Effect | Nested]:
    """What a variable's value, given on the command line, runs when it is expanded."""
    makefile = _Makefile(call)
    makefile.expand(value)
    yield from makefile.ran


class _Makefile:
    def __init__(self, call: Call) -> None:
        self.call = call
        self.variables: dict[str, str] = {"CURDIR": call.folder, "HOME": call.ground.home, "MAKE": "make"}
        self.ran: list[Effect | Nested] = []
        self.prefix = "\t"
        self.steps = 0

    def lines(self, lines: list[str]) -> Iterator[Effect | Nested]:
        for line in lines:
            self._line(line.replace("\\\0x", "\\\n"))
        yield from self.ran

    def _line(self, line: str) -> None:
        if line.startswith(self.prefix):
            self._recipe(line[1:])
            return
        assign = _ASSIGN.match(line.replace("\\\n", " "))
        if assign is not None:
            self._assign(assign[1], assign[2], assign[3])
            return
        include = _INCLUDE.match(line)
        if include is not None:
            self.ran += [Reads(self.call.at(path)) for path in self.expand(include[1]).split()]
            return
        rule = _RULE.match(line)
        if rule is not None:
            self._rule(self.expand(rule[1]).split(), self.expand(rule[2]).split())
            if rule[3]:
                self._recipe(rule[3])
        else:
            self.expand(line)

    def _assign(self, name: str, operator: str, value: str) -> None:
        if name == ".RECIPEPREFIX":
            self.prefix = value[:1] or "\t"
        elif operator == "!=":
            self.ran.append(Text(self.expand(value), self.call.name))
            self.variables[name] = HOLE
        elif operator == "+=":
            self.variables[name] = f"{self.variables.get(name, '')} {value}"[:8192]
        elif operator == "?=" and name in self.call.env:
            self.variables[name] = self.call.env[name]
        else:
            self.variables[name], made = value, self.expand(value)
            if operator != "=":
                self.variables[name] = made.replace("$", "$$")

    def _rule(self, targets: list[str], needs: list[str]) -> None:
        self.variables["@"] = targets[0] if len(targets) == 1 else HOLE
        self.variables["<"] = needs[0] if needs else ""
        self.variables["^"] = " ".join(needs)
        self.variables["*"] = HOLE

    def _recipe(self, line: str) -> None:
        text = self.expand(line.lstrip(" \t")).lstrip("@-+ \t")
        if text:
            self.ran.append(Text(text, self.call.name))

    def expand(self, text: str, depth: int = 0) -> str:
        """The text with its variables filled in; commands met on the way are noted."""
        out: list[str] = []
        at = 0
        while at < len(text):
            self.steps += 1
            if self.steps > 100_000:
                return HOLE
            dollar = text.find("$", at)
            if dollar < 0 or dollar + 1 >= len(text):
                out.append(text[at:])
                break
            out.append(text[at:dollar])
            part, at = self._reference(text, dollar + 1, depth)
            out.append(part)
        return "".join(out)[:65_536]

    def _reference(self, text: str, at: int, depth: int) -> tuple[str, int]:
        letter = text[at]
        if letter == "$":
            return "$", at + 1
        if letter not in "({":
            return self.variables.get(letter, HOLE), at + 1
        end = _closing(text, at)
        return (self._value(text[at + 1 : end], depth) if depth < _DEEP else HOLE), end + 1

    def _value(self, inner: str, depth: int) -> str:
        function, blank, rest = inner.partition(" ")
        if function == "shell" and blank:
            self.ran.append(Text(self.expand(rest, depth + 1), self.call.name))
            return HOLE
        if (
            function in ("eval", "info", "warning", "error", "call", "if", "foreach", "file", "or", "and")
            and blank
        ):
            made = self.expand(rest, depth + 1)
            if function in ("info", "warning", "error") and _SHOWN.search(made):
                self.ran.append(Reveals("variable", inner[:80]))
            if function == "eval":
                for line in made.split("\n"):
                    self._line(line)
            return HOLE
        name = self.expand(inner, depth + 1) if "$" in inner else inner
        value = self.variables.get(name, self.call.env.get(name))
        if value is None and secret_name(name) and name.isidentifier():
            return f"${{{name}}}"  # as the shell of a recipe would fill it in
        return HOLE if value is None else self.expand(value, depth + 1) if "$" in value else value


def _closing(text: str, at: int) -> int:
    opening, depth = text[at], 0
    closing = ")" if opening == "(" else "}"
    for position in range(at, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == closing:
            depth -= 1
            if not depth:
                return position
    return len(text)
