"""A Markdown spec: its acceptance section is the exam, its title the objective, its tasks the todos.

Only what stands under a heading that means acceptance counts; a page without one is refused with the heading
to add, because prose about a feature proves nothing.
"""

import re

from donewhen.commands.goals import parse_goal
from donewhen.commands.goals.model import LARGEST_GOAL
from donewhen.config.places import harmless
from donewhen.core.accept import Accept
from donewhen.core.errors import UserError
from donewhen.core.matches import Parse
from donewhen.core.promise import Criterion
from donewhen.intake.goal import commands_of
from donewhen.intake.markdown_items import Entry, entries, items
from donewhen.intake.markdown_page import LABEL, Page, Section, read_page
from donewhen.intake.parts import Parts, TodoPart, short, slug
from donewhen.intake.slugs import Unique

_WHOLE = frozenset({"acceptance", "dod", "验收", "ac", "done", "完成"})
_PART = (
    "acceptance criteria", "acceptance criterion", "acceptance tests", "acceptance test", "acceptance checks",
    "acceptance conditions", "acceptance requirements", "acceptance checklist", "criteria for acceptance",
    "criteria of acceptance", "definition of done", "done when", "done if", "done criteria", "exit criteria",
    "completion criteria", "success criteria", "conditions of satisfaction", "must pass",
    "验收标准", "验收条件", "验收准则", "验收要求", "验收测试", "验收清单", "完成条件", "完成标准",
    "完成定义", "完成的定义", "完成准则", "成功标准", "交付标准", "退出标准", "通过标准",
)  # fmt: skip
_SECOND_BEST = frozenset(
    {"requirements", "requirement", "functional requirements", "需求", "要求", "功能需求"}
)
_TASKS = frozenset(
    {"tasks", "task list", "todo", "todos", "to do", "implementation tasks", "implementation plan",
     "任务", "任务列表", "任务清单", "待办", "待办事项", "实施步骤", "实施计划"}
)  # fmt: skip
_NOT_ASKED = frozenset(
    {"out of scope", "not in scope", "non goals", "non goal", "not required", "optional", "nice to have",
     "stretch goals", "future work", "later", "范围外", "不在范围内", "不包括", "不包含", "非目标", "可选",
     "后续工作"}
)  # fmt: skip
_DECORATION = re.compile(r"^[\W\d_]+|[\W_]+$")
_NUMBER = re.compile(r"(?:[A-Za-z]{1,3}-?)?\d{1,4}(?:\.\d{1,4}){0,4}(?=[.):：\s])[.):：]?\s+")
_MARKER = "# Acceptance criteria\n\n"
_LONGEST = 2000


