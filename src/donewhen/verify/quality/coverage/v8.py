"""Raw coverage of V8, as Node writes it for each process when NODE_V8_COVERAGE is set.

Ranges of characters with counts, one within the other; the innermost one that holds a character counts. A
script that was translated before it ran is followed back by the source map that Node kept; one whose text is
another, without a map, is left out: it counts as not measured.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from donewhen.core.quality.coverage import Covered, Lines, merge
from donewhen.core.quality.model import Unreadable
from donewhen.verify.failures import visible
from donewhen.verify.quality.coverage.code import Span, code_spans
from donewhen.verify.quality.coverage.reports import Tree, load_json, number, wrong_form

_FORM = "V8 JSON"
_FOREIGN = "/node_modules/"
_MARK = "\ufeff"
_COUNTER = "actualCoverage"
_MOST_RANGES = 500_000
_MOST_SEGMENTS = 2_000_000
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_DIGITS = {letter: value for value, letter in enumerate(_LETTERS)}


class _Range(NamedTuple):
    start: int
    end: int
    times: int


class _Source(NamedTuple):
    """A source file as V8 sees it: its code, how long it is, and whether a byte order mark comes first."""

    spans: tuple[Span, ...]
    length: int
    mark: int
    lines: int


class Segment(NamedTuple):
    """From here on, up to the next one, the script comes from this line of this source."""

    offset: int
    source: int
    line: int


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    return Reader(root, folder).read(data)


class Reader:
    """Reads the reports of many processes of one run; each source is looked at once."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.tree = Tree(root, folder)
        self._sources: dict[str, _Source] = {}

    def read(self, data: bytes) -> Covered:
        report = load_json(data, _FORM)
        scripts, maps = report.get("result"), report.get("source-map-cache")
        if not isinstance(scripts, list):
            raise wrong_form(_FORM)
        translated = maps if isinstance(maps, dict) else {}
        found: list[Covered] = []
        for script in scripts:
            url = script.get("url") if isinstance(script, dict) else None
            if not isinstance(url, str):
                raise wrong_form(_FORM)
            if url in translated:
                found.append(Covered(self._followed(url, script, translated[url])))
            elif path := _path(url, self.tree):
                found.append(Covered(self._direct(path, script)))
        return merge(found)

    def _direct(self, path: str, script: dict[str, Any]) -> dict[str, Lines]:
        ranges, source = _ranges(script.get("functions")), self._source(path)
        end = max((each.end for each in ranges), default=0)
        if end > source.length + source.mark:
            raise Unreadable("coverage.other_tree", file=visible(path, 200), line=source.lines + 1)
        if end < source.length:  # the script as a whole is the outermost range
            return {}
        mark = end - source.length  # some versions of Node take the byte order mark away
        runs = [_Range(each.start - mark, each.end - mark, each.times) for each in _runs(ranges)]
        ran, at = set[int](), 0
        for span in source.spans:  # both are in order, so one pass will do
            while at < len(runs) and runs[at].end <= span.start:
                at += 1
            look = at
            while look < len(runs) and runs[look].start < span.end and not runs[look].times:
                look += 1
            if look < len(runs) and runs[look].start < span.end:
                ran.add(span.line)
        return {path: Lines(frozenset(ran), frozenset(span.line for span in source.spans) - ran)}

    def _followed(self, url: str, script: dict[str, Any], cached: object) -> dict[str, Lines]:
        """What ran of the sources of a translated script."""
        segments = segments_of(cached)
        data = cached.get("data") if isinstance(cached, dict) else None
        if not segments or not isinstance(data, dict):
            return {}
        names = data.get("names")
        if isinstance(names, list) and _COUNTER in names:  # istanbul's counters tell better what ran
            return {}
        paths = [self._same(each, data, at) for at, each in enumerate(sources_of(data, url))]
        runs = _runs(_ranges(script.get("functions")))
        ran: dict[str, set[int]] = {path: set() for path in paths if path}
        seen: dict[str, set[int]] = {path: set() for path in paths if path}
        at = 0
        for segment in segments:
            while at < len(runs) and runs[at].end <= segment.offset:
                at += 1
            path = paths[segment.source] if segment.source < len(paths) else ""
            if path:
                seen[path].add(segment.line)
                if at < len(runs) and runs[at].start <= segment.offset and runs[at].times:
                    ran[path].add(segment.line)
        files: dict[str, Lines] = {}
        for path, lines in seen.items():
            code = frozenset(span.line for span in self._source(path).spans)
            files[path] = Lines(code & ran[path], (code & lines) - ran[path])
        return files

    def _same(self, address: str, data: dict[str, Any], at: int) -> str:
        """The file of a source; empty when the tree lacks it, or it was another text when translated."""
        path, texts = _path(address, self.tree), data.get("sourcesContent")
        text = texts[at] if path and isinstance(texts, list) and at < len(texts) else None
        known = (self.tree.text(path) or "") if path else ""
        same = not isinstance(text, str) or text.lstrip(_MARK) == known.lstrip(_MARK)
        return path if path and same else ""

    def _source(self, path: str) -> "_Source":
        if path not in self._sources:
            text = in_units(self.tree.text(path) or "")
            bare = text.removeprefix(_MARK)
            spans = code_spans(bare, "javascript")
            self._sources[path] = _Source(spans, len(bare), len(text) - len(bare), bare.count("\n") + 1)
        return self._sources[path]


