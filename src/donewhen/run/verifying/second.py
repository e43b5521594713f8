"""Rearmed flakes: an exam that passes once, by luck, by the clock or by a state that it uses up.

Sat once more where that is likely: it wrote beside the tree, or the change brings chance, time or state with
it. A red makes the exam flaky, and so does one that no longer ends. Results are kept with the others, so
nothing is sat twice for the same tree.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import Finding
from donewhen.core.integrity.roles import role_of
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.inspecting import GitTree
from donewhen.run.verifying.luck import Times, draws, luck_in, times
from donewhen.run.verifying.rerunning import Proper, is_late, place_proper, spent, time_left
from donewhen.run.verifying.reseeding import lucky_seeds
from donewhen.run.verifying.sitting import Told, sit
from donewhen.run.verifying.verdict import Sitting
from donewhen.shell import parse
from donewhen.store.results import Stored

_SECOND = 1_000_000_000
_TICK = 0.9  # with the run itself a second or more
_PARTS = ((1, 7), (31, 57))  # of a minute, with some seconds left for the run
_MOST_TESTS = 200  # files


class _Round(NamedTuple):
    entries: tuple[Accept, ...]
    env: Mapping[str, str] = {}
    pause: float = 0.0  # seconds before it
    part: int | None = None  # of the minute in which it is sat

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
    tests_draw = _tests_draw(proper)
    wanted: dict[Accept, Times] = {}
    for each in told:
        if each.history:
            state = luck.state or stirred(proper, each)
            took = min(one.ended.duration_ms for one in each.history)  # others may keep the machine busy
            often = times(luck._replace(state=state), took, tests_draw=tests_draw)
            wanted[each.sitting.entry] = often._replace(more=often.more - len(each.history) + 1)
    findings: dict[str, Finding] = {}
    for one in _rounds(wanted):
        if findings or time_left(proper) <= 0:
            break
        findings = {each.entry.line: _flaky(each) for each in await _sat(proper, one)}
    return tuple(findings.values()) or await lucky_seeds(proper)


def _rounds(wanted: Mapping[Accept, Times]) -> Iterator[_Round]:
    for entries in _turns({entry: each.more for entry, each in wanted.items()}):
        yield _Round(entries)
    for number, entries in enumerate(_turns({entry: each.seeds for entry, each in wanted.items()})):
        yield _Round(entries, {"PYTHONHASHSEED": str(number)})
    for entries in _turns({entry: each.ticks for entry, each in wanted.items()}):
        yield _Round(entries, pause=_TICK)
    for number, entries in enumerate(_turns({entry: each.parts for entry, each in wanted.items()})):
        yield _Round(entries, part=number)


def _turns(times: Mapping[Accept, int]) -> Iterator[tuple[Accept, ...]]:
    for number in range(max(times.values(), default=0)):
        yield tuple(entry for entry, often in times.items() if often > number)


def until(second: float, part: int) -> float:
    """Seconds to wait from this second of the minute until the given part of it begins; 0 within it.

    Part 0 holds the seconds with one digit, part 1 those after the half.
    """
    begins, ends = _PARTS[part % len(_PARTS)]
    return 0.0 if begins <= second < ends else (begins - second) % 60


async def _sat(proper: Proper, one: _Round) -> list[Sitting]:
    """The commands of one round that did not pass."""
    failed = []
    wait = one.pause if one.part is None else until(time.time() % 60, one.part)
    if wait:
        await asyncio.sleep(wait)
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


def _tests_draw(proper: Proper) -> bool:
    """Whether tests of the project draw lots themselves, whoever wrote them."""
    tree = GitTree(proper.looked.fingerprints, proper.tree)
    paths = [path for path in tree.paths() if role_of(path) == "test"][:_MOST_TESTS]
    return any(draws(text) for text in tree.read(paths).values())


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
