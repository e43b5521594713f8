"""Coverage: the tests of the exam are run once more and watched, because a watched exam is no exam.

The exam's own verdict is never taken from here. Where the tests do not pass, what they run says nothing;
where the total is low enough to matter, the base's is measured the same way. A language of the change that
nobody could measure is told, and is no pass where coverage is required.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.quality.coverage import Covered, judge, merge, total
from donewhen.core.quality.model import GateResult, GateVerdict, Unreadable
from donewhen.core.target import accept_target
from donewhen.core.texts import Language, Phrase
from donewhen.shell import parse
from donewhen.verify.failures import visible
from donewhen.verify.place import ExamPlace
from donewhen.verify.quality.model import Missing, Scope
from donewhen.verify.quality.required import COVERAGE
from donewhen.verify.record import discard

if TYPE_CHECKING:
    from donewhen.verify.quality.coverage.measure import Measure

_RED = "quality.red_tests"  # in the exam itself
_RED_HERE = "quality.red_measured"
_EMPTY = ("coverage.nothing", "coverage.no_way")  # no obstacle as long as another command has something
_NO_DATA = "No data "  # of two sorts of data one is often missing


class Measured(NamedTuple):
    covered: Covered | None = None
    why: Phrase | None = None  # why there is nothing to judge
    install: str = ""
    tool: str = ""
    duration_ms: int = 0
    lacks: Missing | None = None  # a language of the change that is not in `covered`
    missing: Mapping[str, Missing] = MappingProxyType({})  # by family: why it can't be measured


def test_entries(entries: Sequence[Accept]) -> tuple[Accept, ...]:
    """The commands of an exam that run tests; all of them where none is known to."""
    tests = tuple(entry for entry in entries if accept_target(entry, parse).is_test)
    return tests or tuple(entries)


async def measure(
    entries: Sequence[Accept], place: ExamPlace, scope: Scope, changed: Mapping[str, frozenset[int]]
) -> Measured:
    """What the tests run of the tree in `place`; a command that has nothing to tell is no obstacle."""
    from donewhen.verify.quality.coverage.measure import unknown_families, with_unmeasured

    found: list[Measured] = []
    for entry in entries:
        found.append(_advised(await _measure(entry, place, scope), place))
        if found[-1].why is not None and found[-1].why.key == _RED_HERE:
            break
    spent = sum(each.duration_ms for each in found)
    told = [each for each in found if each.covered is not None]
    if not told or (found[-1].why is not None and found[-1].why.key == _RED_HERE):
        return _obstacle(found)._replace(duration_ms=spent)
    covered = merge([each.covered for each in told if each.covered is not None])
    folder = entries[0].cwd if len(entries) == 1 else ""
    whole = with_unmeasured(covered, changed, place.folder, folder)
    tools = ", ".join(dict.fromkeys(each.tool for each in told))
    lacks = _lacks(found, unknown_families(covered, changed, place.folder))
    return Measured(whole, tool=tools, duration_ms=spent, lacks=lacks)


def _obstacle(found: Sequence[Measured]) -> Measured:
    """Of several commands that were not measured, the one that tells most: not that it has no data."""
    red = [each for each in found if each.why is not None and each.why.key == _RED_HERE]
    real = [each for each in found if each.why is not None and each.why.key not in _EMPTY]
    return next(iter((*red, *real, *found)), Measured(why=Phrase("quality.no_tests")))


def _lacks(found: Sequence[Measured], unknown: Mapping[str, str]) -> Missing | None:
    """Why the first of these languages, given with a file each, is not measured."""
    from donewhen.verify.quality.coverage.measure import NAMES

    for family, file in unknown.items():
        name = NAMES[family]
        known = [each.missing[family] for each in found if family in each.missing]
        known += [
            Missing(each.why, each.install) for each in found if each.why and each.why.key not in _EMPTY
        ]
        known.append(Missing(Phrase("coverage.nothing_of", {"languages": name, "file": visible(file, 200)})))
        return known[0]._replace(why=Phrase("coverage.lacks", {"languages": name, "why": known[0].why}))
    return None


def _advised(measured: Measured, place: ExamPlace) -> Measured:
    """In an environment that we set up nobody can install anything; what it is set up from can be changed."""
    from donewhen.verify.quality.coverage.python import INSTALL

    def required(why: Phrase, install: str) -> Missing:
        ours = place.prepared.kind == "own" and install == INSTALL
        return Missing(Phrase("coverage.require", {"why": why})) if ours else Missing(why, install)

    missing = {family: required(*each) for family, each in measured.missing.items()}
    why, install = required(measured.why, measured.install) if measured.why else (None, measured.install)
    return measured._replace(why=why, install=install, missing=missing)


async def _measure(entry: Accept, place: ExamPlace, scope: Scope) -> Measured:
    from donewhen.verify.exam.command import run_entry
    from donewhen.verify.exam.walls import desk_of, exam_scratch
    from donewhen.verify.quality.coverage.measure import plan_measure
    from donewhen.verify.quality.running import last_line

    bench = place.bench
    with exam_scratch(bench.scratch) as scratch:
        desk = desk_of(scratch) / "coverage"
        desk.mkdir(parents=True, mode=0o700)
        plan = plan_measure(entry, scope, desk)
        if isinstance(plan, Missing):
            return Measured(why=plan.why, install=plan.install)
        bench.means.progress(Phrase("quality.measuring", {"command": entry.line}))
        watched = _watched(entry, plan, place.prepared.env.get("PYTHONPATH", ""))
        sat = await run_entry(watched, place.where(entry, scratch))
        said = sat.why_not or last_line(sat.finished.output)
        discard(sat.finished.output)
        measured = Measured(tool=plan.tool, duration_ms=sat.finished.duration_ms, missing=plan.missing)
        if sat.exit != 0 or sat.why_not is not None:
            return measured._replace(why=Phrase(_RED_HERE, {"command": entry.line, "said": said}))
        return await _read(measured, plan, entry, place, scratch)


async def _read(
    measured: Measured, plan: "Measure", entry: Accept, place: ExamPlace, scratch: Path
) -> Measured:
    began = time.monotonic()
    said = [await _after(argv, entry, place, scratch) for argv in plan.after]
    spent = measured.duration_ms + round((time.monotonic() - began) * 1000)
    try:
        return measured._replace(covered=plan.read(place.folder), duration_ms=spent)
    except Unreadable as error:
        why = Phrase(error.key, error.values)
        wrong = [each for each in said if each and not each.startswith(_NO_DATA)]
        install = ""
        if wrong and error.key == "coverage.nothing" and "No module named" in wrong[0]:
            why, install = Phrase("quality.no_coverage"), plan.install
        elif wrong and error.key == "coverage.nothing":
            why = Phrase("quality.after_failed", {"tool": plan.tool, "said": wrong[0]})
        return measured._replace(why=why, install=install, duration_ms=spent)


def _watched(entry: Accept, plan: "Measure", prepared: str) -> Accept:
    """`prepared`: the PYTHONPATH of the environment, which the command's own would replace."""
    env = {**dict(entry.env), **plan.env}
    if plan.python_path:
        known = env.get("PYTHONPATH", prepared)
        env["PYTHONPATH"] = f"{plan.python_path}:{known}" if known else plan.python_path
    return entry._replace(argv=plan.argv, env=tuple(env.items()))


