"""goal parse and goal test as a user types them."""

import json
from pathlib import Path

import pytest

from tests.helpers import Cli

GOAL = (
    "Implement it. Write docs/a.md. Setup: `npm ci`. Done when `cd web && npm test` and `npm run build` pass."
)


def corpus(cli: Cli, *lines: object) -> Path:
    path = cli.folder / "goals.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def case(**changes: object) -> dict[str, object]:
    right = {
        "id": "g-1",
        "goal": GOAL,
        "expected_commands": ["npm test", "npm run build"],
        "active": True,
        "lang": "en",
    }
    return right | changes


def test_parse_shows_commands_files_and_what_was_not_taken(cli: Cli):
    done = cli("goal", "parse", GOAL)
    assert (done.exit, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()] == [
        "COMMAND FOLDER LINE WHY".split(),
        "npm test web 1 its sentence says what must hold before the end".split(),
        "npm run build . 1 its sentence says what must hold before the end".split(),
        "active: the run ends only when all of these have passed".split(),
        [],
        "FILE TO WRITE LINE".split(),
        "docs/a.md 1".split(),
        [],
        "NOT TAKEN LINE WHY".split(),
        "npm ci 1 set-up".split(),
    ]
    assert cli("goal", "parse", "-q", GOAL).out == "npm test\nnpm run build\n"
    assert "未采用" in cli("goal", "parse", GOAL, DONEWHEN_LANGUAGE="zh").out


def test_parse_gives_json(cli: Cli):
    told = cli("goal", "parse", "--json", GOAL).json
    assert {name: told[name] for name in ("version", "commands", "active", "files")} == {
        "version": 1,
        "commands": ["npm test", "npm run build"],
        "active": True,
        "files": ["docs/a.md"],
    }
    assert told["entries"][0] == {
        "label": "npm test",
        "cwd": "web",
        "offset": GOAL.index("`cd"),
        "line": 1,
        "rule": "goal.why_marker",
        "why": "its sentence says what must hold before the end",
    }
    assert [(each["text"], each["rule"]) for each in told["ignored"]] == [("npm ci", "goal.not_setup")]


def test_the_goal_comes_from_an_argument_stdin_or_a_file(cli: Cli):
    (cli.folder / "goal.md").write_text(GOAL)
    told = cli("goal", "parse", "--json", GOAL)
    assert cli("goal", "parse", "--json", stdin=GOAL.encode()) == told
    assert cli("goal", "parse", "--json", "-", stdin=GOAL.encode()) == told
    assert cli("goal", "parse", "--json", "--file", "goal.md") == told


@pytest.mark.parametrize(
    ("goal", "standing"),
    [
        ("Fix it. `npm test` must pass.", "one command only"),
        ("Review it. `npm test` and `make lint` must pass.", "asks for no work"),
        ("Fix it.", "requires no command"),
    ],
)
def test_parse_says_why_a_goal_is_not_active(cli: Cli, goal, standing):
    done = cli("goal", "parse", goal)
    assert done.exit == 0
    assert f"not active: {standing}" in done.out.replace("the goal ", "")


@pytest.mark.parametrize(
    ("words", "stdin", "sentence"),
    [
        ([], b"a" * (256 * 1024 + 1), "the goal in stdin has more than 256 KiB"),
        ([], b"\xff\xfe", "the goal in stdin is not UTF-8 text"),
        (["x\ty", "--file", "goal.md"], b"", "TEXT and --file goal.md both give a goal"),
        (["--file", "gone.md"], b"", "cannot read the goal in gone.md (No such file or directory)"),
        (["--file", "."], b"", "cannot read the goal in . (Is a directory)"),
    ],
)
def test_what_is_no_goal_is_refused_in_one_sentence(cli: Cli, words, stdin, sentence):
    done = cli("goal", "parse", *words, stdin=stdin)
    assert (done.exit, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


def test_a_corpus_that_is_right(cli: Cli):
    path = corpus(
        cli,
        case(),
        "",
        case(id="g-2", goal="修复。不用跑 `npm test`。", expected_commands=[], active=False, lang="zh"),
    )
    done = cli("goal", "test", str(path))
    assert (done.exit, done.err) == (0, "")
    assert [line.split()[-4:] for line in done.out.splitlines()[1:]] == [
        ["1", "1", "1", "1"],
        ["1", "1", "1", "1"],
        ["2", "2", "2", "2"],
    ]


def test_a_corpus_that_is_wrong_names_each_case_with_expected_and_got(cli: Cli):
    path = corpus(cli, case(), case(id="g-2", expected_commands=["npm ci"]), case(id="g-3", active=False))
    done = cli("goal", "test", str(path))
    assert done.exit == 1
    assert done.out.splitlines()[:6] == [
        "wrong: g-2",
        "  expected: npm ci (active)",
        "  got: npm test | npm run build (active)",
        "wrong: g-3",
        "  expected: npm test | npm run build (inactive)",
        "  got: npm test | npm run build (active)",
    ]
    told = cli("goal", "test", str(path), "--json")
    assert told.exit == 1
    counts = {"cases": 3, "right": 1, "commands_right": 2, "active_right": 2}
    assert told.json["summary"] == {**counts, "by_language": {"en": counts}}
    assert [(each["id"], each["ok"]) for each in told.json["cases"]] == [
        ("g-1", True),
        ("g-2", False),
        ("g-3", False),
    ]
    assert told.json["cases"][1] == {
        "id": "g-2",
        "commands": ["npm test", "npm run build"],
        "active": True,
        "ok": False,
        "expected_commands": ["npm ci"],
        "expected_active": True,
    }


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("{", "goals.jsonl:2"),
        ('{"id": "g"}', "goals.jsonl:2"),
        (case(active="yes"), "goals.jsonl:2"),
        (case(expected_commands=[1]), "goals.jsonl"),
    ],
)
def test_a_bad_line_is_named(cli: Cli, line, place):
    corpus(cli, case(), line)
    done = cli("goal", "test", "goals.jsonl")
    assert (done.exit, done.out) == (2, "")
    assert place in done.err
    assert done.err.count("\n") == 1


def test_hostile_text_stays_on_its_line(cli: Cli):
    done = cli("goal", "parse", "Fix it. Done when `npm run a\x1b[31mb` and `npm test` pass.")
    assert "\x1b" not in done.out
