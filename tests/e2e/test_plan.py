"""plan as a user types it."""

import json
import os
from pathlib import Path

import pytest

from tests.helpers import Cli
from tests.projects import repository

GOAL = "Implement the discount. Done when `npm ci`, `npm test` and `npm run build` all pass."


def write(cli: Cli, name: str, text: str) -> Path:
    path = cli.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def shop(cli: Cli) -> Cli:
    """A small project with a promise file, a page, an API and a change."""
    write(cli, "package.json", json.dumps({"scripts": {"test": "vitest run", "lint": "eslint ."}}))
    write(
        cli,
        "promise.yml",
        "objective: Sell more\nacceptance:\n- {id: more, description: more is sold, evidence_required: [command]}\n"
        "accept:\n- cd web && npm run build\nallowed_scope: [src/**]\n",
    )
    write(
        cli,
        "page.md",
        "# A page\n\n## Acceptance\n- [ ] it sells\n- `npm run e2e` passes\n\n## Tasks\n- [ ] sell\n",
    )
    write(
        cli,
        "api.yml",
        "openapi: 3.0.0\ninfo: {title: Shop}\npaths:\n  /buy:\n    post: {responses: {200: {}}}\n",
    )
    write(
        cli,
        "openspec/changes/add-cart/specs/cart/spec.md",
        "## ADDED Requirements\n\n### Requirement: Cart\nThe shop SHALL have a cart.\n\n"
        "#### Scenario: one item\n- **THEN** it holds one\n",
    )
    write(cli, "openspec/changes/add-cart/tasks.md", "## 1. Cart\n- [ ] 1.1 build it\n")
    return cli


def labels(done: dict) -> list[tuple[str, str, str]]:
    return [(each["label"], each["cwd"], each["source"]) for each in done["sources"]["accept"]]


def test_everything_adds_up_with_its_sources(shop: Cli):
    words = ["--promise", "promise.yml", "--spec", "page.md", "--accept", "npm test", GOAL]
    done = shop("plan", "--json", *words)
    assert (done.exit, done.err) == (0, "")
    data = done.json
    assert set(data) == {
        "version",
        "promise",
        "todos",
        "sources",
        "issues",
        "warnings",
        "executable",
        "ignored",
        "gates",
    }
    assert (data["version"], data["executable"]) == (1, True)
    assert data["promise"]["objective"] == "Sell more"
    assert data["sources"]["objective"] == "promise.yml:1"
    assert labels(data) == [
        ("npm run build", "web", "promise.yml:5"),
        ("npm test", "", "--accept, goal"),
        ("npm run e2e", "", "page.md:5"),
        ("npm ci", "", "goal"),
        ("npm run build", "", "goal"),
    ]
    assert data["sources"]["acceptance"] == [
        {"id": "more", "source": "promise.yml:3"},
        {"id": "acceptance-1", "source": "page.md:4"},
        {"id": "acceptance-2", "source": "page.md:5"},
    ]
    assert data["sources"]["allowed_scope"] == "promise.yml:6"
    assert data["todos"] == [{"id": "t1", "content": "sell", "by": "user"}]
    assert data["promise"]["checks"] == [{"kind": "workspace_change"}]


def test_a_printed_promise_can_be_given_back(shop: Cli):
    words = ["--promise", "promise.yml", "--spec", "page.md", GOAL]
    first = shop("plan", "--json", *words).json["promise"]
    write(shop, "again.json", json.dumps(first))
    assert shop("plan", "--json", "--promise", "again.json").json["promise"] == first


def test_people_read_tables(shop: Cli):
    done = shop("plan", "Make it faster", "--spec", "add-cart")
    assert (done.exit, done.err) == (0, "")
    assert "Objective: add-cart" in done.out
    assert "npm test  .       package.json scripts.test" in done.out
    assert "cart/cart/one-item" in done.out
    assert "openspec/changes/add-cart/specs/cart/spec.md:3" in done.out
    assert "1.1  build it" in done.out
    assert "workspace_change" in done.out
    assert "every goal" in done.out
    assert "npm run lint" in done.out
    chinese = shop("plan", "Make it faster", DONEWHEN_LANGUAGE="zh")
    assert "目标: Make it faster" in chinese.out
    assert "验收命令" in chinese.out


