"""One sitting of a whole exam as something that can be compared with another. Pure.

A command that the tree does not have (no such target, no such script) says nothing about it and is left out;
one that could not be run for any other reason makes the whole say nothing.
"""

from collections.abc import Collection, Iterable, Sequence

from donewhen.core.accept import Parse
from donewhen.core.counts import nothing_ran, reports_failures
from donewhen.core.integrity.model import Rerun
from donewhen.core.target import accept_target
from donewhen.core.texts import Phrase
from donewhen.run.verifying.verdict import Sitting

_MOST_NAMES = 200
_TRIED = ("ran", "cached")
Identity = tuple[object, ...]  # of a command, see Accept.identity


def rerun_of(sittings: Sequence[Sitting], parse: Parse, spared: Collection[Identity] = ()) -> Rerun:
    """What the sittings come to; `why` where they can't be compared with others.

    `spared`: commands whose red says nothing about this tree.
    """
    tried = [sitting for sitting in sittings if is_tried(sitting)]
    refused = next((s for s in sittings if s not in tried and s.why is not None), None)
    if refused is not None:
        return Rerun(False, why=refused.why)
    if not tried:
        return Rerun(False, 0, why=Phrase("baseexam.nothing_to_sit"))
    return Rerun(
        all(is_green(sitting) or sitting.entry.identity in spared for sitting in tried),
        _executed(tried, parse),
        tuple(_failed(s for s in tried if s.entry.identity not in spared))[:_MOST_NAMES],
    )


def is_tried(sitting: Sitting) -> bool:
    """Whether it says something about the tree: it ran, and as far as is known something was executed."""
    if sitting.way not in _TRIED or sitting.why is not None or sitting.ended is None:
        return False
    return sitting.counts is None or not nothing_ran(sitting.counts)


def is_green(sitting: Sitting) -> bool:
    ended, counts = sitting.ended, sitting.counts
    passed = ended is not None and ended.state == "completed" and ended.exit == 0
    return passed and not (counts is not None and reports_failures(counts))


def _executed(tried: Iterable[Sitting], parse: Parse) -> int | None:
    """All tests together; None where a command that runs tests did not say how many."""
    total: int | None = None
    for sitting in tried:
        counts = sitting.counts
        if counts is not None and counts.executed is not None:
            total = (total or 0) + counts.executed
        elif accept_target(sitting.entry, parse).is_test:
            return None
    return total


def _failed(tried: Iterable[Sitting]) -> Iterable[str]:
    names = (failure.name for sitting in tried for failure in sitting.failures)
    return dict.fromkeys(name for name in names if name)
