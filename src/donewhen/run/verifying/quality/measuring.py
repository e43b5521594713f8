"""Coverage: the tests of the exam are run once more and watched, because a watched exam is no exam.

The exam's own verdict is never taken from here. Where the tests do not pass, what they run says nothing;
where the total is low enough to matter, the base's is measured the same way.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.accept import Accept
from donewhen.core.quality.coverage import Covered, judge, merge, total
from donewhen.core.quality.model import GateResult, GateVerdict, Unreadable
from donewhen.core.target import accept_target
from donewhen.core.texts import Language, Phrase
from donewhen.run.verifying.place import ExamPlace
from donewhen.run.verifying.quality.applying import COVERAGE
from donewhen.run.verifying.recording import discard
from donewhen.shell import parse
from donewhen.verify.quality.model import Missing, Scope

if TYPE_CHECKING:
    from donewhen.verify.quality.coverage.measure import Measure

NAME = COVERAGE
_RED = "quality.red_tests"
_PYTHON_TOOL = "coverage"


class Measured(NamedTuple):
    covered: Covered | None = None
    why: Phrase | None = None  # why there is nothing to judge
    install: str = ""
    tool: str = ""


def test_entries(entries: Sequence[Accept]) -> tuple[Accept, ...]:
    """The commands of an exam that run tests; all of them where none is known to."""
    tests = tuple(entry for entry in entries if accept_target(entry, parse).is_test)
    return tests or tuple(entries)


async def measure(
    entries: Sequence[Accept], place: ExamPlace, scope: Scope, changed: Mapping[str, frozenset[int]]
) -> Measured:
    """What the tests run of the tree in `place`; a command that has nothing to tell is no obstacle."""
    from donewhen.verify.quality.coverage.unmeasured import with_unmeasured

    found: list[Measured] = []
    for entry in entries:
        found.append(await _measure(entry, place, scope))
        if found[-1].why is not None and found[-1].why.key == _RED:
            return found[-1]
    told = [each for each in found if each.covered is not None]
    if not told:
        return found[0] if found else Measured(why=Phrase("quality.no_tests"))
    covered = merge([each.covered for each in told if each.covered is not None])
    folder = entries[0].cwd if len(entries) == 1 else ""
    whole = with_unmeasured(covered, changed, place.folder, folder)
    return Measured(whole, tool=", ".join(dict.fromkeys(each.tool for each in told)))


async def _measure(entry: Accept, place: ExamPlace, scope: Scope) -> Measured:
    from donewhen.verify.exam.running import run_entry
    from donewhen.verify.exam.walls import desk_of, exam_scratch
    from donewhen.verify.quality.coverage.measure import plan_measure

    bench = place.bench
    with exam_scratch(bench.scratch) as scratch:
        desk = desk_of(scratch) / "coverage"
        desk.mkdir(parents=True, mode=0o700)
        plan = plan_measure(entry, scope, desk)
        if isinstance(plan, Missing):
            return Measured(why=plan.why, install=plan.install)
        lacking = await _lacking(plan, entry, place, scratch)
        if lacking:
            return Measured(why=lacking, install=plan.install, tool=plan.tool)
        bench.means.progress(Phrase("quality.measuring", {"command": entry.line}))
        sat = await run_entry(_watched(entry, plan), place.where(entry, scratch))
        discard(sat.finished.output)
        if sat.exit != 0 or sat.why_not is not None:
            return Measured(why=Phrase(_RED), tool=plan.tool)
        said = [await _after(argv, entry, place, scratch) for argv in plan.after]
        try:
            return Measured(plan.read(place.folder), tool=plan.tool)
        except Unreadable as error:
            why = Phrase(error.key, error.values)
            if any(said):
                told = {"tool": plan.tool, "said": next(filter(None, said))}
                why = Phrase("quality.after_failed", told)
            return Measured(why=why, install=plan.install, tool=plan.tool)


def _watched(entry: Accept, plan: "Measure") -> Accept:
    env = {**dict(entry.env), **plan.env}
    if plan.python_path:
        known = env.get("PYTHONPATH", "")
        env["PYTHONPATH"] = f"{plan.python_path}:{known}" if known else plan.python_path
    return entry._replace(argv=plan.argv, env=tuple(env.items()))


async def _lacking(plan: "Measure", entry: Accept, place: ExamPlace, scratch: Path) -> Phrase | None:
    """Why the interpreter can't measure; asked first, because tests may take long."""
    words = plan.after[0] if plan.after else ()
    if plan.tool != _PYTHON_TOOL or _PYTHON_TOOL not in words:
        return None
    head = words[: words.index(_PYTHON_TOOL) + 1]
    said = await _after((*head, "--version"), entry, place, scratch)
    if "No module named" in said:
        return Phrase("quality.no_coverage")
    return Phrase("quality.after_failed", {"tool": plan.tool, "said": said}) if said else None


async def _after(argv: tuple[str, ...], entry: Accept, place: ExamPlace, scratch: Path) -> str:
    """What a command that failed said last; empty when it did its work."""
    from donewhen.run.verifying.quality.tooling import last_line
    from donewhen.workspace.environment import command_environment
    from donewhen.workspace.processes.command import Command
    from donewhen.workspace.processes.running import run

    bench, walls = place.bench, place.put_up(argv[0], scratch)
    env = command_environment(bench.means.env, bench.config.sandbox.env)
    env |= {**place.prepared.env, **walls.env}
    env["PATH"] = ":".join((*place.prepared.path, env.get("PATH", "")))
    timeout = bench.config.verification.execution.timeout
    folder = place.folder / entry.cwd
    finished = await run(
        Command(folder, bench.outputs, argv, env=env, timeout=timeout, plan=walls, redactor=bench.redactor)
    )
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
    if measured.covered is None:
        stays = required and not (measured.why and measured.why.key == _RED)
        verdict: GateVerdict = "could_not_run" if stays else "skipped"
        return GateResult(NAME, verdict, required, why=measured.why, install=measured.install)
    then = total(base.covered) if base is not None and base.covered is not None else None
    if absolute:
        then = 100.0
    said = judge(measured.covered, changed, threshold, then, language)
    return GateResult(
        NAME,
        said.verdict,
        required,
        said.violations,
        0,
        said.why,
        tool=measured.tool,
        numbers=said.numbers,
        files=len(measured.covered.files),
    )


def needs_base_total(measured: Measured, threshold: float) -> bool:
    """Whether the total is so low that only the base can excuse it."""
    whole = total(measured.covered) if measured.covered is not None else None
    return whole is not None and whole < threshold
