"""Tokens of script languages that look like C: JavaScript, Perl, Ruby, PHP, Lua, R, Groovy.

One scanner with a row of facts for each language. It is tolerant: what it does not know is an operator of one
character, a string without end goes to the end. It never looks back, so its work grows with the text alone.
"""

import re
from typing import NamedTuple

from donewhen.guard.marks import HOLE


class Syntax(NamedTuple):
    comments: tuple[str, ...] = ("//",)  # to the end of the line
    block: tuple[str, str] | None = ("/*", "*/")
    live: str = '"`'  # quotes in which expressions are filled in
    fill: tuple[str, ...] = ()  # how such an expression begins: "${" and "#{" with a brace, "$" a variable
    backtick_runs: bool = False
    sigils: str = ""  # a name may begin with one of them
    percent: bool = False  # ruby's %x{…}
    perlish: bool = False  # q qq qw qx m s tr y qr
    regex: bool = True
    long_brackets: bool = False  # lua's [[…]]
    heredocs: bool = False
    lines: bool = True  # a line's end ends a statement
    scope: bool = False  # `::` belongs to a name
    loud: bool = False  # `read!` is `read` that fails loudly


class Token(NamedTuple):
    kind: str  # name, text, shell, number, op, line, code (an expression inside a substitution)
    text: str
    parts: tuple[tuple[bool, str], ...] = ()  # of a live text: (is an expression, text)


_NAME = re.compile(r"[A-Za-z_\x80-\U0010ffff][\w]*[?!]?")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|0[oO]?[0-7]+\b|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_OPS = re.compile(
    r"\.\.\.|=>|->|::|\?\.|\*\*=|<=>|===|!==|==|!=|<=|>=|=~|!~|\|\|=|&&=|\?\?=|\+=|-=|\.=|\.\.=?|&&|\|\||\?\?|"
    r"\+\+|--|<<|<-|>>|:="
)
_HEREDOC = re.compile(r"<<<?[~-]?(?:'(\w{1,40})'|\"?([A-Z_]\w{0,40})\"?)")
_CLOSE = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "", "a": "", "b": "", "f": "", "v": "", "e": "\x1b"}
_ESCAPED = re.compile(
    r"\\(?:x\{?([0-9a-fA-F]{1,6})\}?|u\{?([0-9a-fA-F]{1,6})\}?|([0-7]{2,3})|(\n)|(.))", re.DOTALL
)
_VARIABLE = re.compile(
    r"\$(\{\^?\w+\}|\w+)((?:->)?(?:\[[^\[\]{}]{0,80}\]|\{[^\[\]{}]{0,80}\}))?|@(\w+|\{\w+\})|\{(\$[^{}]{1,200})\}"
)
_AFTER_VALUE = frozenset((")", "]", "}"))
_BEFORE_REGEX = frozenset(
    "return and or not if unless while until when split grep map puts print in case typeof".split()
)


def unescape(text: str) -> str:
    """A string's body with its escapes resolved."""
    if "\\" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        if code or found[3]:
            number = int(code, 16) if code else int(found[3], 8)
            return chr(number) if 6 < number < 0x110000 else HOLE
        return "" if found[4] else _ESCAPES.get(found[5], found[5])

    return _ESCAPED.sub(one, text)


