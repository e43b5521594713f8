"""Scenarios of a promise, proven by linked tests, as a user of `verify` meets them."""

import json
from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import repository, write

GATES = False  # they have tests of their own
SOURCE = "def overlap(a, b):\n    return a[0] < b[1]\n"
FIXED = "def overlap(a, b):\n    return a[0] < b[1] and b[0] < a[1]\n"
TEST = """\
import unittest

from events import overlap


class OverlapTest(unittest.TestCase):
    def test_inside(self):
        self.assertTrue(overlap((1, 9), (2, 3)))

    def test_apart(self):
        self.assertFalse(overlap((5, 6), (1, 2)))

    def test_touching(self):
        self.assertFalse(overlap((1, 5), (5, 6)))
"""
FILES = {"events.py": SOURCE, "tests/__init__.py": "", "tests/test_events.py": TEST}
GOAL = "overlap() says True for events that lie apart; touching ones don't overlap either"


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder, FILES)


SPEC_TEST = """\
import unittest

from events import overlap


class OverlapTest(unittest.TestCase):
    def test_touching(self):
        # scenario: events/overlap/touching
        self.assertFalse(overlap((1, 5), (5, 6)))

    def test_apart(self):
        self.assertFalse(overlap((5, 6), (1, 2)))
"""


def spec(*names: str) -> str:
    check = {"id": "s", "kind": "scenario", "params": {"scenarios": "\n".join(names)}}
    promise = {
        "objective": GOAL,
        "acceptance": [{"id": "a", "description": "it works"}],
        "accept": ["python3 -m unittest -q"],
        "checks": [check],
    }
    return json.dumps(promise)


class TestScenarios:
    @pytest.mark.runs
    def test_a_linked_test_that_fails_without_the_change_proves_its_scenario(self, cli: Cli, project):
        write(project, {"events.py": FIXED, "tests/test_spec.py": SPEC_TEST})
        write(project, {"p.json": spec("events/overlap/touching")})
        done = cli("verify", "--promise", "p.json", "--json")
        assert done.exit == 0, done.out + done.err
        again = cli("verify", "--promise", "p.json", "--json").json  # from what was kept
        assert again["decision"]["status"] == "accepted"
        assert again["commands"][0]["way"] == "cached"

    @pytest.mark.runs
    def test_a_scenario_that_no_test_names_is_listed_with_what_to_write(self, cli: Cli, project):
        write(project, {"events.py": FIXED, "tests/test_spec.py": SPEC_TEST})
        write(project, {"p.json": spec("events/overlap/touching", "events/overlap/apart")})
        done = cli("verify", "--promise", "p.json")
        assert done.exit == 1
        assert "write `scenario: events/overlap/apart`" in " ".join(done.out.split())

    @pytest.mark.runs
    def test_a_new_test_that_the_base_passes_as_well_proves_nothing(self, cli: Cli, project):
        moved = SPEC_TEST.replace("        # scenario: events/overlap/touching\n", "").replace(
            "    def test_apart", "    # scenario: events/overlap/inside\n    def test_apart"
        )
        always = moved.replace("assertFalse(overlap((5, 6), (1, 2)))", "assertTrue(overlap((1, 9), (2, 3)))")
        write(project, {"events.py": FIXED, "tests/test_spec.py": always})
        write(project, {"p.json": spec("events/overlap/inside")})
        assert cli("verify", "--promise", "p.json").exit == 1
