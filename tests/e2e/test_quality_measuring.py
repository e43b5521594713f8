"""Coverage that is required: the watched run has what the exam has, and what it can't tell it says."""

import json
import shlex
import sys
from typing import Any

import pytest

from tests.helpers import Cli, Result
from tests.projects import repository, write

TESTS = ("--accept", f"{shlex.quote(sys.executable)} -m unittest -q")
REQUIRED = ("--set", f"verification.quality.gates={json.dumps(['coverage'])}")
ADVICE = ("--set", "verification.quality.gates=[{name: coverage, required: false}]")
TEST = """\
import os
import unittest

import calc


class CalcTest(unittest.TestCase):
    def test_twice(self):
        self.assertEqual(calc.twice(2), 4)
"""
WATCHED = """
    def test_alone(self):
        import sys

        self.assertNotIn("coverage", sys.modules, "somebody watches")
"""
CALC = {"calc.py": "def twice(a):\n    return 2 * a\n", "test_calc.py": TEST}
CHANGED = {"calc.py": "def twice(a):\n    return a + a\n"}


def coverage(done: Result) -> dict[str, Any]:
    assert done.out.startswith("{"), done.out + done.err
    return next(each for each in done.json["gates"] if each["gate"] == "coverage")


def asked(cli: Cli, change: dict[str, str], *words: str, test: str = TEST) -> Result:
    write(repository(cli.folder, {**CALC, "test_calc.py": test}), change)
    return cli("verify", *TESTS, "--json", *words)


def test_the_time_of_measuring_is_told(cli: Cli):
    done = asked(cli, CHANGED, *REQUIRED)
    found = coverage(done)
    assert (done.exit, found["verdict"]) == (0, "passed"), done.out
    assert found["duration_ms"] > 0


@pytest.mark.runs
def test_tests_that_fail_only_when_they_are_watched_say_so(cli: Cli):
    done = asked(cli, CHANGED, *REQUIRED, test=TEST + WATCHED)
    found = coverage(done)
    assert (done.exit, found["verdict"]) == (5, "could_not_run"), done.out
    assert "did not pass when it was run once more" in found["reason"]
    assert "FAILED (failures=1)" in found["reason"]


@pytest.mark.parametrize(
    ("words", "end"),
    [(REQUIRED, (5, "could_not_run")), pytest.param(ADVICE, (0, "passed"), marks=pytest.mark.runs)],
    ids=["required", "advice"],
)
def test_a_changed_language_without_any_data_is_told(cli: Cli, words, end):
    done = asked(cli, {**CHANGED, "page.js": "function f() {\n  return 1;\n}\n"}, *words)
    found = coverage(done)
    assert (done.exit, found["verdict"]) == end, done.out
    assert "JavaScript could not be measured" in found["reason"]
    assert "page.js" in found["reason"]
