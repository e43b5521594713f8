"""The entries of a section: list items with what hangs on them, table rows, Gherkin scenarios, paragraphs.

Nested items are lines of their parent. What was struck through is withdrawn and does not count.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from donewhen.intake.markdown_page import LABEL, Heading, Line, Section

_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,4}[.)、])[ \t]+(.*)$")
_BOX = re.compile(r"\[([^\]\s]?|[ \t])\](?:[ \t]+|$)")
_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*$")
_CELL = re.compile(r"(?<!\\)\|")
_SCENARIO = re.compile(
    r"[ \t]*(?:Scenario(?: Outline| Template)?|Example|场景(?:大纲)?|剧本)[ \t]*[:：][ \t]*(.+)$"
)
_GHERKIN = ("gherkin", "cucumber", "feature")


class Entry(NamedTuple):
    text: str
    line: int
    done: bool | None = None  # None: it has no check box
    nested: tuple["Entry", ...] = ()

    @property
    def whole(self) -> str:
        """The entry and all that hangs on it, nested ones as lines."""
        return "\n".join([self.text, *(f"- {inner.text}" for inner in self.nested)])


def entries(section: Section) -> tuple[Entry, ...]:
    """What a section lists; its headings or paragraphs where it lists nothing."""
    listed = sorted([*items(section.lines), *_rows(section.lines), *_scenarios(section.lines)], key=_at)
    found = listed or list(_headed(section.lines)) or list(_paragraphs(section.lines))
    return tuple(entry for entry in found if entry.text and not _withdrawn(entry.text))


def _at(entry: Entry) -> int:
    return entry.line


def _withdrawn(text: str) -> bool:
    return text.startswith("~~") and text.endswith("~~") and len(text) > 4


class _Open:
    """An item whose end has not been seen."""

    def __init__(self, indent: int, line: int, text: str) -> None:
        box = _BOX.match(text)
        self.indent, self.line = indent, line
        self.texts = [text[box.end() :] if box else text]
        self.done = box[1] in ("x", "X") if box else None

    def entry(self, nested: Iterable["_Open"]) -> Entry:
        text = " ".join(" ".join(self.texts).split())
        return Entry(text, self.line, self.done, tuple(inner.entry(()) for inner in nested))


def items(lines: Iterable[Line]) -> list[Entry]:
    """The list items at the top, with everything deeper as their nested ones."""
    found: list[tuple[_Open, list[_Open]]] = []
    current: _Open | None = None
    gap = False
    for line in lines:
        if line.sort in ("code", "fence", "hidden") or not line.text.strip():
            gap = True
            continue
        item = _ITEM.match(line.text) if line.sort == "text" else None
        if item:
            current = _Open(_width(item[1]), line.number, item[2])
            if found and current.indent > found[-1][0].indent + 1:
                found[-1][1].append(current)
            else:
                found.append((current, []))
        elif (
            line.sort == "heading" or (gap and not line.text.startswith((" ", "\t"))) or "|" in line.text[:3]
        ):
            current = None
        elif current:
            current.texts.append(line.text)
        gap = False
    return [top.entry(nested) for top, nested in found]


def _width(indent: str) -> int:
    return sum(4 if char == "\t" else 1 for char in indent)


def _rows(lines: Iterable[Line]) -> Iterator[Entry]:
    """The rows of tables, without their heads."""
    inside = False
    for line in lines:
        is_row = line.sort == "text" and line.text.lstrip().startswith("|")
        if is_row and _RULE.match(line.text):
            inside = True
        elif is_row and inside:
            cells = [cell.strip() for cell in _CELL.split(line.text.strip().strip("|"))]
            yield Entry(" — ".join(cell for cell in cells if cell), line.number)
        else:
            inside = False


def _scenarios(lines: Iterable[Line]) -> Iterator[Entry]:
    """The scenarios of Gherkin fences, their steps as nested lines."""
    gherkin = False
    head: Entry | None = None
    for line in lines:
        if line.sort == "fence":
            gherkin = line.language.split(" ")[0] in _GHERKIN
        found = _SCENARIO.match(line.text) if gherkin and line.sort == "code" else None
        if (found or not gherkin) and head:
            yield head
            head = None
        if found:
            head = Entry(found[1].strip(), line.number)
        elif head and line.sort == "code" and line.text.strip():
            step = Entry(" ".join(line.text.split()), line.number)
            head = head._replace(nested=(*head.nested, step)) if len(head.nested) < 100 else head
    if head:
        yield head


def _headed(lines: Iterable[Line]) -> Iterator[Entry]:
    """Headings inside a section, each with the paragraphs below it as its lines."""
    from donewhen.intake.markdown_page import heading_of

    head: Heading | None = None
    body: list[Entry] = []
    for line in lines:
        if line.sort == "heading":
            found = heading_of(line)
            if found is None or found.level >= LABEL:
                continue
            if head:
                yield Entry(head.title, head.number, None, tuple(body))
            head, body = found, []
        elif head and line.sort == "text" and line.text.strip():
            body.append(Entry(" ".join(line.text.split()), line.number))
    if head:
        yield Entry(head.title, head.number, None, tuple(body))


def _paragraphs(lines: Iterable[Line]) -> Iterator[Entry]:
    texts: list[str] = []
    start = 0
    for line in (*lines, Line(0, "", "text")):
        if line.sort == "text" and line.text.strip():
            start = start if texts else line.number
            texts.append(line.text)
        elif texts:
            yield Entry(" ".join(" ".join(texts).split()), start)
            texts = []
