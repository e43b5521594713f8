"""What a cheating agent tried: each story was accepted once, and must not be."""

import pytest

from donewhen.commands import parse
from donewhen.core.errors import UserError
from donewhen.core.paths import Exempt
from donewhen.run.case import read_case
from donewhen.run.scene import Scene
from donewhen.run.story import Story
from tests.tables import table_test

DONE = {"complete": "Done."}
GREEN = {"run": "pytest", "exit": 0, "output": "3 passed in 0.05s\n"}


def status(**case):
    read = read_case(case, parse)
    return Story(read, parse).play(read.events).status


def plan(**revision):
    return {"plan": revision}


@table_test(
    "case",
    [
        pytest.param(
            {
                "events": [
                    plan(checks=[{"id": "e", "kind": "command_success", "target": target, "match": mode}]),
                    {"write": "a.py", "content": "x"},
                    {"run": "pytest tests/one.py", "output": "1 passed in 1s"},
                    DONE,
                ]
            },
            id=f"a narrow check of its own covers the change ({mode})",
        )
        for target, mode in (("pytest tests/one.py", "argv"), ("pytest", "prefix"))
    ]
    + [
        pytest.param(
            {
                "checks": [{"id": "q", "kind": "quality_gate", "target": "types"}],
                "events": [
                    plan(
                        checks=[
                            {"id": "q", "kind": "quality_gate", "target": "types", "params": {"tool": "easy"}}
                        ]
                    ),
                    {"verify": {"tool": "easy", "passed": True}},
                    DONE,
                ],
            },
            id="a parameter is added that asks another verifier",
        ),
        pytest.param(
            {
                "events": [
                    {"write": "d.json", "content": "{}"},
                    {"delete": "d.json"},
                    {"write": "d.json", "content": "{"},
                    DONE,
                ]
            },
            id="a confirmation outlives its file",
        ),
        pytest.param(
            {
                "events": [
                    {"write": "d.json", "content": "{}"},
                    {"move": ["d.json", "e.json"]},
                    {"write": "d.json", "content": "{"},
                    DONE,
                ]
            },
            id="a confirmation outlives a move",
        ),
        pytest.param(
            {
                "promise": {
                    "objective": "x",
                    "acceptance": [{"id": "c", "description": "d", "evidence_required": ["check:t"]}],
                },
                "events": [plan(checks=[{"id": "t", "kind": "output_only"}]), DONE],
            },
            id="a criterion is met by a check of its own",
        ),
        pytest.param(
            {
                "tree": {"a.md": "x"},
                "promise": {
                    "objective": "x",
                    "acceptance": [{"id": "c", "description": "d", "evidence_required": ["file:a.md"]}],
                },
                "events": [plan(checks=[{"kind": "file_exists", "target": "a.md"}]), DONE],
            },
            id="file evidence by a check of its own",
        ),
        pytest.param(
            {
                "events": [
                    plan(checks=[{"kind": "file_exists", "target": "x", "required": False}]),
                    {"complete": ""},
                ]
            },
            id="an optional check takes the place of the answer",
        ),
        pytest.param(
            {
                "tree": {"a.py": "1"},
                "accept": ["pytest"],
                "events": [
                    {"run": "pytest", "state": "started"},
                    {"write": "a.py", "content": "2"},
                    {"run": "pytest ", "state": "completed", "exit": 0, "output": "3 passed in 0.1s"},
                    DONE,
                ],
            },
            id="another spelling of the background command",
        ),
        pytest.param(
            {
                "tree": {"a.py": "1"},
                "accept": ["pytest"],
                "events": [
                    {"run": "pytest", "state": "started"},
                    {"run": "pytest", "state": "completed", "exit": 0, "output": "3 passed in 0.1s"},
                    {"write": "a.py", "content": "2"},
                    {"run": "pytest", "state": "completed", "exit": 0, "output": "3 passed in 0.1s"},
                    DONE,
                ],
            },
            id="one start, two ends",
        ),
        pytest.param(
            {
                "tree": {"a.py": "1"},
                "accept": ["pytest"],
                "events": [
                    {"run": "pytest", "state": "started"},
                    {"write": "a.py", "content": "2"},
                    {"run": "pytest", "state": "started"},
                    {"run": "pytest", "state": "completed", "exit": 1, "output": "1 failed in 0.1s"},
                    {"run": "pytest", "state": "completed", "exit": 0, "output": "3 passed in 0.1s"},
                    DONE,
                ],
            },
            id="two starts on two trees, and a red one",
        ),
        pytest.param(
            {
                "accept": ["ruff check ."],
                "events": [
                    {"run": "ruff check .", "exit": 0},
                    {"run": "ruff check .", "exit": 1, "output": "a.py:1: x\nusage: foo bar in docstring\n"},
                    DONE,
                ],
            },
            id="a red that mentions usage",
        ),
        pytest.param(
            {
                "accept": ["make test"],
                "events": [
                    {"run": "make test", "exit": 0},
                    {
                        "run": "make test",
                        "exit": 2,
                        "output": "usage: prog\nFAIL: something\nmake: *** [test] Error 1\n",
                    },
                    DONE,
                ],
            },
            id="a red that begins with usage",
        ),
        pytest.param(
            {
                "events": [
                    {"verify": {"tool": "integrity", "scope": "a", "passed": False}},
                    {"verify": {"tool": "integrity", "scope": "b", "passed": True}},
                    DONE,
                ]
            },
            id="integrity of another scope",
        ),
        pytest.param(
            {
                "promise": {
                    "objective": "x",
                    "acceptance": [{"id": "c", "description": "d"}],
                    "required_evidence": ["file"],
                },
                "events": [{"write": "tmp/x", "content": "x"}, DONE],
            },
            id="an exempt file as evidence",
        ),
        pytest.param({"tree": {"a.py": "1"}, "events": [{"delete": "."}, DONE]}, id="everything deleted"),
        pytest.param({"events": [{"write": ".GIT/config", "content": "x"}, DONE]}, id="git in capitals"),
        pytest.param(
            {
                "checks": [{"id": "t", "kind": "command_success", "target": "# pytest", "match": "exact"}],
                "events": [{"run": "# pytest", "exit": 0}, DONE],
            },
            id="a comment as a command",
        ),
    ],
)
def test_a_cheating_story_is_not_accepted(case):
    assert status(**case) != "accepted"


