"""Base tests on new code: the exam as it stood at the base, sat by the code that the change brings.

Told apart are tests that the new code fails from rooms that can't host the exam at all: a red is believed
only where the change itself passes in such a room. What it means for a change is decided elsewhere.
"""

from typing import NamedTuple

from donewhen.core.integrity.model import Rerun
from donewhen.core.texts import Phrase
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.composing import PutBack
from donewhen.run.verifying.natural import MoreTests, red_by_nature
from donewhen.run.verifying.rerunning import Again, Proper, Resat, sit_again
from donewhen.shell import parse

ALONE = "alone"  # the change itself, with nothing beside it but the environment
_BASE_TESTS = "base-tests"
_BASE = "base"


class BaseExam(NamedTuple):
    """`again`: the base's tests on the new code. `start`: on the base's own; only where that failed."""

    again: Rerun
    start: Rerun | None = None


async def base_exam(proper: Proper, back: PutBack) -> Rerun:
    """How the base's tests go on the new code."""
    return (await _sat_back(proper, back)).rerun


async def _sat_back(proper: Proper, back: PutBack) -> Resat:
    fingerprints = proper.looked.fingerprints
    base = fingerprints.tree(proper.looked.change.base.commit)
    tree = fingerprints.composed(base, proper.tree, back.paths, back.written)
    if tree == proper.tree:
        return Resat(Rerun(False, why=Phrase("baseexam.nothing_to_sit")))
    found = await sit_again(proper, Again(tree, _BASE_TESTS))
    if found.rerun.green or found.rerun.why is not None or not proper.in_place:
        return found
    control = (await sit_again(proper, Again(proper.tree, ALONE))).rerun
    return found if control.green else Resat(attributed(found.rerun, control))


def attributed(found: Rerun, control: Rerun) -> Rerun:
    """A failure without those that the change itself has in the same room."""
    if control.green:
        return found
    left = tuple(name for name in found.failed if name not in control.failed)
    if control.why is None and control.failed and left:
        return found._replace(failed=left)
    return Rerun(
        False, why=Phrase("baseexam.no_room", {"why": control.why or Phrase("baseexam.fails_there")})
    )


async def base_exam_pair(proper: Proper, back: PutBack, more: MoreTests | None = None) -> BaseExam:
    """The same, and where it fails also how the base's tests went on the base's own code.

    `more`: the change only brings tests, so a command that looks at them may be red by nature.
    """
    again = await _sat_back(proper, back)
    if again.rerun.green or again.rerun.why is not None:
        return BaseExam(again.rerun)
    base = proper.looked.fingerprints.tree(proper.looked.change.base.commit)
    start = await sit_again(proper, Again(base, _BASE))
    if more is None or not again.told or start.rerun.why is not None:
        return BaseExam(again.rerun, start.rerun)
    then, before = ([each.sitting for each in resat.told] for resat in (again, start))
    spared = red_by_nature(then, before, more, parse)
    return BaseExam(rerun_of(then, parse, spared), rerun_of(before, parse, spared))
