"""How many tests a runner says it ran, read from what it printed.

`read_counts` reads, `nothing_ran` and `reports_failures` judge, `summary` says it to people. Unknown counts
are never zero counts.
"""

from donewhen.core.counts.model import Counts, nothing_ran, reports_failures
from donewhen.core.counts.reading import read_counts
from donewhen.core.counts.telling import summary

__all__ = ["Counts", "nothing_ran", "read_counts", "reports_failures", "summary"]
