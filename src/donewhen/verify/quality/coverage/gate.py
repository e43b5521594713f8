"""Coverage: the tests of the exam are run once more and watched, because a watched exam is no exam.

The exam's own verdict is never taken from here. Where the tests do not pass, what they run says nothing;
where the total is low enough to matter, the base's is measured the same way. A language of the change that
nobody could measure is told, and is no pass where coverage is required.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.commands import parse
from donewhen.core.accept import Accept
from donewhen.core.quality.coverage import Covered, judge, total
from donewhen.core.quality.model import GateResult, GateVerdict, Unreadable
from donewhen.core.target import accept_target
from donewhen.core.texts import Language, Phrase
from donewhen.project.roles import exam_side
from donewhen.project.tools import Missing
from donewhen.verify.quality.required import COVERAGE, Wishes

_RED = "quality.red_tests"  # in the exam itself


class Measured(NamedTuple):
    covered: Covered | None = None
    why: Phrase | None = None  # why there is nothing to judge
    install: str = ""
    tool: str = ""
    duration_ms: int = 0
    lacks: Missing | None = None  # a language of the change that is not in `covered`


def test_entries(entries: Sequence[Accept]) -> tuple[Accept, ...]:
    """The commands of an exam that run tests; all of them where none is known to."""
    tests = tuple(entry for entry in entries if accept_target(entry, parse).is_test)
    return tests or tuple(entries)


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
    spent = measured.duration_ms + (base.duration_ms if base is not None else 0)
    result = GateResult(COVERAGE, "skipped", required, tool=measured.tool, duration_ms=spent)
    could_not: GateVerdict = "could_not_run" if required else "skipped"
    if measured.covered is None:
        verdict = "skipped" if measured.why and measured.why.key == _RED else could_not
        return result._replace(verdict=verdict, why=measured.why, install=measured.install)
    then = total(base.covered, exam_side) if base is not None and base.covered is not None else None
    said = judge(measured.covered, exam_side, changed, threshold, 100.0 if absolute else then, language)
    result = result._replace(
        verdict=said.verdict,
        violations=said.violations,
        why=said.why,
        numbers=said.numbers,
        files=len(measured.covered.files),
    )
    if measured.lacks is None or result.verdict == "failed":
        return result
    verdict = could_not if required else result.verdict  # what is not known is no pass where it had to be
    return result._replace(verdict=verdict, why=measured.lacks.why, install=measured.lacks.install)


def unexecuted(root: Path, since_ns: int, wishes: Wishes) -> Iterator[Phrase]:
    """The changed lines that no test executed, by a report that the exam itself wrote, where there is one."""
    from donewhen.verify.quality.coverage.reports import read_newer, reports_in

    try:
        covered = read_newer(root, since_ns).files if wishes.coverage is None and reports_in(root) else {}
    except (Unreadable, OSError):
        return
    changed = {path: wishes.lines.get(path, frozenset()) for path in covered if not exam_side(path)}
    missing = {path: found for path, lines in changed.items() if (found := covered[path].missing & lines)}
    if missing:
        count = sum(map(len, missing.values()))
        whole = count + sum(len(covered[path].executed & lines) for path, lines in changed.items())
        places = ", ".join(f"{path}:{min(found)}" for path, found in sorted(missing.items()))
        yield Phrase("coverage.unexecuted", {"count": count, "of": whole, "places": places})


def needs_base_total(measured: Measured, threshold: float) -> bool:
    """Whether the total is so low that only the base can excuse it."""
    whole = total(measured.covered, exam_side) if measured.covered is not None else None
    return whole is not None and whole < threshold
