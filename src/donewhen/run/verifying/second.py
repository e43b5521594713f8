"""Rearmed flakes: an exam that passes once, by luck, by the clock or by a state that it uses up.

Sat once more where that is likely: it wrote beside the tree, or the change brings chance, time or state with
it. A red makes the exam flaky, and so does one that no longer ends. Results are kept with the others, so
nothing is sat twice for the same tree.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.luck import Times, luck_in, times
from donewhen.run.verifying.rerunning import Proper, is_late, place_proper, spent, time_left
from donewhen.run.verifying.reseeding import lucky_seeds
from donewhen.run.verifying.sitting import Told, sit
from donewhen.run.verifying.verdict import Sitting
from donewhen.shell import parse
from donewhen.store.results import Stored

_SECOND = 1_000_000_000


class _Round(NamedTuple):
    entries: tuple[Accept, ...]
    env: Mapping[str, str] = {}

    @property
    def known(self) -> bool:
        """Whether a result of it from before will do: a seed gives the same order each time."""
        return bool(self.env)


async def second_run(
    proper: Proper, told: Sequence[Told], texts: Iterable[tuple[bytes, bytes]] = ()
) -> tuple[Finding, ...]:
    """To be asked after an exam that passed; `texts` are changed files, at the base and now."""
    if proper.memory.flaky.of > 1:  # the user allows some reds
        return ()
    luck = luck_in(texts)
    if not any(_may_be_python(path) for path in proper.looked.change.changed):
        luck = luck._replace(hashed=False, ordered=False)
    wanted: dict[Accept, Times] = {}
    for each in told:
        if each.history:
            state = luck.state or stirred(proper, each)
            more, seeds = times(luck._replace(state=state), each.history[-1].ended.duration_ms)
            wanted[each.sitting.entry] = Times(more - len(each.history) + 1, seeds)
    findings: dict[str, Finding] = {}
    for one in _rounds(wanted):
        if findings or time_left(proper) <= 0:
            break
        findings = {each.entry.line: _flaky(each) for each in await _sat(proper, one)}
    return tuple(findings.values()) or await lucky_seeds(proper)


def _rounds(wanted: Mapping[Accept, Times]) -> Iterator[_Round]:
    for number in range(max((each.more for each in wanted.values()), default=0)):
        yield _Round(tuple(entry for entry, each in wanted.items() if each.more > number))
    for number in range(max((each.seeds for each in wanted.values()), default=0)):
        entries = tuple(entry for entry, each in wanted.items() if each.seeds > number)
        yield _Round(entries, {"PYTHONHASHSEED": str(number)})


async def _sat(proper: Proper, one: _Round) -> list[Sitting]:
    """The commands of one round that did not pass."""
    failed = []
    memory = proper.memory._replace(use=proper.memory.use and one.known)
    # opened anew each time: a room is then as it was before the first run
    async with place_proper(proper, one.env) as place:
        for entry in one.entries:
            again = (await sit(entry, place, memory)).sitting
            spent(proper, again)
            proper.record.told(Told(again._replace(why=None), ()))
            if not rerun_of([again], parse).green:
                failed.append(again)
    return failed


def _may_be_python(path: str) -> bool:
    name = path.rpartition("/")[2]
    return "." not in name or name.endswith((".py", ".pyw", ".pyx", ".ipynb"))


def stirred(proper: Proper, told: Told) -> bool:
    """Whether the last run changed what lies beside the tree, apart from what tools always write."""
    last: Stored | None = told.history[-1] if told.history else None
    if last is None or not proper.in_place or last.before == last.after:
        return False
    since = int(last.at * _SECOND) - (last.ended.duration_ms + 1000) * 1_000_000
    touched = {each.sort for each in proper.asides() if each.changed_ns >= since}
    return "file" in touched or not touched  # nothing is left to be seen: something was taken away


def _flaky(sitting: Sitting) -> Finding:
    place = next((failure for failure in sitting.failures if failure.file), None)
    file, line = (place.file, place.line) if place else ("", 0)
    late = f" (> {sitting.why.values['seconds']} s)" if sitting.why and is_late(sitting) else ""
    return found("flaky-exam", file, line, now=sitting.entry.line + late)
