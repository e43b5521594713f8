"""Foreign text inside of Markdown, made unable to be markup.

Whatever somebody else wrote stands in a code span, a fenced block or, inside of our own HTML, in `<code>`:
there forges look for no mentions, links, references or HTML. Nothing here decides what a report says.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

from donewhen.ui.reports.plain import LONGEST_LINE, block, line

_TICKS = re.compile("`+")


def code(text: object, longest: int = LONGEST_LINE) -> str:
    """A code span of one line; empty text gives nothing."""
    return _span(_shown(text, longest))


def cell(text: object, longest: int = LONGEST_LINE) -> str:
    """A code span inside of a table, where a bar needs a backslash that must not meet another one."""
    apart = re.sub(r"\\+(?=\|)", lambda found: found[0] + " ", _shown(text, longest))
    return _span(apart).replace("|", "\\|")


def _shown(text: object, longest: int) -> str:
    """A name of blanks alone is still a name."""
    return line(text, longest) or ("␣" if str(text) else "")


def _span(text: str) -> str:
    if not text:
        return ""
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}"


def fenced(text: object, longest: int) -> str:
    """A block of code that its own text can't end."""
    inner = block(text, longest).strip("\n")
    fence = "`" * max(3, _longest_run(inner) + 1)
    return f"{fence}text\n{inner}\n{fence}"


def folded(label: str, name: object, body: str) -> str:
    """A block that is closed at first; `label` is ours, `name` is not, `body` is Markdown."""
    named = f" <code>{escape(line(name, 200))}</code>" if name else ""
    return f"<details>\n<summary>{escape(label)}{named}</summary>\n\n{body}\n\n</details>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are Markdown already."""
    lines = [tuple(head), ("---",) * len(head), *(tuple(row) for row in rows)]
    return "\n".join(f"| {' | '.join(each)} |" for each in lines)


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
