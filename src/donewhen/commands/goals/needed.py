"""A cheap look before a dear pattern: words one of which stands in every text that it matches.

They are read from the pattern's own source, so that nobody keeps a second table. Where the reader knows none
the pattern is asked, which costs time and changes no answer.
"""

import re
from functools import cached_property
from typing import cast

from donewhen.commands.words import pattern_source
from donewhen.core.lazy import Lazy

Words = tuple[str, ...]

_ENOUGH = 4  # letters that are rare enough; a Chinese character is
# A group of plain words, as most are; an escape, a class, the head of another group, a name of `phrases`,
# a repetition, letters, anything else.
_PIECE = re.compile(
    r"\(\?:[^\\\[\](){}^$.*+<>]*\)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|:|P<\w+>)|\(\??|<\w+>"
    r"|[?*+]\??|\{[\d,]*\}\??|[^\\\[\](){}|^$.?*+<>]+(?![?*+{])|.",
    re.DOTALL,
)
_AROUND = frozenset({"(?=", "(?!", "(?<=", "(?<!"})


def needed(source: str) -> Words:
    """Words of a pattern that is not verbose; the empty word, which is everywhere, when none are known."""
    pieces = _PIECE.findall(source)
    words = () if "(?" in pieces else _either([*pieces, ")"], 0)[0]
    return tuple(dict.fromkeys(words)) or ("",)


def _either(pieces: list[str], at: int) -> tuple[Words, int]:
    """The rarest words of each alternative up to the closing parenthesis, and where to read on."""
    words: Words = ()
    best: Words = ()
    most, known = 0, True
    while True:
        piece = pieces[at]
        at += 1
        if piece in ("|", ")"):
            known = known and most > 0
            words += best
            if piece == ")":
                return words if known else (), at
            best, most = (), 0
            continue
        found, at = _element(pieces, piece, at)
        if found and most < _ENOUGH:
            rare = min([len(word) if word.isascii() else len(word) * _ENOUGH for word in found])
            if rare > most:
                best, most = found, rare


def _element(pieces: list[str], piece: str, at: int) -> tuple[Words, int]:
    """What one element of a sequence needs: nothing where it may be absent or is no plain word."""
    found: Words = ()
    first = piece[0]
    if first == "(" and piece[-1] == ")":
        found = _plain(piece[3:-1])
    elif first == "(":
        found, at = _either(pieces, at)
        if piece in _AROUND:
            found = ()
    elif first not in "\\[<^$.":
        found = (piece,)
    after = pieces[at][0]
    if after in "?*{":
        return (), at + 1
    return found, at + 1 if after == "+" else at


def _plain(group: str) -> Words:
    """The words of a group, each up to its first letter that may be absent."""
    words = group.split("|")
    return tuple([word[: word.index("?") - 1] if "?" in word else word for word in words])


class Looked(Lazy):
    """A pattern that is compiled when a text has the words that it needs, and asked only of such texts."""

    @cached_property
    def needs(self) -> Words:
        words = needed(str(self._made[0]))
        return tuple([word.lower() for word in words]) if self._made[1] & re.IGNORECASE else words

    def may(self, text: str) -> bool:
        """Without regard to case only ASCII is looked at: other letters have more than two forms."""
        if self._made[1] & re.IGNORECASE:
            if not text.isascii():
                return True
            text = text.lower()
        return any(map(text.__contains__, self.needs))

    def search(self, text: str, *span: int) -> "re.Match[str] | None":
        return self._compiled.search(text, *span) if self.may(text) else None

    def match(self, text: str, *span: int) -> "re.Match[str] | None":
        return self._compiled.match(text, *span) if self.may(text) else None

    def fullmatch(self, text: str, *span: int) -> "re.Match[str] | None":
        return self._compiled.fullmatch(text, *span) if self.may(text) else None


def looked(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, for a pattern that few texts match."""
    return cast("re.Pattern[str]", Looked(source, flags))


def looked_row(name: str, flags: int = 0) -> re.Pattern[str]:
    """The same for a pattern of the tables."""
    return looked(pattern_source(name), flags)
