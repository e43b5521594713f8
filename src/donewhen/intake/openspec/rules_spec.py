"""What is wrong with a main spec, each with its line and its real cause.

Stricter than the OpenSpec validator in one point: sections that stand at the wrong heading level are errors,
because a merge can't see what is in them.
"""

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from donewhen.intake.openspec.blocks import requirement_name
from donewhen.intake.openspec.mainspec import read_spec, section, section_end
from donewhen.intake.openspec.model import OPERATIONS, Issue, Spec
from donewhen.intake.openspec.page import Heading, Page, heading_of, read_page
from donewhen.intake.openspec.remarks import error, has_errors, info, warning
from donewhen.intake.openspec.rules_requirement import requirement_issues

SHORTEST_PURPOSE = 50
LONGEST_STATEMENT = 500
TBD = ("TBD - created by archiving change ", ". Update Purpose after archive.")

_UNSPACED = re.compile(r"###requirement:", re.IGNORECASE)
_ANY_LEVEL = re.compile(r"(#{1,6})\s*requirement:", re.IGNORECASE)
_SHOUTED = re.compile(r"(?:TBD|TODO)(?![\w])")
_MARKED = re.compile(r"(?:TBD|TODO)(?=[ \t]*(?:\Z|[\n:\-–—.,;()\[\]{}]))", re.IGNORECASE)


def validate_spec(text: str, file: str) -> list[Issue]:
    """Every issue of the main spec `text`, in the order of its lines."""
    page = read_page(text)
    spec = read_spec(text)
    heads = page.headings()
    issues = [
        *_purpose_issues(file, page, spec, heads),
        *_structure(file, page, heads),
        *_levels(file, page),
        *_hidden(file, page),
    ]
    found = section(heads, "requirements")
    if found is None:
        issues.append(_no_section(file, page, heads, "Requirements"))
    else:
        issues += _requirements_issues(file, page, heads, found, spec, has_errors(issues))
    return sorted(issues, key=lambda issue: issue.line)


def structure_issues(text: str, file: str) -> list[Issue]:
    """What keeps a main spec from being merged into: its blocks could not be told apart."""
    page = read_page(text)
    return _structure(file, page, page.headings())


def _structure(file: str, page: Page, heads: list[Heading]) -> list[Issue]:
    issues = [
        error("openspec.delta_in_main", file, head.line, heading=page.lines[head.at].strip())
        for head in heads
        if head.level == 2 and _is_delta_title(head.title)
    ]
    found = section(heads, "requirements")
    inside = range(found.at, section_end(page, heads, found)) if found else range(0)
    first: dict[str, int] = {}
    for at, line in page.open_lines():
        name = requirement_name(line)
        if not name:
            continue
        if at not in inside:
            issues.append(error("openspec.outside_requirements", file, at + 1, name=name))
        elif name in first:
            issues.append(error("openspec.duplicate", file, at + 1, name=name, first=first[name]))
        else:
            first[name] = at + 1
    return issues


def _is_delta_title(title: str) -> bool:
    words = title.upper().split()
    return len(words) == 2 and words[0] in OPERATIONS and words[1] == "REQUIREMENTS"


def _levels(file: str, page: Page) -> list[Issue]:
    issues = []
    for at, line in page.open_lines():
        found = _ANY_LEVEL.match(line)
        if found is None:
            continue
        if len(found[1]) != 3:
            issues.append(error("openspec.requirement_level", file, at + 1, heading=line.strip()))
        elif _UNSPACED.match(line):
            issues.append(error("openspec.heading_space", file, at + 1, heading=line.strip()))
    return issues


def _hidden(file: str, page: Page) -> list[Issue]:
    return [
        warning("openspec.hidden_in_main", file, at + 1, heading=line.strip())
        for at, line in page.open_lines()
        if page.hidden[at] and requirement_name(line)
    ]


def _no_section(file: str, page: Page, heads: list[Heading], title: str) -> Issue:
    """The section is missing, or stands where or as no merge finds it."""
    wanted = title.lower()
    for head in heads:
        if head.title.lower() == wanted:
            heading = page.lines[head.at].strip()
            return error("openspec.section_level", file, head.line, heading=heading, title=title)
    for at, line in page.open_lines():
        bare = line.strip()
        if bare.startswith("#") and bare.strip("# \t:").lower() == wanted:
            return error("openspec.section_form", file, at + 1, heading=bare, title=title)
    return error("openspec.no_section", file, 1, title=title)


