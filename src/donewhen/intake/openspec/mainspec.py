"""Main specs: the requirements of a capability as they stand, in the form that a merge rebuilds.

Sees only what the merge can see (level-2 sections, `### Requirement:` blocks); what else a page holds is
kept as text.
"""

from donewhen.intake.openspec.blocks import read_blocks, requirement_name
from donewhen.intake.openspec.model import Spec
from donewhen.intake.openspec.page import Heading, Page, read_page


def read_spec(text: str) -> Spec:
    page = read_page(text)
    heads = page.headings()
    title = next((head.title for head in heads if head.level == 1), "")
    purpose = section(heads, "purpose")
    start = section(heads, "requirements")
    purpose_text = _body(page, heads, purpose).strip() if purpose else ""
    purpose_line = purpose.line if purpose else 0
    if start is None:
        before = page.text(0, len(page.lines)).rstrip()
        return Spec(title, purpose_text, purpose_line, (), 0, before, "## Requirements", "", "")
    end = section_end(page, heads, start)
    first = next((at for at, line in page.open_lines(start.at + 1, end) if requirement_name(line)), end)
    return Spec(
        title,
        purpose_text,
        purpose_line,
        tuple(read_blocks(page, start.at + 1, end)),
        start.line,
        page.text(0, start.at).rstrip(),
        page.lines[start.at],
        page.text(start.at + 1, first).strip("\n").rstrip(),
        page.text(end, len(page.lines)).strip(),
    )


def section(heads: list[Heading], title: str) -> Heading | None:
    """The first level-2 section of that name, in any letter case."""
    return next((head for head in heads if head.level == 2 and head.title.lower() == title), None)


def section_end(page: Page, heads: list[Heading], start: Heading) -> int:
    return next((head.at for head in heads if head.level == 2 and head.at > start.at), len(page.lines))


def _body(page: Page, heads: list[Heading], start: Heading) -> str:
    end = next((head.at for head in heads if head.level <= 2 and head.at > start.at), len(page.lines))
    return page.text(start.at + 1, end)
