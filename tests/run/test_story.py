"""The gate on small stories: every rule pinned by an example, and input that is refused."""

import json
from pathlib import Path

import pytest

from donewhen.commands import parse
from donewhen.core.errors import UserError
from donewhen.run.case import read_case
from donewhen.run.story import Story
from tests.tables import by_kind, table_test

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "cases/gate.jsonl").open(encoding="utf-8")]


def play(case):
    read = read_case(case, parse)
    return Story(read, parse).play(read.events)


def outcome(case):
    """What the case expects of us, filled in with what we say."""
    try:
        told = play(case)
    except UserError:
        return {"error": True}
    said = {
        "decision": told.status,
        "stop_reason": told.stop_reason,
        "failed": {result.id for result in told.findings.failed},
        "pending": {command.entry.label for command in told.findings.pending},
    }
    return {key: said.get(key) for key in case["expect"]}


def expected(case):
    return {key: set(value) if isinstance(value, list) else value for key, value in case["expect"].items()}


KINDS = by_kind(CASES)


@pytest.mark.runs
@table_test("kind", KINDS)
def test_the_gate_decides_as_the_case_expects(kind):
    found = {case["id"]: (case["note"], outcome(case)) for case in KINDS[kind]}
    assert found == {case["id"]: (case["note"], expected(case)) for case in KINDS[kind]}


@table_test(
    ("case", "sentence"),
    [
        ([], "case must be an object with named fields"),
        ({"events": {}}, "events must be a list"),
        ({"events": ["x"]}, "events[1] must be an object with named fields"),
        ({"events": [{"jump": 1}]}, "events[1] must hold exactly one of run, write"),
        ({"events": [{"run": "a", "say": "b"}]}, "events[1] must hold exactly one of run, write"),
        ({"events": [{"run": " "}]}, "events[1] runs an empty command; say which was run"),
        ({"events": [{"run": "a", "exit": True}]}, "events[1].exit must be a number"),
        ({"events": [{"run": "a", "by": "me"}]}, "events[1].by must be one of agent, harness, hook, human"),
        ({"events": [{"run": "a", "state": "gone"}]}, "events[1].state must be one of started, running"),
        ({"events": [{"write": 1}]}, "events[1].write must be text"),
        ({"events": [{"move": ["a"]}]}, "events[1]: move needs a list of two paths, from and to"),
        ({"events": [{"verify": {"tool": "x"}}]}, "events[1].verify.passed must be true or false"),
        ({"events": [{"turn": [{"args": {}}]}]}, "events[1].turn[1].tool must be text"),
        ({"events": [{"user": "shout"}]}, "events[1]: user must be abort, confirm TEXT or optional ID"),
        ({"events": [{"gate": "pre-lunch", "allowed": True}]}, "events[1].gate must be one of pre-plan"),
        ({"events": [{"spend": {"money": "1"}}]}, "events[1].spend.money must be a number"),
        ({"events": [{"spend": {"patience": 1}}]}, "events[1].spend must be one of money, tokens"),
        ({"tree": {"../a": ""}}, "tree['../a'] must be a path inside the workspace"),
        ({"tree": {"a": 1}}, "tree['a'] must be a path inside the workspace with text as its content"),
        ({"config": {"runtime": {"max_repeat_cycle_streak": 0}}}, "the case's config is wrong"),
        ({"config": {"runtime": {"nonsense": 1}}}, "the case's config is wrong"),
        ({"trust": "nobody"}, "trust must be one of agent, harness"),
        ({"earlier": {"status": "lost"}}, "earlier.status must be one of completed, approved"),
        ({"accept": "npm test"}, "accept must be a list of texts"),
        ({"accept": ["npm test | tail"]}, "accept: 'npm test | tail' needs a shell"),
    ],
)
def test_a_case_that_is_wrong_is_refused_with_its_place(case, sentence):
    with pytest.raises(UserError) as refused:
        play(case)
    assert str(refused.value).startswith(sentence)


def test_what_the_agent_does_wrong_is_told_and_changes_nothing():
    events = [
        {"todo": {"id": "zz", "status": "completed"}},
        {"plan": {"checks": "all of them"}},
        {"plan": ["a"]},
        {"plan": {"checks": []}},
    ]
    told = play({"checks": [{"id": "f", "kind": "file_exists", "target": "a.md"}], "events": events})
    assert [sentence.split(";")[0] for sentence in told.said[1:]] == [
        "plan.checks must be a list of checks",
        "plan must be an object with named fields",
        "the check f can't be dropped",
    ]
    assert told.status == "continue"
