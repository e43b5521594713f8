"""Text in a change that speaks to whoever judges it is itself a finding: code is to be read, not to plead.

Only lines that the change adds, and names of files, in every way in which they can be read. A program about
reviews is no plea: its strings and tests are doubts, told as warnings. Text that nobody sees is a finding
whatever it says; beyond that nothing is guessed about what is encoded.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, takewhile
from typing import Literal, NamedTuple

from donewhen.core.findings import Feedback
from donewhen.core.integrity.roles import role_of
from donewhen.core.semantic.addressed_words import HINT, Kind, Pattern, patterns, patterns_of
from donewhen.core.semantic.diff import Part, parts
from donewhen.core.semantic.hidden import hidden
from donewhen.core.semantic.readings import Manner, Reading, readings
from donewhen.core.texts import Language, say

RULE = "reviewer-addressed"
HIDDEN = "hidden-text"
MOST = 20
_SURE, _DOUBT, _NOTE = 0.9, 0.5, 0.4
_SHOWN = 160
_NAMED_ANEW = ("new file mode ", "rename to ", "copy to ")
_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc", ".html", ".htm")
_LEADERS = re.compile(
    r"\s*(?:#+!?|//[/!]?|/\*+!?|\*+(?!/)|--|;+|%+|<!--|\"\"\"|'''|>+|\.\.|dnl\b|rem\b)?\s*", re.I
)
_TRAILERS = ("*/", "-->", '"""', "'''")
_COMMENT = re.compile(r"(?:^|[\s;{}),\"'])(?:#|//|/\*|--|<!--)")


class _Hit(NamedTuple):
    line: int
    text: str
    kind: Kind | Literal["hidden"]
    confidence: float


def addressed(diff: str, min_confidence: float = 0.6, language: Language = "en") -> tuple[Feedback, ...]:
    """A finding for each place; those below `min_confidence` are warnings."""
    found = [(part.file, hit) for part in parts(diff) for hit in _hits(part)]
    found.sort(key=lambda each: -each[1].confidence)
    kept = sorted(found[:MOST], key=lambda each: (each[0], each[1].line))
    return tuple(
        Feedback(
            "fail" if hit.confidence >= min_confidence else "warning",
            "semantic",
            say(f"semantic.addressed_{hit.kind}", language, text=hit.text),
            file,
            hit.line,
            fixable=True,
            fix_suggestion=say("semantic.addressed_fix", language),
            confidence=hit.confidence,
            rule=HIDDEN if hit.kind == "hidden" else RULE,
        )
        for file, hit in kept
    )


@cache
def _patterns(manner: Manner) -> tuple[Pattern, ...]:
    return patterns() if manner == "text" else patterns_of(manner)


def _hits(part: Part) -> Iterator[_Hit]:
    """At most one for each line: the strongest."""
    best: dict[int, _Hit] = {}
    for block in (_new_name(part), *_blocks(part.added)):
        for hit in (*_unseen(block, part.file), *_in_block(block, part.file)):
            if hit.line not in best or best[hit.line].confidence < hit.confidence:
                best[hit.line] = hit
    yield from best.values()


def _new_name(part: Part) -> tuple[tuple[int, str], ...]:
    header = takewhile(lambda line: not line.startswith("@@"), part.lines)
    return ((0, part.file),) if any(line.startswith(_NAMED_ANEW) for line in header) else ()


def _blocks(added: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    """Lines that follow each other: a sentence may go over several."""
    start = 0
    for at in range(1, len(added) + 1):
        if at == len(added) or added[at][0] != added[at - 1][0] + 1:
            yield added[start:at]
            start = at


def _unseen(block: Sequence[tuple[int, str]], file: str) -> Iterator[_Hit]:
    for number, text in block:
        found = hidden(text)
        if found is not None:
            doubt = not found.sure or role_of(file) in ("test", "support")
            yield _Hit(number, _short(found.text), "hidden", _DOUBT if doubt else _SURE)


def _in_block(block: Sequence[tuple[int, str]], file: str) -> Iterator[_Hit]:
    for reading in readings([text for _, text in block], HINT):
        if any(HINT.search(line) for line in reading.lines):
            yield from _read(block, reading, file)


def _read(block: Sequence[tuple[int, str]], reading: Reading, file: str) -> Iterator[_Hit]:
    lines = reading.lines
    texts = [_bare(line) for line in lines]
    whole = "\n".join(texts)
    starts = [0]
    for text in texts[:-1]:
        starts.append(starts[-1] + len(text) + 1)
    for pattern in _patterns(reading.manner):
        for match in islice(pattern.regex.finditer(whole), MOST):
            at = bisect_right(starts, match.start()) - 1
            named = reading.manner == "names"
            quoted = named or _is_quoted(lines[at], match, starts[at], texts[at], file)
            confidence = _confidence(pattern, match, quoted, file)
            if confidence:
                yield _Hit(block[at][0], _short(match[0]), pattern.kind, confidence)


def _confidence(pattern: Pattern, match: re.Match[str], quoted: bool, file: str) -> float:
    """0: no finding at all."""
    if pattern.kind == "note":
        return 0.0 if quoted else _NOTE
    if role_of(file) in ("test", "support"):
        return _DOUBT
    if quoted and (pattern.code or _is_whole_string(match)):
        return _DOUBT
    return _SURE


def _is_quoted(line: str, match: re.Match[str], start: int, text: str, file: str) -> bool:
    """Whether it begins inside a string of a program, outside of comments, or is quoted by a text."""
    shift = max(0, line.find(text[:200])) if text else 0
    before = line[: shift + match.start() - start]
    if file.lower().endswith(_PROSE):
        return before.count("`") % 2 == 1 or before.count("“") > before.count("”")
    return any(before.count(mark) % 2 for mark in "\"'`") and not _COMMENT.search(before)


def _is_whole_string(match: re.Match[str]) -> bool:
    """Nothing but the phrase stands between the quotes: a list of phrases, not a sentence."""
    around = match.string[match.start() - 1 : match.start()] + match.string[match.end() : match.end() + 1]
    return around in ('""', "''", "``", "“”")


def _bare(line: str) -> str:
    """Without the marks that make it a comment."""
    head = _LEADERS.match(line)
    text = line[head.end() if head else 0 :].rstrip()
    return next((text.removesuffix(mark).rstrip() for mark in _TRAILERS if text.endswith(mark)), text)


def _short(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
