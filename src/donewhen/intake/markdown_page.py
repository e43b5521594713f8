"""A Markdown page as sections: which heading stands over which lines, and which lines carry no structure.

Only what a spec needs: headings (hashes or underlined), labels that stand in for headings (`**Done when:**`),
fences, comments and front matter. Linear in the text; no Markdown is rendered.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

LABEL = 7  # deeper than every heading
_BREAK = re.compile(r"\r\n?|\n")
_FENCE = re.compile(r" {0,12}(?:[-*+] +|\d{1,4}[.)] +)?(`{3,}|~{3,})([^`]*)$")
_CLOSED = re.compile(r"\s*(`{3,}|~{3,})\s*$")
_HASHES = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_BOLD = re.compile(r" {0,3}(\*\*|__)([^*_\n]{1,80})\1[ \t]*([:：]?)[ \t]*$")
_NAMED = re.compile(r" {0,3}([^\s\-*+#>|`][^`|\n]{0,80}?)[ \t]*[:：][ \t]*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,4}[.)])\s")
_FRONT_MATTER = 200

Sort = Literal["text", "code", "fence", "hidden", "heading"]


class Line(NamedTuple):
    number: int  # from 1
    text: str
    sort: Sort
    language: str = ""  # of a fence


class Heading(NamedTuple):
    level: int
    title: str
    number: int


class Section(NamedTuple):
    """A heading and all lines below it, up to the next heading of its level or a higher one."""

    heading: Heading
    lines: tuple[Line, ...]


class Page(NamedTuple):
    lines: tuple[Line, ...]
    sections: tuple[Section, ...]  # in the order of their headings; a section holds the deeper ones below it


def read_page(text: str) -> Page:
    lines = list(_sorted(_BREAK.split(text)))
    headings: list[Heading] = []
    for at in range(len(lines)):
        found = _heading(lines, at)
        if found:
            headings.append(found)
            rows = 2 if found.level < LABEL and _is_underlined(lines, at) else 1
            lines[at : at + rows] = [line._replace(sort="heading") for line in lines[at : at + rows]]
    return Page(tuple(lines), tuple(_sections(lines, headings)))


def _sections(lines: list[Line], headings: list[Heading]) -> list[Section]:
    ends = [len(lines)] * len(headings)
    open_ones: list[int] = []
    for at, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.number - 1
        open_ones.append(at)
    return [
        Section(heading, tuple(lines[heading.number : end]))
        for heading, end in zip(headings, ends, strict=True)
    ]


def _sorted(raw: list[str]) -> Iterator[Line]:
    """Each line with what it is, headings not yet among them."""
    skip = _front_matter(raw)
    last = max((number for number, text in enumerate(raw, 1) if "-->" in text), default=0)
    fence, comment = "", False
    for number, text in enumerate(raw, 1):
        if number <= skip:
            yield Line(number, text, "hidden")
        elif fence:
            closed = _CLOSED.match(text)
            ends = closed is not None and closed[1][0] == fence[0] and len(closed[1]) >= len(fence)
            yield Line(number, text, "fence" if ends else "code")
            fence = "" if ends else fence
        else:
            comment, shown = _uncommented(text, comment, can_open=number <= last)
            opened = _FENCE.match(shown)
            if opened:
                fence = opened[1]
                yield Line(number, shown, "fence", opened[2].strip().lower()[:40])
            else:
                yield Line(number, shown, "text" if shown.strip() or not text.strip() else "hidden")


def _front_matter(raw: list[str]) -> int:
    """How many lines at the top are metadata of the page."""
    if not raw or raw[0].strip() != "---":
        return 0
    return next((at + 1 for at in range(1, min(len(raw), _FRONT_MATTER)) if raw[at].strip() == "---"), 0)


def _uncommented(text: str, inside: bool, *, can_open: bool) -> tuple[bool, str]:
    """The line without its comments, and whether one is open at its end; one that never ends is none."""
    if not inside and not can_open:
        return False, text
    kept, at = "", 0
    while at < len(text):
        mark = "-->" if inside else "<!--"
        found = text.find(mark, at)
        if found < 0:
            break
        kept += "" if inside else text[at:found]
        inside, at = not inside, found + len(mark)
    return inside, kept if inside else kept + text[at:]


def heading_of(line: Line) -> Heading | None:
    """The heading with hashes, or the label, that a line is by itself."""
    hashes = _HASHES.match(line.text)
    if hashes:
        title = line.text[hashes.end() :].rstrip()
        bare = title.rstrip("#")
        closed = bare != title and (not bare or bare[-1] in " \t")
        return Heading(len(hashes[1]), plain(bare if closed else title), line.number)
    bold = _BOLD.match(line.text) or _NAMED.match(line.text)
    if bold is None or _ITEM.match(line.text):
        return None
    return Heading(LABEL, plain(bold[2] if bold.re is _BOLD else bold[1]), line.number)


def _heading(lines: list[Line], at: int) -> Heading | None:
    line = lines[at]
    if line.sort != "text" or not line.text.strip():
        return None
    if _is_underlined(lines, at):
        return Heading(1 if "=" in lines[at + 1].text else 2, plain(line.text), line.number)
    return heading_of(line)


def _is_underlined(lines: list[Line], at: int) -> bool:
    """A line of text of its own with === or --- below it; a list item or a table is none."""
    if at + 1 >= len(lines) or lines[at + 1].sort != "text" or _ITEM.match(lines[at].text):
        return False
    if at and lines[at - 1].sort == "text" and lines[at - 1].text.strip():
        return False
    return "|" not in lines[at].text and _UNDERLINE.match(lines[at + 1].text) is not None


def plain(title: str) -> str:
    """A title without marks of emphasis, links of its own and the colon at its end."""
    return title.replace("**", "").replace("__", "").replace("`", "").strip().rstrip(":：").strip()
