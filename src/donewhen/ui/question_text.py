"""A plan that waits for a human's yes, where no terminal asks: whole, line by line, in rows that fit.

All of it was written by an agent, so every row has a margin and none can pass for a line of ours.
"""

from collections.abc import Iterator

from donewhen.config.places import harmless
from donewhen.run.approvals_terminal import MOST_OF_PLAN, MOST_SHOWN, PLAN, wrapped
from donewhen.ui.words import t

COLUMNS = 80
_MARGIN = "  | "

__all__ = ["PLAN", "plan_rows", "rows"]


def plan_rows(action: str) -> Iterator[str]:
    """The rows of a plan; of one that is too long to be read, the beginning and how much is left out."""
    for line in action[:MOST_OF_PLAN].split("\n"):
        yield from wrapped(_MARGIN + harmless(line, MOST_SHOWN), COLUMNS)
    if len(action) > MOST_OF_PLAN:
        yield _MARGIN + t("approvals.cut", count=len(action) - MOST_OF_PLAN)


def rows(sentence: str) -> Iterator[str]:
    """A sentence about the plan, broken at spaces."""
    import textwrap

    yield from textwrap.wrap(
        harmless(sentence, MOST_SHOWN), COLUMNS - 1, initial_indent="  ", subsequent_indent="  "
    )