def markdown_spec(text: str, parse: Parse, name: str) -> Parts:
    if len(text) > LARGEST_GOAL:
        raise UserError("intake.too_large", place=harmless(name), limit=LARGEST_GOAL // 1024)
    page = read_page(text)
    sections = acceptance_sections(page)
    if not sections:
        raise UserError("intake.no_acceptance", place=harmless(name))
    criteria = _criteria(sections, name)
    accept = tuple(found for section in sections for found in _commands(section, parse, name))
    if not criteria and not accept:
        place = f"{harmless(name)}:{sections[0].heading.number}"
        raise UserError("intake.empty_acceptance", place=place)
    objective, line = _title(page, name)
    return Parts(
        f"{name} (Markdown)",
        objective,
        criteria,
        accept=accept,
        todos=_todos(page, sections, name),
        places={"objective": f"{name}:{line}" if line else name},
    )


def acceptance_sections(page: Page) -> list[Section]:
    """The sections that mean acceptance, outermost only; those that mean requirements when there is none."""
    for fits in (_means_acceptance, _means_requirements):
        found: list[Section] = []
        for section in page.sections:
            inside = found and section.heading.number <= found[-1].heading.number + len(found[-1].lines)
            if not inside and fits(_folded(section.heading.title)):
                found.append(section)
        if found:
            hidden = _not_asked(page)
            return [_without(section, hidden) for section in found] if hidden else found
    return []


def _not_asked(page: Page) -> frozenset[int]:
    """The lines of all sections that say what is not asked for."""
    found = (section for section in page.sections if _folded(section.heading.title) in _NOT_ASKED)
    return frozenset(
        number
        for section in found
        for number in (section.heading.number, *(line.number for line in section.lines))
    )


def _without(section: Section, hidden: frozenset[int]) -> Section:
    lines = (line._replace(sort="hidden") if line.number in hidden else line for line in section.lines)
    return section._replace(lines=tuple(lines))


def _folded(title: str) -> str:
    return " ".join(_DECORATION.sub("", _DECORATION.sub("", title)).lower().replace("-", " ").split())


def _means_acceptance(title: str) -> bool:
    return title in _WHOLE or any(_holds(title, name) for name in _PART)


def _holds(title: str, name: str) -> bool:
    """`name` opens or ends the title as whole words; Chinese has no spaces to look for."""
    if not name.isascii():
        return title.startswith(name) or title.endswith(name)
    return title == name or title.startswith((f"{name} ", f"{name}:")) or title.endswith(f" {name}")


def _means_requirements(title: str) -> bool:
    return title in _SECOND_BEST


def _criteria(sections: list[Section], name: str) -> tuple[Criterion, ...]:
    unique = Unique()
    return tuple(
        Criterion(unique(f"{stem}-{number}"), _cut(entry.whole), source=f"{name}:{entry.line}")
        for section in sections
        for stem in [slug(section.heading.title) or "acceptance"]
        for number, entry in enumerate(entries(section), 1)
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _commands(section: Section, parse: Parse, name: str) -> list[Accept]:
    """The commands that the section names, as a goal with the same words would."""
    shown = "\n".join("" if line.sort == "hidden" else line.text for line in section.lines)
    before = _MARKER.count("\n") - section.heading.number
    found: list[Accept] = []
    for command in parse_goal(_MARKER + shown).commands:
        found += commands_of(command, parse, f"{name}:{command.place.line - before}")
    return found


def _title(page: Page, name: str) -> tuple[str, int]:
    """The first heading of the highest level that is no acceptance section; else the first paragraph."""
    titles = [
        section.heading
        for section in page.sections
        if section.heading.level < LABEL and section.heading.title and not _is_known(section.heading.title)
    ]
    if titles:
        best = min(titles, key=lambda heading: (heading.level, heading.number))
        return short(best.title), best.number
    for line in page.lines:
        if line.sort == "text" and line.text.strip():
            return short(line.text.strip(" \t-*+>#")), line.number
    return short(name), 0


def _is_known(title: str) -> bool:
    folded = _folded(title)
    return _means_acceptance(folded) or folded in _TASKS or folded in _SECOND_BEST


def _todos(page: Page, taken: list[Section], name: str) -> tuple[TodoPart, ...]:
    numbers = {section.heading.number for section in taken}
    found: list[TodoPart] = []
    unique, last = Unique(), 0
    for section in page.sections:
        start = section.heading.number
        if start <= last or start in numbers or _folded(section.heading.title) not in _TASKS:
            continue
        last = start + len(section.lines)
        for top in items(section.lines):
            found += [
                _todo(entry, unique, len(found) + 1 + more, name) for more, entry in enumerate(_tasks(top))
            ]
    return tuple(found)


def _tasks(entry: Entry) -> list[Entry]:
    """A task; nested ones with boxes of their own are tasks as well, other nested lines belong to it."""
    boxed = [inner for inner in entry.nested if inner.done is not None]
    own = entry._replace(nested=tuple(inner for inner in entry.nested if inner.done is None))
    return [each for each in (own, *boxed) if each.text]


def _todo(entry: Entry, unique: Unique, number: int, name: str) -> TodoPart:
    numbered = _NUMBER.match(entry.text)
    text = entry.text[numbered.end() :] if numbered else entry.text
    key = numbered[0].strip().rstrip(".):：") if numbered else f"t{number}"
    data: dict[str, object] = {"id": unique(key), "content": _cut(entry._replace(text=text).whole)}
    if entry.done:
        data["status"] = "completed"
    return TodoPart(data, f"{name}:{entry.line}")
