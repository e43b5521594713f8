"""Raw coverage of V8, as Node writes it for each process when NODE_V8_COVERAGE is set.

Ranges of characters with counts, one within the other; the innermost one that holds a character counts. A
line did not run when none of its code did. A script that was translated before it ran is followed back by the
source map that Node kept; one whose text is another, without a map, is left out: it counts as not measured.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from donewhen.core.quality.coverage import Covered, Lines, merge
from donewhen.core.quality.model import Unreadable
from donewhen.verify.quality.coverage.code import Span, code_spans, in_units
from donewhen.verify.quality.coverage.parsing import load_json, number, wrong_form
from donewhen.verify.quality.coverage.sourcemap import segments_of, sources_of
from donewhen.verify.quality.coverage.tree import Tree
from donewhen.verify.reports.frames import visible

FORM = "V8 JSON"
_FOREIGN = "/node_modules/"
_MARK = "\ufeff"
_COUNTER = "actualCoverage"
_MOST_RANGES = 500_000


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


def read(data: bytes, root: Path, folder: str = "") -> Covered:
    return Reader(root, folder).read(data)


class Reader:
    """Reads the reports of many processes of one run; each source is looked at once."""

    def __init__(self, root: Path, folder: str = "") -> None:
        self.tree = Tree(root, folder)
        self._sources: dict[str, _Source] = {}

    def read(self, data: bytes) -> Covered:
        report = load_json(data, FORM)
        scripts, maps = report.get("result"), report.get("source-map-cache")
        if not isinstance(scripts, list):
            raise wrong_form(FORM)
        translated = maps if isinstance(maps, dict) else {}
        found: list[Covered] = []
        for script in scripts:
            url = script.get("url") if isinstance(script, dict) else None
            if not isinstance(url, str):
                raise wrong_form(FORM)
            if not url.startswith("file:///") or _FOREIGN in url:
                continue
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
        ran = _executed(source.spans, runs)
        return {path: Lines(ran, frozenset(span.line for span in source.spans) - ran)}

    def _followed(self, url: str, script: dict[str, Any], cached: object) -> dict[str, Lines]:
        """What ran of the sources of a translated script."""
        segments = segments_of(cached)
        data = cached.get("data") if isinstance(cached, dict) else None
        if not segments or not isinstance(data, dict) or _is_counted(data):
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
        path = _path(address, self.tree)
        texts = data.get("sourcesContent")
        text = texts[at] if path and isinstance(texts, list) and at < len(texts) else None
        same = not isinstance(text, str) or text.lstrip(_MARK) == self._text(path).lstrip(_MARK)
        return path if path and same else ""

    def _source(self, path: str) -> "_Source":
        if path not in self._sources:
            text = in_units(self._text(path))
            bare = text.removeprefix(_MARK)
            spans = code_spans(bare, "javascript")
            self._sources[path] = _Source(spans, len(bare), len(text) - len(bare), bare.count("\n") + 1)
        return self._sources[path]

    def _text(self, path: str) -> str:
        return (self.tree.text(path) or b"").decode("utf-8", "replace")


def _path(url: str, tree: Tree) -> str:
    """The file of an address, as it lies in the tree; installed packages are none of it."""
    if not url.startswith("file:///") or _FOREIGN in url:
        return ""
    name = unquote_to_bytes(url.removeprefix("file://").partition("?")[0].partition("#")[0])
    return tree.find(name.decode("utf-8", "surrogateescape"))


def _is_counted(data: dict[str, Any]) -> bool:
    """Whether istanbul put its counters into the script: it tells better what ran than ranges round them."""
    names = data.get("names")
    return isinstance(names, list) and _COUNTER in names


def _ranges(functions: object) -> list[_Range]:
    """All ranges of a script, the outer ones first."""
    if not isinstance(functions, list):
        raise wrong_form(FORM)
    found: list[_Range] = []
    for function in functions:
        ranges = function.get("ranges") if isinstance(function, dict) else None
        if not isinstance(ranges, list) or len(found) + len(ranges) > _MOST_RANGES:
            raise wrong_form(FORM)
        found.extend(_range(each) for each in ranges)
    return sorted(found, key=lambda each: (each.start, -each.end))


def _range(told: object) -> _Range:
    if not isinstance(told, dict):
        raise wrong_form(FORM)
    start, end, times = (number(told.get(name)) for name in ("startOffset", "endOffset", "count"))
    if start is None or end is None or times is None or end < start:
        raise wrong_form(FORM)
    return _Range(start, end, times)


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


def _executed(spans: Sequence[Span], runs: Sequence[_Range]) -> frozenset[int]:
    """Lines with some code in a stretch that ran; both are in order, so one pass will do."""
    lines: set[int] = set()
    at = 0
    for span in spans:
        while at < len(runs) and runs[at].end <= span.start:
            at += 1
        look = at
        while look < len(runs) and runs[look].start < span.end:
            if runs[look].times:
                lines.add(span.line)
                break
            look += 1
    return frozenset(lines)
