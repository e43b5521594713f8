"""Lines for cmd.exe, so far as evidence needs them: chains, groups, quotes, carets, errorlevel.

They are understood, never executed. Only a small part of that language is taken; the rest (for, goto, labels,
delayed expansion, set /a …) is refused. Rank in cmd: `&` binds weakest, then `||`, then `&&`, then `|`.
"""

import re
from typing import NamedTuple

from donewhen.core.lazy import lazy
from donewhen.core.tree import (
    AndOr,
    Assign,
    Command,
    Declare,
    Group,
    If,
    Inner,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Statement,
    Text,
    Variable,
    Word,
)
from donewhen.shell.feed import NOTHING
from donewhen.shell.nest import Nest, Unreadable
from donewhen.shell.words import merged_parts

_OPERATOR = lazy(r"&&|\|\||[&|\n]")
_REDIRECT = lazy(r"([0-9]?)(>>|>&|<&|>|<)")
_VARIABLE = lazy(r"%([A-Za-z_][A-Za-z0-9_()]*)%")
_SET = lazy(r'(?is)set[ \t]+("?)([A-Za-z_][A-Za-z0-9_]*)=(.*)')
_NOT_HERE = frozenset("for goto setlocal endlocal shift choice ftype assoc popd pushd".split())
_OTHER_PROGRAMS = frozenset(("timeout", "find", "time", "start", "call", "exit", "set"))
_STATUS = Word("%errorlevel%", False, (Variable("?"),))
_COMPARED = {"neq": "-ne", "equ": "-eq", "==": "-eq", "gtr": "-gt", "geq": "-ge", "lss": "-lt", "leq": "-le"}
_CONDITION = lazy(
    r"if[ \t]+(?:/i[ \t]+)?(not[ \t]+)?(?:errorlevel[ \t]+(\d+)|"
    r"\"?%errorlevel%\"?[ \t]*(neq|equ|==|gtr|geq|lss|leq)[ \t]*\"?(\d+)\"?)[ \t]*",
    re.IGNORECASE,
)
_DRIVE = lazy(r"[A-Za-z]:")
_ACTIVATES = lazy(r".*[\\/]scripts[\\/]activate(?:\.bat)?")
_BATCH = lazy(r"(?:.*[\\/])?([^\\/]*)\.(?:bat|cmd)|.*[\\/]scripts[\\/]activate()", re.IGNORECASE)
_TOOLS = frozenset("npm npx pnpm yarn mvn mvnw gradle gradlew tox ng tsc jest vitest eslint".split())
_ELSE = lazy(r"[ \t]*else[ \t]+", re.IGNORECASE)
_REMARK = lazy(r"[ \t]*@?(?:rem(?=[ \t\n]|\Z)|::)[^\n]*", re.IGNORECASE)


def read_cmd(text: str, nest: Nest) -> Script:
    reader = _Reader(text, nest)
    script = reader.script()
    if reader.at < len(text):
        raise _refused(text[reader.at :])
    return script


def _refused(where: str) -> Unreadable:
    return Unreadable("shell.cmd_syntax", where.strip()[:40])


class _Line(NamedTuple):
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