class Scanner:
    def __init__(self, text: str, syntax: Syntax) -> None:
        self.text = text
        self.syntax = syntax
        self.at = 0
        self.found: list[Token] = []
        self.searches = 0
        self.skips: dict[int, int] = {}  # where a here-document's body begins: where it ends

    def tokens(self) -> list[Token]:
        text, size = self.text, len(self.text)
        while self.at < size:
            letter = text[self.at]
            if letter == "\n":
                self.at = self.skips.get(self.at + 1, self.at + 1)
                if self.syntax.lines:
                    self.found.append(Token("line", "\n"))
            elif letter in " \t\r":
                self.at += 1
            elif not (self._comment() or self._quoted(letter) or self._special(letter) or self._word(letter)):
                self._operator(letter)
        return self.found

    def _comment(self) -> bool:
        syntax, at = self.syntax, self.at
        for mark in syntax.comments:
            if self.text.startswith(mark, at) and not (
                syntax.long_brackets and self.text.startswith("--[[", at)
            ):
                if mark == "#" and self.found and self.found[-1].text == "$":
                    return False
                end = self.text.find("\n", at)
                self.at = len(self.text) if end < 0 else end
                return True
        block = ("--[[", "]]") if syntax.long_brackets else syntax.block
        if block and self.text.startswith(block[0], at):
            end = self.text.find(block[1], at + len(block[0]))
            self.at = len(self.text) if end < 0 else end + len(block[1])
            return True
        return False

    def _until(self, start: int, opening: str, closing: str) -> int:
        """Where the text that begins at `start` ends; nested when its brackets differ."""
        depth, at, text = 1, start, self.text
        while at < len(text):
            letter = text[at]
            if letter == "\\":
                at += 1
            elif letter == closing:
                depth -= 1
                if not depth:
                    return at
            elif letter == opening:
                depth += 1
            at += 1
        return len(text)

    def _quoted(self, letter: str) -> bool:
        if letter not in "'\"`":
            return self._long(letter)
        end = (
            self._template(self.at + 1)
            if letter == "`" and "${" in self.syntax.fill
            else self._until(self.at + 1, "", letter)
        )
        body = self.text[self.at + 1 : end]
        self.at = end + 1
        if letter == "`" and self.syntax.backtick_runs:
            self._text(body, "shell", True)
        elif letter == "'" and "'" not in self.syntax.live:
            self.found.append(
                Token(
                    "text",
                    body.replace("\\'", "'").replace("\\\\", "\\") if self.syntax.fill else unescape(body),
                )
            )
        else:
            self._text(body, "text", True)
        return True

    def _template(self, at: int) -> int:
        """The end of a template literal, which may hold others inside its expressions."""
        depth, text = 0, self.text
        while at < len(text):
            letter = text[at]
            if letter == "\\":
                at += 1
            elif letter == "$" and text.startswith("{", at + 1):
                depth += 1
                at += 1
            elif depth and letter in "{}":
                depth += 1 if letter == "{" else -1
            elif letter == "`" and not depth:
                return at
            at += 1
        return len(text)

    def _long(self, letter: str) -> bool:
        if letter == "[" and self.syntax.long_brackets and self.text.startswith("[[", self.at):
            end = self.text.find("]]", self.at)
            end = len(self.text) if end < 0 else end
            self.found.append(Token("text", self.text[self.at + 2 : end]))
            self.at = end + 2
            return True
        return letter == "<" and self.syntax.heredocs and self._heredoc()

    def _heredoc(self) -> bool:
        found = _HEREDOC.match(self.text, self.at)
        if found is None or self.searches > 20:  # each search runs through the rest of the text
            return False
        self.searches += 1
        word = found[1] or found[2]
        line = self.text.find("\n", found.end())
        if line < 0:
            return False
        start = self.skips.get(line + 1, line + 1)
        end = re.compile(rf"^[ \t]*{word};?[ \t]*$", re.MULTILINE).search(self.text, start)
        if end is None:
            return False
        self.skips[line + 1] = min(end.end() + 1, len(self.text))
        self.at = found.end()
        body = self.text[start : end.start()]
        if found[1]:
            self.found.append(Token("text", body))
        else:
            self._text(body, "text", True)
        return True

    def _text(self, body: str, kind: str, live: bool) -> None:
        parts = self._fill(body) if live and self.syntax.fill else ((False, unescape(body)),)
        plain = len(parts) == 1 and not parts[0][0]
        self.found.append(Token(kind, parts[0][1] if plain else "", () if plain else parts))

    def _fill(self, body: str) -> tuple[tuple[bool, str], ...]:
        """A live text as literal stretches and expressions."""
        parts: list[tuple[bool, str]] = []
        start = at = 0
        while at < len(body):
            end, source = self._expression(body, at)
            if end > at and source:
                parts += [(False, unescape(body[start:at])), (True, source)]
                start = at = end
            else:
                at += 2 if body[at] == "\\" else 1
        return tuple(part for part in (*parts, (False, unescape(body[start:]))) if part[0] or part[1]) or (
            (False, ""),
        )

    def _expression(self, body: str, at: int) -> tuple[int, str]:
        letter = body[at]
        for begin in self.syntax.fill:
            if len(begin) == 2 and body.startswith(begin, at):
                inner = Scanner(body, self.syntax)
                end = inner._until(at + 2, "{", "}")
                return end + 1, body[at + 2 : end]
        if "$" in self.syntax.fill and letter in "$@{":
            found = _VARIABLE.match(body, at)
            if found is not None:
                name = found[4] or "$" + (found[1] or found[3] or "").strip("{}")
                return found.end(), name + (found[2] or "")
        return at, ""

    def _special(self, letter: str) -> bool:
        """Quoting by letters (perl, ruby) and regular expressions."""
        if self.syntax.perlish and letter in "qmsty" and self._perl():
            return True
        if self.syntax.percent and letter == "%" and self._quotes() and self._percent():
            return True
        if letter == "/" and self.syntax.regex and not self._value_before():
            self._regex(self.at)
            return True
        return False

    def _quotes(self) -> bool:
        """Is a `%` the begin of a literal? After a name it is when only the literal is attached to it."""
        if not self._value_before():
            return True
        return self.found[-1].kind == "name" and _ATTACHED.match(self.text, self.at - 1) is not None

    def _value_before(self) -> bool:
        if not self.found:
            return False
        last = self.found[-1]
        if last.kind == "op":
            return last.text in _AFTER_VALUE
        return last.kind in ("text", "number", "shell") or (
            last.kind == "name" and last.text not in _BEFORE_REGEX
        )

    def _regex(self, at: int) -> None:
        end, text = at + 1, self.text
        inside = False
        while end < len(text) and text[end] != "\n" and (text[end] != "/" or inside):
            inside = {"[": True, "]": False}.get(text[end], inside)
            end += 2 if text[end] == "\\" else 1
        self._pattern(text[at + 1 : end])
        self.at = end + 1
        while self.at < len(text) and text[self.at].isalpha():
            self.at += 1

    def _pattern(self, body: str) -> None:
        """A regular expression; perl's may hold code."""
        if self.syntax.perlish:
            for found in _PERL_CODE.finditer(body):
                self.found += (Token("code", found[1]), Token("op", ";"))
        self.found.append(Token("text", HOLE))

    def _perl(self) -> bool:
        found = _PERL_QUOTE.match(self.text, self.at)
        if found is None or (
            self.found and self.found[-1].text in ("->", "{", "sub", "::") and self.found[-1].kind != "text"
        ):
            return False
        word, mark = found[1], found[2]
        start = found.end()
        closing = _CLOSE.get(mark, mark)
        opening = mark if mark in _CLOSE else ""
        end = self._until(start, opening, closing)
        body = self.text[start:end]
        self.at = end + 1
        if word in ("s", "tr", "y"):
            self._replacement(word, opening, closing)
        elif word in ("m", "qr"):
            self._flags()
            self._pattern(body)
        elif word == "qw":
            self.found += [
                Token("op", "("),
                *[t for w in body.split() for t in (Token("text", w), Token("op", ","))],
                Token("op", ")"),
            ]
        elif word == "q":
            self.found.append(Token("text", body))
        else:
            self._text(body, "shell" if word == "qx" else "text", mark != "'")
        return True

    def _replacement(self, word: str, opening: str, closing: str) -> None:
        start = self.at
        if opening:
            while start < len(self.text) and self.text[start] in " \t\n":
                start += 1
            opening = self.text[start : start + 1]
            closing = _CLOSE.get(opening, opening)
            start += 1
        end = self._until(start, opening if opening in _CLOSE else "", closing)
        body = self.text[start:end]
        self.at = end + 1
        flags = self._flags()
        self.found.append(Token("code", body) if word == "s" and "e" in flags else Token("text", HOLE))

    def _flags(self) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isalpha():
            self.at += 1
        return self.text[start : self.at]

    def _percent(self) -> bool:
        found = _RUBY_QUOTE.match(self.text, self.at)
        if found is None:
            return False
        word, mark = found[1], found[2]
        end = self._until(found.end(), mark if mark in _CLOSE else "", _CLOSE.get(mark, mark))
        body = self.text[found.end() : end]
        self.at = end + 1
        if word in ("w", "i", "W", "I"):
            self.found += [
                Token("op", "["),
                *[t for w in body.split() for t in (Token("text", w), Token("op", ","))],
                Token("op", "]"),
            ]
        else:
            self._text(body, "shell" if word == "x" else "text", word not in ("q", "s"))
        return True

    def _word(self, letter: str) -> bool:
        start = self.at
        if letter.isdigit():
            found = _NUMBER.match(self.text, start)
            if found is not None:
                self.at = found.end()
                self.found.append(Token("number", found[0]))
                return True
        begin = start + (letter in self.syntax.sigils and self.text[start + 1 : start + 2] not in "=")
        if (
            self.syntax.percent
            and letter == ":"
            and _NAME.match(self.text, start + 1)
            and self.text[start - 1 : start] != ":"
        ):
            found = _NAME.match(self.text, start + 1)
            if found is not None and not self._value_before():
                self.at = found.end()
                self.found.append(Token("text", found[0]))
                return True
        found = _NAME.match(self.text, begin)
        if found is None and letter == "$" and "${" in self.syntax.fill:
            self.found.append(Token("name", "$"))  # a function of that name, as a template's tag
            self.at += 1
            return True
        if found is None or (letter == "." and self.text[start - 1 : start].isalnum()):
            return False
        end = found.end() - (
            found[0][-1] in "?!"
            and (not self.syntax.percent or self.text[found.end() : found.end() + 1] == "=")
        )
        while self.syntax.scope and self.text.startswith("::", end):
            more = _NAME.match(self.text, end + 2)
            if more is None:
                break
            end = more.end() - (more[0][-1] in "?!")
        self.at = found.end() if self.syntax.loud and self.text[found.end() : found.end() + 1] != "=" else end
        self.found.append(Token("name", self.text[start:end]))
        return True

    def _operator(self, letter: str) -> None:
        found = _OPS.match(self.text, self.at)
        text = found[0] if found is not None else letter
        self.at += len(text)
        self.found.append(Token("op", text))


_PERL_CODE = re.compile(r"\(\?\??\{(.{1,500}?)\}\)", re.DOTALL)
_PERL_QUOTE = re.compile(r"(qq|qw|qx|qr|q|m|s|tr|y)\s{0,3}([^\w\s,;=)>.-])")
_ATTACHED = re.compile(r"[ \t]%[xqQwWiI][(\[{<|!/]")
_RUBY_QUOTE = re.compile(r"%([xqQwWiIrs]?)([(\[{<|!/])")
