"""What every requirement needs: a statement in its own words and a scenario that says what to observe.

The same for main specs and deltas. Where something is missing, the line that was probably meant is named.
"""

import re
from typing import NamedTuple

from donewhen.intake.openspec.model import Issue, Requirement, Scenario
from donewhen.intake.openspec.page import heading_of, read_page
from donewhen.intake.openspec.remarks import error, info, warning

# ASCII: between a Chinese character and SHALL there is a word boundary
_KEYWORD = re.compile(r"\b(?:SHALL|MUST)\b", re.ASCII)


class _Meant(NamedTuple):
    """A line that was meant to open a scenario and doesn't."""

    written: str
    line: int


def requirement_issues(
    file: str, requirement: Requirement, scenarios: tuple[Scenario, ...] | None = None
) -> list[Issue]:
    """`scenarios`: those that count, where they are not all of the block."""
    counted = requirement.scenarios if scenarios is None else scenarios
    return _statement_issues(file, requirement) + _scenario_issues(file, requirement, counted)


def _statement_issues(file: str, requirement: Requirement) -> list[Issue]:
    name, line = requirement.name, requirement.line
    in_heading = _KEYWORD.search(name) is not None
    if not requirement.statement:
        key = "openspec.keyword_in_heading" if in_heading else "openspec.no_statement"
        return [error(key, file, line, name=name)]
    if not _KEYWORD.search(requirement.statement):
        return [warning("openspec.no_keyword", file, line, name=name)]
    return []


def _scenario_issues(file: str, requirement: Requirement, scenarios: tuple[Scenario, ...]) -> list[Issue]:
    name = requirement.name
    empty = [scenario for scenario in scenarios if not scenario.body]
    if len(empty) < len(scenarios):
        return [info("openspec.bare_scenario", file, each.line, name=each.name) for each in empty]
    if empty:
        return [error("openspec.empty_scenario", file, empty[0].line, name=name, scenario=empty[0].name)]
    meant = _meant(requirement)
    if meant:
        return [error("openspec.scenario_form", file, meant.line, name=name, written=meant.written)]
    return [error("openspec.no_scenario", file, requirement.line, name=name)]


def _meant(requirement: Requirement) -> _Meant | None:
    page = read_page(requirement.block)
    for at, line in page.open_lines(1):
        bare = line.strip()
        head = heading_of(line)
        if head and head[0] == 4:  # a scenario indeed, but of another heading above it
            continue
        rest = bare.lstrip("#*+-_ \t").lower()
        if rest != bare.lower() and rest.startswith("scenario") and ":" in rest:
            return _Meant(bare, requirement.line + at)
    return None
