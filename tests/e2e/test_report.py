"""`donewhen report`: any run, in every form, for people who were not there."""

import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from donewhen.store import open_store
from tests.helpers import Cli, small_run
from tests.projects import TESTS, repository, write
from tests.runs import CLAIM, FIX, QUICK, broken_cart, play
from tests.ui.reports.test_html import Page

GATES = False
LIE = {"done": "It works, I am sure."}
MASKED = {"bash": f"{TESTS} | tail -3"}
PUSH = {"bash": "git push --force origin main"}
OURS = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Cli, str]:
    """A run that lies, is refused, is denied a push, mends its ways and is accepted."""
    cli = Cli(tmp_path_factory.mktemp("report"), gates=False)
    broken_cart(cli)
    done = play(cli, MASKED, LIE, PUSH, FIX, CLAIM, more=(*QUICK, "--on-ask", "deny"))
    assert done.exit == 0, done.out + done.err
    return cli, done.json["run"]


def test_json_has_the_whole_story(told):
    cli, run_id = told
    data = cli("report", run_id, "--json").json
    assert (data["version"], data["verdict"], data["kind"], data["exit_code"]) == (1, "accepted", "run", 0)
    assert [each["status"] for each in data["attempts"]] == ["continue", "accepted"]
    assert {"masked", "denied"} <= {each["kind"] for each in data["caught"]}
    assert {each["status"] for each in data["proofs"]} == {"passed"}
    (exam,) = [each for each in data["proofs"] if each["label"] == TESTS]
    assert "Ran 1 test" in exam["evidence"][-1]["output"]
    assert data["change"]["files"] == [{"path": "cart.py", "change": "modified", "added": 1, "removed": 1}]
    assert data["next"]["command"] == f"git merge donewhen/fix-cart-{run_id[-4:]}"
    assert data["record"]["tree"] == data["decision"]["fingerprint"]


def test_page_and_comment_say_the_same(told):
    cli, run_id = told
    page, comment = Page(cli("report", "last", "--html").out).text, cli("report", "last", "--md").out
    for wanted in (
        "accepted",
        "It works, I am sure.",
        "git push --force origin main",
        "cart.py",
        f"donewhen audit {run_id}",
    ):
        assert wanted in page, wanted
        assert wanted in comment, wanted
    assert str(cli.folder) not in page + comment


@pytest.mark.runs
def test_markdown_is_the_default_and_the_ending_of_a_file_names_its_form(told, tmp_path):
    cli, run_id = told
    assert cli("report", run_id).out == cli("report", run_id, "--md").out
    for name, begins in (
        ("a.html", "<!doctype html>"),
        ("b.json", '{\n  "version": 1'),
        ("c.md", "### ✓"),
        ("d", "### ✓"),
    ):
        done = cli("report", run_id, "-o", str(tmp_path / name))
        assert (done.exit, done.out) == (0, "")
        assert (tmp_path / name).read_text().startswith(begins)
        assert str(tmp_path / name) in done.err


def test_a_link_is_written_through_and_a_dash_is_stdout(told, tmp_path):
    cli, run_id = told
    (tmp_path / "real.html").write_text("old")
    (tmp_path / "link.html").symlink_to("real.html")
    assert cli("report", run_id, "-o", str(tmp_path / "link.html")).exit == 0
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "real.html").read_text().startswith("<!doctype html>")
    assert cli("report", run_id, "--output", "-").out == cli("report", run_id).out


@pytest.mark.runs
def test_chinese_readers_get_chinese(told):
    cli, _ = told
    page = cli("report", "last", "--html", DONEWHEN_LANGUAGE="zh").out
    assert '<html lang="zh-CN">' in page
    assert "证明板" in page


