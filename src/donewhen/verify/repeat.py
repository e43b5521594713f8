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
from donewhen.verify.exam_run import CommandResult, ExamCommand, is_green, is_tried, run_command
from donewhen.verify.place import ExamPlace
from donewhen.verify.record import digest
from donewhen.verify.rerun import ExamContext, RerunRequest, open_place, reopen_place, spent

_LONGEST = 5_000  # milliseconds of an exam that is repeated


class Repeated(NamedTuple):
    questions: tuple[Question, ...] = ()
    notes: tuple[Phrase, ...] = ()


async def repeat_exam(context: ExamContext, commands: Sequence[ExamCommand]) -> Repeated:
    """To be asked after an exam that passed, of a change of the product."""
    if context.looked.rules.config.evidence.repeat == "off":
        return Repeated()
    if (
        context.memory.flaky.of > 1 or _took(commands) > _LONGEST
    ):  # the user allows some reds, or it is too long
        return Repeated()
    passed = tuple(each.result.entry for each in commands if is_green(each.result))
    context = context._replace(entries=passed)
    async with _apart(context, "") as place:
        red = await _second(context, place, 1 if context.in_place else 2)
    if not red:
        return Repeated()
    base = context.looked.fingerprints.tree(context.looked.change.base.commit)
    async with _apart(context, base) as place:
        before = {each.entry.identity for each in await _second(context, place, 2)}
    told_ones = [each for each in red if each.entry.identity in before]
    return Repeated(
        tuple(_question(context, each) for each in red if each not in told_ones),
        tuple(Phrase("questions.unsteady", {"command": each.entry.line}) for each in told_ones),
    )


def _took(commands: Sequence[ExamCommand]) -> int:
    """The whole exam at its fastest: others may keep the machine busy."""
    return sum(min((one.ended.duration_ms for one in each.history), default=0) for each in commands)


@asynccontextmanager
async def _apart(context: ExamContext, tree: str) -> AsyncIterator[ExamPlace]:
    """The place of the exam, or the same round another tree, with results of its own."""
    opened = open_place(context, RerunRequest(tree, "repeat")) if tree else reopen_place(context)
    async with opened as place:
        place.environment = digest((place.environment, "repeat"))
        yield place


async def _second(context: ExamContext, place: ExamPlace, times: int) -> list[CommandResult]:
    """The commands that do not pass the last time."""
    red: list[CommandResult] = []
    for number in range(times):
        last = number == times - 1
        # only the last result is kept for later: it is the one that says something
        where = place if last else _first_time(place)
        red = []
        for entry in context.entries:
            result = (await run_command(entry, where, context.memory)).result
            spent(context, result)
            context.record.command_ended(ExamCommand(result._replace(why=None), ()))
            if is_tried(result) and not is_green(result):
                red.append(result)
        if red and not last:
            return []  # it fails there at once: the place can't host this exam
    return red


def _first_time(place: ExamPlace) -> ExamPlace:
    import copy

    other = copy.copy(place)
    other.environment = digest((place.environment, "first"))
    return other


def _question(context: ExamContext, result: CommandResult) -> Question:
    names = [case.name for case in result.cases if case.outcome == "failed"]
    names += [failure.name for failure in result.failures if failure.name]
    test = names[0] if names else result.entry.line
    place = next((failure for failure in result.failures if failure.file), None)
    message = Phrase("questions.unstable", {"test": test, "command": result.entry.line})
    about = about_files(context, sorted(context.looked.change.changed)[:200])
    file, line = (place.file, place.line) if place else ("", 0)
    return Question("unstable-test", message, file, line, test, Phrase("questions.unstable_wanted"), about)