class _Reader:
    def __init__(self, text: str, nest: Nest) -> None:
        self._text = text
        self._nest = nest
        self._groups = 0
        self._fresh = (
            True  # nothing ran yet since this line was read: cmd expands %errorlevel% before it runs it
        )
        self.at = 0

    def script(self) -> Script:
        """Statements up to the end or the closing parenthesis."""
        statements: list[Statement] = []
        self._nest.enter()
        while True:
            self._blank(" \t\n&;")
            remark = _REMARK.match(self._text, self.at)
            if remark:
                self.at = remark.end()
            elif self.at >= len(self._text) or self._peek() == ")":
                break
            else:
                statements.append(self._either())
        self._nest.leave()
        return tuple(statements)

    def _either(self) -> Statement:
        sides = [self._both()]
        while self._accept("||"):
            sides.append(self._both())
        first, *rest = sides
        chain = [("||", _grouped(side)) for side in rest]
        if isinstance(first.command, AndOr) and chain:
            return Statement(AndOr(first.command.first, (*first.command.rest, *chain)))  # type: ignore[arg-type]
        return Statement(AndOr(first, tuple(chain))) if chain else first  # type: ignore[arg-type]

    def _both(self) -> Statement:
        first = self._pipeline()
        rest = []
        while self._accept("&&"):
            rest.append(("&&", self._pipeline()))
        return Statement(AndOr(first, tuple(rest))) if rest else first  # type: ignore[arg-type]

    def _pipeline(self) -> Statement:
        parts = [self._command()]
        while not self._text.startswith("||", self.at) and self._accept("|"):
            parts.append(self._command())
        return parts[0] if len(parts) == 1 else Statement(Pipeline(tuple(parts)))

    def _command(self) -> Statement:
        self._blank(" \t\n@")
        if self._peek() == "(":
            return self._group()
        condition = _CONDITION.match(self._text, self.at)
        if condition:
            return self._if(condition)
        name = re.compile(r"[^ \t\n&|<>()/]*").match(self._text, self.at)
        lower = name[0].lower() if name else ""
        if lower in _NOT_HERE or lower == "if" or lower.startswith(":"):
            raise _refused(self._text[self.at :])
        if lower == "set":
            return Statement(self._set())
        line = self._words()
        self._fresh = False
        if not line.words and not line.redirects:
            raise _refused(self._text[self.at :] or self._text)
        return Statement(self._simple(line.words), redirects=line.redirects)

    def _group(self) -> Statement:
        self.at += 1
        self._groups += 1
        body = self.script()
        if self._peek() != ")":
            raise _refused(self._text)
        self.at += 1
        self._groups -= 1
        line = _Line((), ()) if _ELSE.match(self._text, self.at) else self._words()
        if line.words or not body:
            raise _refused(self._text[self.at :] or self._text)
        return Statement(Group(body), redirects=line.redirects)

    def _if(self, found: re.Match[str]) -> Statement:
        """Of the errorlevel only; inside a branch for failures `%errorlevel%` can't be 0."""
        self.at = found.end()
        negative, at_least, comparison, number = found.groups()
        operator = "-ge" if at_least else _COMPARED[comparison.lower()]
        test = tuple(map(Word, ("[", "", operator, at_least or number, "]")))
        words = (test[0], _STATUS if at_least else self._status(), *test[2:])
        self._nest.enter()
        body: Script = (self._command(),)
        other = _ELSE.match(self._text, self.at)
        otherwise: Script | None = None
        if other:
            self.at = other.end()
            otherwise = (self._command(),)
        self._nest.leave()
        fails = (operator, at_least or number) in (("-ge", "1"), ("-ne", "0"), ("-gt", "0"))
        if fails and not negative:
            body = _failing(body)
        elif (
            otherwise is not None
            and (fails or (operator, number) == ("-eq", "0"))
            and bool(negative) == fails
        ):
            otherwise = _failing(otherwise)
        condition = Statement(Simple(words), negated=bool(negative))
        return Statement(If((((condition,), body),), otherwise))

    def _set(self) -> Command:
        """`set A=1`: for all that follows, programs included; the value reaches to the next operator."""
        end = _segment_end(self._text, self.at, self._groups > 0)
        found = _SET.fullmatch(self._text[self.at : end])
        if found is None:
            raise _refused(self._text[self.at : end])
        self.at = end
        value = found[3].rpartition('"')[0] if found[1] else found[3]
        return Declare("export", (), (Assign(found[2], _expanded(value)),))

    def _simple(self, words: tuple[Word, ...]) -> Simple:
        name = words[0].text.lower() if words else ""
        if name == "path" and len(words) > 1:
            return Simple((Word("export"), Word(f"PATH={words[1].text}")))
        if _DRIVE.fullmatch(name):
            return Simple((Word("cd"), words[0]))
        if _ACTIVATES.fullmatch(name) or (name == "call" and len(words) > 1 and _is_batch(words[1])):
            return Simple((Word("source"), words[name == "call"]))
        if name == "exit" and len(words) > 1 and words[1].text.lower() == "/b":
            return Simple((Word("exit"), *words[2:3]))
        if name == "call" and len(words) > 1:
            if words[1].text.startswith(":"):
                raise _refused(words[1].text)
            inner = Inner("call", (Statement(self._simple(words[1:])),))
            return Simple(words, (), (inner,))
        if name == "start":
            rest = words[2:] if len(words) > 1 and (not words[1].text or " " in words[1].text) else words[1:]
            while rest and rest[0].text.startswith("/"):
                rest = rest[1:]
            script = (Statement(self._simple(rest)),) if rest else None
            return Simple(words, (), (Inner("start", script, False),))
        return Simple(words, (), () if name in _OTHER_PROGRAMS else self._nest.unwrap(words, NOTHING))

    def _words(self) -> _Line:
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self._blank(" \t")
            character = self._peek()
            if not character or _OPERATOR.match(character) or (character == ")" and self._groups):
                return _Line(tuple(words), tuple(redirects))
            redirect = _REDIRECT.match(self._text, self.at)
            if redirect:
                self.at = redirect.end()
                self._blank(" \t")
                redirects.append(Redirect(redirect[2], self._word(), redirect[1]))
            else:
                words.append(self._word())

    def _word(self) -> Word:
        start, quoted = self.at, False
        parts: list[Part] = []
        while self.at < len(self._text):
            character = self._text[self.at]
            if character == "\n" or (
                not quoted and (character in " \t&|<>" or (character == ")" and self._groups))
            ):
                break
            self.at += 1
            if character == '"':
                quoted = not quoted
            elif character == "^" and not quoted:
                parts.append(Text(self._escaped(), True))
            elif character == "%":
                parts.append(self._percent(quoted))
            else:
                parts.append(Text(character, quoted))
        if self.at == start or quoted:
            raise _refused(self._text[start:] or self._text)
        return _joined(parts, self._text[start : self.at])

    def _escaped(self) -> str:
        if self.at >= len(self._text) or self._text[self.at] == "\n":
            raise _refused("^")
        self.at += 1
        return self._text[self.at - 1]

    def _percent(self, quoted: bool) -> Part:
        found = _VARIABLE.match(self._text, self.at - 1)
        if found:
            self.at = found.end()
            return _variable(found[1], quoted, self._fresh)
        if "%" in self._text[self.at :].partition("\n")[0] or self._peek().isdigit():
            raise _refused(self._text[self.at - 1 :])
        return Text("%", quoted)

    def _accept(self, operator: str) -> bool:
        self._blank(" \t")
        found = _OPERATOR.match(self._text, self.at)
        if found is None or found[0] != operator:
            return False
        self.at = found.end()
        return True

    def _blank(self, characters: str) -> None:
        while self.at < len(self._text) and self._text[self.at] in characters:
            if self._text.startswith("&&", self.at):
                raise _refused(self._text[self.at :])
            self._fresh = self._fresh or (self._text[self.at] == "\n" and not self._groups)
            self.at += 1

    def _status(self) -> Word:
        return Word("%errorlevel%", False, (_variable("errorlevel", False, self._fresh),))

    def _peek(self) -> str:
        return self._text[self.at : self.at + 1]


