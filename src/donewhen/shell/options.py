"""Options as programs accept them: bundled, abbreviated, with their value attached or in the next word.

It says where a wrapper's own words end. When it can't be sure (an unknown option, a word that may become
several), it says so instead of guessing silently.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.tree import Text, Word
from donewhen.shell.words import prefix, splits


class Options(NamedTuple):
    """What a program takes before its operands. `attached`: short ones whose value never is the next word."""

    flags: str = ""
    values: str = ""
    attached: str = ""
    long_flags: frozenset[str] = frozenset()
    long_values: frozenset[str] = frozenset()
    numbers: bool = False  # `-10` is an option of its own
    pairs: frozenset[str] = frozenset()  # long ones that take two values (bwrap)


class Given(NamedTuple):
    options: tuple[tuple[str, Word], ...]  # name with its dashes, and value (empty for a flag)
    rest: tuple[Word, ...]
    sure: bool = True

    def has(self, names: frozenset[str]) -> bool:
        return bool(self.options) and any(name in names for name, _ in self.options)

    def values(self, names: frozenset[str]) -> list[Word]:
        return [value for name, value in self.options if name in names]


_NO_VALUE = Word("")


def read_options(words: Sequence[Word], table: Options) -> Given:
    """Options from the beginning of `words` up to the first operand or `--`."""
    found: list[tuple[str, Word]] = []
    sure = True
    at = 0
    while at < len(words):
        word = words[at]
        lead = prefix(word)
        if lead == "--" and word.known:
            at += 1
            break
        if not lead.startswith("-") or (lead == "-" and not word.known):
            sure = sure and not splits(word)
            break
        at += 1
        if lead == "-":
            found.append(("-", _NO_VALUE))
            continue
        named, takes, certain = (
            _long(word, lead, table) if lead.startswith("--") else _short(word, lead, table)
        )
        sure = sure and certain and not splits(word)
        if takes and at < len(words):
            name = named.pop()[0]
            named.append((name, words[at]))
            sure = sure and not any(splits(value) for value in words[at : at + takes])
            at += takes
        found += named
    return Given(tuple(found), tuple(words[at:]), sure)


def _long(word: Word, lead: str, table: Options) -> tuple[list[tuple[str, Word]], int, bool]:
    """The option, how many words its value takes, and whether it is one that we know."""
    name, equals, _ = lead[2:].partition("=")
    full = _unabbreviated(name, table)
    if equals:
        return [("--" + (full or name), _tail(word, len(name) + 3))], 0, True
    if full in table.pairs:
        return [("--" + full, _NO_VALUE)], 2, True
    return [("--" + (full or name), _NO_VALUE)], int(full in table.long_values), bool(full) and word.known


def _unabbreviated(name: str, table: Options) -> str:
    every = table.long_flags | table.long_values | table.pairs
    if name in every:
        return name
    longer = [known for known in every if known.startswith(name)]
    return longer[0] if len(longer) == 1 else ""


def _short(word: Word, lead: str, table: Options) -> tuple[list[tuple[str, Word]], int, bool]:
    if table.numbers and lead[1:].lstrip("+-").isdigit():
        return [("-n", Word(lead[1:]))], 0, True
    named: list[tuple[str, Word]] = []
    for index, letter in enumerate(lead[1:], 2):
        if letter in table.values:
            if index < len(lead) or not word.known:
                return [*named, ("-" + letter, _tail(word, index))], 0, True
            return [*named, ("-" + letter, _NO_VALUE)], 1, True
        if letter in table.attached:
            return [*named, ("-" + letter, _tail(word, index))], 0, True
        if letter not in table.flags:
            return _single_dash(word, lead, table, named)
        named.append(("-" + letter, _NO_VALUE))
    return named, 0, word.known


def _single_dash(
    word: Word, lead: str, table: Options, named: list[tuple[str, Word]]
) -> tuple[list[tuple[str, Word]], int, bool]:
    """`-name` of programs that write long options with one dash; else nobody knows what it is."""
    name, equals, _ = lead[1:].partition("=")
    if equals and (name in table.long_flags or name in table.long_values):
        return [("--" + name, _tail(word, len(name) + 2))], 0, True
    if name in table.long_flags or name in table.long_values:
        return [("--" + name, _NO_VALUE)], int(name in table.long_values), True
    return [*named, (lead, _NO_VALUE)], 0, False


def _tail(word: Word, start: int) -> Word:
    """The word without its first characters, which are literal."""
    if word.known:
        return Word(word.text[start:])
    first = word.parts[0]
    assert isinstance(first, Text)
    kept = (first._replace(text=first.text[start:]),) if len(first.text) > start else ()
    return Word(word.text[start:], False, (*kept, *word.parts[1:]))
