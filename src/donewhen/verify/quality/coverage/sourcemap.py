"""Source maps, as far as coverage needs them: which line of which source each place of a script comes from.

Node keeps the maps of scripts that were translated before they ran beside their coverage. Places without a
source are left out; a map that is broken gives nothing, so its files count as not measured.
"""

import posixpath
from collections.abc import Iterator
from typing import Any, NamedTuple

_DIGITS = {
    letter: value
    for value, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_MOST_SEGMENTS = 2_000_000
_HIGHEST = 2**31


class Segment(NamedTuple):
    """From here on, up to the next one, the script comes from this line of this source."""

    offset: int
    source: int
    line: int


def sources_of(data: dict[str, Any], url: str) -> tuple[str, ...]:
    """The addresses of the sources, as the script's own address has them; empty for one that is not known."""
    names = data.get("sources")
    prefix = data.get("sourceRoot")
    start = f"{prefix.rstrip('/')}/" if isinstance(prefix, str) and prefix else ""
    return tuple(_absolute(start, each, url) for each in names) if isinstance(names, list) else ()


def _absolute(start: str, name: object, url: str) -> str:
    if not isinstance(name, str) or not name:
        return ""
    whole = name if name.startswith(("/", "file://")) else f"{start}{name}"
    if whole.startswith("file://"):
        return whole
    if "://" in whole[:40]:
        return ""
    place = posixpath.join(posixpath.dirname(url.removeprefix("file://")), whole)
    return f"file://{posixpath.normpath(place)}"


def segments_of(cached: object) -> tuple[Segment, ...]:
    """The segments of a map as Node keeps it, in the order of the script; none when it can't be read."""
    data = cached.get("data") if isinstance(cached, dict) else None
    lengths = cached.get("lineLengths") if isinstance(cached, dict) else None
    mappings = data.get("mappings") if isinstance(data, dict) else None
    if not isinstance(mappings, str) or not isinstance(lengths, list):
        return ()
    try:
        return tuple(sorted(_segments(mappings, _starts(lengths))))
    except ValueError:
        return ()


def _starts(lengths: list[object]) -> list[int]:
    starts = [0]
    for length in lengths:
        if isinstance(length, bool) or not isinstance(length, int) or not 0 <= length < _HIGHEST:
            raise ValueError
        starts.append(starts[-1] + length + 1)
    return starts[:-1]


def _segments(mappings: str, starts: list[int]) -> Iterator[Segment]:
    source = line = seen = 0
    for number, text in enumerate(mappings.split(";")):
        column = 0
        for segment in filter(None, text.split(",")):
            numbers = _numbers(segment)
            seen += 1
            column += numbers[0]
            if number >= len(starts) or seen > _MOST_SEGMENTS or column < 0:
                raise ValueError
            if len(numbers) >= 4:
                source, line = source + numbers[1], line + numbers[2]
                if source < 0 or line < 0:
                    raise ValueError
                yield Segment(starts[number] + column, source, line + 1)


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
