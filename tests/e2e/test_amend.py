"""`donewhen amend` and `confirm`, as a user changes what a run has to prove."""

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from donewhen.core.codec import freeze
from donewhen.core.events import run
from donewhen.store import open_store
from tests.helpers import RUN, Cli

ELSEWHERE = "another-host/b/n/1/1"
PROMISE: dict[str, Any] = {
    "id": "cp-1760000000000-0000",
    "objective": "fix it",
    "acceptance": [{"id": "c1", "description": "it works"}],
    "checks": [{"id": "tests", "kind": "command_success", "target": "npm test"}],
    "accept": ["pytest"],
    "done_when": [
        {"type": "acceptance-met", "target": "*"},
        {"type": "user-confirmed", "target": "it looks right"},
    ],
}


@pytest.fixture
def paused(cli: Cli) -> Cli:
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.append(
            RUN,
            run.RunStarted("fix it"),
            run.PromiseSet(PROMISE["id"], freeze(PROMISE)),
            run.TodoChanged("t1", freeze({"id": "t1", "content": "write it down"})),
            run.StateChanged("executing", "paused"),
        )
    return cli


def hold(cli: Cli) -> None:
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        opened.store.lease(RUN, ELSEWHERE, 3600)


def events(cli: Cli) -> list[str]:
    with open_store("user", state=cli.state, folder=cli.folder) as opened:
        return [event.type for event in opened.store.read(RUN, 4)]


def test_the_change_is_shown_and_made(paused: Cli):
    done = paused(
        "amend", "last", "--accept", "make docs", "--drop", "tests", "--reason", "no npm here", "--yes"
    )
    assert done.exit == 0
    assert done.out.splitlines() == [
        f"the promise of run {RUN} would change:",
        "  + acceptance command: make docs",
        "  - check: tests command_success npm test",
        "what it then asks less strictly:",
        "  ! the check tests is gone, optional or looser",
        f"the promise of run {RUN} is changed",
    ]
    assert events(paused) == ["promise_amended"]
    shown = paused("show", "last", "--json").json["promise"]
    assert (shown["accept"], shown.get("checks")) == (["pytest", "make docs"], None)


def test_json_holds_the_diff_and_nothing_else_is_on_stdout(paused: Cli):
    done = paused("amend", RUN, "--permit", "tests/old/**", "--optional", "t1", "--yes", "--json")
    assert done.exit == 0
    data = done.json
    assert data["run"] == RUN
    assert (data["written"], data["executed"], data["optional"]) == (True, False, ["t1"])
    assert data["diff"] == [
        {"sign": "+", "part": "permits", "name": "tests/old/**", "text": "tests/old/**", "was": ""}
    ]
    assert data["promise"]["permits"] == ["tests/old/**"]
    assert data["weaker"] == ["integrity lets pass: tests/old/**", "the todo t1 need not be done"]
    assert "+ permit: tests/old/**" in done.err
    assert events(paused) == ["promise_amended", "todo_changed", "noted"]


def test_a_run_that_is_executed_takes_the_change_itself(paused: Cli):
    hold(paused)
    done = paused("amend", RUN, "--scope", "src/**", "--yes")
    assert (done.exit, done.out.splitlines()[-1]) == (
        0,
        f"run {RUN} is being executed: it takes the change at its next step",
    )
    assert events(paused) == []


def test_a_promise_file_replaces_what_it_names(paused: Cli):
    (paused.folder / "p.yml").write_text("objective: fix all of it\n")
    done = paused("amend", RUN, "--promise", "p.yml", "--yes")
    assert "  ~ objective: fix it → fix all of it" in done.out.splitlines()
    (paused.folder / "p.yml").write_text("\n\ncolour: red\n")
    done = paused("amend", RUN, "--promise", "p.yml", "--yes")
    assert done.exit == 2
    assert "p.yml:3" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to change is given"),
        (("--accept", "make"), "add --yes"),
        (("--drop", "nothing", "--yes"), "has no entry nothing"),
        (("--accept", "pytest", "--yes"), "says all of this already"),
        (("--drop", "c1", "--yes"), "would be invalid"),
        (("--promise", "gone.yml", "--yes"), "gone.yml"),
        (("--optional", "t9", "--yes"), "t9"),
    ],
)
def test_what_can_not_be_done_is_exit_2_and_changes_nothing(paused: Cli, words, said):
    done = paused("amend", RUN, *words)
    assert (done.exit, said in done.err) == (2, True)
    assert events(paused) == []


def test_an_ended_run_is_left_alone(paused: Cli):
    with open_store("user", state=paused.state, folder=paused.folder) as opened:
        opened.store.append(RUN, run.StateChanged("paused", "fail"))
    for words in (("amend", RUN, "--accept", "make", "--yes"), ("confirm", RUN, "it looks right")):
        done = paused(*words)
        assert (done.exit, "has ended (fail)" in done.err) == (2, True)


@pytest.mark.runs
@pytest.mark.parametrize(
    ("typed", "exit_code", "last", "written"),
    [
        (b"y\n", 0, "is changed", ["promise_amended"]),
        (b"n\n", 1, "nothing was changed", []),
        (b"\n", 1, "nothing was changed", []),
        (b"\x04", 1, "nothing was changed", []),
    ],
)
def test_a_person_at_a_terminal_is_asked(paused: Cli, typed, exit_code, last, written):
    controller, terminal = pty.openpty()
    try:
        asked = subprocess.Popen(
            [sys.executable, "-m", "donewhen", "amend", RUN, "--accept", "make docs"],
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=paused.folder,
            env=paused.env,
        )
        assert asked.stderr is not None
        seen = b""
        while not seen.endswith(b"[y/N] "):
            part = os.read(asked.stderr.fileno(), 1)
            assert part, seen
            seen += part
        os.write(controller, typed)
        out, _ = asked.communicate()
    finally:
        os.close(controller)
        os.close(terminal)
    assert (asked.returncode, out.decode().splitlines()[-1].endswith(last)) == (exit_code, True)
    assert events(paused) == written


def test_a_human_confirms_what_the_promise_asks_for(paused: Cli):
    done = paused("confirm", RUN, "anything")
    assert (done.exit, "it asks for: it looks right" in done.err) == (2, True)
    done = paused("confirm", RUN, "it looks right")
    assert (done.exit, done.out) == (0, f"confirmed for run {RUN}: it looks right\n")
    assert events(paused) == ["answered"]
    data = paused("confirm", RUN, "it looks right", "--json").json
    assert (data["written"], data["executed"], data["before"]) == (False, False, True)
    assert events(paused) == ["answered"]


def test_a_run_that_is_executed_takes_the_confirmation_itself(paused: Cli):
    hold(paused)
    data = paused("confirm", RUN, "it looks right", "--json").json
    assert (data["written"], data["executed"]) == (False, True)
    assert events(paused) == []


def test_a_hostile_promise_can_not_draw_on_the_terminal(paused: Cli, tmp_path: Path):
    done = paused("amend", RUN, "--scope", "a\x1b[2Jb\nc", "--yes")
    assert done.exit == 0
    assert "\x1b" not in done.out
    assert r"  + may write: a\x1b[2Jb\nc" in done.out.splitlines()
