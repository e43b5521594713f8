"""The operators of `${x…}` that make one value out of another: trim, replace, change of case, `@`.

Patterns keep what was quoted in them. Between double quotes the tree does not say that; then the way it was
written decides, and where that is not plain either the pattern is not known.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from donewhen.core.tree import Part, Text, Variable, Word
from donewhen.guard.expand import values
from donewhen.guard.expand.fields import QUOTED, Pieces
from donewhen.guard.expand.patterns import Pattern, literal, pattern
from donewhen.guard.marks import HOLE, STAR, certain
from donewhen.guard.state import State
from donewhen.shell.words import ansi

_TRIMS = frozenset(("#", "##", "%", "%%"))
_CASES = frozenset(("^", "^^", ",", ",,"))
_TO_CASE = {"U": "^^", "u": "^", "L": ",,"}
_GLOBS = frozenset("*?[\\")
_QUOTED_AGAIN = re.compile(r"""['"]|\\\\""")
_BRACES = re.compile("[{}]")
_LIVE = re.compile(r"[$`\\\x00-\x06]")


class Expander(Protocol):
    """What the operators need of whoever expands the word that they stand in."""

    state: State
    source: str

    def word(self, parts: Sequence[Part], source: str) -> list[Pieces]: ...

    def run_value(self, text: str) -> str: ...


def change_of(part: Variable, operator: str, around: Expander) -> Callable[[str], list[str]]:
    """What the operator makes of one value; alternatives where the pattern has some."""
    state, argument = around.state, part.argument
    if operator in _TRIMS:
        trims = _patterns(argument, part, around) if argument is not None else [()]
        return lambda text: _distinct(values.trimmed(text, one, operator, state) for one in trims)
    if operator in _CASES:
        cases = _patterns(argument, part, around) if argument is not None else [None]
        if argument is not None and None in cases:
            return lambda text: [values.weakened(text)]
        return lambda text: _distinct(values.cased(text, operator, one, state) for one in cases)
    if operator in ("/", "//"):
        return _replacement(part, operator, around)
    if operator == "@" and argument is not None:
        return lambda text: [_transformed(text, argument.text, around)]
    return lambda text: [values.weakened(text)]


def _patterns(word: Word, part: Variable, around: Expander) -> Sequence[Pattern | None]:
    if word.known:
        return _pattern_of([[(word.text, QUOTED)]], part, around)
    pieces = around.word(word.parts, around.source if part.quoted else word.text)
    return _pattern_of(pieces, part, around)


def _pattern_of(choices: Iterable[Pieces], part: Variable, around: Expander) -> Sequence[Pattern | None]:
    state = around.state
    extended = "extglob" in state.options
    again = part.quoted and _QUOTED_AGAIN.search(written(around, part.name)) is not None
    found: list[Pattern | None] = []
    for pieces in choices:
        if not state.spend(sum(len(text) for text, _ in pieces)):
            return [None]
        if again and any(not _GLOBS.isdisjoint(text) for text, _ in pieces):
            return [None]
        found.append(pattern([(text, part.quoted or how != QUOTED) for text, how in pieces], extended))
    return list(dict.fromkeys(found))


def _replacement(part: Variable, operator: str, around: Expander) -> Callable[[str], list[str]]:
    state, word = around.state, part.argument or Word("")
    if f"{part.name}///" in around.source:
        return lambda text: [values.mixed(text, around.source)]  # which slash is which is read differently
    front, back = _sides(word.parts)
    front, anchor = _anchored(front) if operator == "/" else (front, "")
    found = _pattern_of(around.word(front, around.source), part, around)
    puts = _distinct(unsplit(pieces) for pieces in around.word(back, around.source))
    # between double quotes the shell still takes the backslashes of a replacement away, but not a value's
    puts += [put.replace("\\", "") for put in puts if "\\" in put]

    def change(text: str) -> list[str]:
        made = []
        for one in found:
            match = literal(one) if one is not None else None
            for put in puts:
                made.append(values.replaced(text, one, put, operator, anchor, state))
                if "&" in put:  # newer shells put the match there
                    again = put.replace("&", HOLE if match is None else match)
                    made.append(values.replaced(text, one, again, operator, anchor, state))
        return _distinct(made)

    return change


def _transformed(text: str, letter: str, around: Expander) -> str:
    """`${x@letter}`."""
    if letter == "P":
        # a backslash may stand for any character in a prompt, also for one that begins live code
        return around.run_value(HOLE if "\\" in text else text) if _LIVE.search(text) else text
    if letter == "E":
        return ansi(text) if certain(text) else values.weakened(text)
    if letter in _TO_CASE:
        return values.cased(text, _TO_CASE[letter], None, around.state)
    if letter == "Q":
        return values.quoted(text)
    return values.weakened(text) if letter in ("A", "K", "k") else STAR


def unsplit(pieces: Pieces) -> str:
    """One text where nothing is split: a break between arguments is a blank."""
    if len(pieces) == 1:
        return pieces[0][0]
    return "".join([text for text, _ in pieces])


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _sides(parts: Sequence[Part]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Pattern and replacement, a bare slash between them."""
    for at, part in enumerate(parts):
        if isinstance(part, Text) and part == Text("/", False):
            return tuple(parts[:at]), tuple(parts[at + 1 :])
    return tuple(parts), ()


def written(around: Expander, name: str) -> str:
    """How expansions of this variable were written, each as far as its closing brace."""
    source, found = around.source, []
    for opening in ("${" + name, "${!" + name):
        start = source.find(opening)
        while start >= 0:
            end = _closing(source, start + 2)
            if not around.state.spend(end - start + 16):
                return source
            found.append(source[start:end])
            start = source.find(opening, end)
    return "".join(found)


def _closing(source: str, at: int) -> int:
    depth = 1
    for brace in _BRACES.finditer(source, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(source)


def _anchored(parts: tuple[Part, ...]) -> tuple[tuple[Part, ...], str]:
    first = parts[0] if parts else None
    if isinstance(first, Text) and first.text[:1] in ("#", "%"):
        return (first._replace(text=first.text[1:]), *parts[1:]), first.text[0]
    return parts, ""