def _purpose_issues(file: str, page: Page, spec: Spec, heads: list[Heading]) -> list[Issue]:
    if not spec.purpose_line:
        return [_no_section(file, page, heads, "Purpose")]
    if not spec.purpose:
        return [error("openspec.empty_purpose", file, spec.purpose_line)]
    if is_placeholder(spec.purpose):
        return [warning("openspec.purpose_placeholder", file, spec.purpose_line)]
    if len(spec.purpose) < SHORTEST_PURPOSE:
        count = len(spec.purpose)
        return [
            warning("openspec.purpose_short", file, spec.purpose_line, count=count, least=SHORTEST_PURPOSE)
        ]
    return []


def is_placeholder(purpose: str) -> bool:
    """Whether nobody has written the Purpose yet."""
    page = read_page(purpose)
    prose = "\n".join(line for _, line in page.open_lines()).strip()
    start = prose.find(TBD[0])
    generated = start >= 0 and TBD[1] in prose[start:]
    return generated or bool(_SHOUTED.match(prose) or _MARKED.match(prose))


class _Inner(NamedTuple):
    """The Requirements section: where it ends, and the positions of the headings in it, by level."""

    heads: list[Heading]
    end: int
    tops: list[int]  # levels 1 to 3: where a requirement ends for a reader
    fours: list[int]

    def stop(self, at: int) -> int:
        after = bisect_right(self.tops, at)
        return self.tops[after] if after < len(self.tops) else self.end

    def scenarios(self, at: int) -> list[int]:
        return self.fours[bisect_right(self.fours, at) : bisect_left(self.fours, self.stop(at))]


def _inner(page: Page, heads: list[Heading], found: Heading) -> _Inner:
    end = section_end(page, heads, found)
    inner = [head for head in heads if found.at < head.at < end]
    tops = [head.at for head in inner if head.level <= 3]
    return _Inner(inner, end, tops, [head.at for head in inner if head.level == 4])


def _requirements_issues(
    file: str, page: Page, heads: list[Heading], found: Heading, spec: Spec, explained: bool
) -> list[Issue]:
    inner = _inner(page, heads, found)
    issues: list[Issue] = []
    for requirement in spec.requirements:
        stop = inner.stop(requirement.line - 1)
        own = tuple(each for each in requirement.scenarios if each.line <= stop)
        issues += requirement_issues(file, requirement, own)
        if len(requirement.statement) > LONGEST_STATEMENT:
            line, name = requirement.line, requirement.name
            issues.append(info("openspec.long_statement", file, line, name=name, most=LONGEST_STATEMENT))
    dividers = [head for head in inner.heads if head.level == 3 and not requirement_name(page.lines[head.at])]
    issues += [_divider(file, page, head, inner) for head in dividers]
    issues += _loose(file, page, inner, spec)
    if not spec.requirements and not dividers and not explained and not has_errors(issues):
        issues.append(error("openspec.no_requirements", file, found.line))
    return issues


def _loose(file: str, page: Page, inner: _Inner, spec: Spec) -> list[Issue]:
    """A scenario above the first requirement belongs to none."""
    starts = inner.tops[:1] + [each.line - 1 for each in spec.requirements[:1]]
    edge = min(starts, default=inner.end)
    found = next((head for head in inner.heads if head.level > 3 and head.at < edge), None)
    if found is None or _ANY_LEVEL.match(page.lines[found.at]):
        return []
    return [error("openspec.loose_scenario", file, found.line, heading=page.lines[found.at].strip())]


def _divider(file: str, page: Page, head: Heading, inner: _Inner) -> Issue:
    """A level-3 heading without the label: a requirement to the validator, nothing to the merge."""
    heading = page.lines[head.at].strip()
    scenarios = inner.scenarios(head.at)
    for at, after in zip(scenarios, [*scenarios[1:], inner.stop(head.at)], strict=False):
        if page.text(at + 1, after).strip():
            return warning("openspec.no_label", file, head.line, heading=heading)
    return error("openspec.divider", file, head.line, heading=heading)


def spaced(block: str) -> str:
    """A requirement block whose heading has the space that main specs need."""
    return block if heading_of(block.partition("\n")[0]) else "### " + block[3:].lstrip()
