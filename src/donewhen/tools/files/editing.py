"""Edits of a text: each an exact replacement, or one anchored in whole lines; all of them or none.

An edit that could mean several places, or none, is refused with the lines that would help; nothing is
guessed. Pure: files, line ends and encodings are the business of whoever asks.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from donewhen.core.errors import AgentError
from donewhen.core.texts import Phrase
from donewhen.tools.files.anchoring import anchors, replaced

_WORDS = re.compile(r"\w+")
_MOST_LINES = 20_000  # that are compared to find the nearest
_LONGEST_LINE = 300
_AROUND = 3  # lines before and after the nearest one
_NAMED = 5  # places that are named when there are several


class Edit(NamedTuple):
    old: str
    new: str
    all: bool = False


class Edited(NamedTuple):
    text: str
    done: tuple[Phrase, ...]  # what each edit did


class _Refused(Exception):
    def __init__(self, why: Phrase) -> None:
        self.why = why


def edited(text: str, edits: Sequence[Edit], most: int) -> Edited:
    """The text after all edits, each made in what the one before left; AgentError names the first bad one."""
    done = []
    for number, edit in enumerate(edits, 1):
        try:
            text, said = _applied(text, edit, most)
        except _Refused as error:
            raise AgentError("toolbox.edit_failed", number=number, count=len(edits), why=error.why) from None
        done.append(Phrase("toolbox.edit_done", {"number": number, "what": said}))
    return Edited(text, tuple(done))


def _applied(text: str, edit: Edit, most: int) -> tuple[str, Phrase]:
    if not edit.old:
        raise _Refused(Phrase("toolbox.old_empty"))
    if edit.old == edit.new:
        raise _Refused(Phrase("toolbox.old_is_new"))
    count = text.count(edit.old)
    if count > 1 and not edit.all:
        raise _Refused(Phrase("toolbox.ambiguous", {"count": count, "lines": _places(text, edit.old)}))
    if not count:
        return _anchored(text, edit)
    if len(text) + count * (len(edit.new) - len(edit.old)) > most:
        raise _Refused(Phrase("toolbox.grows_too_large", {"most": most // (1024 * 1024)}))
    said = Phrase("toolbox.edited_exact", {"count": count, "lines": _places(text, edit.old)})
    return text.replace(edit.old, edit.new), said


def _anchored(text: str, edit: Edit) -> tuple[str, Phrase]:
    lines = text.split("\n")
    ended = edit.old.endswith("\n")
    old = edit.old.removesuffix("\n").split("\n")
    found = anchors(lines, old)
    if not found:
        raise _Refused(_not_found(lines, edit.old))
    if len(found) > 1:
        named = ", ".join(str(each.first + 1) for each in found[:_NAMED])
        raise _Refused(Phrase("toolbox.ambiguous_near", {"count": len(found), "lines": named}))
    said = Phrase("toolbox.edited_near", {"line": found[0].first + 1})
    return "\n".join(replaced(lines, found[0], _lines(edit.new, ended))), said


def _lines(new: str, ended: bool) -> list[str]:
    """The new text as whole lines; a line end that the old text took along is part of them already."""
    if not ended:
        return new.split("\n")
    return new.removesuffix("\n").split("\n") if new else []


def _places(text: str, old: str) -> str:
    at, named, line, counted = text.find(old), list[str](), 1, 0
    while at >= 0 and len(named) < _NAMED:
        line += text.count("\n", counted, at)
        counted = at
        named.append(str(line))
        at = text.find(old, at + len(old))
    return ", ".join(named) + (" …" if at >= 0 else "")


def _not_found(lines: Sequence[str], old: str) -> Phrase:
    at = _nearest(lines[:_MOST_LINES], old)
    if at is None:
        return Phrase("toolbox.no_match")
    start, end = max(at - _AROUND, 0), at + _AROUND + 1
    excerpt = "\n".join(
        f"{number}\t{line[:_LONGEST_LINE]}" for number, line in enumerate(lines[start:end], start + 1)
    )
    return Phrase("toolbox.no_match_near", {"line": at + 1, "excerpt": excerpt})


def _nearest(lines: Sequence[str], old: str) -> int | None:
    """The line that shares most words with the longest of the wanted ones."""
    longest = max((line.strip()[:_LONGEST_LINE] for line in old.split("\n")[:_MOST_LINES]), key=len)
    wanted = set(_WORDS.findall(longest))
    best, nearest = 0.0, None
    for at, line in enumerate(lines):
        words = set(_WORDS.findall(line[:_LONGEST_LINE]))
        share = len(words & wanted) / len(words | wanted) if words & wanted else 0.0
        if share > best:
            best, nearest = share, at
    return nearest
