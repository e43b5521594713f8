"""What the tests of faults share: a stage for a play, a live run that is waited for, and what it must become."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

from tests.faults.aftermath import Aftermath, aftermath, orphans
from tests.faults.killing import undisturbed
from tests.faults.plays import CLAIM, FIX, Play
from tests.faults.stage import Ended, Stage

BEGUN = "begun.txt"  # in the workspace
WAITS = "while [ ! -e {gate} ]; do sleep 0.05; done"  # a command that runs until the test lets it go


def plain(base: Path, name: str = "fix") -> Play:
    """A run whose second call takes as long as the test wants: until the file `open` is there."""
    gate = base / "open"
    return Play(name, [FIX, {"bash": f"touch {BEGUN}; {WAITS.format(gate=gate)}"}, CLAIM])


class Scene:
    """A play twice: once undisturbed, to know how it ends, and once for the test."""

    def __init__(self, folder: Path, play: Play | None = None, *, rehearse: bool = True) -> None:
        self.folder = folder.resolve()
        self.play = play or plain(self.folder)
        self.want: Aftermath | None = None
        if rehearse:
            (self.folder / "open").touch()
            self.want = undisturbed(Stage(self.folder / "calm", self.play))
            (self.folder / "open").unlink()
        self.stage = Stage(self.folder / "storm", self.play)

    def let_go(self) -> None:
        (self.folder / "open").touch()

    def under_way(self, *more: str, **env: str) -> "subprocess.Popen[str]":
        """A live run whose command is running."""
        process = self.stage.start(*self.stage.run_words, "--events", *more, **env)
        self.begun(process)
        return process

    def begun(self, *processes: "subprocess.Popen[Any]") -> None:
        """Return when the command runs."""
        while not (self.folder / BEGUN).exists() and not list(
            self.stage.base.glob(f"cache/*/runs/*/{BEGUN}")
        ):
            living = [process for process in processes if process.poll() is None]
            assert living, [process.communicate()[1] for process in processes]
            subprocess.run(["sleep", "0.02"], check=True)

    def resumed(self, *more: str, **env: str) -> Ended:
        self.let_go()
        return self.stage.call("resume", "last", *more, **env)

    def same(self, ended: Ended) -> bool:
        """Whether everything is as if nothing had happened; says what is not."""
        got = aftermath(self.stage, ended.exit)
        assert got == self.want, ended.said
        assert self.stage.audit_findings() == []
        assert orphans(self.stage.base) == []
        return True


def seen(process: "subprocess.Popen[str]", kind: str, text: str = "") -> dict[str, Any]:
    """Read events of `--events` until one of this kind comes."""
    assert process.stdout is not None
    for line in process.stdout:
        event: dict[str, Any] = json.loads(line)
        if event.get("type") == kind and text in line:
            return event
    raise AssertionError(f"no {kind} with {text}")


def stop_now(process: "subprocess.Popen[str]") -> None:
    """Ctrl-C, and once it was heard, again: signals of one kind that wait are one."""
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    for line in process.stderr:
        if "Ctrl-C" in line:
            break
    process.send_signal(signal.SIGINT)


def ended(process: "subprocess.Popen[str]") -> Ended:
    try:
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    return Ended(process.returncode, out, err)
