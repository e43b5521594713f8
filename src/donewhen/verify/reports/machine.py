"""Tests one by one from machine reports: JSON of runners, our pytest plugin's lines, what unittest noted.

It was written beside code that we don't trust: bounded, and whatever is no report, or nested beyond reason,
is passed over. Printed output is a report only where the command itself, called directly, asks its runner for
one on stdout.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

from donewhen.core.scenarios import MOST_CASES, Case, Outcome
from donewhen.verify.reports.failures import inside
from donewhen.verify.reports.junit import read_junit
from donewhen.verify.reports.model import LONGEST_DETAILS, LONGEST_MESSAGE, first_line

_LARGEST = 64 * 2**20
_LONGEST_LINE = 4 * 2**20
_MOST_LINES = 2_000_000
_MOST_WORDS = 1000
_DEEPEST = 50  # titles around a test
_OUTCOMES: dict[str, Outcome] = {
    **dict.fromkeys(("passed", "pass", "ok", "focused"), "passed"),
    **dict.fromkeys(("failed", "fail", "timeout"), "failed"),
    **dict.fromkeys(("skipped", "skip", "ignored", "pending", "todo", "disabled"), "skipped"),
    "xfailed": "xfailed",
}
_MOCHA: dict[str, Outcome] = {"passes": "passed", "failures": "failed", "pending": "skipped"}
Reader = Callable[[bytes, str], tuple[Case, ...]]


def read_any(data: bytes, root: str = "") -> tuple[Case, ...]:
    """The tests of a report in a file, whatever wrote it; none where no reader knows it."""
    if not data:
        return ()
    return next((cases for reader in _FILES if (cases := reader(data, root))), ())


def printed_reader(argv: Sequence[str]) -> Reader | None:
    """How the output of the command is read; None: what it prints is for people."""
    names = [word.rpartition("/")[2] for word in argv[:_MOST_WORDS]]
    for program, asking, reader in _PRINTED:
        if program in names:
            rest = argv[names.index(program) + 1 : _MOST_WORDS]
            pairs = (f"{one}={two}" for one, two in pairwise(rest))
            if not {*rest, *pairs}.isdisjoint(asking):
                return reader
    return None


def read_go_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """`go test -json`: one event a line. What a test prints is inside of events, so it can't be one."""
    return _cases(
        Case(_word(event.get("Test")), outcome, _word(event.get("Package")))
        for event, outcome in _events(data, "Action")
    )


def read_cargo_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """libtest's JSON, of `cargo test -- --format json` and of nextest, which puts the binary before names."""
    found = (
        (_word(event.get("name")).rpartition("$"), outcome)
        for event, outcome in _events(data, "event")
        if event.get("type") == "test"
    )
    return _cases(Case(name, outcome, crate) for (crate, _, name), outcome in found)


def read_jest_json(data: bytes, root: str = "") -> tuple[Case, ...]:
    """jest, vitest, which writes the same, and mocha: the whole is one report, or single lines are."""
    whole = _loaded(data)
    found = [whole] if isinstance(whole, dict) else _objects(data)
    return _cases(case for report in found for case in (*_jest(report, root), *_mocha(report, root)))


def read_plugin_lines(data: bytes, root: str = "") -> tuple[Case, ...]:
    """What the shipped pytest plugin writes: one JSON object for each test, with its scenarios."""
    return _cases(_of_plugin(row, outcome, root) for row, outcome in _events(data, "outcome"))


def read_recorded(data: bytes, root: str = "") -> tuple[Case, ...]:
    """What unittest's processes noted by the exam's recorder; a line that is cut is left out."""
    lines = (words for words in _recorded(data) if len(words) in (4, 5) and words[0] in _OUTCOMES)
    return _cases(_of_recorder(words, root) for words in lines if words[3].isascii() and words[3].isdigit())


def _of_recorder(words: Sequence[str], root: str) -> Case:
    outcome, test, file, line, *said = words
    group, _, name = test[:600].rpartition(".")
    return Case(
        name[:300],
        _OUTCOMES[outcome],
        group,
        file=inside(file, root),
        line=int(line[:9]),
        message="".join(said)[:LONGEST_MESSAGE],
    )


