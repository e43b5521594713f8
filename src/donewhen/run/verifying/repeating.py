"""Which earlier results of a command a ledger has to know: those that say something that no later one says.

All of them are kept and weighed; a ledger that repeated them all would grow with every run on equal trees.
"""

from collections.abc import Sequence

from donewhen.core.evidence import counts_of
from donewhen.store.results import Stored

_UNLOADED = "unittest.loader._FailedTest"  # how often it is named decides whether a failure is one of tests


def worth_telling(history: Sequence[Stored], run_id: str, of: int) -> tuple[Stored, ...]:
    """What this run had executed, and of all others the last with the same word.

    `of`: of how many runs some may fail; where it is more than one, each counts.
    """
    if of > 1:
        return tuple(history)
    last = {_word(each): number for number, each in enumerate(history)}
    kept = set(last.values())
    return tuple(each for n, each in enumerate(history) if n in kept or each.run_id == run_id)


def _word(result: Stored) -> tuple[object, ...]:
    """All that evidence reads of a result; two with the same prove the same."""
    ended = result.ended
    trees = ended.on or (ended.before,)
    return trees, ended.exit, ended.state, counts_of(ended), ended.tail.count(_UNLOADED)
