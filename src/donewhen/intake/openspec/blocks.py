"""Requirement blocks: a heading, a statement, scenarios, up to the next requirement.

One reading for delta specs and main specs. A block keeps everything below its heading, also what it does not
understand, because a merge moves whole blocks.
"""

import re
from itertools import pairwise

from donewhen.intake.openspec.model import Requirement, Scenario
from donewhen.intake.openspec.page import Page, heading_of, without_closing

_REQUIREMENT = re.compile(r"###\s*requirement:", re.IGNORECASE)
_METADATA = re.compile(r"\*\*[^*]+\*\*:")
_SCENARIO_LABEL = re.compile(r"scenario:", re.IGNORECASE)


def requirement_name(line: str) -> str | None:
    """The name in a requirement heading; None when the line is none or names nothing."""
    found = _REQUIREMENT.match(line)
    if found is None:
        return None
    return clean_name(line[found.end() :]) or None


def clean_name(text: str) -> str:
    """The name as it is compared: trimmed, without closing hashes, in its own letter case."""
    return without_closing(text.strip())


def folded(name: str) -> str:
    """The name as typos are found: letter case and white space don't count."""
    return " ".join(name.lower().split())


def read_blocks(page: Page, start: int, end: int) -> list[Requirement]:
    """The requirements that stand in the lines from `start` to `end`."""
    heads = [(at, name) for at, line in page.open_lines(start, end) if (name := requirement_name(line))]
    stops = [at for at, _ in heads[1:]] + [end]
    return [_block(page, at, stop, name) for (at, name), stop in zip(heads, stops, strict=False)]


def _block(page: Page, at: int, stop: int, name: str) -> Requirement:
    return Requirement(
        name,
        _statement(page, at + 1, stop),
        tuple(_scenarios(page, at + 1, stop)),
        at + 1,
        page.text(at, stop).rstrip(),
    )


def _statement(page: Page, start: int, stop: int) -> str:
    """The text above the first heading; lines of metadata only when there is nothing else."""
    text: list[str] = []
    metadata: list[str] = []
    for _, line in page.open_lines(start, stop):
        if heading_of(line):
            break
        bare = line.strip()
        if bare:
            (metadata if _METADATA.match(bare) else text).append(bare)
    return "\n".join(text or metadata)


def _scenarios(page: Page, start: int, stop: int) -> list[Scenario]:
    heads = [(at, found) for at, line in page.open_lines(start, stop) if (found := heading_of(line))]
    ends = [(at, level) for at, (level, _) in heads if level <= 4] + [(stop, 1)]
    following = {at: after for (at, _), (after, _) in pairwise(ends)}
    return [
        Scenario(scenario_name(title), _body(page, at + 1, following[at]), at + 1)
        for at, (level, title) in heads
        if level == 4
    ]


def scenario_name(title: str) -> str:
    bare = without_closing(title)
    label = _SCENARIO_LABEL.match(bare)
    return bare[label.end() :].strip() if label else bare


def _body(page: Page, start: int, stop: int) -> tuple[str, ...]:
    filled = [at for at in range(start, stop) if page.lines[at].strip()]
    return page.lines[filled[0] : filled[-1] + 1] if filled else ()
