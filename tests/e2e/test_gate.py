"""`donewhen gate`: one story, a corpus, a stored run."""

import json
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.events import facts, run
from donewhen.store import open_store
from tests.helpers import RUN, Cli
from tests.tables import table_test

PROVEN: dict[str, Any] = {
    "id": "proven",
    "accept": ["pytest"],
    "events": [{"run": "pytest", "exit": 0, "output": "3 passed in 0.1s\n"}, {"complete": "Done."}],
    "expect": {"decision": "accepted"},
}
STALE = PROVEN | {
    "id": "stale",
    "tree": {"a.py": "a\n"},
    "events": [PROVEN["events"][0], {"write": "a.py", "content": "b\n"}, {"complete": "Done."}],
    "expect": {"decision": "continue", "pending": ["pytest"]},
}
REFUSED = {"id": "refused", "checks": "npm test", "events": [], "expect": {"error": True}}


def save(cli: Cli, name: str, *cases: object) -> str:
    (cli.folder / name).write_text("".join(json.dumps(case) + "\n" for case in cases))
    return name


def test_a_proven_story_is_accepted(cli: Cli):
    done = cli("gate", "decide", save(cli, "a.json", PROVEN))
    assert (done.exit, done.out, done.err) == (0, "accepted\n  ✓ command:pytest\n  ✓ check:output_only\n", "")


def test_a_refusal_names_what_is_missing_in_both_languages(cli: Cli):
    done = cli("gate", "decide", "-", stdin=json.dumps(STALE).encode())
    assert done.exit == 1
    assert done.out.startswith("continue\n  - pytest: the proof belongs to another tree; run it again\n")
    assert "证据属于另一个文件树" in cli("gate", "decide", save(cli, "a.json", STALE), LANG="zh_CN.UTF-8").out


def test_json_of_a_decision(cli: Cli):
    said = cli("gate", "decide", save(cli, "a.json", STALE), "--json").json
    assert said.pop("reasons")[0] == "pytest: the proof belongs to another tree; run it again"
    assert said == {
        "version": 1,
        "id": "stale",
        "decision": "continue",
        "stop_reason": None,
        "failed": [],
        "pending": ["pytest"],
        "error": False,
        "proofs": [],
    }


@pytest.mark.parametrize(
    ("events", "exit_code"),
    [
        ([{"user": "abort"}], 130),
        ([{"spend": {"money": 100}}], 3),
        ([{"write": "../x", "content": ""}], 1),
        ([{"say": "Done."}], 1),
    ],
)
def test_the_exit_code_is_that_of_the_stop_reason(cli: Cli, events, exit_code):
    assert cli("gate", "decide", save(cli, "a.json", {"events": events})).exit == exit_code


def test_a_corpus_is_compared_with_what_it_expects(cli: Cli):
    name = save(cli, "a.jsonl", PROVEN, STALE, REFUSED)
    assert cli("gate", "test", name).out == (
        "DECISION  CASES  RIGHT\n"
        "accepted  1      1\n"
        "continue  1      1\n"
        "error     1      1\n"
        "3 of 3 cases are right\n"
    )
    wrong = STALE | {"expect": {"decision": "accepted", "pending": []}}
    done = cli("gate", "test", save(cli, "b.jsonl", PROVEN, wrong), "--json")
    assert done.exit == 1
    assert done.json["summary"] == {"cases": 2, "right": 1, "wrong": 1}
    assert [(case["id"], case["ok"], case["wrong"]) for case in done.json["cases"]] == [
        ("proven", True, []),
        ("stale", False, ["decision", "pending"]),
    ]
    assert cli("gate", "test", "b.jsonl", "-q").out.splitlines()[0] == (
        "✗ stale: decision: expected accepted, got continue; pending: expected -, got pytest"
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", "a.jsonl:1"),
        (b'{"expect": {}}\n[]\n', "a.jsonl:2"),
        (b'{"expect": 1}\n', "a.jsonl:1"),
        (b'{"id": "x"}\n', "a.jsonl:1"),
        (b"\n\xff\n", "a.jsonl:2"),
    ],
)
def test_a_line_that_is_wrong_is_one_sentence_with_its_place(cli: Cli, content, sentence):
    (cli.folder / "a.jsonl").write_bytes(content)
    done = cli("gate", "test", "a.jsonl")
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


@table_test(
    ("words", "case", "sentence"),
    [
        (["decide"], None, "give either a FILE or --run RUN"),
        (["decide", "a.json", "--run", "last"], PROVEN, "give either a FILE or --run RUN"),
        (["decide", "a.json", "--at", "3"], PROVEN, "give either a FILE or --run RUN"),
        (["decide", "a.json"], {"events": [{"jump": 1}]}, "events[1] must hold exactly one of"),
        (
            ["decide", "a.json"],
            {
                "todos": [
                    {"id": "a", "content": "x", "dependencies": ["b"]},
                    {"id": "b", "content": "y", "dependencies": ["a"]},
                ]
            },
            "todos",
        ),
        (["decide", "a.json"], {"promise": {"objective": "x"}}, "the promise has no criterion"),
        (["decide", "nowhere.json"], None, "nowhere.json"),
        (["decide", "a.json"], {"evnts": []}, "case has the unknown field 'evnts'; did you mean events?"),
        (["decide", "a.json"], {"events": [{"run": "a", "exti": 1}]}, "did you mean exit?"),
        (["decide", "a.json"], {"expect": {"desicion": "accepted"}}, "did you mean decision?"),
        (["decide", "a.json"], {"expect": {"decision": "maybe"}}, "expect.decision must be one of"),
    ],
)
def test_wrong_use_and_wrong_stories_are_one_sentence(cli: Cli, words, case, sentence):
    if case is not None:
        save(cli, "a.json", case)
    done = cli("gate", *words)
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def stored(cli: Cli) -> None:
    promise = {
        "id": "cp-1760000000000-1a2b",
        "objective": "ship",
        "acceptance": [{"id": "c1", "description": "it works"}],
        "accept": ["pytest"],
        "allowed_scope": ["src", "docs"],
        "checks": [{"kind": "file_exists", "target": "docs/a.md", "id": "doc"}],
    }
    red = facts.CommandEnded("1", "pytest", exit=1, before="t1", after="t1", by="harness")
    green = facts.CommandEnded("2", "pytest", exit=0, before="t2", after="t2", by="harness")
    with open_store("user", state=cli.state, folder=Path(cli.folder)) as opened:
        opened.store.append(
            RUN,
            run.RunStarted("ship"),
            run.PromiseSet("cp-1760000000000-1a2b", promise),
            run.TodoChanged("a", {"content": "write it", "status": "pending"}),
            red,
            facts.FileChanged("docs/a.md", "write"),
            run.TodoChanged("a", {"content": "write it", "status": "completed"}),
            green,
            facts.CandidateKept("All done.", True),
        )


def test_the_gate_is_asked_about_a_stored_run(cli: Cli):
    stored(cli)
    assert cli("gate", "decide", "--run", "last").out == (
        "accepted\n  ✓ command:pytest\n  ✓ file:docs/a.md\n  ✓ check:scope\n"
    )
    early = cli("gate", "decide", "--run", RUN, "--at", "4", "--json").json
    assert (early["id"], early["decision"]) == (f"{RUN}:4", "continue")
    assert (early["failed"], early["pending"]) == (["doc"], ["pytest"])
    assert "the todo a is not done" in early["reasons"]
    none = cli("gate", "decide", "--run", RUN, "--at", "1")
    assert none.exit == 2
    assert none.err.startswith("donewhen: the run has no promise up to event 1") or "no promise" in none.err
