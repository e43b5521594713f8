"""How many tests a runner says it ran, read from what it printed.

`own_counts` and `last_counts` tell unittest's own summary from those inside it.
"""

from donewhen.commands.counts.own import Noted, last_counts, own_counts
from donewhen.core.counts import Counts


def read_counts(output: str) -> Counts | None:
    """What the runner says about its tests; None when it says nothing that is understood."""
    from donewhen.commands.counts.reading import (
        read_counts as read,  # all the readers, when somebody ran tests
    )

    return read(output)


__all__ = ["Noted", "last_counts", "own_counts", "read_counts"]
