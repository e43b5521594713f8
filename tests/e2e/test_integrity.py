"""Integrity as a user of `verify` meets it: findings, permits, policies, and what is kept."""

import json
from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import repository, write

GATES = False  # they have tests of their own
SOURCE = "def overlap(a, b):\n    return a[0] < b[1]\n"
FIXED = "def overlap(a, b):\n    return a[0] < b[1] and b[0] < a[1]\n"
HALF = "def overlap(a, b):\n    return a[0] <= b[1] and b[0] <= a[1]\n"
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
ASKED = ("--goal", GOAL, "--accept", "python3 -m unittest -q")
SKIPPED = TEST.replace("    def test_touching", '    @unittest.skip("later")\n    def test_touching')


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder, FILES)


def findings(done) -> dict[str, bool]:
    return {each["rule"]: each["blocks"] for each in done.json["integrity"]["findings"]}


def test_the_honest_repair_is_accepted(cli: Cli, project):
    write(project, {"events.py": FIXED})
    done = cli("verify", *ASKED, "--json")
    assert (done.exit, done.json["integrity"]) == (0, {"passed": True, "findings": []})


@pytest.mark.runs
def test_a_skip_is_refused_with_its_place_and_what_would_be_fine(cli: Cli, project):
    write(project, {"events.py": HALF, "tests/test_events.py": SKIPPED})
    done = cli("verify", *ASKED)
    assert done.exit == 1
    assert "Integrity" in done.out
    assert "tests/test_events.py:14" in done.out
    assert '@unittest.skip("later")' in done.out
    assert "take the marker away" in done.out
    assert "running" not in done.err  # the exam is left out: nothing it could say would help


def test_json_has_the_decision_the_findings_and_the_feedback(cli: Cli, project):
    write(project, {"events.py": HALF, "tests/test_events.py": SKIPPED})
    data = cli("verify", *ASKED, "--json").json
    assert data["decision"]["stop_reason"] == "integrity_violation"
    (finding,) = data["integrity"]["findings"]
    assert (finding["rule"], finding["policy"], finding["test"]) == (
        "test-skipped",
        "deny",
        "OverlapTest.test_touching",
    )
    (feedback,) = [each for each in data["feedback"] if each["category"] == "integrity"]
    assert feedback["location"]["file"] == "tests/test_events.py"
    assert feedback["status"] == "fail"
    assert feedback["fix_suggestion"]


def test_the_stored_run_says_the_same(cli: Cli, project):
    write(project, {"events.py": HALF, "tests/test_events.py": SKIPPED})
    cli("verify", *ASKED)
    said = cli("gate", "decide", "--run", "last", "--json").json
    assert said["decision"] != "accepted"
    shown = cli("show", "last", "--json")
    assert "test-skipped" in shown.out


@pytest.mark.runs
def test_a_permit_by_path_lets_it_through(cli: Cli, project):
    write(project, {"events.py": FIXED, "tests/test_events.py": SKIPPED})
    assert cli("verify", *ASKED).exit == 1
    assert cli("verify", *ASKED, "--permit", "test-skipped=docs/**").exit == 1
    done = cli("verify", *ASKED, "--permit", "test-skipped=tests/**", "--json")
    assert (done.exit, findings(done)) == (0, {"test-skipped": False})


@pytest.mark.runs
def test_a_promise_file_can_permit(cli: Cli, project):
    write(project, {"events.py": FIXED, "tests/test_events.py": SKIPPED})
    promise = {
        "objective": GOAL,
        "acceptance": [{"id": "a", "description": "it works"}],
        "accept": ["python3 -m unittest -q"],
        "permits": ["test-skipped=tests/test_events.py"],
    }
    write(project, {"promise.json": json.dumps(promise)})
    assert cli("verify", "--promise", "promise.json").exit == 0


