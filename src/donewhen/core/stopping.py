"""When the stop of another agent is refused, and when it is let go: the bound on refusals. Pure.

Refusals count since the user last spoke. One that owes less than any before it starts the row anew, so who
makes progress is never let go early; an absolute bound ends what only seems to make some. What the client
itself counts has no say.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

MOST = 20  # refusals since the user last spoke, whatever progress there was
ONCE = 1  # for what the agent can hardly repair: it is told, and then let go

Answer = Literal["block", "let_go"]


class Limits(NamedTuple):
    continues: int = 3  # refusals in a row without progress
    most: int = MOST


class Stops(NamedTuple):
    """Refusals since the user last spoke."""

    refused: int = 0
    row: int = 0  # of them without progress
    fewest: int | None = None  # proofs that were open at the best of them


def after(stops: Stops, open_proofs: int) -> Stops:
    """With one more stop that is not accepted."""
    owed = max(1, open_proofs)
    progress = stops.fewest is not None and owed < stops.fewest
    fewest = owed if stops.fewest is None else min(owed, stops.fewest)
    return Stops(stops.refused + 1, 1 if progress else stops.row + 1, fewest)


def answer(stops: Stops, limits: Limits = Limits()) -> Answer:  # noqa: B008 - frozen
    """What the stop that `stops` ends with gets."""
    return "block" if stops.row <= limits.continues and stops.refused <= limits.most else "let_go"


def counted(refusals: Iterable[int]) -> Stops:
    """From the open proofs of each stop that was not accepted, in order."""
    stops = Stops()
    for owed in refusals:
        stops = after(stops, owed)
    return stops
