"""Arguments as programs accept them: bundled and abbreviated options, values attached or in the next word,
options behind operands, `--`.

Arguments may hold marks. One that may be an option (it begins with a mark that can hold anything) is an
operand here and is counted in `unsure`, so that a reader can say that it does not know.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from donewhen.guard.marks import WILD


class Options(NamedTuple):
    """What a program takes. Unknown options are taken as flags (with `=`: as valued)."""

    flags: str = ""  # single letters
    values: str = ""  # letters with a value, attached or next
    attached: str = ""  # letters whose value, if any, is attached (`-i.bak`)
    long_flags: frozenset[str] = frozenset()  # without dashes
    long_values: frozenset[str] = frozenset()
    single: frozenset[str] = frozenset()  # long names behind one dash that take a value (`-name x`, `-o x`)
    single_flags: frozenset[str] = frozenset()
    first: bool = False  # options end at the first operand
    numbers: bool = False  # `-10` is an option


class Given(NamedTuple):
    options: tuple[tuple[str, str], ...]  # full name with its dashes, and value (empty for a flag)
    operands: tuple[str, ...]
    unsure: int = 0  # operands that may be options

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.options)

    def value(self, *names: str) -> str | None:
        """The last value given."""
        found = self.all(*names)
        return found[-1] if found else None

    def all(self, *names: str) -> list[str]:
        return [value for name, value in self.options if name in names]


def options(
    flags: str = "", values: str = "", long_flags: str = "", long_values: str = "", attached: str = "",
    single: str = "", single_flags: str = "", first: bool = False, numbers: bool = False,
) -> Options:  # fmt: skip
    """A table row; names of several letters separated by blanks."""
    return Options(
        flags, values, attached, frozenset(long_flags.split()), frozenset(long_values.split()),
        frozenset(single.split()), frozenset(single_flags.split()), first, numbers,
    )  # fmt: skip


def read(arguments: Sequence[str], table: Options) -> Given:
    """What was given, of the words behind the program's name."""
    found: list[tuple[str, str]] = []
    operands: list[str] = []
    unsure = 0
    at = 0
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if word == "--":
            operands += arguments[at:]
            break
        if not word.startswith("-") or word == "-":
            unsure += word[:1] in WILD
            operands.append(word)
            if table.first:
                operands += arguments[at:]
                break
            continue
        name, value, takes = _option(word, table, found)
        if takes:
            value = arguments[at] if at < len(arguments) else ""
            at += 1
        found.append((name, value))
    return Given(tuple(found), tuple(operands), unsure)


def _option(word: str, table: Options, found: list[tuple[str, str]]) -> tuple[str, str, bool]:
    """The (last) option of a word, its value, and whether that is the next word."""
    bare, equals, value = word.partition("=")
    if word.startswith("--"):
        name = full_name(bare[2:], table)
        return f"--{name}", value, not equals and name in table.long_values
    if bare[1:] in table.single:
        return bare, value, not equals
    if bare[1:] in table.single_flags:
        return bare, value, False
    if table.numbers and word[1:].isdigit():
        return "-#", word[1:], False
    for position, letter in enumerate(word[1:], 1):
        rest = word[position + 1 :]
        if letter in table.values:
            return f"-{letter}", rest, not rest
        if letter in table.attached or not rest:
            return f"-{letter}", rest, False
        found.append((f"-{letter}", ""))
    return word, "", False


@lru_cache(maxsize=2048)
def full_name(name: str, table: Options) -> str:
    """A long name, or the only one that it abbreviates."""
    if name in table.long_flags or name in table.long_values or not name:
        return name
    longer = [
        full for known in (table.long_flags, table.long_values) for full in known if full.startswith(name)
    ]
    return longer[0] if len(longer) == 1 else name


@lru_cache(maxsize=256)
def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def first_of(words: Iterable[str]) -> str:
    return next(iter(words), "")
