"""What coverage comes to: which lines ran, of those that changed and of all, and whether that suffices.

Tests and what serves them don't count, neither in the change nor in the total: a long test must not pay for
code that nothing runs. A changed file that was not measured counts as not covered. No report is read here.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from donewhen.core.quality.model import GateVerdict, Violation
from donewhen.core.texts import Language, Phrase, say

_SCRIPT = "js mjs cjs jsx ts mts cts tsx vue svelte"
FAMILY_OF: Mapping[str, str] = MappingProxyType(
    {
        "py": "python",
        "go": "go",
        "rs": "rust",
        **dict.fromkeys(_SCRIPT.split(), "javascript"),
        **dict.fromkeys("java kt scala groovy".split(), "java"),
    }
)
"""Languages as coverage tools divide them, by the file's ending."""
_ROUNDING = 1e-9
IsExam = Callable[[str], bool]  # whether the file at a path is a test or serves tests


class Lines(NamedTuple):
    """The lines of one file that can run: those that did and those that did not; the sets don't meet."""

    executed: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()


class Covered(NamedTuple):
    """What reports say of a tree; files are relative to its root."""

    files: Mapping[str, Lines] = MappingProxyType({})
    unmeasured: frozenset[str] = frozenset()  # in `files` by their text only: no report knows them
    left_out: frozenset[str] = frozenset()  # changed, and the project's settings keep them out
    complete: bool = False  # what the tool was told to measure is here, even if no test loaded it

    @property
    def families(self) -> frozenset[str]:
        return frozenset(family for path in self.files if (family := family_of(path)))

    def only(self, families: frozenset[str]) -> "Covered":
        return self._replace(
            files={path: lines for path, lines in self.files.items() if family_of(path) in families}
        )


class Judgement(NamedTuple):
    """`why` says what else there is to say: what fell short, or that nothing of the change can run."""

    verdict: GateVerdict
    numbers: Mapping[str, float]
    violations: tuple[Violation, ...] = ()
    why: Phrase | None = None


def family_of(path: str) -> str:
    head, _, suffix = path.rpartition("/")[2].rpartition(".")
    return FAMILY_OF.get(suffix.lower(), "") if head else ""


def merge(reports: Iterable[Covered]) -> Covered:
    """A line ran if it ran in any of them; complete if all of them are."""
    parts = tuple(reports)
    executed: dict[str, set[int]] = {}
    missing: dict[str, set[int]] = {}
    for part in parts:
        for path, lines in part.files.items():
            executed.setdefault(path, set()).update(lines.executed)
            missing.setdefault(path, set()).update(lines.missing)
    files = {
        path: Lines(frozenset(ran), frozenset(missing[path].difference(ran)))
        for path, ran in executed.items()
    }
    return Covered(
        files,
        frozenset(path for part in parts for path in part.unmeasured),
        frozenset(path for part in parts for path in part.left_out),
        bool(parts) and all(part.complete for part in parts),
    )


def total(covered: Covered, is_exam: IsExam) -> float | None:
    """Percent of all measured lines that ran; None: there is none. Files without a report don't count."""
    measured = [
        lines for path, lines in covered.files.items() if path not in covered.unmeasured and not is_exam(path)
    ]
    ran = sum(len(lines.executed) for lines in measured)
    return _percent(ran, ran + sum(len(lines.missing) for lines in measured))


def judge(
    covered: Covered,
    is_exam: IsExam,
    changed: Mapping[str, frozenset[int]],
    threshold: float,
    base_total: float | None,
    language: Language = "en",
) -> Judgement:
    """Whether enough of what changed ran, and the total did not fall below the lower of threshold and base.

    `base_total` None: the base could not be measured, the total is told and not judged. Whoever wants the
    threshold for the total itself, old sins included, passes 100.
    """
    paths = [path for path in sorted(covered.files) if path in changed and not is_exam(path)]
    ran = sum(len(covered.files[path].executed & changed[path]) for path in paths)
    some = ran + sum(len(covered.files[path].missing & changed[path]) for path in paths)
    share, whole = _percent(ran, some), total(covered, is_exam)
    short = share is not None and ran * 100 < threshold * some - _ROUNDING
    floor = None if base_total is None else min(threshold, base_total)
    fell = floor is not None and whole is not None and whole < floor - _ROUNDING
    known = {"changed": share, "total": whole, "base": base_total, "lines": float(some)}
    numbers = {name: value for name, value in known.items() if value is not None}
    why = None
    if short:
        why = Phrase("coverage.short", {"changed": f"{share:.1f}", "threshold": f"{threshold:g}"})
    elif fell:
        why = Phrase("coverage.fell", {"total": f"{whole:.1f}", "floor": f"{floor:.1f}"})
    elif share is None:
        why = Phrase("coverage.nothing_to_run")
    violations = [
        _uncovered(covered, path, lines, language)
        for path in (paths if short or fell else ())
        for lines in _ranges(covered.files[path], changed[path])
    ]
    message = say("coverage.left_out", language)
    violations += [
        Violation("not-in-report", message, path, severity="note")
        for path in sorted(covered.left_out.intersection(changed))
    ]
    return Judgement("failed" if short or fell else "passed", numbers, tuple(violations), why)


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _uncovered(covered: Covered, path: str, lines: list[int], language: Language) -> Violation:
    where = str(lines[0]) if len(lines) == 1 else f"{lines[0]}-{lines[-1]}"
    key = "coverage.not_measured" if path in covered.unmeasured else "coverage.uncovered"
    fix = say("coverage.add_a_test", language, lines=where, file=path)
    message, value = say(key, language, lines=where), float(len(lines))
    return Violation("uncovered", message, path, lines[0], subject=where, value=value, fix=fix)


def _ranges(lines: Lines, changed: frozenset[int]) -> list[list[int]]:
    """Lines that did not run, together where nothing ran between them and all of it changed."""
    found: list[list[int]] = []
    for line in sorted(lines.missing & changed):
        between = frozenset(range(found[-1][-1] + 1, line)) if found else frozenset()
        if found and between <= changed - lines.executed:
            found[-1].append(line)
        else:
            found.append([line])
    return found
