"""What `go vet` prints, plain or with `-json`, which mixes objects with lines; both go to stderr.

Silence is what it prints when all is well. A package that can't be loaded because a module is missing keeps
vet from looking at anything: that is no violation.
"""

import re
from collections.abc import Iterator
from typing import Any

from donewhen.core.quality.model import Unreadable, Violation
from donewhen.verify.quality.reading.loading import (
    LARGEST,
    gave_up,
    leading,
    lines,
    listed,
    needed,
    table,
    unknown_line,
)
from donewhen.verify.quality.reading.values import at, first, joined, number, placed, rows, said, word

_TOOL = "go vet"
_MOST_PACKAGES = 100_000
_PLACED = re.compile(
    r"(?P<vet>vet: )?(?P<file>[^:\n]+\.\w{1,20}):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?: (?P<message>.*)$"
)
_POSITION = re.compile(r"(?P<file>.+?):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?$", re.DOTALL)
_CHATTER = re.compile(
    r"# |go: (?:downloading|finding|extracting|found|added|upgraded) |exit status \d|FAIL\b"
)
_OPENING = re.compile(r"^\{", re.MULTILINE)
_NOT_LOADED = re.compile(
    r"cannot find (?:module|package)|no required module provides|missing go\.sum entry"
    r"|is not in (?:GOROOT|std)|could not import|module lookup disabled"
    r"|updates to go\.(?:mod|sum) needed|requires go >= "
)


def read(text: str, folder: str) -> tuple[Violation, ...]:
    return first(_all(text.removeprefix("\ufeff")[:LARGEST], folder))


def _all(text: str, folder: str) -> Iterator[Violation]:
    done = packages = 0
    while opening := _OPENING.search(text, done):
        packages += 1
        if packages > _MOST_PACKAGES:
            raise Unreadable("toolreading.too_long", tool=_TOOL, most=LARGEST // 2**20)
        yield from _plain(text[done : opening.start()], folder)
        data, done = leading(text, _TOOL, opening.start())
        yield from _packages(table(data, _TOOL, "$"), folder)
    yield from _plain(text[done:], folder)


def _packages(data: dict[str, Any], folder: str) -> Iterator[Violation]:
    for package, analyzers in data.items():
        for analyzer, found in table(analyzers, _TOOL, f"$.{word(package)}").items():
            place = f"$.{word(package)}.{word(analyzer)}"
            if isinstance(found, dict) and "error" in found:
                raise gave_up(_TOOL, f"{word(analyzer)}: {said(at(found, 'error', 'err') or found['error'])}")
            for row in listed(found, _TOOL, place):
                yield _diagnostic(table(row, _TOOL, place), word(analyzer), place, folder)


def _diagnostic(row: dict[str, Any], rule: str, place: str, folder: str) -> Violation:
    message = needed(row, "message", _TOOL, place)
    position = _POSITION.match(row["posn"]) if isinstance(row.get("posn"), str) else None
    fixes = rows(row.get("suggested_fixes"))
    return Violation(
        rule or "vet",
        message,
        placed(position["file"], folder) if position else "",
        number(position["line"]) if position else 0,
        number(position["column"]) if position else 0,
        fix=said(at(fixes[0], "message")) if fixes else "",
    )


def _plain(text: str, folder: str) -> Iterator[Violation]:
    last: Violation | None = None
    for count, line in lines(text):
        if last is not None and line[0] in "\t ":
            last = last._replace(message=joined(last.message, line.strip()))
            continue
        if last is not None:
            yield last
        last = None if _CHATTER.match(line) else _violation(line, count, folder)
    if last is not None:
        yield last


def _violation(line: str, count: int, folder: str) -> Violation:
    seen = _PLACED.match(line)
    if seen is None or _NOT_LOADED.search(line):
        raise _refusal(line, count)
    return Violation(
        "typecheck" if seen["vet"] else "vet",
        said(seen["message"]),
        placed(seen["file"], folder),
        number(seen["line"]),
        number(seen["column"]),
    )


def _refusal(line: str, count: int) -> Unreadable:
    told = line.startswith(("go: ", "pattern ", "package ", "vet: ", "no Go files")) or _NOT_LOADED.search(
        line
    )
    return gave_up(_TOOL, line) if told else unknown_line(_TOOL, count, line)