def claims_too_much(data: bytes, executed: int) -> bool:
    """Whether unittest was started, told of no test, and more tests were printed than anybody noted."""
    words = list(_recorded(data))
    began = {each[1] for each in words if each[0] == "began" and len(each) == 2}
    counted = {each[1] for each in words if each[0] == "counted" and len(each) == 2}
    told = sum(each[0] in _OUTCOMES for each in words)
    return bool(began - counted) and executed > told


def _recorded(data: bytes) -> Iterator[list[str]]:
    for line in data.split(b"\n")[: 4 * MOST_CASES]:
        yield os.fsdecode(line).split("\0")


def _junit(data: bytes, root: str) -> tuple[Case, ...]:
    found = read_junit(data, root)
    return found.cases if found is not None else ()


_FILES: tuple[Reader, ...] = (_junit, read_jest_json, read_go_json, read_cargo_json)
_JSON_REPORTER = ("--reporter=json", "-R=json")
_LIBTEST = ("--format=json", "--message-format=libtest-json")
_PRINTED: tuple[tuple[str, tuple[str, ...], Reader], ...] = (  # a program, and the options that ask for it
    ("go", ("-json", "--json"), read_go_json),
    ("jest", ("--json",), read_jest_json),
    ("vitest", _JSON_REPORTER, read_jest_json),
    ("mocha", _JSON_REPORTER, read_jest_json),
    ("cargo", _LIBTEST, read_cargo_json),
)


def _cases(found: Iterable[Case]) -> tuple[Case, ...]:
    return tuple(islice((case for case in found if case.name), MOST_CASES))


def _events(data: bytes, key: str) -> Iterator[tuple[dict[str, Any], Outcome]]:
    """Lines that say under `key` what a test came to."""
    for event in _objects(data):
        outcome = _OUTCOMES.get(_word(event.get(key)))
        if outcome is not None:
            yield event, outcome


def _jest(report: dict[str, Any], root: str) -> Iterator[Case]:
    for file in _listed(report.get("testResults")):
        path = inside(_word(file.get("name") or file.get("testFilePath"), 4096), root)
        for test in _listed(file.get("assertionResults") or file.get("testResults")):
            outcome = _OUTCOMES.get(_word(test.get("status")))
            above = test.get("ancestorTitles")
            suites = tuple(map(_word, above[:_DEEPEST])) if isinstance(above, list) else ()
            location = test.get("location")
            if outcome is not None:
                yield Case(
                    _word(test.get("title")),
                    outcome,
                    suites=tuple(filter(None, suites)),
                    file=path,
                    line=_number(location.get("line")) if isinstance(location, dict) else 0,
                    assertions=_number(test.get("numPassingAsserts")) or None,
                    message=_said(test.get("failureMessages")),
                )


def _mocha(report: dict[str, Any], root: str) -> Iterator[Case]:
    for key, outcome in _MOCHA.items() if isinstance(report.get("stats"), dict) else ():
        for test in _listed(report.get(key)):
            file, error = inside(_word(test.get("file"), 4096), root), test.get("err")
            said = _said([error.get("message")]) if isinstance(error, dict) else ""
            yield Case(_word(test.get("fullTitle")), outcome, file=file, message=said)


def _of_plugin(row: dict[str, Any], outcome: Outcome, root: str) -> Case:
    own, bracket, row_name = _word(row.get("nodeid"), 4096).partition("::")[2].partition("[")
    group, _, name = own.replace("::", ".").rpartition(".")
    listed = row.get("scenarios")
    return Case(
        f"{name}{bracket}{row_name}"[:300],
        outcome,
        group,
        file=inside(_word(row.get("file"), 4096), root),
        line=_number(row.get("line")),
        scenarios=tuple(map(_word, listed[:50])) if isinstance(listed, list) else (),
        message=_word(row.get("message"), LONGEST_MESSAGE),
    )


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    """Every line that is a JSON object, in order."""
    for line in data[:_LARGEST].splitlines()[:_MOST_LINES]:
        short = line.strip()
        if short.startswith(b"{") and short.endswith(b"}") and len(short) <= _LONGEST_LINE:
            found = _loaded(short)
            if isinstance(found, dict):
                yield found


def _loaded(data: bytes) -> Any:
    try:
        return json.loads(data[:_LARGEST])
    except (ValueError, RecursionError):
        return None


def _said(value: object) -> str:
    return first_line(_word(value[0], LONGEST_DETAILS)) if isinstance(value, list) and value else ""


def _listed(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _word(value: object, longest: int = 300) -> str:
    return value[:longest] if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**9 else 0
