"""The JSON of jest, of vitest, which writes the same, and of mocha."""

from collections.abc import Iterator
from typing import Any

from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.json_lines import loaded, objects, word
from donewhen.verify.reports.model import first_line
from donewhen.verify.reports.places import inside

_OUTCOMES: dict[str, Outcome] = {
    "passed": "passed",
    "failed": "failed",
    "pending": "skipped",
    "skipped": "skipped",
    "todo": "skipped",
    "disabled": "skipped",
    "focused": "passed",
}
_MOCHA: dict[str, Outcome] = {"passes": "passed", "failures": "failed", "pending": "skipped"}
_DEEPEST = 50  # titles around a test


def read_jest_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """All tests of all reports in `data`: the whole is one, or single lines are."""
    whole = loaded(data)
    found = [whole] if isinstance(whole, dict) else list(objects(data))
    cases = (case for report in found for case in (*_jest(report, root), *_mocha(report, root)))
    return tuple(case for case, _ in zip(cases, range(MOST_CASES), strict=False))


def _jest(report: dict[str, Any], root: str) -> Iterator[Case]:
    for file in _listed(report.get("testResults")):
        path = inside(word(file.get("name") or file.get("testFilePath"), 4096), root)
        for test in _listed(file.get("assertionResults") or file.get("testResults")):
            outcome = _OUTCOMES.get(word(test.get("status")))
            above = test.get("ancestorTitles")
            suites = tuple(word(title) for title in above[:_DEEPEST]) if isinstance(above, list) else ()
            if outcome is not None:
                yield Case(
                    word(test.get("title")),
                    outcome,
                    suites=tuple(title for title in suites if title),
                    file=path,
                    line=_line(test.get("location")),
                    assertions=_number(test.get("numPassingAsserts")) or None,
                    message=_message(test.get("failureMessages")),
                )


def _mocha(report: dict[str, Any], root: str) -> Iterator[Case]:
    if not isinstance(report.get("stats"), dict):
        return
    for key, outcome in _MOCHA.items():
        for test in _listed(report.get(key)):
            error = test.get("err")
            said = first_line(word(error.get("message"), 6000)) if isinstance(error, dict) else ""
            file = inside(word(test.get("file"), 4096), root)
            yield Case(word(test.get("fullTitle")), outcome, file=file, message=said)


def _message(value: object) -> str:
    return first_line(word(value[0], 6000)) if isinstance(value, list) and value else ""


def _listed(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _line(value: object) -> int:
    return _number(value.get("line")) if isinstance(value, dict) else 0


def _number(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0
