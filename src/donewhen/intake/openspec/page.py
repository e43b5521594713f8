"""A Markdown page as lines that know what they are: code, hidden in a comment, or open text.

The reading is that of the OpenSpec tools, line by line, because a spec must mean the same to both; it is no
general Markdown parser. Everything is linear in the text, whatever the text is.
"""

import re
from typing import NamedTuple

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})\s+(?=\S)")
_COMMENT = re.compile(r" {0,3}<!--")
_BREAK = re.compile(r"\r\n?|\n")


class Heading(NamedTuple):
    """A heading that every reader sees: hashes, white space, a title. `at` is its index in the lines."""

    level: int
    title: str
    at: int

    @property
    def line(self) -> int:
        return self.at + 1


class Page(NamedTuple):
    """The lines of a text; `code` and `hidden` say for each whether a fence or a comment covers it."""

    lines: tuple[str, ...]
    code: tuple[bool, ...]
    hidden: tuple[bool, ...]

    def open_lines(self, start: int = 0, end: int | None = None) -> list[tuple[int, str]]:
        """(index, line) of the lines that may carry structure."""
        stop = len(self.lines) if end is None else end
        return [(at, self.lines[at]) for at in range(start, stop) if not self.code[at]]

    def headings(self) -> list[Heading]:
        found = ((at, heading_of(line)) for at, line in self.open_lines())
        return [Heading(*parts, at) for at, parts in found if parts is not None]

    def text(self, start: int, end: int) -> str:
        return "\n".join(self.lines[start:end])


def read_page(text: str) -> Page:
    lines = tuple(split_lines(text))
    return Page(lines, _code(lines), _hidden(lines))


def split_lines(text: str) -> list[str]:
    """The lines without their ends and without a byte order mark; \\r\\n, \\r and \\n end a line."""
    return _BREAK.split(text.removeprefix("\ufeff"))


def heading_of(line: str) -> tuple[int, str] | None:
    """Level and title of a heading line."""
    found = _HEADING.match(line)
    return (len(found[1]), line[found.end() :].strip()) if found else None


def without_closing(title: str) -> str:
    """A title without its closing run of hashes, which counts only after a space or tab (`C#` stays)."""
    bare = title.rstrip(" \t")
    cut = bare.rstrip("#")
    return cut.strip() if len(cut) < len(bare) and cut.endswith((" ", "\t")) else title.strip()


class _Fence(NamedTuple):
    mark: str
    length: int


def _opened(line: str) -> _Fence | None:
    found = _FENCE.match(line)
    return _Fence(found[1][0], len(found[1])) if found else None


def _closes(line: str, fence: _Fence) -> bool:
    run = line.strip()
    return len(run) >= fence.length and not run.strip(fence.mark)


def _code(lines: tuple[str, ...]) -> tuple[bool, ...]:
    covered: list[bool] = []
    fence: _Fence | None = None
    for line in lines:
        if fence is None:
            fence = _opened(line)
            covered.append(fence is not None)
            continue
        covered.append(True)
        if _closes(line, fence):
            fence = None
    return tuple(covered)


def _hidden(lines: tuple[str, ...]) -> tuple[bool, ...]:
    """Lines that a comment hides from whoever reads the rendered page.

    Only a comment that starts its line can swallow headings; one inside a paragraph ends with it.
    """
    covered: list[bool] = []
    fence: _Fence | None = None
    comment = False
    for line in lines:
        if not comment and fence is not None:
            covered.append(False)
            fence = None if _closes(line, fence) else fence
            continue
        comment = comment or _COMMENT.match(line) is not None
        covered.append(comment)
        if comment:
            comment = "-->" not in line
        else:
            fence = _opened(line)
    return tuple(covered)
