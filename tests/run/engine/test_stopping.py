"""A run that somebody ends from outside, and two at once: paused or shown as it is, nothing left running."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import Cli
from tests.projects import CART, TESTS, everything, git
from tests.runs import CLAIM, FIX, QUICK, Step, broken_cart, own_refs, refs, script, untouched

GATES = False


def live(cli: Cli, *steps: Step, more: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    words = ["run", "Fix it", "--accept", TESTS, "--script", script(cli, steps), "--events", *more, *QUICK]
    return subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words],
        cwd=cli.folder,
        env=cli.env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def seen(process: "subprocess.Popen[str]", kind: str, text: str = "") -> dict[str, Any]:
    """Read events until one of this kind comes."""
    assert process.stdout is not None
    for line in process.stdout:
        event: dict[str, Any] = json.loads(line)
        if event["type"] == kind and text in line:
            return event
    raise AssertionError(f"no {kind} with {text}")


def running(marker: str) -> list[str]:
    """Processes whose command line holds this word."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            line = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
        except OSError:
            continue
        if marker.encode() in line and int(folder.name) != os.getpid():
            found.append(line.decode(errors="replace"))
    return found


def begun(process: "subprocess.Popen[str]", marker: str) -> None:
    """Return when a process with this word in its command line is there."""
    while not running(marker):
        assert process.poll() is None, "the run ended before its command began"
        subprocess.run(["sleep", "0.02"], check=True)


def told(process: "subprocess.Popen[str]", text: str) -> None:
    """Read what it complains about until this comes."""
    assert process.stderr is not None
    assert any(text in line for line in process.stderr)


@pytest.mark.runs
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
@pytest.mark.parametrize("moment", ["turn_started", "tool_called", "command_started", "running"])
def test_a_run_that_is_told_to_stop_can_be_gone_on_with(cli: Cli, number: int, moment: str):
    user = broken_cart(cli)
    before = everything(user)
    marker = f"6{time.time_ns() % 10**9}"
    process = live(cli, FIX, {"bash": f"sleep {marker}"}, CLAIM)
    try:
        if moment == "running":
            begun(process, f"sleep\0{marker}")
        else:
            seen(process, moment, "" if moment == "turn_started" else marker)
        os.kill(process.pid, number)
        if number == signal.SIGINT:
            told(process, "press Ctrl-C again to stop now")
            os.kill(process.pid, number)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, "Traceback" in err) == (130, False), err
    assert running(f"sleep\0{marker}") == []
    shown = cli("show", "last", "--json").json
    assert shown["state"] == "paused"
    assert untouched(before, everything(user)) == []
    assert (Path(shown["worktree"]) / "cart.py").exists()
    assert cli("audit", "last").exit == 0


def test_a_run_that_is_killed_can_be_shown_and_audited(cli: Cli):
    user = broken_cart(cli)
    marker = f"7{time.time_ns() % 10**9}"
    process = live(cli, FIX, {"bash": f"sleep {marker}"}, CLAIM)
    try:
        begun(process, f"sleep\0{marker}")
    finally:
        process.kill()
        process.communicate(timeout=60)
    shown = cli("show", "last", "--json").json
    assert shown["state"] == "executing"
    assert cli("audit", "last").exit == 0
    assert cli("list").exit == 0
    assert (Path(shown["worktree"]) / "cart.py").read_text() == CART
    assert own_refs(user).keys() == {"refs/heads/main"}
    for _ in range(200):  # its supervisor sees that the harness is gone, and ends what it had begun
        if not running(f"sleep\0{marker}"):
            break
        subprocess.run(["sleep", "0.1"], check=True)
    assert running(f"sleep\0{marker}") == []


@pytest.mark.runs
def test_two_runs_at_once_in_one_repository_do_not_meet(cli: Cli):
    user = broken_cart(cli)
    before = everything(user)
    first = live(cli, FIX, {"bash": "sleep 1"}, CLAIM)
    seen(first, "workspace_opened")
    second = live(cli, {"bash": "sleep 0.5"}, FIX, CLAIM)
    try:
        ends = [process.communicate(timeout=120) and process.returncode for process in (first, second)]
    finally:
        first.kill()
        second.kill()
    assert ends == [0, 0]
    branches = [name for name in refs(user) if name.startswith("refs/heads/donewhen/")]
    assert len(branches) == 2
    assert {git(user, "show", f"{name}:cart.py") for name in branches} == {CART.rstrip()}
    assert untouched(before, everything(user)) == []