def test_operations_need_a_command_of_another_source(shop: Cli):
    done = shop("plan", "--spec", "api.yml", "--json")
    assert [each["description"] for each in done.json["promise"]["acceptance"]] == ["POST /buy answers 200"]
    assert labels(done.json) == [("npm test", "", "package.json scripts.test")]
    (shop.folder / "package.json").unlink()
    done = shop("plan", "--spec", "api.yml")
    assert (done.exit, done.out) == (2, "")
    assert "nothing in api.yml (OpenAPI 3.0.0) or in this project can be proven" in done.err


def test_the_configured_change_counts_only_without_goal_and_spec(shop: Cli):
    write(shop, ".donewhen/config.yml", "project: {openSpecPath: openspec/changes/add-cart}\n")
    assert [c["id"] for c in shop("plan", "--json").json["sources"]["acceptance"]] == ["cart/cart"]
    assert [c["id"] for c in shop("plan", "Fix it", "--json").json["sources"]["acceptance"]] == ["c1"]
    assert shop("plan", "--spec", "api.yml", "--json").json["promise"]["objective"] == "Shop"


def test_the_goal_comes_from_a_file_or_from_stdin(shop: Cli):
    write(shop, "goal.txt", "Fix it\n\nand more\n")
    assert shop("plan", "--goal-file", "goal.txt", "--json").json["sources"]["objective"] == "goal.txt"
    for words in (["-"], ["--goal-file", "-"]):
        data = shop("plan", *words, "--json", stdin="修复它\n".encode()).json
        assert (data["promise"]["objective"], data["sources"]["objective"]) == ("修复它", "stdin")


def test_a_file_that_the_goal_orders_is_a_check(cli: Cli):
    data = cli("plan", "Write docs/guide.md for new users.", "--json").json
    assert data["promise"]["checks"] == [
        {"kind": "file_exists", "target": "docs/guide.md", "params": {"nonempty": "true"}},
        {"kind": "workspace_change"},
    ]
    assert data["sources"]["checks"][0] == {
        "check": "file_exists:docs/guide.md",
        "by": "goal",
        "source": "goal",
    }


def test_an_answer_is_labelled(shop: Cli):
    done = shop("plan", "What does this project do?", "--answer-only")
    assert done.exit == 0
    assert "answer only, nothing proven" in done.out
    data = shop("plan", "What does this project do?", "--answer-only", "--json").json
    assert (data["promise"]["answer_only"], data["executable"]) == (True, False)


def test_what_the_goal_mentions_but_does_not_ask_for_is_told(shop: Cli):
    goal = "Fix the login. Don't run `npm run e2e`."
    assert "npm run e2e" not in shop("plan", goal).out.partition("\n")[2].replace(goal, "")
    assert "Seen in the goal, not taken" in shop("plan", goal, "-v").out
    assert [each["text"] for each in shop("plan", goal, "--json").json["ignored"]] == ["npm run e2e"]


@pytest.mark.runs
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "there is nothing to plan; give a GOAL"),
        (["--accept", "pytest"], "there is nothing to plan; give a GOAL"),
        (
            ["Fix it"],
            "nothing in goal or in this project can be proven; give --accept CMD, a promise file, or",
        ),
        ([" "], "goal is empty"),
        (["a", "--goal-file", "b"], "GOAL and --goal-file are both given"),
        (["--goal-file", "none.txt"], "there is no file none.txt"),
        (["--goal-file", "."], ". is not a regular file"),
        (["--goal-file", "pipe"], "pipe is not a regular file"),
        (["--goal-file", "latin"], "latin:1 is not UTF-8 text"),
        (["--goal-file", "large"], "large is larger than 256 KiB"),
        (["x", "--promise", "none.yml"], "there is no file none.yml"),
        (["x", "--promise", "pipe"], "pipe is not a regular file"),
        (["x", "--promise", "bad.yml"], "bad.yml:2 (checks[1]): there is no kind 'nonsense'"),
        (["x", "--promise", "denied.yml"], "denied.yml, goal: there is no condition of type 'never'"),
        (["x", "--spec", "none.md"], "there is no file none.md"),
        (["x", "--spec", "none"], "there is no OpenSpec change none"),
        (["x", "--spec", "plain.md"], "plain.md has no section that says when it is done"),
        (["x", "--accept", "pytest | tail"], "--accept: 'pytest | tail' needs a shell"),
        (["x", "--accept", "pytest", "--answer-only"], "--accept asks for pytest"),
        (["x", "--accept"], "--accept needs exactly the value that its help names"),
    ],
)
def test_what_is_wrong_is_one_sentence(cli: Cli, words, sentence):
    os.mkfifo(cli.folder / "pipe")
    (cli.folder / "latin").write_bytes(b"\xe9")
    (cli.folder / "large").write_bytes(b"x" * 270_000)
    write(cli, "bad.yml", "checks:\n- kind: nonsense\n")
    write(cli, "denied.yml", "accept: [pytest]\ndone_when: [{type: never}]\n")
    write(cli, "plain.md", "# Title\n- item\n")
    done = cli("plan", *words)
    assert (done.exit, done.out) == (2, ""), done
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert done.err.startswith("donewhen: ")
    chinese = cli("plan", *words, DONEWHEN_LANGUAGE="zh")
    assert (chinese.exit, chinese.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("stdin", "sentence"),
    [(b"\xff", "stdin:1 is not UTF-8"), (b" \n", "stdin is empty"), (b"x" * 270_000, "stdin is larger")],
)
def test_a_stdin_that_can_be_no_goal_is_one_sentence(cli: Cli, stdin, sentence):
    done = cli("plan", "-", stdin=stdin)
    assert (done.exit, done.err.count("\n")) == (2, 1)
    assert sentence in done.err