@pytest.mark.parametrize(
    ("words", "exit", "sentence"),
    [
        (("--html", "--md"), 2, "give one of --html, --md and --json"),
        (("--html", "--json"), 2, "give one of --html, --md and --json"),
        (("--output", "no/such/folder/r.html"), 2, "name another --output"),
        (("--output", "."), 2, "name another --output"),
        (("--output", "/dev/null"), 2, "name another --output"),
        (("--output", "x" * 300), 2, "name another --output"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_made(told, words, exit, sentence):
    cli, run_id = told
    done = cli("report", run_id, *words)
    assert (done.exit, sentence in done.err) == (exit, True), done.err


def test_there_is_no_report_of_a_run_that_is_not_there(cli):
    assert cli("report", "last").exit == 2
    assert "there is no run" in cli("report", "r-x").err


@pytest.mark.runs
def test_on_a_terminal_a_page_goes_to_a_file(told):
    cli, run_id = told
    main, side = pty.openpty()
    words = [sys.executable, "-m", "donewhen", "report", run_id, "--html"]
    done = subprocess.run(
        words, cwd=cli.folder, env=cli.env, stdout=side, stderr=subprocess.PIPE, check=False
    )
    os.close(side)
    os.close(main)
    page = cli.state / "pages" / f"{run_id}.html"
    assert done.returncode == 0
    assert str(page) in done.stderr.decode()
    assert page.read_text().startswith("<!doctype html>")


def copied(told: tuple[Cli, str], folder: Path) -> Cli:
    """The same store, to be harmed."""
    cli, _ = told
    other = Cli(folder, gates=False)
    shutil.copytree(cli.state, other.state)
    return other


def test_a_ledger_that_was_edited_is_told_as_audit_does(told, tmp_path):
    cli = copied(told, tmp_path)
    with sqlite3.connect(cli.db) as db:
        db.execute(
            """UPDATE events SET payload = replace(payload, '"continue"', '"accepted"') WHERE type = 'decided'"""
        )
    db.close()
    done = cli("report", told[1], "--html")
    assert (done.exit, done.out) == (5, "")
    assert "was edited: its hash does not fit its content" in done.err


def test_an_output_that_was_altered_is_left_out_and_exits_5(told, tmp_path):
    cli = copied(told, tmp_path)
    for path in cli.state.glob("donewhen.db.artifacts/??/*"):
        path.write_bytes(b"forged words")
    done = cli("report", told[1], "--html")
    assert done.exit == 5
    assert "forged words" not in done.out
    assert "is not what was kept" in done.out
    assert "donewhen audit" in done.err


def test_without_repository_and_outputs_the_rest_is_told(told, tmp_path):
    cli = copied(told, tmp_path)
    shutil.rmtree(cli.state / "donewhen.db.artifacts")
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        small_run(opened.store)  # its repository never was
    data = cli("report", "r-20261115043750-0a1b2c", "--json").json
    assert data["change"]["note"].startswith("the repository is not there any more")
    assert data["verdict"] == "accepted"
    whole = cli("report", told[1], "--json").json
    notes = [each["note"] for proof in whole["proofs"] for each in proof["evidence"] if each["digest"]]
    assert notes == ["the whole output is no longer kept"]


@pytest.mark.runs
def test_a_verification_has_a_report(cli):
    repository(cli.folder)
    write(cli.folder, {"cart.py": "def total(prices):\n    return 0\n"})
    assert cli("verify", "--accept", TESTS, *QUICK).exit == 1
    data = cli("report", "last", "--json").json
    assert (data["kind"], data["verdict"], data["exit_code"]) == ("verify", "not_accepted", 1)
    assert data["change"]["where"] == "judged"
    assert [file["path"] for file in data["change"]["files"]] == ["cart.py"]
    assert data["next"]["command"] == "donewhen verify"
    page = cli("report", "last", "--html").out
    assert "not accepted" in page
    assert re.search(r"<details open>", page)  # what failed is open at once


@pytest.mark.runs
def test_a_run_that_was_handed_over_waits_with_its_workspace(cli):
    broken_cart(cli)
    done = play(
        cli,
        {"write": {"path": "cart.py", "content": "def total(prices):\n    return 1\n"}},
        *[LIE] * 5,
        more=QUICK,
    )
    assert done.exit == 4, done.out + done.err
    data = cli("report", "last", "--json").json
    assert (data["verdict"], data["decision"]["stop_reason"]) == ("waiting", "escalated")
    assert data["change"]["where"] in ("workspace", "work")
    assert data["next"]["command"].startswith("donewhen resume ")


@pytest.mark.parametrize("path", sorted(OURS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_ledgers_of_every_version_have_a_report(cli, path):
    assert cli("import", str(path)).exit == 0
    done = cli("report", "last", "--json")
    assert done.exit == 0, done.err
    assert json.loads(done.out)["ledger"]["events"] > 0
