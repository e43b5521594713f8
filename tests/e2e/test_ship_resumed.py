"""A merge that was killed, and a user who goes on in the folder before it is resumed: what is told is true."""

from pathlib import Path

import pytest

from tests.helpers import Cli, Result
from tests.projects import git, write
from tests.runs import CLAIM, FIX, broken_cart, script, settings

GATES = False
NEW = {"write": {"path": "new.txt", "content": "of the run\n"}}


def killed(cli: Cli, point: str) -> Path:
    settings(cli, ship={"to_protected": True}, evidence={"base_exam": "never"})
    folder = broken_cart(cli, {"mine.txt": "as it was\n"})
    words = ("--accept", "python3 -m unittest", "--script", script(cli, (FIX, NEW, CLAIM)), "--ship", "merge")
    done = cli.cold("run", "Fix the cart", *words, DONEWHEN_TEST_CRASH=point)
    assert done.exit == -9, done
    return folder


def warnings(done: Result) -> str:
    assert done.exit == 0, done
    return "\n".join(done.json["warnings"])


def test_an_edit_after_the_files_followed_is_no_file_left_behind(cli: Cli):
    folder = killed(cli, "files followed")
    write(folder, {"mine.txt": "an edit\n"})
    assert warnings(cli("resume", "last", "--json")) == ""
    assert git(folder, "status", "--porcelain").split() == ["M", "mine.txt"]


@pytest.mark.runs
def test_files_that_can_not_follow_are_named_and_no_edit_is_at_risk(cli: Cli):
    folder = killed(cli, "target moved")
    write(folder, {"mine.txt": "an edit\n"})
    said = warnings(cli("resume", "last", "--json"))
    assert "still as before: cart.py, new.txt" in said, said
    assert "reset" not in said
    assert (folder / "mine.txt").read_text() == "an edit\n"


@pytest.mark.runs
def test_a_commit_that_takes_the_work_back_is_told(cli: Cli):
    folder = killed(cli, "target moved")
    git(folder, "commit", "-qam", "went on")
    said = warnings(cli("resume", "last", "--json"))
    assert "no longer holds the whole change: cart.py, new.txt" in said, said


@pytest.mark.runs
def test_a_commit_that_keeps_the_work_is_nobody_s_business(cli: Cli):
    folder = killed(cli, "files followed")
    write(folder, {"mine.txt": "an edit\n"})
    git(folder, "commit", "-qam", "went on")
    assert warnings(cli("resume", "last", "--json")) == ""
