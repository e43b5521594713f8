"""Whoever ends the process of a run, and however: the run is resumable, and ends as if nothing had happened."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.faults.plays import CLAIM, FIX, Play
from tests.faults.scenes import BEGUN, WAITS, Scene, ended, stop_now
from tests.faults.stage import Stage

pytestmark = pytest.mark.faults


@pytest.mark.parametrize(
    "signals",
    [(signal.SIGTERM,), (signal.SIGHUP,), (signal.SIGINT, signal.SIGTERM)],
    ids=["term", "hang up", "ctrl-c, then term"],
)
def test_a_run_that_is_told_to_go_now_resumes_to_the_same_end(tmp_path: Path, signals: tuple[int, ...]):
    scene = Scene(tmp_path)
    process = scene.under_way()
    for number in signals:
        process.send_signal(number)
    done = ended(process)
    assert (done.exit, "Traceback" in done.err) == (130, False), done
    assert scene.stage.row.state == "paused"
    assert scene.same(scene.resumed())


def test_a_second_ctrl_c_ends_it_now(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    stop_now(process)
    done = ended(process)
    assert (done.exit, "Traceback" in done.err) == (130, False), done
    assert scene.same(scene.resumed())


def test_a_first_ctrl_c_waits_for_the_next_safe_point(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    process.send_signal(signal.SIGINT)
    scene.let_go()
    done = ended(process)
    assert (done.exit, scene.stage.row.state) == (130, "paused"), done
    assert not any(event.type == "call_interrupted" for event in scene.stage.events())
    assert scene.same(scene.resumed())


def test_a_command_that_ignores_being_asked_is_ended_with_the_run(tmp_path: Path):
    base = tmp_path.resolve()
    deaf = f"trap '' TERM INT HUP; touch {BEGUN}; {WAITS.format(gate=base / 'open')}"
    scene = Scene(tmp_path, Play("deaf", [FIX, {"bash": deaf}, CLAIM]))
    process = scene.under_way()
    stop_now(process)
    done = ended(process)
    assert (done.exit, "Traceback" in done.err) == (130, False), done
    assert scene.same(scene.resumed())


def test_a_deaf_hook_is_ended_with_the_run(tmp_path: Path):
    scene = Scene(tmp_path, Play("a hook", [FIX, CLAIM], hooks=("after_tool",)))
    hook = scene.stage.base / "after_tool.sh"
    calm = hook.read_text()
    waits = WAITS.format(gate=scene.folder / "open")
    hook.write_text(f"#!/bin/sh\ntrap '' TERM INT HUP\ntouch {scene.folder / BEGUN}\n{waits}\n")
    process = scene.under_way()
    stop_now(process)
    done = ended(process)
    assert (done.exit, "Traceback" in done.err) == (130, False), done
    hook.write_text(calm)
    assert scene.same(scene.resumed())


def test_a_hook_that_hangs_is_ended_at_its_time_and_the_run_goes_on(tmp_path: Path):
    stage = Stage(tmp_path / "s", Play("a hook", [FIX, CLAIM], hooks=("state_change",)))
    (stage.base / "state_change.sh").write_text("#!/bin/sh\ntrap '' TERM\nsleep 5987655\n")
    done = stage.call(*stage.run_words, "--set", "hooks.timeout=0.3")
    assert (done.exit, stage.row.stop_reason) == (0, "accepted"), done
    called = [event.body.outcome for event in stage.events() if event.type == "hook_called"]
    assert "failed" in called


def test_a_lost_terminal_leaves_a_run_that_resumes_to_the_same_end(tmp_path: Path):
    scene = Scene(tmp_path)
    ours, theirs = pty.openpty()
    stage = scene.stage
    process = subprocess.Popen(
        [sys.executable, "-m", "donewhen", *stage.run_words],
        cwd=stage.repo,
        env=stage.env | {"TERM": "xterm"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=_with_terminal,
    )
    os.close(theirs)
    reader = threading.Thread(target=_drain, args=(ours,), daemon=True)
    reader.start()
    scene.begun(process)
    os.close(ours)  # the kernel hangs up
    try:
        process.wait(timeout=120)
    finally:
        process.kill()
    assert stage.row.state == "paused"
    assert scene.same(scene.resumed())


def _drain(terminal: int) -> None:
    with contextlib.suppress(OSError):
        while os.read(terminal, 65536):
            pass


def _with_terminal() -> None:
    """A session of its own, whose terminal is what stdin is."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
