"""The acceptance record: written by `verify` on acceptance, checked by `audit --record`."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import Cli
from tests.projects import BUG, TESTS, git, repository, write

GATES = False  # they have tests of their own
ACCEPT = ("--accept", TESTS)


@pytest.fixture
def project(cli: Cli) -> Path:
    return repository(cli.folder)


@pytest.fixture
def record(cli: Cli, project: Path, tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    done = cli("verify", *ACCEPT, "--record", str(path))
    assert done.exit == 0, done.out + done.err
    assert str(path) in done.out
    return path


def _statement(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_it_is_an_in_toto_statement_about_the_tree_that_git_would_commit(cli: Cli, project, record):
    git(project, "add", "-A")
    tree = git(project, "write-tree").strip()
    data = _statement(record)
    assert data["_type"] == "https://in-toto.io/Statement/v1"
    assert data["subject"] == [{"name": project.name, "digest": {"gitTree": tree}}]
    predicate = data["predicate"]
    assert predicate["promise"]["accept"] == [TESTS]
    assert [check["passed"] for check in predicate["checks"]] == [True] * len(predicate["checks"])
    commands = [each for each in predicate["evidence"] if each["type"] == "command_ended"]
    assert commands[0]["exit"] == 0
    assert len(commands[0]["digest"]["sha256"]) == 64
    assert {"donewhen", "python", "git"} <= predicate["tools"].keys()


def test_its_ledger_head_is_the_decision_in_the_ledger(cli: Cli, project, record):
    ledger = _statement(record)["predicate"]["ledger"]
    lines = [line for line in cli("export", ledger["run"]).out.splitlines() if ledger["hash"] in line]
    assert any('"decided"' in line for line in lines)


def test_the_same_tree_is_confirmed_also_after_the_commit(cli: Cli, project, record):
    done = cli("audit", "--record", str(record))
    assert (done.exit, done.err) == (0, "")
    assert "the tree is the accepted one" in done.out
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "work", "--allow-empty")
    assert cli("audit", "--record", str(record), "--commit", "HEAD").exit == 0


@pytest.mark.runs
def test_another_tree_is_refused_with_what_differs(cli: Cli, project, record):
    write(project, {"cart.py": BUG, "more.py": "x = 1\n"})
    done = cli("audit", "--record", str(record))
    assert done.exit == 1
    assert "~ cart.py" in done.out
    assert "+ more.py" in done.out
    data = cli("audit", "--record", str(record), "--json").json
    assert data["same"] is False
    assert data["differing"] == {"cart.py": "modified", "more.py": "added"}


def test_a_refused_change_leaves_no_record(cli: Cli, project, tmp_path):
    write(project, {"cart.py": BUG})
    path = tmp_path / "record.json"
    assert cli("verify", *ACCEPT, "--record", str(path)).exit == 1
    assert not path.exists()


def test_a_record_that_was_edited_does_not_fit_the_ledger(cli: Cli, project, record):
    data = _statement(record)
    write(project, {"cart.py": BUG})
    git(project, "add", "-A")
    data["subject"][0]["digest"]["gitTree"] = git(project, "write-tree").strip()
    record.write_text(json.dumps(data), encoding="utf-8")
    done = cli("audit", "--record", str(record))
    assert done.exit == 1
    assert "was altered" in done.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[]", "no in-toto statement"),
        ('{"_type": "x", "_type": "y"}', "no JSON"),
        ('{"_type": "https://in-toto.io/Statement/v1", "predicateType": "other"}', "another kind"),
        (
            '{"_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:donewhen:acceptance:v1", '
            '"subject": [{"digest": {"gitTree": "--upload"}}], "predicate": {}}',
            "does not say which tree",
        ),
    ],
)
def test_what_is_no_record_is_said(cli: Cli, project, tmp_path, text, said):
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    done = cli("audit", "--record", str(path))
    assert done.exit == 2
    assert said in done.err


def test_a_missing_record_and_options_that_do_not_fit_are_said(cli: Cli, project, record):
    assert "there is no record" in cli("audit", "--record", "nowhere.json").err
    assert "needs --record" in cli("audit", "last", "--commit", "HEAD").err
    assert "either a run" in cli("audit", "last", "--record", str(record)).err
    assert "is no commit" in cli("audit", "--record", str(record), "--commit", "nope").err


needs_ssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada", "-f", str(path)]
    subprocess.run(words, check=True, timeout=60)
    return path


def _signed(cli: Cli, key: Path, path: Path):
    return cli(
        "verify", *ACCEPT, "--record", str(path), "--set", "record.sign=ssh", "--set", f"record.key={key}"
    )


@pytest.mark.runs
@needs_ssh
def test_a_record_signed_with_an_ssh_key_is_checked_against_the_signers(cli: Cli, project, tmp_path, key):
    path = tmp_path / "signed.json"
    done = _signed(cli, key, path)
    assert done.exit == 0, done.out + done.err
    assert (tmp_path / "signed.json.sig").is_file()
    assert "signed with ssh" in cli("audit", "--record", str(path)).out
    signers = tmp_path / "signers"
    signers.write_text(f"ada@work {key.with_suffix('.pub').read_text(encoding='utf-8')}", encoding="utf-8")
    done = cli("audit", "--record", str(path), "--signers", str(signers))
    assert done.exit == 0, done.out + done.err
    assert "by ada@work" in done.out


@pytest.mark.runs
@needs_ssh
def test_a_foreign_key_an_edited_record_and_a_missing_signature_are_refused(
    cli: Cli, project, tmp_path, key, record
):
    path = tmp_path / "signed.json"
    _signed(cli, key, path)
    other = tmp_path / "other"
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(other)]
    subprocess.run(words, check=True, timeout=60)
    signers = tmp_path / "signers"
    signers.write_text(f"eve@work {other.with_suffix('.pub').read_text(encoding='utf-8')}", encoding="utf-8")
    assert cli("audit", "--record", str(path), "--signers", str(signers)).exit == 1
    assert cli("audit", "--record", str(record), "--signers", str(signers)).exit == 1  # not signed at all
    path.write_text(path.read_text(encoding="utf-8").replace('"version":1', '"version":2'), encoding="utf-8")
    done = cli("audit", "--record", str(path))
    assert done.exit == 1
    assert "does not fit" in done.out


@needs_ssh
def test_a_key_that_is_not_there_is_said_before_anything_runs(cli: Cli, project, tmp_path):
    done = _signed(cli, tmp_path / "nokey", tmp_path / "r.json")
    assert done.exit == 2
    assert "no signing key" in done.err


@pytest.mark.runs
def test_a_record_goes_with_its_run(cli: Cli, project, record):
    run = _statement(record)["predicate"]["ledger"]["run"]
    (kept,) = list(cli.folder.parent.rglob(f"records/{run}.json"))
    assert cli("gc", "--older-than", "0d").exit == 0
    assert not kept.exists()
    assert record.exists()
