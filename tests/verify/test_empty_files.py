"""Files that the goal wants empty are complete without content; others are told to be empty, not to be missing."""

import asyncio

import pytest

from donewhen.intake.request import Request
from donewhen.verify.change import Means, Wanted
from donewhen.verify.pipeline import verify_change
from tests.verify.exam_support import Desk, write


def details(desk: Desk, goal: str, *accept: str) -> tuple[bool, str]:
    wanted = Wanted(Request(goal=goal, accept=accept), base="HEAD")
    done = asyncio.run(verify_change(wanted, Means(desk.root, desk.env)))
    return done.judgement.accepted, "\n".join(map(str, done.decided["details"]))


@pytest.fixture
def desk(tmp_path) -> Desk:
    return Desk(tmp_path, {"README.md": "# it\n"})


def test_an_empty_file_that_was_asked_for_is_enough(desk):
    write(desk.root, {"data/.gitkeep": "", "ready.flag": ""})
    goal = "Add data/.gitkeep and an empty marker file ready.flag"
    assert details(desk, goal) == (True, "")
    assert details(desk, goal, "test -e ready.flag") == (True, "")


def test_a_file_that_must_hold_something_is_told_to_be_empty(desk):
    write(desk.root, {"notes.md": "\n"})
    accepted, said = details(desk, "Write notes.md", "test -e notes.md")
    assert not accepted
    assert "notes.md is empty" in said


def test_a_file_that_is_not_there_is_told_to_be_missing(desk):
    write(desk.root, {"other.md": "x\n"})
    accepted, said = details(desk, "Create an empty ready.flag", "test -e other.md")
    assert not accepted
    assert "ready.flag is not in the workspace" in said
