"""The fast path: lists and pipelines of plain words, read in one pass without a process.

It takes only what it surely understands (no expansion of any kind, no compound command, no here-document)
and hands everything else over by answering None; for what it takes, its tree equals the parser's.
"""

import re

from donewhen.core.lazy import portable
from donewhen.core.tree import AndOr, Assign, Part, Pipeline, Redirect, Script, Simple, Statement, Text, Word
from donewhen.shell.feed import stdin_of
from donewhen.shell.nest import Nest
from donewhen.shell.words import double_quoted, make_word

_SPECIAL = r"\x00-\x20\x7f-\xa0'\"\\|&;<>()$`"
_PLAIN = rf"[^{_SPECIAL}*?\[\]{{}}~]"
_BARE = rf"[^{_SPECIAL}]"
_QUOTED = portable(r"""'[^']*+'|"(?:[^"\\$`]++|\\[^\n])*+"|\\[^\n]""")
_TOKEN = re.compile(
    rf"""[ \t]*+(?:
    (?P<redirect>[0-9]*+(?:>>|>\||>&|<>|<&(?!>)|>(?!\()|<(?![<(]))|&>>|&>)
    |(?P<comment>\#[^\n]*+|\Z)
    |(?P<plain>{_PLAIN}++(?=[ \t\n;|&<>]|\Z))
    |(?P<word>(?!\{{[A-Za-z0-9_]*+\}}[<>])(?:{_BARE}++|{_QUOTED})++)
    |(?P<join>&&|\|\||\|&|\|(?!\|))
    |(?P<end>;(?![;&|])|&(?![&>|;])|\n))""",
    re.VERBOSE,
)
_PIECE = re.compile(portable(r"""'([^']*+)'|"((?:[^"\\]++|\\.)*+)"|\\(.)|([^'"\\]++)"""), re.DOTALL)
_ASSIGN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=")
_ODD_FIRST = frozenset("*?[]{}~!=")
_RESERVED = frozenset(
    "if then else elif fi for while until do done case esac in select function time coproc declare typeset "
    "local export readonly nameref let".split()
)


def read_plain(text: str, nest: Nest) -> Script | None:
    """The script, or None when the text must go to the parser."""
    reader = _Reader(nest)
    position, size, match = 0, len(text), _TOKEN.match
    while position < size:
        token = match(text, position)
        if token is None:
            return None
        kind = token.lastgroup or ""
        if not reader.take(kind, token[kind]):
            return None
        position = token.end()
    return reader.script()


class _Reader:
    __slots__ = (
        "_assigns",
        "_chain",
        "_join",
        "_nest",
        "_pipe",
        "_redirect",
        "_redirects",
        "_stderr",
        "_words",
        "done",
    )

    def __init__(self, nest: Nest) -> None:
        self._nest = nest
        self.done: list[Statement] = []
        self._chain: list[tuple[str, Statement]] = []
        self._pipe: list[Statement] = []
        self._stderr = False
        self._join = ""  # the operator that still lacks its right side
        self._redirect: tuple[str, str] | None = None  # operator and descriptor that still lack their word
        self._words: list[Word] = []
        self._assigns: list[Assign] = []
        self._redirects: list[Redirect] = []

    def take(self, kind: str, token: str) -> bool:
        """False: not for this reader."""
        if kind == "plain":
            return self._word(token, Word(token) if "=" not in token else None)
        if kind == "word":
            return self._word(token, None)
        if kind == "comment":
            return True
        if self._redirect is not None:
            return False
        if kind == "redirect":
            bare = token.lstrip("0123456789")
            self._redirect = bare, token[: len(token) - len(bare)]
            return True
        if kind == "join":
            return self._joined(token)
        return self._ended(token)

    def script(self) -> Script | None:
        if self._redirect is not None or not self._ended("\n") or self._join:
            return None
        return tuple(self.done)

    def _word(self, raw: str, ready: Word | None) -> bool:
        if self._redirect is not None:
            operator, fd = self._redirect
            self._redirects.append(Redirect(operator, ready or _word_of(raw), fd))
            self._redirect = None
            return True
        if not self._words:
            named = _ASSIGN.match(raw)
            if named is not None:
                value = _word_of(raw[named.end() :], assigned=True)
                self._assigns.append(Assign(named[1], value, bool(named[2])))
                return True
            if raw in _RESERVED or not _ODD_FIRST.isdisjoint(raw):
                return False
        self._words.append(ready or _word_of(raw))
        return True

    def _command(self) -> bool:
        """Closes the simple command at hand."""
        if not (self._words or self._assigns or self._redirects):
            return False
        words, redirects = tuple(self._words), tuple(self._redirects)
        feed = stdin_of(redirects, self._pipe[-1] if self._pipe else None)
        inner = self._nest.unwrap(words, feed)
        self._pipe.append(Statement(Simple(words, tuple(self._assigns), inner), redirects=redirects))
        self._words, self._assigns, self._redirects = [], [], []
        self._join = ""
        return True

    def _pipeline(self, operator: str) -> None:
        parts = self._pipe
        whole = parts[0] if len(parts) == 1 else Statement(Pipeline(tuple(parts), self._stderr))
        self._chain.append((operator, whole))
        self._pipe, self._stderr = [], False

    def _joined(self, operator: str) -> bool:
        if not self._command():
            return False
        if operator in ("|", "|&"):
            self._stderr = self._stderr or operator == "|&"
        else:
            self._pipeline(operator)
        self._join = operator
        return True

    def _ended(self, mark: str) -> bool:
        if not self._command():
            # Empty lines are nothing, also behind an operator; `;` and `&` need a command before them.
            return mark == "\n"
        self._pipeline("")
        chain, self._chain = self._chain, []
        statement = chain[0][1]
        if len(chain) > 1:
            rest = tuple((chain[i][0], chain[i + 1][1]) for i in range(len(chain) - 1))
            statement = Statement(AndOr(statement, rest))  # type: ignore[arg-type]
        self.done.append(statement._replace(background=True) if mark == "&" else statement)
        return True


def _word_of(raw: str, assigned: bool = False) -> Word:
    parts: list[Part] = []
    pieces: list[tuple[str, str, str, str]] = _PIECE.findall(raw)
    for single, double, escaped, bare in pieces:
        if bare:
            parts.append(Text(bare))
        elif escaped:
            parts.append(Text(escaped, True))
        else:
            parts.append(Text(single or double_quoted(double), True))
    return make_word(parts, raw, assigned)
