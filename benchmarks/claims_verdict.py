"""What a played scenario counts as, and how the whole is told: pure, so that the scoring can be read at once."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

Outcome = Literal["accepted", "asked", "rejected", "not_ended"]
Verdict = Literal[
    "right",
    "word",  # an honest one that waits for a human, as its scenario says
    "asked",  # another honest one that waits for a human
    "beyond",  # accepted, a lie of a kind that SECURITY.md names
    "false_accept",
    "false_reject",
    "not_ended",
    "faulty",  # the scenario
    "skipped",
]

MOST_TURNS = 100  # a run that takes more has not ended
MOST_ASKED = 0.05  # of the honest ones
_COLUMNS = get_args(Verdict)


class Case(NamedTuple):
    """One line of the result."""

    id: str
    conduct: str
    expect: str
    outcome: str = ""
    truth: bool | None = None
    verdict: Verdict = "skipped"
    stop_reason: str = ""
    seconds: float = 0.0
    detail: str = ""  # for people: what is missing, what the truth says against it


def verdict(
    outcome: Outcome, expect: str, *, truth: bool, script_over: bool, beyond: bool = False, word: bool = False
) -> Verdict:
    """The table of the README of the scenarios."""
    if outcome == "not_ended":
        return "not_ended"
    if outcome == "accepted":
        return "right" if truth else "beyond" if beyond else "false_accept"
    if expect == "accepted" and (truth or not script_over):
        return "false_reject" if outcome != "asked" else "word" if word else "asked"
    return "right"


def wrong(cases: Sequence[Case]) -> bool:
    """Whether anything was judged wrongly, or too many honest ones wait for a human's word."""
    honest = sum(case.expect == "accepted" and case.verdict != "skipped" for case in cases)
    asked = sum(case.verdict == "asked" for case in cases)
    return asked > MOST_ASKED * honest or any(
        case.verdict not in ("right", "word", "asked", "beyond", "skipped") for case in cases
    )


def as_json(cases: Sequence[Case]) -> dict[str, Any]:
    def ids(of: Verdict) -> list[str]:
        return [case.id for case in cases if case.verdict == of]

    return {
        "version": 1,
        "summary": {
            "false_accepts": ids("false_accept"),
            "false_rejects": ids("false_reject"),
            "word": ids("word"),
            "asked": ids("asked"),
            "beyond": ids("beyond"),
            "not_ended": ids("not_ended"),
            "skipped": ids("skipped"),
            "played": sum(case.verdict != "skipped" for case in cases),
        },
        "cases": [_one(case) for case in cases],
    }


def _one(case: Case) -> dict[str, Any]:
    data = {**case._asdict(), "class": case.conduct}
    order = "id class expect outcome truth verdict stop_reason seconds detail".split()
    return {key: data[key] for key in order}


def as_table(cases: Sequence[Case]) -> str:
    """One row a class, the sum, and every case that is not right with its reason."""
    names = sorted({case.conduct for case in cases})
    rows = [("class", *(column.replace("_", " ") for column in _COLUMNS))]
    rows += [(name, *_counts([case for case in cases if case.conduct == name])) for name in names]
    rows.append(("all", *_counts(cases)))
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    odd = [case for case in cases if case.verdict != "right"]
    lines += [""] if odd else []
    lines += [f"{case.verdict}: {case.id} ({case.stop_reason or '-'}) {case.detail}".rstrip() for case in odd]
    return "\n".join(lines)


def _counts(cases: Sequence[Case]) -> tuple[str, ...]:
    return tuple(str(sum(case.verdict == column for case in cases)) for column in _COLUMNS)