def test_a_broken_change_lists_all_its_errors(shop: Cli):
    write(
        shop,
        "openspec/changes/add-cart/specs/cart/spec.md",
        "## ADDED Requirements\n### Requirement: A\n### Requirement: B\n",
    )
    done = shop("plan", "--spec", "add-cart")
    assert (done.exit, done.out) == (2, "")
    *errors, last = done.err.splitlines()
    assert len(errors) > 1
    assert all("openspec/changes/add-cart/specs/cart/spec.md:" in line for line in errors)
    assert (
        last
        == f"donewhen: the change add-cart has {len(errors)} errors, listed above; correct them and plan again"
    )
    assert "error" in shop("plan", "--spec", "add-cart", "--json").json


def test_soft_denials_are_shown_and_stop_nothing(shop: Cli):
    write(shop, "soft.yml", "objective: x\naccept: [pytest]\nallowed_scope: [a]\ndisallowed_scope: [a]\n")
    done = shop("plan", "--promise", "soft.yml")
    assert done.exit == 0
    assert "unusual; a run needs --yes: the pattern 'a' is both in" in done.out
    issues = shop("plan", "--promise", "soft.yml", "--json").json["issues"]
    assert issues[0]["severity"] in ("soft-deny", "warning")


def test_nothing_is_written_and_nothing_is_run(shop: Cli):
    def tree() -> set[str]:
        return {str(path) for path in shop.folder.parent.rglob("*")}

    before = tree()
    assert shop("plan", "Fix it", "--accept", "touch ran").exit == 0
    assert tree() == before


def test_hostile_text_stays_on_its_line(shop: Cli):
    write(shop, "page.md", "# T \x1b[31mred\u202e\n\n## Acceptance\n- x \x1b]0;pwned\x07\n- y\n")
    done = shop("plan", "--spec", "page.md")
    assert done.exit == 0
    assert "\x1b" not in done.out + done.err
    assert "\u202e" not in done.out


def test_the_gates_of_a_change_are_listed_with_what_is_required(cli: Cli):
    files = {"calc.py": "X = 1\n", "pyproject.toml": "[tool.mypy]\n[tool.bandit]\n"}
    repository(cli.folder, files)
    goal = ("Make it faster.", "--accept", "make test", "--gate", "lint")
    listed = {each["gate"]: each for each in cli("plan", "--json", *goal).json["gates"]}
    required = {name for name, gate in listed.items() if gate["required"]}
    assert set(listed) == {"types", "lint", "complexity", "security", "secrets"}  # coverage is asked for
    assert required == {"lint", "secrets"}
    assert "python -m pip install ruff" in listed["lint"]["missing"]
    shown = [line.split()[:2] for line in cli("plan", *goal).out.splitlines()]
    assert ["lint", "required"] in shown
    assert ["types", "advice"] in shown
    listed = {each["gate"]: each for each in cli("plan", "--json", *goal, "--gate", "coverage").json["gates"]}
    assert listed["coverage"]["required"]


def test_a_monorepo_is_planned_with_the_tests_that_verify_runs(cli):
    for part in ("a", "b"):
        folder = cli.folder / "packages" / part
        (folder / "tests").mkdir(parents=True)
        (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\ntestpaths = ["tests"]\n')
        (folder / "tests" / "test_it.py").write_text("def test_it():\n    assert True\n")
    planned = cli("plan", "Make it faster.", "--json")
    assert planned.exit == 0, planned
    assert planned.json["promise"]["accept"] == ["cd packages/a && pytest", "cd packages/b && pytest"]