@table_test(
    "case",
    [
        {"checks": [{"kind": "output_only", "requird": True}]},
        {"expect": {"failed": None}},
        {"expect": {"pending": [1]}},
        {"events": [{"spend": {"money": 10**400}}]},
        {"checks": [{"kind": "content_contains", "target": "a", "params": {"regex": ".*foo.*bar.*baz"}}]},
    ],
)
def test_what_could_hide_a_mistake_or_cost_too_much_is_refused(case):
    with pytest.raises(UserError):
        status(**case)


def test_an_empty_command_in_a_plan_is_told_or_never_proven():
    revision = plan(checks=[{"kind": "command_success", "target": "''"}])
    assert status(accept=["pytest"], events=[revision, GREEN, DONE]) == "continue"


def test_a_long_line_in_gitignore_is_no_rule():
    assert status(events=[{"write": ".gitignore", "content": "a" * 1001}, DONE]) == "accepted"


def test_the_fingerprint_depends_on_the_files_alone_not_on_the_way_to_them():
    one = Scene({"a": "1", "b": "2"}, Exempt(), ())
    two = Scene({"a": "1", "b": "2"}, Exempt(), ())
    first = one.view().fingerprint
    one.write("c", "3")
    one.write("a", "9")
    two.write("a", "9")
    two.write("c", "3")
    assert one.view().fingerprint == two.view().fingerprint != first
    one.delete("c")
    one.write("a", "1")
    assert (one.view().fingerprint, dict(one.view().changed)) == (first, {})
    one.write("a", "2")
    one.write("b", "1")
    assert one.view().fingerprint != first
    one.write(".gitignore", "dist/\n")
    one.write("dist/x", "1")
    assert dict(one.view().changed) == {"a": "modified", "b": "modified", ".gitignore": "added"}
