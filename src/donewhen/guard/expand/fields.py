"""Pieces of an expanded word to the words that a command gets: splitting by IFS, live globs to marks.

A piece is a text and how it came: quoted text stays whole, bare text was written in the line, loose text came
out of an expansion and is split. No folder is looked into: a glob is a mark for all it may match.
"""

from collections.abc import Sequence

from donewhen.guard.expand.patterns import bracket_end
from donewhen.guard.marks import ANY, BELOW, HOLE, MARKED, STAR

QUOTED, BARE, LOOSE, BREAK = range(4)  # BREAK: a word ends here (`"$@"`)
Piece = tuple[str, int]
Pieces = list[Piece]
Segment = tuple[str, int]

_GLOBS = frozenset("*?[(")
_EXTENDED = frozenset("@?*+!")
_BLANKS = " \t\n"
_MAX_CHOICES = 8


def fields(pieces: Sequence[Piece], ifs: str) -> list[list[Segment]]:
    """The words, each as segments that are live (BARE, LOOSE) or not."""
    found: list[list[Segment]] = []
    current: list[Segment] = []
    begun = False  # an empty word counts as soon as it is quoted
    after_blank = False
    for text, kind in pieces:
        if kind == BREAK:
            if begun:
                found.append(current)
            current, begun, after_blank = [], False, False
        elif kind != LOOSE or _whole(text, ifs):
            if text or kind == QUOTED:
                current.append((text, kind))
                begun, after_blank = True, False
        else:
            current, begun, after_blank = _split(text, ifs, found, current, begun, after_blank)
    if begun:
        found.append(current)
    return found


def _whole(text: str, ifs: str) -> bool:
    return not any(character in text for character in ifs)


def _split(
    text: str, ifs: str, found: list[list[Segment]], current: list[Segment], begun: bool, after_blank: bool
) -> tuple[list[Segment], bool, bool]:
    start = 0
    for at, character in enumerate(text):
        if character not in ifs:
            if start < 0:
                start = at
            begun, after_blank = True, False
            continue
        if 0 <= start < at:
            current.append((text[start:at], LOOSE))
        start = -1
        blank = character in _BLANKS
        if begun or not (blank or after_blank):
            found.append(current)
            after_blank = blank
        elif not blank:
            after_blank = False
        current, begun = [], False
    if 0 <= start < len(text):
        current.append((text[start:], LOOSE))
    return current, begun, after_blank


def marked(segments: Sequence[Segment], options: set[str]) -> list[str]:
    """The alternatives of one word, its live globs as marks."""
    if len(segments) == 1 and segments[0][1] == QUOTED:
        return [segments[0][0]]
    if "noglob" in options or not any(kind and not _GLOBS.isdisjoint(text) for text, kind in segments):
        return ["".join(text for text, _ in segments)]
    return _Glob(segments, options).read()


class _Glob:
    __slots__ = ("_choices", "_dead", "_deep", "_kinds", "_loose", "_text")

    def __init__(self, segments: Sequence[Segment], options: set[str]) -> None:
        self._text = "".join(text for text, _ in segments)
        self._kinds = [kind for text, kind in segments for _ in text]
        self._deep = "globstar" in options
        self._loose = "extglob" in options
        self._dead = 0
        self._choices: list[list[str]] = [[]]

    def read(self) -> list[str]:
        at = 0
        while at < len(self._text):
            choices, at = self._next(at)
            if len(choices) * len(self._choices) > _MAX_CHOICES:
                choices = [STAR]
            if len(choices) == 1:
                for choice in self._choices:
                    choice.append(choices[0])
            else:
                self._choices = [[*before, one] for before in self._choices for one in choices]
        return ["".join(choice) for choice in self._choices]

    def _next(self, at: int) -> tuple[list[str], int]:
        character, kind = self._text[at], self._kinds[at]
        if not kind:
            return [character], at + 1
        if character in _EXTENDED and self._text[at + 1 : at + 2] == "(" and (kind == BARE or self._loose):
            return self._extended(at)
        if character == "*":
            return self._stars(at)
        if character == "?":
            return [ANY], at + 1
        if character == "[":
            return self._bracket(at)
        return [character], at + 1

    def _stars(self, at: int) -> tuple[list[str], int]:
        end = at
        while self._text[end : end + 1] == "*" and self._kinds[end]:
            end += 1
        whole = (at == 0 or self._text[at - 1] == "/") and self._text[end : end + 1] in ("/", "")
        if end - at < 2 or not whole or (end == len(self._text) and not self._deep):
            return [STAR], end
        # where it is deep it also stands for no folder at all, so the slash belongs to it
        return [BELOW], end + (self._deep and end < len(self._text))

    def _bracket(self, at: int) -> tuple[list[str], int]:
        end = bracket_end(self._text, self._kinds, at, "/") if at >= self._dead else -1
        if end >= 0:
            return [ANY], end + 1
        if at >= self._dead:  # neither is any other before the next slash
            slash = self._text.find("/", at)
            self._dead = slash if slash >= 0 else len(self._text)
        return ["["], at + 1

    def _extended(self, at: int) -> tuple[list[str], int]:
        end = self._text.find(")", at)
        inside = self._text[at + 2 : end] if end >= 0 else "/"
        if "/" in inside:
            return [HOLE], len(self._text)
        plain = _GLOBS.isdisjoint(inside) and MARKED.search(inside) is None
        if not plain or self._text[at] in "*+!":
            return [STAR], self._closing(at) + 1
        choices = inside.split("|") + [""] * (self._text[at] == "?")
        return list(dict.fromkeys(choices)), end + 1

    def _closing(self, at: int) -> int:
        depth = 0
        for place in range(at, len(self._text)):
            depth += {"(": 1, ")": -1}.get(self._text[place], 0)
            if depth == 0 and place > at + 1:
                return place
        return len(self._text)