async def _after(argv: tuple[str, ...], entry: Accept, place: ExamPlace, scratch: Path) -> str:
    """What a command that failed said last; empty when it did its work."""
    from donewhen.verify.quality.running import command_at, last_line
    from donewhen.workspace.processes.running import run

    walls = place.put_up(argv[0], scratch)
    timeout = place.bench.config.verification.execution.timeout
    finished = await run(command_at(place, entry.cwd, argv, walls, timeout, dict(walls.env)))
    said = "" if finished.exit == 0 else last_line(finished.output)
    discard(finished.output)
    return said


def result_of(
    measured: Measured,
    base: Measured | None,
    changed: Mapping[str, frozenset[int]],
    threshold: float,
    *,
    required: bool,
    absolute: bool,
    language: Language,
) -> GateResult:
    """`base` None: its total did not have to be known."""
    verdict: GateVerdict
    if measured.covered is None:
        stays = required and not (measured.why and measured.why.key == _RED)
        verdict = "could_not_run" if stays else "skipped"
        return GateResult(
            COVERAGE,
            verdict,
            required,
            why=measured.why,
            install=measured.install,
            tool=measured.tool,
            duration_ms=measured.duration_ms,
        )
    then = total(base.covered) if base is not None and base.covered is not None else None
    if absolute:
        then = 100.0
    said = judge(measured.covered, changed, threshold, then, language)
    result = GateResult(
        COVERAGE,
        said.verdict,
        required,
        said.violations,
        0,
        said.why,
        tool=measured.tool,
        numbers=said.numbers,
        files=len(measured.covered.files),
        duration_ms=measured.duration_ms + (base.duration_ms if base is not None else 0),
    )
    if measured.lacks is None or result.verdict == "failed":
        return result
    verdict = (
        "could_not_run" if required else result.verdict
    )  # what is not known is no pass where it had to be
    return result._replace(verdict=verdict, why=measured.lacks.why, install=measured.lacks.install)


def needs_base_total(measured: Measured, threshold: float) -> bool:
    """Whether the total is so low that only the base can excuse it."""
    whole = total(measured.covered) if measured.covered is not None else None
    return whole is not None and whole < threshold
