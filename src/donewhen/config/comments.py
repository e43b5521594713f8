"""Comments of YAML text, and its lines as YAML counts them.

Between the scalars of a document every `#` begins a comment, so the positions of the tree tell comments
from text. Lines also end at a lone carriage return and at the Unicode line breaks.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from donewhen.config.yamltext import Item, walk
from donewhen.core.lazy import lazy

_BREAK = lazy("\r\n|[\n\r\x85\u2028\u2029]")
_HEADER = lazy("[^#\n\r\x85\u2028\u2029]*")


class Comment(NamedTuple):
    start: int
    text: str  # from its `#` to the end of the line, without trailing blanks


def comments_of(text: str, root: Item | None) -> tuple[Comment, ...]:
    """All comments in the order in which they stand."""
    found: list[Comment] = []
    done = 0
    for start, end in (*sorted(_spans(text, root)), (len(text), len(text))):
        found += _between(text, done, start)
        done = max(done, end)
    return tuple(found)


class Lines(NamedTuple):
    """The lines of a text, found in logarithmic steps: files come from repositories."""

    text: str
    breaks: tuple[int, ...]
    starts: tuple[int, ...]

    def start(self, position: int) -> int:
        """Where the line of a position begins."""
        return self.starts[bisect_right(self.starts, position) - 1]

    def end(self, position: int) -> int:
        """Just after the break that ends the line."""
        number = bisect_right(self.starts, position)
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def break_of(self, position: int) -> str:
        """The break that ends the line, a newline when the text ends first."""
        number = bisect_right(self.starts, position)
        return self.text[self.breaks[number - 1] : self.end(position)] if number <= len(self.breaks) else "\n"


def lines_of(text: str) -> Lines:
    found = [(match.start(), match.end()) for match in _BREAK.finditer(text)]
    return Lines(text, tuple(start for start, _ in found), (0, *(end for _, end in found)))


def _spans(text: str, root: Item | None) -> Iterator[tuple[int, int]]:
    """Where text stands that may hold a `#` of its own."""
    for item in walk(root):
        if item.kind != "scalar":
            continue
        if item.flow:  # the line that opens a block scalar may end in a comment
            header = _HEADER.match(text, item.start)
            after = _BREAK.search(text, item.start)
            yield item.start, header.end() if header else item.start
            yield min(after.end() if after else item.end, item.end), item.end
        else:
            yield item.start, item.end


def _between(text: str, start: int, end: int) -> Iterator[Comment]:
    position = text.find("#", start, end)
    while position >= 0:
        stop = _BREAK.search(text, position)
        after = stop.start() if stop else len(text)
        yield Comment(position, text[position:after].rstrip(" \t"))
        position = text.find("#", after, end)
