"""Whether a spec may be deleted with its last requirement: only if every line of it is accounted for.

Accounted for are the title, the Purpose, and of each requirement the heading, the statement and the steps of
its scenarios. Notes, tables and further sections are somebody's work; they are named, never dropped.
"""

import re

from donewhen.intake.openspec.model import Requirement, Spec
from donewhen.intake.openspec.page import heading_of, read_page

_BULLET = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])\s")
_OTHER = re.compile(r"\s*[|<>]")  # a table, HTML, a quotation


def unaccounted(spec: Spec) -> tuple[int, str] | None:
    """Line and text of the first line that would be lost unmentioned."""
    for start, text in ((0, spec.before), (spec.requirements_line, spec.preamble)):
        found = _above(start, text)
        if found:
            return found
    for requirement in spec.requirements:
        found = _in_block(requirement)
        if found:
            return found
    if spec.after:
        return 0, spec.after.partition("\n")[0]
    return None


def _above(start: int, text: str) -> tuple[int, str] | None:
    """Only one title and the Purpose may stand above the requirements; between them nothing."""
    page = read_page(text)
    in_purpose = titled = False
    for at, line in enumerate(page.lines):
        head = None if page.code[at] else heading_of(line)
        if head and head[0] == 2 and head[1].lower() == "purpose":
            in_purpose = True
        elif head and head[0] == 1 and not titled and not in_purpose:
            titled = True
        elif line.strip() and (not in_purpose or (head and head[0] <= 2)):
            return start + at + 1, line.strip()
    return None


def _in_block(requirement: Requirement) -> tuple[int, str] | None:
    page = read_page(requirement.block)
    in_scenario = in_steps = gone = False
    for at, line in enumerate(page.lines[1:], 1):
        head = None if page.code[at] else heading_of(line)
        if head and head[0] == 4:
            in_scenario, in_steps, gone = True, False, False
        elif head:
            return requirement.line + at, line.strip()
        elif not line.strip():
            gone = gone or in_steps
        elif page.code[at] or not (in_scenario or _OTHER.match(line)):
            continue
        elif _OTHER.match(line) or gone or not (in_steps or _BULLET.match(line)):
            return requirement.line + at, line.strip()
        else:
            in_steps = True
    return None