def _is_batch(word: Word) -> bool:
    """A batch file runs in this very shell, like a sourced file; those of well-known tools do no harm."""
    found = _BATCH.fullmatch(word.text)
    return found is not None and (found[1] or "").lower() not in _TOOLS


def _variable(name: str, quoted: bool, fresh: bool = False) -> Variable:
    return Variable("?" if fresh and name.lower() == "errorlevel" else name, quoted=quoted)


def _joined(parts: list[Part], source: str) -> Word:
    if all(isinstance(part, Text) for part in parts):
        return Word("".join(part.text for part in parts if isinstance(part, Text)))
    return Word(source, False, tuple(merged_parts(parts)))


def _expanded(value: str) -> Word:
    """The value of `set`, in which only variables are special."""
    parts: list[Part] = []
    end = 0
    for found in _VARIABLE.finditer(value):
        parts += [Text(value[end : found.start()], True), _variable(found[1], True)]
        end = found.end()
    return _joined([*parts, Text(value[end:], True)], value)


def _segment_end(text: str, start: int, grouped: bool) -> int:
    quoted = False
    for at in range(start, len(text)):
        character = text[at]
        if character == '"':
            quoted = not quoted
        elif character == "\n" or (not quoted and (character in "&|<>^" or (character == ")" and grouped))):
            return at
    return len(text)


def _grouped(side: Statement) -> Statement:
    return Statement(Group((side,))) if isinstance(side.command, AndOr) else side


def _failing(script: Script) -> Script:
    """`exit %errorlevel%` where the errorlevel is known not to be 0."""
    return tuple(_fails(statement) for statement in script)


def _fails(statement: Statement) -> Statement:
    command = statement.command
    if isinstance(command, Group):
        return statement._replace(command=Group(_failing(command.body)))
    if (
        isinstance(command, Simple)
        and command.words[:1] == (Word("exit"),)
        and command.words[1:] == (_STATUS,)
    ):
        return statement._replace(command=Simple((Word("exit"), Word("1"))))
    return statement
