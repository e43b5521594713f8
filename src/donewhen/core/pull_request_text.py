"""Text of others inside of a pull request: it can't become markup, a mention, a command or a closing word.

In a body such text stands in code spans and code blocks alone, where forges look for nothing. A title has no
code, so what a forge would act on is broken up there. Pure; secrets are taken out by whoever calls.
"""

import re
from collections.abc import Iterable, Sequence

LONGEST_TITLE = 200  # characters; forges take 255 or 256, and a prefix of theirs may come
LONGEST_LINE = 300
LONGEST_BLOCK = 4000
_JOINER = "\u2060"  # shows nothing and keeps two characters from being one word
_RUNS = re.compile("`{3,}|~{3,}")
_TICKS = re.compile("`+")
_DRAFT = re.compile(
    r"^(?:\[(?:draft|wip)\]|\((?:draft|wip)\)|(?:draft|wip)\s*:|(?:draft|wip)\s+-)\s*", re.IGNORECASE
)
_MENTION = re.compile(r"([@#!&$%~])(?=\w)")
_OTHERS = re.compile(r"(?<=\bgh-)(?=\d)|(?<=:/)(?=/)", re.IGNORECASE)  # GH-1, and links


def line(text: object, longest: int = LONGEST_LINE) -> str:
    """On one line, printable, bounded."""
    cut = str(text)[: 4 * longest]
    shown = " ".join("".join(mark if mark.isprintable() else " " for mark in cut).split())
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def title_of(text: str, instead: str) -> str:
    """The first line that says something, without anything that a forge would act on."""
    lines = (line(each, LONGEST_TITLE) for each in text[:20_000].splitlines())
    said = next((each for each in lines if any(mark.isalnum() for mark in each)), "")
    while (shorter := _DRAFT.sub("", said)) != said:
        said = shorter
    said = said.lstrip("-/ ").strip() or instead
    broken = _OTHERS.sub(_JOINER, _MENTION.sub(rf"\1{_JOINER}", said))
    return broken if len(broken) <= LONGEST_TITLE else broken[: LONGEST_TITLE - 1] + "…"


def code(text: object, longest: int = LONGEST_LINE) -> str:
    """A code span of one line; empty text gives nothing, blanks alone are shown."""
    shown = line(text, longest) or ("␣" if str(text) else "")
    if not shown:
        return ""
    fence = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    space = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{space}{shown}{space}{fence}"


def cell(text: object, longest: int = LONGEST_LINE) -> str:
    """A code span inside of a table, where a bar needs a backslash that must not meet another one."""
    apart = re.sub(r"\\+(?=\|)", lambda found: found[0] + " ", str(text)[: 4 * longest])
    return code(apart, longest).replace("|", "\\|")


def block(text: str, longest: int = LONGEST_BLOCK) -> str:
    """A block of code that its own text can't end: no line of it looks like a fence."""
    cut = text[: longest + 1].replace("\r\n", "\n").replace("\r", "\n")
    shown = "".join(mark if mark in "\n\t" or mark.isprintable() else " " for mark in cut)
    bounded = [each if len(each) <= 1000 else each[:999] + "…" for each in shown.split("\n")]
    inner = _RUNS.sub(lambda run: " ".join(run[0]), "\n".join(bounded)).strip("\n")
    inner = inner if len(text) <= longest else inner[: longest - 1] + "…"
    return f"```text\n{inner}\n```"


def folded(summary: str, body: str) -> str:
    """A part that is closed at first; `summary` is ours."""
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are Markdown already."""
    lines = [tuple(head), ("---",) * len(head), *(tuple(row) for row in rows)]
    return "\n".join(f"| {' | '.join(each)} |" for each in lines)
