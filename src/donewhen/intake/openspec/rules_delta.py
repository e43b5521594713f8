"""What is wrong with a delta spec by itself, before any main spec is looked at."""

from collections.abc import Iterable
from typing import NamedTuple

from donewhen.intake.openspec.blocks import folded
from donewhen.intake.openspec.model import Delta, Issue, Operation
from donewhen.intake.openspec.page import heading_of
from donewhen.intake.openspec.remarks import error, info, warning
from donewhen.intake.openspec.rules_requirement import requirement_issues


class _Entry(NamedTuple):
    operation: Operation
    name: str
    line: int


def delta_issues(file: str, delta: Delta) -> list[Issue]:
    """Every issue of one delta spec, in the order of its lines."""
    issues = [
        *_reading_issues(file, delta),
        *_section_issues(file, delta),
        *_name_issues(file, delta),
        *_rename_issues(file, delta),
    ]
    for requirement in (*delta.added, *delta.modified):
        issues += requirement_issues(file, requirement)
        if heading_of(requirement.block.partition("\n")[0]) is None:
            issues.append(info("openspec.delta_heading_space", file, requirement.line, name=requirement.name))
    return sorted(issues, key=lambda issue: issue.line)


def _reading_issues(file: str, delta: Delta) -> list[Issue]:
    """What stands in the file and is passed over, or counts although nobody sees it."""
    return [
        *(error("openspec.hidden", file, mark.line, heading=mark.heading) for mark in delta.hidden),
        *(
            warning("openspec.near_section", file, mark.line, heading=mark.heading, operation=mark.section)
            for mark in delta.near
        ),
        *(warning("openspec.outside_sections", file, mark.line, name=mark.heading) for mark in delta.outside),
        *(
            info("openspec.ignored_heading", file, mark.line, heading=mark.heading, section=mark.section)
            for mark in delta.ignored
        ),
        *(
            error("openspec.half_rename", file, half.line, side=half.side, other=other, name=half.name)
            for half in delta.halves
            for other in ("FROM" if half.side == "TO" else "TO",)
        ),
    ]


def _section_issues(file: str, delta: Delta) -> list[Issue]:
    if not delta.sections:
        return [error("openspec.no_delta_section", file, 1)]
    empty = [part for part in delta.sections if not part.entries]
    if not delta.total:
        return [error("openspec.empty_section", file, part.line, operation=part.operation) for part in empty]
    return [
        (info if part.blank else warning)(
            "openspec.section_without_entry", file, part.line, operation=part.operation
        )
        for part in empty
    ]


def _entries(delta: Delta) -> list[_Entry]:
    return [
        *(_Entry("ADDED", each.name, each.line) for each in delta.added),
        *(_Entry("MODIFIED", each.name, each.line) for each in delta.modified),
        *(_Entry("REMOVED", each.name, each.line) for each in delta.removed),
    ]


def _name_issues(file: str, delta: Delta) -> list[Issue]:
    """A name twice: in one section, or in two that contradict each other."""
    issues = []
    first: dict[str, _Entry] = {}
    for entry in sorted(_entries(delta), key=lambda entry: entry.line):
        known = first.setdefault(entry.name, entry)
        if known is entry:
            continue
        key = "openspec.duplicate" if known.operation == entry.operation else "openspec.two_sections"
        values = {"here": entry.operation, "there": known.operation}
        issues.append(error(key, file, entry.line, name=entry.name, first=known.line, **values))
    return issues


def _rename_issues(file: str, delta: Delta) -> list[Issue]:
    added = {each.name for each in delta.added}
    modified = {each.name: each.line for each in delta.modified}
    removed = {folded(each.name): each for each in delta.removed}
    issues = [
        *_twice(file, "FROM", ((rename.old, rename.line) for rename in delta.renamed)),
        *_twice(file, "TO", ((rename.new, rename.new_line) for rename in delta.renamed)),
    ]
    for rename in delta.renamed:
        if rename.old in modified:
            line = modified[rename.old]
            issues.append(error("openspec.modified_old_name", file, line, old=rename.old, new=rename.new))
        if rename.new in added:
            issues.append(error("openspec.added_rename_target", file, rename.new_line, name=rename.new))
        gone = removed.get(folded(rename.old))
        if gone:
            issues.append(error("openspec.removed_and_renamed", file, gone.line, name=gone.name))
    return issues


def _twice(file: str, side: str, names: Iterable[tuple[str, int]]) -> list[Issue]:
    issues = []
    first: dict[str, int] = {}
    for name, line in names:
        if first.setdefault(name, line) != line:
            issues.append(
                error("openspec.duplicate_side", file, line, side=side, name=name, first=first[name])
            )
    return issues
