"""`go test -json`: one event a line. What a test prints is inside of events, so it can't be one."""

from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.json_lines import objects, word

_OUTCOMES: dict[str, Outcome] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


def read_go_json(data: bytes) -> tuple[Case, ...]:
    cases: list[Case] = []
    for event in objects(data):
        outcome = _OUTCOMES.get(word(event.get("Action")))
        name = word(event.get("Test"))
        if outcome is not None and name and len(cases) < MOST_CASES:
            cases.append(Case(name, outcome, word(event.get("Package"))))
    return tuple(cases)
