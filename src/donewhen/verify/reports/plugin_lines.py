"""What the shipped pytest plugin writes: one JSON object for each test, with its scenarios."""

from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.json_lines import objects, word
from donewhen.verify.reports.places import inside

_OUTCOMES: dict[str, Outcome] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "xfailed": "xfailed",
}


def read_plugin_lines(data: bytes, root: str = "") -> tuple[Case, ...]:
    cases: list[Case] = []
    for row in objects(data):
        outcome = _OUTCOMES.get(word(row.get("outcome")))
        _, _, inner = word(row.get("nodeid"), 4096).partition("::")
        listed = row.get("scenarios")
        scenarios = tuple(word(each) for each in listed[:50]) if isinstance(listed, list) else ()
        line = row.get("line")
        if outcome is not None and inner and len(cases) < MOST_CASES:
            own, bracket, row_name = inner.partition("[")
            group, _, name = own.replace("::", ".").rpartition(".")
            cases.append(
                Case(
                    f"{name}{bracket}{row_name}"[:300],
                    outcome,
                    group,
                    file=inside(word(row.get("file"), 4096), root),
                    line=line if isinstance(line, int) and 0 < line < 10**9 else 0,
                    scenarios=scenarios,
                    message=word(row.get("message"), 600),
                )
            )
    return tuple(cases)
