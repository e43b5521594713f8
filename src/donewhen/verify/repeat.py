"""A short exam of changed code is run twice in one workspace: what passes once only is asked about.

Red the second time, the base is repeated as well. Red there too it is the project's own trouble and told;
else it is a question that names the test. Results are kept apart from those of the exam.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from donewhen.core.questions import Question
from donewhen.core.texts import Phrase
from donewhen.verify.base_exam import about_files
from donewhen.verify.exam_files import product_changed
from donewhen.verify.exam_run import Sitting, Told, is_green, is_tried, sit
from donewhen.verify.place import ExamPlace
from donewhen.verify.record import digest
from donewhen.verify.rerun import Again, Proper, place_again, place_proper, spent

_LONGEST = 5_000  # milliseconds of an exam that is repeated


class Repeated(NamedTuple):
    questions: tuple[Question, ...] = ()
    notes: tuple[Phrase, ...] = ()


async def repeat_exam(proper: Proper, told: Sequence[Told]) -> Repeated:
    """To be asked after an exam that passed."""
    if proper.looked.rules.config.evidence.repeat == "off" or not product_changed(proper):
        return Repeated()
    if proper.memory.flaky.of > 1 or _took(told) > _LONGEST:  # the user allows some reds, or it is too long
        return Repeated()
    passed = tuple(each.sitting.entry for each in told if is_green(each.sitting))
    proper = proper._replace(entries=passed)
    async with _apart(proper, "") as place:
        red = await _second(proper, place, 1 if proper.in_place else 2)
    if not red:
        return Repeated()
    base = proper.looked.fingerprints.tree(proper.looked.change.base.commit)
    async with _apart(proper, base) as place:
        before = {each.entry.identity for each in await _second(proper, place, 2)}
    told_ones = [each for each in red if each.entry.identity in before]
    return Repeated(
        tuple(_question(proper, each) for each in red if each not in told_ones),
        tuple(Phrase("questions.unsteady", {"command": each.entry.line}) for each in told_ones),
    )


def _took(told: Sequence[Told]) -> int:
    """The whole exam at its fastest: others may keep the machine busy."""
    return sum(min((one.ended.duration_ms for one in each.history), default=0) for each in told)


@asynccontextmanager
async def _apart(proper: Proper, tree: str) -> AsyncIterator[ExamPlace]:
    """The place of the exam, or the same round another tree, with results of its own."""
    opened = place_again(proper, Again(tree, "repeat")) if tree else place_proper(proper)
    async with opened as place:
        place.environment = digest((place.environment, "repeat"))
        yield place


async def _second(proper: Proper, place: ExamPlace, times: int) -> list[Sitting]:
    """The commands that do not pass the last time."""
    red: list[Sitting] = []
    for number in range(times):
        last = number == times - 1
        # only the last result is kept for later: it is the one that says something
        where = place if last else _first_time(place)
        red = []
        for entry in proper.entries:
            sitting = (await sit(entry, where, proper.memory)).sitting
            spent(proper, sitting)
            proper.record.told(Told(sitting._replace(why=None), ()))
            if is_tried(sitting) and not is_green(sitting):
                red.append(sitting)
        if red and not last:
            return []  # it fails there at once: the place can't host this exam
    return red


def _first_time(place: ExamPlace) -> ExamPlace:
    import copy

    other = copy.copy(place)
    other.environment = digest((place.environment, "first"))
    return other


def _question(proper: Proper, sitting: Sitting) -> Question:
    names = [case.name for case in sitting.cases if case.outcome == "failed"]
    names += [failure.name for failure in sitting.failures if failure.name]
    test = names[0] if names else sitting.entry.line
    place = next((failure for failure in sitting.failures if failure.file), None)
    message = Phrase("questions.unstable", {"test": test, "command": sitting.entry.line})
    about = about_files(proper, sorted(proper.looked.change.changed)[:200])
    file, line = (place.file, place.line) if place else ("", 0)
    return Question("unstable-test", message, file, line, test, Phrase("questions.unstable_wanted"), about)
