"""`donewhen guard`: one command explained, a corpus of them, and everything that could go wrong with either."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import Cli
from tests.tables import table_test

DENY: dict[str, Any] = {"id": "d-1", "command": "rm -rf ~", "expect": "deny", "why": "x", "basis": "stated"}
ASK = {"id": "k-1", "command": "npm publish", "expect": "ask"}
ALLOW = {"id": "a-1", "command": "npm test", "expect": "allow"}


def corpus(cli: Cli, *cases: Any) -> str:
    path = cli.folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return path.name


@pytest.fixture
def repo(cli: Cli) -> Path:
    for words in (["init", "-q", "-b", "topic"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *words], cwd=cli.folder, check=True
        )
    return cli.folder


@pytest.mark.parametrize(
    ("command", "exit_code", "said"),
    [
        ("npm test", 0, "✓ allow"),
        ("npm publish", 4, "? ask: it would publish"),
        ("rm -rf /", 1, "✗ deny: it would delete /: the whole workspace, the home folder or more"),
    ],
)
def test_a_command_is_judged_with_reason_and_exit_code(cli: Cli, command, exit_code, said):
    done = cli("guard", "check", command)
    assert (done.exit, done.err) == (exit_code, "")
    assert done.out.startswith(said)


def test_the_explanation_names_rule_command_wrappers_and_what_is_allowed_instead(cli: Cli, repo: Path):
    done = cli("guard", "check", "sudo bash -c 'git push -f origin main'")
    assert done.exit == 1
    assert "force-push-protected (deny, approval never)" in done.out
    assert "in: git push -f origin main" in done.out
    assert "allowed instead: push to a branch of your own" in done.out
    assert "sudo" in done.out


def test_json_has_findings_and_effects(cli: Cli, repo: Path):
    done = cli("guard", "check", "git push -f", "--json")
    assert done.exit == 4
    assert (done.json["decision"], done.json["rule"], done.json["approval"]) == ("ask", "force-push", "user")
    assert done.json["findings"][0]["effect"] == {
        "kind": "pushes", "remote": "origin", "ref": "topic", "force": True, "delete": False,
    }  # fmt: skip
    assert {"kind", "command", "through", "elsewhere"} <= done.json["effects"][0].keys()


def test_chinese(cli: Cli):
    assert cli("guard", "check", "npm publish", LANG="zh_CN.UTF-8").out.startswith("? 询问：它会发布")


def test_the_real_folder_counts_links_too(cli: Cli, repo: Path, tmp_path: Path):
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    (repo / "link").symlink_to(home / "notes")
    (repo / "notes").mkdir()
    assert cli("guard", "check", "cat link/x", HOME=str(home)).exit == 0
    outside = cli("guard", "check", "rm -rf /usr/share/x", HOME=str(home))
    assert outside.exit == 1
    assert cli("guard", "check", "rm -rf notes", HOME=str(home)).exit == 0


def test_donewhens_own_folders_are_kept_wherever_they_are(cli: Cli, repo: Path):
    for command in (f"rm -rf {cli.state}", f"echo x > {cli.config}/config.yml", f"rm -rf {cli.state.parent}"):
        assert cli("guard", "check", command).exit == 1, command
    assert "own-state" in cli("guard", "check", f"touch {cli.state}/x").out


def test_rules_of_the_configuration_hold_and_a_wrong_example_is_an_error(cli: Cli, repo: Path):
    (cli.config).mkdir(parents=True, exist_ok=True)
    user = cli.config / "config.yml"
    user.write_text("guardrails:\n  rules:\n    - {name: no-deploy, command: make deploy, action: deny}\n")
    assert cli("guard", "check", "make deploy").exit == 1
    user.write_text(
        "guardrails:\n  rules:\n    - {name: no-deploy, command: make deploy, action: deny, match: [make test]}\n"
    )
    done = cli("guard", "check", "ls")
    assert (done.exit, done.out) == (2, "")
    assert "the rule no-deploy does not match its own example `make test`" in done.err
    assert "config.yml:3" in done.err


def test_an_untrusted_project_can_deny_but_not_allow(cli: Cli, repo: Path):
    folder = repo / ".donewhen"
    folder.mkdir()
    (folder / "config.yml").write_text(
        "guardrails:\n  rules:\n"
        "    - {name: strict, command: make deploy, action: deny}\n"
        "    - {name: loose, command: npm publish, action: allow}\n"
    )
    assert cli("guard", "check", "make deploy").exit == 1
    assert cli("guard", "check", "npm publish").exit == 4
    assert cli("trust").exit == 0
    assert cli("guard", "check", "npm publish").exit == 0


def test_a_corpus_prints_the_confusion_table(cli: Cli):
    done = cli("guard", "test", corpus(cli, DENY, ASK, ALLOW))
    assert done.exit == 0
    assert "3 of 3 cases are right (100.0 %), 0 holes (deny answered allow), 0 false alarms" in done.out


def test_a_corpus_as_json_has_every_case(cli: Cli):
    wrong = ALLOW | {"id": "w-1", "expect": "deny"}
    also = ASK | {"id": "o-1", "expect": "deny", "also_ok": ["ask"]}
    done = cli("guard", "test", corpus(cli, DENY, wrong, also), "--json")
    assert done.exit == 1
    assert [(c["id"], c["expect"], c["decision"], c["rule"], c["ok"]) for c in done.json["cases"]] == [
        ("d-1", "deny", "deny", "delete-workspace", True),
        ("w-1", "deny", "allow", "", False),
        ("o-1", "deny", "ask", "publish", True),
    ]
    assert done.json["summary"]["holes"] == 1


def test_a_context_changes_the_ground(cli: Cli):
    done = cli(
        "guard", "test",
        corpus(
            cli,
            {"id": "c-1", "command": "git push -f", "expect": "deny", "context": {"branch": "main"}},
            {"id": "c-2", "command": "rm -rf /home/dev/x", "expect": "allow", "context": {"workspace": "/home/dev"}},
        ),
    )  # fmt: skip
    assert done.exit == 0, done.out


@pytest.mark.parametrize(
    ("case", "said"),
    [
        (DENY | {"expect": "maybe"}, "`expect` in cases.jsonl, d-1 must be allow, ask or deny"),
        (DENY | {"also_ok": "ask"}, "`also_ok` in cases.jsonl, d-1 must be a list"),
        (DENY | {"context": {"moon": "full"}}, "`moon` in the context of cases.jsonl, d-1"),
        ({"id": "x", "expect": "deny"}, "command"),
    ],
)
def test_a_bad_case_is_one_sentence(cli: Cli, case, said):
    done = cli("guard", "test", corpus(cli, case))
    assert done.exit == 2
    assert said in done.err
    assert done.err.count("\n") == 1


@table_test(
    "text",
    [
        "x\udcff\udcfe",
        "echo 'unbalanced",
        'echo "unbalanced',
        "rm -rf $(",
        "if true; then",
        "true && " * 3000 + "true",
        "true; " * 3000,
        "(" * 200 + ")" * 200,
        "echo \x1b[31m",
        "a" * 100_000,
    ],
)
def test_bad_input_is_asked_about_and_never_a_traceback(cli: Cli, text):
    done = cli("guard", "check", text)
    assert done.exit == 4, done.out
    assert "Traceback" not in done.err


def test_a_command_comes_from_stdin(cli: Cli):
    assert cli("guard", "check", "-", stdin=b"rm -rf /\n").exit == 1
    assert cli("guard", "check", "-", stdin=b"npm test\n").exit == 0
    assert cli("guard", "check", "-", stdin=b"ls \0 x").exit == 4


def test_zero_bytes_and_a_megabyte_are_asked_about(cli: Cli):
    cases = [
        {"id": "z", "command": "ls \0 rm", "expect": "ask"},
        {"id": "m", "command": "echo " + "x" * 1_000_000, "expect": "ask"},
    ]
    assert cli("guard", "test", corpus(cli, *cases)).exit == 0


def _plugin(folder: Path, source: str) -> str:
    """An installed distribution that brings rules; returns what PYTHONPATH must hold."""
    info = folder / "houserules-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: houserules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[donewhen.guard_rules]\nhouse = houserules:rules\n")
    (folder / "houserules.py").write_text(source)
    return str(folder)


def test_a_plugin_brings_rules(cli: Cli, tmp_path: Path):
    rule = {"name": "house-deploy", "command": "make deploy", "action": "deny", "match": ["sudo make deploy"]}
    path = _plugin(tmp_path / "plugins", f"def rules():\n    return [{rule!r}]\n")
    done = cli("guard", "check", "make deploy", PYTHONPATH=path)
    assert (done.exit, "house-deploy" in done.out) == (1, True)


@pytest.mark.runs
@pytest.mark.parametrize(
    ("source", "exit_code", "said"),
    [
        (
            "rules = [{'name': 'x', 'command': 'make', 'action': 'ask', 'match': ['ls']}]",
            2,
            "its own example `ls`",
        ),
        ("rules = [{'name': 'x', 'action': 'sometimes'}]", 5, "the rule plugin house can't be loaded"),
        ("raise RuntimeError('broken')", 5, "the rule plugin house can't be loaded (RuntimeError: broken)"),
    ],
)
def test_a_broken_plugin_stops_the_guard_instead_of_losing_its_rules(
    cli: Cli, tmp_path, source, exit_code, said
):
    done = cli("guard", "check", "ls", PYTHONPATH=_plugin(tmp_path / "plugins", source))
    assert (done.exit, done.out) == (exit_code, "")
    assert said in done.err
    assert "Traceback" not in done.err
