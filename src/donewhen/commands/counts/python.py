"""unittest (also as nose, Django and trial print it), and what pytest says when it prints no summary."""

import re
from typing import NamedTuple

from donewhen.commands.counts.text import Lines
from donewhen.commands.counts.words import counted
from donewhen.core.counts import Counts
from donewhen.core.lazy import lazy

_RAN = lazy(r"Ran (?P<n>\d{1,9}) tests? in (?P<time>[\d.]{1,20} ?s(?:econds)?)")
_VERDICT = lazy(r"(?P<verdict>OK|FAILED|PASSED|NO TESTS RAN)(?: \((?P<list>[\w=, ]{1,200})\))?")
_RULE = "-" * 70
_PART = lazy(r"([A-Za-z][A-Za-z ]{1,40})=(\d{1,9})")
_WORDS = {
    "failures": "failures",
    "errors": "errors",
    "skipped": "skipped",
    "skip": "skipped",
    "skips": "skipped",
    "expected failures": "expected failures",
    "expectedfailures": "expected failures",
    "unexpected successes": "unexpected successes",
}
_COLLECTED = lazy(
    r"collected (?P<n>\d{1,9}) items?(?: / (?P<errors>\d{1,9}) errors?)?(?: / \d{1,9} deselected)?"
    r"(?: / \d{1,9} skipped)?(?: / (?P<selected>\d{1,9}) selected)?"
)


class Summary(NamedTuple):
    counts: Counts
    ran: int  # skipped ones included
    ruled: bool  # below a line of dashes, as unittest itself writes it


def read_unittest(lines: Lines) -> list[Counts]:
    return [each.counts for each in summaries(lines)]


def summaries(lines: Lines) -> list[Summary]:
    """Every summary in the form of unittest, in the order of the text."""
    found: list[Summary] = []
    for number, line in enumerate(lines):
        ran = _RAN.fullmatch(line)
        if ran:
            verdict = _VERDICT.fullmatch(lines[number + 1]) if number + 1 < len(lines) else None
            counts = _counts(int(ran["n"]), ran["time"], verdict)
            found.append(Summary(counts, int(ran["n"]), number > 0 and lines[number - 1] == _RULE))
    return found


def _counts(ran: int, time: str, verdict: re.Match[str] | None) -> Counts:
    listed = _PART.findall(verdict["list"] or "") if verdict else []
    pairs = [(int(n), _WORDS[name.strip().lower()]) for name, n in listed if name.strip().lower() in _WORDS]
    counts = counted("unittest", [(ran, "tests"), *pairs], seconds=time.replace(" ", ""))
    if verdict and verdict["verdict"] == "FAILED" and not counts.failed and not counts.errors:
        return counts._replace(errors=1)
    return counts


def read_collected(lines: Lines) -> list[Counts]:
    """Only a collection that found nothing says something about what ran."""
    founds = [found for line in lines if (found := _COLLECTED.fullmatch(line))]
    if not founds or any(int(found["selected"] or found["n"]) for found in founds):
        return []
    return [Counts(0, 0, errors=sum(int(found["errors"] or 0) for found in founds), runner="pytest")]
