"""`donewhen match`: one line, or a corpus of them."""

import json
from typing import Any

from tests.helpers import Cli
from tests.tables import table_test

CASE: dict[str, Any] = {
    "id": "a-1",
    "declared": "npm test",
    "executed": "npm test && echo ok",
    "match": True,
    "exit_masked": False,
    "same_check": True,
    "why": "failure stops the list",
}
MASKED = CASE | {"id": "a-2", "executed": "npm test | tail", "match": False, "exit_masked": True}
OTHER = CASE | {"id": "a-3", "executed": "echo npm test", "match": False, "same_check": False}
FROM_CMD = CASE | {"id": "a-4", "executed": "cd /d app && call npm test", "shell": "cmd"}


def corpus(cli: Cli, *cases: Any) -> str:
    path = cli.folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return path.name


def test_a_line_that_proves_the_command(cli: Cli):
    done = cli("match", "npm test", "npm test && echo ok")
    assert (done.exit, done.out, done.err) == (0, "✓ proven: the line proves `npm test`\n", "")


def test_a_masked_line_in_both_languages(cli: Cli):
    english = cli("match", "npm test", "npm test | tail")
    chinese = cli("match", "npm test", "npm test | tail", LANG="zh_CN.UTF-8")
    assert (english.exit, chinese.exit) == (1, 1)
    assert english.out.startswith("✗ masked: `npm test` is run, but the line can return 0 when it fails")
    assert chinese.out.startswith("✗ 被掩盖：`npm test`"[:5])


def test_json_has_the_verdict_and_its_reason(cli: Cli):
    done = cli("match", "npm test", "npm test -- src/a.test.ts", "--json")
    assert done.exit == 1
    assert done.json == {
        "version": 1,
        "match": False,
        "masked": False,
        "same_check": False,
        "narrower": True,
        "reason": "tools.narrower",
        "explanation": done.json["explanation"],
    }
    assert "src/a.test.ts" in done.json["explanation"]


def test_the_working_folder_is_the_workspace(cli: Cli):
    assert cli("match", "npm test", f"cd {cli.folder}/app && npm test").exit == 0
    assert cli("match", "npm test", f"cd {cli.folder.parent} && npm test").exit == 1


def test_lines_for_cmd(cli: Cli):
    assert cli("match", "npm test", "cd /d app && call npm test", "--shell", "cmd").exit == 0


def test_what_stands_in_a_line_cant_reach_the_terminal(cli: Cli):
    done = cli("match", "npm test", "echo 'npm test\x1b[31m'")
    assert "\x1b" not in done.out + done.err


def test_a_corpus_that_is_right(cli: Cli):
    done = cli("match", "test", corpus(cli, CASE, MASKED, OTHER, FROM_CMD))
    assert (done.exit, done.err) == (0, "")
    assert "4 of 4 cases are right, 0 would count although they prove nothing" in done.out


def test_a_corpus_with_a_wrong_expectation_lists_it(cli: Cli):
    wrong = MASKED | {"match": True, "exit_masked": False}
    done = cli("match", "test", corpus(cli, CASE, wrong))
    assert done.exit == 1
    assert "a-2: expected proven, got masked" in done.out
    assert "1 of 2 cases are right" in done.out


def test_a_corpus_as_json(cli: Cli):
    done = cli("match", "test", corpus(cli, CASE, MASKED, OTHER | {"match": True}), "--json")
    assert done.exit == 1
    assert done.json["summary"] == {
        "cases": 3,
        "right": 2,
        "wrong": 1,
        "false_proofs": 0,
        "missed_proofs": 1,
        "kinds": {
            "match": {"cases": 2, "right": 1, "wrong": 1},
            "masked": {"cases": 1, "right": 1, "wrong": 0},
            "other": {"cases": 0, "right": 0, "wrong": 0},
        },
        "confusion": {
            "match": {"match": 1, "masked": 0, "other": 1},
            "masked": {"match": 0, "masked": 1, "other": 0},
            "other": {"match": 0, "masked": 0, "other": 0},
        },
    }
    assert [(each["id"], each["ok"]) for each in done.json["cases"]] == [
        ("a-1", True),
        ("a-2", True),
        ("a-3", False),
    ]


def test_a_corpus_from_stdin_with_blank_lines_and_a_mark_at_its_start(cli: Cli):
    text = "\ufeff" + json.dumps(CASE) + "\r\n\n" + json.dumps(MASKED)
    assert cli("match", "test", "-", stdin=text.encode()).exit == 0


@table_test(
    ("line", "sentence"),
    [
        (b"{", "cases.jsonl:2 is not JSON"),
        (b"[" * 100_000, "cases.jsonl:2 is not JSON (nested too deeply)"),
        (b"[]", "cases.jsonl:2 is JSON but not an object"),
        (b"{}", "cases.jsonl:2 has no field `id`"),
        (b'{"id": 1}', "the field `id` in cases.jsonl:2 must be a text"),
        (b"\xff", "cases.jsonl:2 is not UTF-8 text"),
        (
            json.dumps(CASE | {"match": 1}).encode(),
            "the field `match` in cases.jsonl:2 must be true or false",
        ),
        (
            json.dumps(CASE | {"shell": "fish"}).encode(),
            "`fish` in cases.jsonl, a-1 is no shell that is read",
        ),
        (b" " * (16 * 1024 * 1024 + 1), "cases.jsonl is larger than 16 MiB"),
        (b"\n" * 100_001, "cases.jsonl has more than 100000 lines"),
    ],
)
def test_a_malformed_corpus_is_one_sentence_with_its_line(cli: Cli, line, sentence):
    (cli.folder / "cases.jsonl").write_bytes(json.dumps(CASE).encode() + b"\n" + line)
    done = cli("match", "test", "cases.jsonl")
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_a_corpus_that_is_not_there(cli: Cli):
    done = cli("match", "test", "no.jsonl")
    assert done.exit == 2
    assert "no.jsonl can't be read" in done.err


def test_both_lines_are_needed(cli: Cli):
    done = cli("match", "npm test")
    assert done.exit == 2
    assert "EXECUTED|FILE is missing; see `donewhen match --help`" in done.err