def in_units(text: str) -> str:
    """The text with as many characters as JavaScript counts in it: those beyond the first plane are two."""
    return _ASTRAL.sub("xx", text)


def _path(url: str, tree: Tree) -> str:
    """The file of an address, as it lies in the tree; installed packages are none of it."""
    if not url.startswith("file:///") or _FOREIGN in url:
        return ""
    name = unquote_to_bytes(url.removeprefix("file://").partition("?")[0].partition("#")[0])
    return tree.find(name.decode("utf-8", "surrogateescape"))


def _ranges(functions: object) -> list[_Range]:
    """All ranges of a script, the outer ones first."""
    found: list[_Range] = []
    for function in functions if isinstance(functions, list) else [None]:
        ranges = function.get("ranges") if isinstance(function, dict) else None
        if not isinstance(ranges, list) or len(found) + len(ranges) > _MOST_RANGES:
            raise wrong_form(_FORM)
        for told in ranges:
            row = told if isinstance(told, dict) else {}
            start, end, times = (number(row.get(name)) for name in ("startOffset", "endOffset", "count"))
            if start is None or end is None or times is None or end < start:
                raise wrong_form(_FORM)
            found.append(_Range(start, end, times))
    return sorted(found, key=lambda each: (each.start, -each.end))


def _runs(ranges: Sequence[_Range]) -> list[_Range]:
    """Stretches that don't overlap, in order, each with the count of the innermost range."""
    found: list[_Range] = []
    stack: list[_Range] = []
    at = 0

    def advance(to: int) -> None:
        nonlocal at
        if stack and to > at:
            found.append(_Range(at, to, stack[-1].times))
        at = max(at, to)

    for each in ranges:
        while stack and stack[-1].end <= each.start:
            advance(stack[-1].end)
            stack.pop()
        advance(each.start)
        stack.append(each)
    while stack:
        advance(stack[-1].end)
        stack.pop()
    return found


def sources_of(data: dict[str, Any], url: str) -> tuple[str, ...]:
    """The addresses of a map's sources, as the script's own address has them; empty for one not known."""
    names, prefix = data.get("sources"), data.get("sourceRoot")
    start = f"{prefix.rstrip('/')}/" if isinstance(prefix, str) and prefix else ""
    return tuple(_absolute(start, each, url) for each in names) if isinstance(names, list) else ()


def _absolute(start: str, name: object, url: str) -> str:
    if not isinstance(name, str) or not name:
        return ""
    whole = name if name.startswith(("/", "file://")) else f"{start}{name}"
    if whole.startswith("file://") or "://" in whole[:40]:
        return whole if whole.startswith("file://") else ""
    return (
        f"file://{posixpath.normpath(posixpath.join(posixpath.dirname(url.removeprefix('file://')), whole))}"
    )


def segments_of(cached: object) -> tuple[Segment, ...]:
    """The segments of a map as Node keeps it, in the order of the script; none when it can't be read."""
    data = cached.get("data") if isinstance(cached, dict) else None
    lengths = cached.get("lineLengths") if isinstance(cached, dict) else None
    mappings = data.get("mappings") if isinstance(data, dict) else None
    if not isinstance(mappings, str) or not isinstance(lengths, list):
        return ()
    starts = [0]
    for length in lengths:
        known = number(length)
        if known is None or isinstance(length, str):
            return ()
        starts.append(starts[-1] + known + 1)
    try:
        return tuple(sorted(_segments(mappings, starts[:-1])))
    except ValueError:
        return ()


def _segments(mappings: str, starts: list[int]) -> Iterator[Segment]:
    source = line = seen = 0
    for at, text in enumerate(mappings.split(";")):
        column = 0
        for segment in filter(None, text.split(",")):
            numbers = _numbers(segment)
            seen += 1
            column += numbers[0]
            if len(numbers) >= 4:
                source, line = source + numbers[1], line + numbers[2]
            if at >= len(starts) or seen > _MOST_SEGMENTS or min(column, source, line) < 0:
                raise ValueError
            if len(numbers) >= 4:
                yield Segment(starts[at] + column, source, line + 1)


def _numbers(text: str) -> list[int]:
    """Base 64, five bits a letter, the lowest first; the lowest bit of a number is its sign."""
    found: list[int] = []
    value = shift = 0
    for letter in text[:64]:
        digit = _DIGITS.get(letter, -1)
        if digit < 0 or shift > 30:
            raise ValueError
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            found.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift or not found:
        raise ValueError
    return found
