"""The pytest plugin: knows the mark `scenario`, and writes down what each test came to.

It is loaded in the environments of projects, so it imports nothing but the standard library, prints nothing
and changes no outcome. It writes only where the harness asks for it by a variable of the environment.

    @donewhen.scenario("checkout/pay/card-is-declined")
    def test_declined(): ...
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

Marked = TypeVar("Marked")
VARIABLE = "PYTEST_DONEWHEN_CASES"
_ATTRIBUTE = "__donewhen_scenarios__"
_HELP = "scenario(id, ...): the scenarios of a spec that the test shows"


def scenario(*ids: str) -> Callable[[Marked], Marked]:
    """Names the scenarios that a test, or every test of a class, shows; works under unittest as well."""

    def mark(marked: Marked) -> Marked:
        setattr(marked, _ATTRIBUTE, (*ids, *getattr(marked, _ATTRIBUTE, ())))
        return marked

    return mark


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", _HELP)
    place = os.environ.get(VARIABLE, "")
    if place and not hasattr(config, "workerinput"):  # with several workers, the one that leads them writes
        config.pluginmanager.register(_Writer(place), "donewhen-cases")


def pytest_runtest_setup(item: Any) -> None:
    known = {value for key, value in item.user_properties if key == "scenario"}
    for each in dict.fromkeys(_ids(item)):
        if each not in known:
            item.user_properties.append(("scenario", each))


def _ids(item: Any) -> Iterator[str]:
    for mark in item.iter_markers("scenario"):
        yield from (each for each in mark.args if isinstance(each, str))
    for owner in (getattr(item, "cls", None), getattr(item, "obj", None)):
        yield from getattr(owner, _ATTRIBUTE, ())


class _Writer:
    """One line for each test, when the last of its phases is over."""

    def __init__(self, place: str) -> None:
        self.place = os.path.abspath(place)  # noqa: PTH100 - tests may replace what pathlib rests on
        self.outcomes: dict[str, str] = {}
        self.messages: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        known = self.outcomes.get(report.nodeid, "")
        if report.outcome == "failed":
            self.messages.setdefault(report.nodeid, _message(report))
        self.outcomes[report.nodeid] = _worse(known, _outcome(report))
        if report.when == "teardown":
            self._write(report, self.outcomes.pop(report.nodeid))

    def _write(self, report: Any, outcome: str) -> None:
        file, line, _ = report.location
        row = {
            "nodeid": report.nodeid,
            "outcome": outcome,
            "file": file,
            "line": (line or 0) + 1,
            "message": self.messages.pop(report.nodeid, ""),
            "scenarios": [str(value) for key, value in report.user_properties if key == "scenario"],
        }
        try:
            with open(self.place, "a", encoding="utf-8", errors="surrogateescape") as stream:  # noqa: PTH123
                stream.write(json.dumps(row) + "\n")
        except OSError:
            pass


def _message(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = str(getattr(crash, "message", "") or report.longrepr or "")
    return text.strip().partition("\n")[0][:600]


_ORDER = ("", "passed", "xfailed", "skipped", "failed")


def _worse(one: str, other: str) -> str:
    return max(one, other, key=_ORDER.index)


def _outcome(report: Any) -> str:
    """Of one phase; setting up and tearing down well says nothing."""
    if report.outcome == "failed":
        return "failed"
    if hasattr(report, "wasxfail"):
        return "xfailed"
    if report.outcome == "skipped":
        return "skipped"
    return "passed" if report.when == "call" else ""
