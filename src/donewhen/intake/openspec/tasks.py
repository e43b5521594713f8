"""tasks.md: the work items of a change, and the one edit that donewhen makes to it.

A list item with a one-token box is a task wherever it stands, in a fence too: losing a task is worse than
counting an example. `tick` alters the box of one line and nothing else.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.errors import UserError
from donewhen.intake.openspec.model import Group, Task, Tasks
from donewhen.intake.openspec.page import read_page

_ITEM = re.compile(r"(\s*)(?:[-*+]|[0-9]{1,9}[.)])(\s*)")
_ID = re.compile(r"[0-9]+(?:\.[0-9]+)+[A-Za-z]*(?=\s|\Z)")
_GROUP = re.compile(r" {0,3}##(?!#)(?:[ \t]|\Z)")
_NUMBER = re.compile(r"([0-9]+)\.(?=[ \t]|\Z)")
_LINES = re.compile(r"\r\n?|\n")
_FRONT_MATTER = "---"
_CODE_COLUMN = 4


class _Box(NamedTuple):
    """Where a task's box stands in its line."""

    open: int
    close: int
    done: bool

    def text(self, line: str) -> str:
        return line[self.close + 1 :].strip()


def read_tasks(text: str) -> Tasks:
    lines = read_page(text).lines
    groups: list[Group] = []
    tasks: list[Task] = []
    number = ""
    columns: list[int] = []
    for at, line in enumerate(lines):
        if _GROUP.match(line):
            group = _group(line, at + 1)
            number = group.number if group else ""
            groups += [group] if group else []
        box = _box(line)
        if box is None:
            columns = [] if line.strip() and not line[:1].isspace() else columns
            continue
        column = _column(line)
        columns = [outer for outer in columns if outer < column]
        said = box.text(line)
        known = _ID.match(said)
        tasks.append(Task(known[0] if known else "", said, box.done, at + 1, len(columns), number))
        columns.append(column)
    return Tasks(tuple(groups), tuple(tasks), 0 if tasks else _first_item(text))


def todo_ids(tasks: Iterable[Task]) -> list[str]:
    """One id per task, in order, each unique: its own, `-2` at its second use, `task-N` where it has none."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    out = []
    for position, task in enumerate(tasks, 1):
        base = task.id or f"task-{position}"
        name = base
        while name in taken:
            counts[base] = counts.get(base, 1) + 1
            name = f"{base}-{counts[base]}"
        taken.add(name)
        out.append(name)
    return out


def tick(text: str, task_id: str, file: str = "tasks.md") -> str:
    """The text with that task marked as done; every other character stays as it is."""
    tasks = read_tasks(text).tasks
    at = next((t.line for t, known in zip(tasks, todo_ids(tasks), strict=True) if known == task_id), 0)
    if not at:
        raise UserError("openspec.no_task", place=file, task=task_id)
    start, end = _span(text, at)
    line = text[start:end]
    mark = "\ufeff" if line.startswith("\ufeff") else ""
    return text[:start] + mark + _ticked(line.removeprefix("\ufeff")) + text[end:]


def tick_finished(text: str, finished: Mapping[str, str]) -> str:
    """The text with a box ticked for each finished todo (id → content) whose task still says the same.

    An id that another source of todos took first was given a suffix, so the words decide with it.
    """
    tasks = read_tasks(text).tasks
    for task, name in zip(tasks, todo_ids(tasks), strict=True):
        same = (id for id, content in finished.items() if content == (task.text or name))
        if not task.done and any(id == name or id.startswith(f"{name}-") for id in same):
            text = tick(text, name)
    return text


def _ticked(line: str) -> str:
    box = _box(line)
    if box is None or box.done:
        return line
    rest = line[box.close + 1 :]
    gap = " " if rest[:1] in ("(", "[") else ""  # else the box would turn into a link
    return f"{line[: box.open + 1]}x]{gap}{rest}"


def _span(text: str, number: int) -> tuple[int, int]:
    """Start and end of a line, its line end left out."""
    start = 0
    for position, found in enumerate(_LINES.finditer(text), 1):
        if position == number:
            return start, found.start()
        start = found.end()
    return start, len(text)


def _box(line: str) -> _Box | None:
    item = _ITEM.match(line)
    if item is None or line[item.end() : item.end() + 1] != "[":
        return None
    close = line.find("]", item.end())
    inside = line[item.end() + 1 : close] if close >= 0 else "no box"
    mark = inside.strip()
    if len(mark) > 1:
        return None
    is_link = line[close + 1 : close + 2] in ("(", "[")
    if is_link and (mark or not inside):
        return None
    return _Box(item.end(), close, mark in ("x", "X"))


def _group(line: str, number: int) -> Group | None:
    title = line.strip().lstrip("#").strip()
    found = _NUMBER.match(title)
    return Group(found[1], title[found.end() :].strip(), number) if found else None


def _column(line: str) -> int:
    """The column of the first character that is no white space; a tab goes to the next multiple of four."""
    column = 0
    for char in line:
        if char == "\t":
            column += _CODE_COLUMN - column % _CODE_COLUMN
        elif char.isspace():
            column += 1
        else:
            break
    return column


def _first_item(text: str) -> int:
    """The line of the first list item that people see; 0 when there is none."""
    page = read_page(text)
    for at, line in page.open_lines(_after_front_matter(page.lines)):
        item = _ITEM.match(line)
        if item and item[2] and line[item.end() :] and not page.hidden[at] and _column(line) < _CODE_COLUMN:
            return at + 1
    return 0


def _after_front_matter(lines: tuple[str, ...]) -> int:
    if lines[0].rstrip() != _FRONT_MATTER:
        return 0
    return next((at + 1 for at in range(1, len(lines)) if lines[at].rstrip() == _FRONT_MATTER), 0)
