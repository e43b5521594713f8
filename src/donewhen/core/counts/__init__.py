"""How many tests a runner says it ran, read from what it printed.

`read_counts` reads, `nothing_ran` and `reports_failures` judge, `summary` says it to people. Unknown counts
are never zero counts. `own_counts` and `last_counts` tell unittest's own summary from those inside it.
"""

from donewhen.core.counts.model import Counts, nothing_ran, reports_failures
from donewhen.core.counts.own import Noted, last_counts, own_counts
from donewhen.core.counts.telling import summary


def read_counts(output: str) -> Counts | None:
    """What the runner says about its tests; None when it says nothing that is understood."""
    from donewhen.core.counts.reading import read_counts as read  # all the readers, when somebody ran tests

    return read(output)


__all__ = [
    "Counts",
    "Noted",
    "last_counts",
    "nothing_ran",
    "own_counts",
    "read_counts",
    "reports_failures",
    "summary",
]