@pytest.mark.runs
@pytest.mark.parametrize(
    ("text", "said"), [("test-skiped=tests/**", "test-skipped"), ("test-skipped=", "test-skipped=")]
)
def test_a_permit_that_means_nothing_is_said(cli: Cli, project, text, said):
    done = cli("verify", *ASKED, "--permit", text)
    assert done.exit == 2
    assert said in done.err


@pytest.mark.runs
def test_the_goal_permits_what_it_asks_for(cli: Cli, project):
    write(project, {"events.py": FIXED, "tests/test_events.py": SKIPPED})
    goal = "repair overlap() for events that lie apart, and skip test_touching for now"
    done = cli("verify", "--goal", goal, "--accept", "python3 -m unittest -q", "--json")
    assert (done.exit, findings(done)) == (0, {"test-skipped": False})


@pytest.mark.runs
@pytest.mark.parametrize(("policy", "exit"), [("warn", 0), ("ask", 1), ("deny", 1)])
def test_the_policy_of_a_rule_can_be_set(cli: Cli, project, policy, exit):
    write(project, {"events.py": FIXED, "tests/test_events.py": SKIPPED})
    done = cli("verify", *ASKED, "--set", f"verification.integrity={{test-skipped: {policy}}}")
    assert done.exit == exit, done.out + done.err
    assert "test-skipped" in done.out


@pytest.mark.runs
def test_a_changed_expectation_that_gained_nothing_is_only_told(cli: Cli, project):
    more = TEST.replace("overlap((1, 9), (2, 3))", "overlap((1, 8), (2, 3))")
    write(project, {"events.py": FIXED, "tests/test_events.py": more})
    done = cli("verify", *ASKED, "--json")
    assert done.exit == 0, done.out + done.err
    (finding,) = done.json["integrity"]["findings"]
    assert (finding["rule"], finding["vouched"]) == ("expected-changed", True)


@pytest.mark.runs
def test_an_expectation_that_was_bent_instead_of_met_is_refused(cli: Cli, project):
    bent = TEST.replace("self.assertFalse(overlap((1, 5)", "self.assertTrue(overlap((1, 5)")
    write(project, {"events.py": HALF, "tests/test_events.py": bent})
    done = cli("verify", *ASKED, "--json")
    assert done.exit == 1
    assert any(findings(done).values())


@pytest.mark.runs
def test_what_can_not_be_read_is_said_with_its_place(cli: Cli, project):
    write(project, {"events.py": HALF, "tests/test_events.py": TEST + "\ndef broken(:\n"})
    done = cli("verify", *ASKED, "--json", "--all")
    assert done.exit == 1
    places = [e for e in done.json["integrity"]["findings"] if e["rule"] == "not-compared"]
    assert places[0]["file"] == "tests/test_events.py"
    assert places[0]["line"] >= 16


def test_no_base_is_nothing_to_compare_with(cli: Cli):
    import subprocess

    write(cli.folder, {"events.py": FIXED, "tests/__init__.py": "", "tests/test_events.py": SKIPPED})
    subprocess.run(["git", "init", "-q"], cwd=cli.folder, check=True)
    done = cli("verify", "--accept", "python3 -m unittest -q", "--json")
    assert (done.exit, done.json["integrity"]["findings"]) == (0, [])


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
        assert "events/overlap/apart" in done.out
        assert "scenario" in done.out

    @pytest.mark.runs
    def test_a_new_test_that_the_base_passes_as_well_proves_nothing(self, cli: Cli, project):
        moved = SPEC_TEST.replace("        # scenario: events/overlap/touching\n", "").replace(
            "    def test_apart", "    # scenario: events/overlap/inside\n    def test_apart"
        )
        always = moved.replace("assertFalse(overlap((5, 6), (1, 2)))", "assertTrue(overlap((1, 9), (2, 3)))")
        write(project, {"events.py": FIXED, "tests/test_spec.py": always})
        write(project, {"p.json": spec("events/overlap/inside")})
        assert cli("verify", "--promise", "p.json").exit == 1
