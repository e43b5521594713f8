"""proposal.md: why a change is made, in people's words. Its form is never a reason to refuse anything."""

import re

from donewhen.intake.openspec.model import Named, Proposal
from donewhen.intake.openspec.page import Heading, Page, read_page, without_closing

_PREFIX = re.compile(r"change:\s*", re.IGNORECASE)
_BULLET = re.compile(r"[-*+]\s+`([^`]+)`\s*:?\s*")
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|[。！？]")
_LONGEST = 300


def read_proposal(text: str) -> Proposal:
    page = read_page(text)
    heads = [head for head in page.headings() if not page.hidden[head.at]]
    top = next((head for head in heads if head.level == 1), None)
    why = _find(heads, "why")
    first = top or why
    return Proposal(
        _PREFIX.sub("", without_closing(top.title), count=1) if top else "",
        _body(page, heads, why),
        _body(page, heads, _find(heads, "what changes")),
        _body(page, heads, _find(heads, "impact")),
        _named(page, heads, "new capabilities"),
        _named(page, heads, "modified capabilities"),
        first.line if first else 1,
    )


def first_sentence(text: str) -> str:
    """The first sentence of the first paragraph that is prose; empty when there is none."""
    page = read_page(text)
    words: list[str] = []
    for at, line in page.open_lines():
        bare = "" if page.hidden[at] else line.strip()
        if bare and not bare.startswith(("#", "|", ">")):
            words.append(without_bullet(bare))
        elif words:
            break
    prose = " ".join(words)
    end = _SENTENCE_END.search(prose)
    sentence = prose[: end.end()].rstrip(".。") if end else prose
    return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1].rstrip() + "…"


def without_bullet(line: str) -> str:
    return line[1:].lstrip() if line[:1] in ("-", "*", "+") and line[1:2].isspace() else line


def _find(heads: list[Heading], title: str) -> Heading | None:
    return next((head for head in heads if head.title.lower() == title), None)


def _end(page: Page, heads: list[Heading], start: Heading) -> int:
    after = (head.at for head in heads if head.at > start.at and head.level <= start.level)
    return next(after, len(page.lines))


def _body(page: Page, heads: list[Heading], start: Heading | None) -> str:
    return page.text(start.at + 1, _end(page, heads, start)).strip() if start else ""


def _named(page: Page, heads: list[Heading], title: str) -> tuple[Named, ...]:
    start = _find(heads, title)
    if start is None:
        return ()
    return tuple(
        Named(found[1].strip(), line.strip()[found.end() :], at + 1)
        for at, line in page.open_lines(start.at + 1, _end(page, heads, start))
        if not page.hidden[at] and (found := _BULLET.match(line.strip()))
    )
