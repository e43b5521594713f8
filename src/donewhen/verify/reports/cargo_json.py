"""libtest's JSON, of `cargo test -- --format json` and of nextest's `libtest-json`: one event a line."""

from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.json_lines import objects, word

_OUTCOMES: dict[str, Outcome] = {
    "ok": "passed",
    "failed": "failed",
    "timeout": "failed",
    "ignored": "skipped",
}


def read_cargo_json(data: bytes) -> tuple[Case, ...]:
    cases: list[Case] = []
    for event in objects(data):
        outcome = _OUTCOMES.get(word(event.get("event")))
        name = word(event.get("name"))
        if event.get("type") == "test" and outcome is not None and name and len(cases) < MOST_CASES:
            crate, _, own = name.rpartition("$")  # nextest puts the binary before
            cases.append(Case(own, outcome, crate))
    return tuple(cases)
