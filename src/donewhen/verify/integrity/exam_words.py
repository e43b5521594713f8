"""Paths and globs that a text of the exam names: words of shell lines, string constants of other code. Pure.

Read line by line, without running or expanding anything. What is put together at run time is a glob where
the unknown part was; a word without letters of its own names nothing.
"""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

_MOST_TEXT = 256 * 1024  # characters
_MOST_LINES = 4000
_LONGEST_LINE = 2000
_MOST_WORDS = 3000
_MOST_STARS = 6
_QUOTED = re.compile(r"\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|`([^`\n]{1,300})`")
_UNKNOWN = re.compile(r"\$?\{[^{}\n]{0,80}\}|\$[\w@#*]{1,60}|%[sd]|\*{1,2}")
_RUN = re.compile(r"[^\s\"'`;&|()<>={}$\\:,!#]{1,300}")
_TELLING = re.compile(r"\w{2}|\w\.\w")
_ASKED = re.compile(
    r"\[\[? !?[ ]?-[efrsd] |\btest !?[ ]?-[efrsd] |\bexists\w{0,9}\(|existsSync|\bis_?file\(|\bis_?dir\("
    r"|2> ?/dev/null|FileNotFoundError|suppress\(|\baccess(?:Sync)?\(|^-include\b|\|\| (?:true|:)"
)
_DEMANDED = re.compile(
    r"\|\| ?(?:\{[^}\n]{0,80}\b(?:exit|return) [1-9]|exit\b|fail|die|return [1-9])|\bassert|\bmissing\b"
    r"|\bnot found\b|else[: ].{0,60}(?:exit\(?[ ]?[1-9\"']|raise |throw )"
    r"|^\s{0,40}(?:test|\[\[?) -[efrsd] [^&|;]{1,200}$"
)


class Word(NamedTuple):
    """One path or glob, and where it is written."""

    text: str
    line: int
    optional: bool = False  # the exam does without it where it is not there

    @property
    def is_glob(self) -> bool:
        return any(mark in self.text for mark in "*?[")


def words_of(text: str, *, shell: bool) -> tuple[Word, ...]:
    """Everything in the text that may be a path below the project; without `shell`, of constants only."""
    lines = [line[:_LONGEST_LINE] for line in text[:_MOST_TEXT].split("\n")[:_MOST_LINES]]
    found: dict[Word, None] = {}
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("#", "//")):
            continue
        optional = _is_optional(line, lines[number] if number < len(lines) else "")
        for word in _of_line(line, shell):
            found[Word(word, number, optional)] = None
        if len(found) > _MOST_WORDS:
            break
    return tuple(found)


def _is_optional(line: str, after: str) -> bool:
    """Whether the line, or the next, asks for the file first and does not fail without it."""
    for text in (line, after):
        if _ASKED.search(text):
            return not _DEMANDED.search(text)
    return False


def _of_line(line: str, shell: bool) -> Iterator[str]:
    quoted = ["".join(match.groups("")) for match in _QUOTED.finditer(line)]
    for text in quoted:
        if "$(" not in text:
            yield from _plain(_UNKNOWN.sub(_star, text))
    for text in (line,) if shell else quoted:
        for run in _RUN.finditer(
            _UNKNOWN.sub(_star, text.replace('"', "").replace("'", "") if shell else text)
        ):
            yield from _plain(run[0])


def _star(match: re.Match[str]) -> str:
    return "**" if match[0] == "**" else "*"


def _plain(word: str) -> Iterator[str]:
    """The word as a path seen from some folder of the project; nothing where it can't be one."""
    short = word.strip().removeprefix("./").removeprefix("@")
    while short.startswith(("*/", "./")):
        short = short.partition("/")[2]
    short = short.strip("/").rstrip(".")
    bare = short.replace("*", "")
    if (
        _TELLING.search(bare)
        and not short.startswith(("-", "../"))
        and short.count("*") <= _MOST_STARS
        and "://" not in short
        and len(short) <= 300
    ):
        yield short


def matches(word: str, path: str) -> bool:
    """Whether the path is what the word names; `*` stays within a folder, `**` does not."""
    if word == path:
        return True
    if not any(mark in word for mark in "*?["):
        return False
    return _parts(word.split("/"), path.split("/"))


def _parts(wanted: list[str], there: list[str]) -> bool:
    if "**" in wanted:
        at = wanted.index("**")
        head, tail = wanted[:at], wanted[at + 1 :]
        if "**" in tail or len(there) < len(head) + len(tail):
            return False
        return _parts(head, there[: len(head)]) and _parts(tail, there[len(there) - len(tail) :])
    return len(wanted) == len(there) and all(
        (not name.startswith(".") or each.startswith(".")) and fnmatchcase(name, each)
        for each, name in zip(wanted, there, strict=True)
    )
