"""Shell text as words and operators: quotes resolved, comments gone, here-documents one operator, one pass.

No expansion and no grammar: a word that holds an expansion says so, and keeps the commands that it runs.
"""

import re
from typing import NamedTuple

HELD = "<<\n"  # before what a here-document holds
MOST = 40_000  # tokens; more was generated
_PLAIN = re.compile(r"[^\s'\"\\$`#;&|()<>]+")
_OPERATOR = re.compile(r";;&|;;|;&|&&|\|\||<<-?|>>|<\(|>\(|[;&|()<>\n]")
_NAME = re.compile(r"\$(?:\w+|[@*#?$!-])|\$\{[^}\n]{0,200}\}")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)([\w.-]{1,80})\1")


class Word(NamedTuple):
    text: str  # without quotes; an operator or "\n" as it is
    line: int
    plain: bool = True  # no expansion in it
    operator: bool = False
    runs: tuple[str, ...] = ()  # texts of the commands in it: $(…)
    quoted: bool = False


def scan(text: str, line: int = 1) -> list[Word]:
    return _Scanner(text, line).words()


class _Scanner:
    def __init__(self, text: str, line: int) -> None:
        self._text, self._at, self._line = text, 0, line
        self._found: list[Word] = []
        self._skipped: list[str] = []  # ends of here-documents that begin on this line

    def words(self) -> list[Word]:
        text = self._text
        while self._at < len(text) and len(self._found) < MOST:
            here = text[self._at]
            if here in " \t\r" or text.startswith("\\\n", self._at):
                self._line += here == "\\"
                self._at += 2 if here == "\\" else 1
            elif here == "#":
                end = text.find("\n", self._at)
                self._at = len(text) if end < 0 else end
            elif (found := _OPERATOR.match(text, self._at)) is not None:
                self._operator(found[0])
            else:
                self._word()
        return self._found

    def _operator(self, sign: str) -> None:
        heredoc = _HEREDOC.match(self._text, self._at) if sign.startswith("<<") else None
        if heredoc and not self._text.startswith("<<<", self._at):
            self._skipped.append(heredoc[2])
            self._at = heredoc.end()
            return
        self._found.append(Word(sign, self._line, operator=True))
        self._at += len(sign)
        if sign == "\n":
            self._line += 1
            self._documents()

    def _documents(self) -> None:
        for end in self._skipped:
            found = re.compile(rf"^\t*{re.escape(end)}$", re.MULTILINE).search(self._text, self._at)
            stop = found.end() if found else len(self._text)
            held = self._text[self._at : found.start() if found else stop]
            self._found.append(Word(f"{HELD}{held}", self._line, operator=True))
            self._line += self._text.count("\n", self._at, stop)
            self._at = stop
        self._skipped = []

    def _word(self) -> None:
        start, line, parts, plain, quoted = self._at, self._line, [""], True, False
        runs: list[str] = []
        text = self._text
        while self._at < len(text):
            here = text[self._at]
            if here == "'":
                parts.append(self._until("'"))
                quoted = True
            elif here == '"':
                inner = self._double()
                quoted = True
                plain = plain and "$" not in inner[0] and "`" not in inner[0]
                runs += inner[1]
                parts.append(re.sub(r'\\(["\\$`])', r"\1", inner[0]))
            elif here == "\\":
                parts.append(text[self._at + 1 : self._at + 2].replace("\n", ""))
                self._at += 2
            elif here in "$`":
                plain = False
                runs += self._expansion(parts)
            elif (found := _PLAIN.match(text, self._at)) is not None:
                parts.append(found[0])
                self._at = found.end()
            elif here == "#" and self._at > start:
                parts.append(here)
                self._at += 1
            else:
                break
        if self._at == start:
            self._at += 1
        self._line += text.count("\n", start, self._at)
        self._found.append(Word("".join(parts), line, plain, False, tuple(runs), quoted))

    def _until(self, sign: str) -> str:
        end = self._text.find(sign, self._at + 1)
        end = len(self._text) if end < 0 else end
        inner = self._text[self._at + 1 : end]
        self._at = end + 1
        return inner

    def _double(self) -> tuple[str, list[str]]:
        """What stands in double quotes, and the commands in it."""
        at, runs, text = self._at + 1, [], self._text
        start = at
        while at < len(text) and text[at] != '"':
            if text[at] == "\\":
                at += 2
            elif text.startswith("$(", at):
                end = _closed(text, at + 1)
                runs.append(text[at + 2 : end])
                at = end + 1
            else:
                at += 1
        self._at = at + 1
        return text[start:at], runs

    def _expansion(self, parts: list[str]) -> list[str]:
        text, at = self._text, self._at
        if text[at] == "`":
            return [self._until("`")]
        if text.startswith("$(", at):
            end = _closed(text, at + 1)
            self._at = end + 1
            return [text[at + 2 : end]]
        found = _NAME.match(text, at)
        parts.append(found[0] if found else "$")
        self._at = found.end() if found else at + 1
        return []


def _closed(text: str, at: int) -> int:
    """Where the bracket that opens at `at` is closed; quotes hide brackets."""
    depth, sign = 0, ""
    for here in range(at, min(len(text), at + 4000)):
        letter = text[here]
        if sign:
            sign = "" if letter == sign else sign
        elif letter in "'\"":
            sign = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            if depth == 0:
                return here
    return len(text)
