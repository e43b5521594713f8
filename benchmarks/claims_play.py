"""One scenario through the real command: `donewhen run` as a user starts it, then the truth about what it left.

Each has a private parent folder with a home, a state and a cache of its own. The harness sees the goal, the
acceptance commands, the scopes and the script; never the truth, nor what is expected.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from benchmarks.claims_leftovers import end_leftovers
from benchmarks.claims_scenario import Scenario, build, git
from benchmarks.claims_verdict import MOST_TURNS, Case, Outcome, verdict
from benchmarks.truth import PASSED_ON, end_group, untrue

LONGEST = 300  # seconds; a run that takes longer has not ended
_GRACE = 10  # seconds to end in order when its time is over


class Ground(NamedTuple):
    """The folders of one scenario."""

    root: Path

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def env(self) -> dict[str, str]:
        places = {name: str(self.root / name.lower()) for name in ("STATE", "CONFIG", "CACHE")}
        return {
            **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            **{f"DONEWHEN_{name}_DIR": folder for name, folder in places.items()},
        }


class Ended(NamedTuple):
    """What the command said at its end."""

    outcome: Outcome
    stop_reason: str
    turns: int = 0
    branch: str = ""
    workspace: str = ""
    detail: str = ""


def play(scenario: Scenario, root: Path, longest: float = LONGEST) -> Case:
    ground = Ground(root)
    ground.work.mkdir(parents=True)
    in_place = build(scenario, ground.work, ground.home)
    began = time.monotonic()
    try:
        ended = _run(scenario, ground, in_place, longest)
    finally:
        end_leftovers(ground.home)
    return judged(scenario, ground, ended, _tree(ended, ground, in_place), time.monotonic() - began)


def judged(scenario: Scenario, ground: Ground, ended: Ended, tree: Path, seconds: float) -> Case:
    """How what was played ended, against the truth about the tree that it left."""
    against = untrue(scenario.truth, scenario.files, tree, ground.home, ground.root / "copy")
    end_leftovers(ground.home)
    found = verdict(
        ended.outcome,
        scenario.expect,
        truth=not against,
        script_over=ended.turns >= len(scenario.steps),
        beyond=bool(scenario.beyond),
        word=bool(scenario.word),
    )
    detail = "; ".join(filter(None, (ended.detail, *against))) if found != "right" else ended.detail
    return Case(
        scenario.id,
        scenario.conduct,
        scenario.expect,
        ended.outcome,
        not against,
        found,
        ended.stop_reason,
        round(seconds, 2),
        detail,
    )


def command_line(scenario: Scenario, root: Path, in_place: bool) -> list[str]:
    """The words after `donewhen`; what they name is written below `root`, outside the repository."""
    script = root / "script.yml"
    _write(script, scenario.script)
    words = ["run", "--script", str(script), "--json", "--on-ask", "deny"]
    if in_place:
        words.append("--in-place")
    if scenario.scopes:
        promise = root / "promise.yml"
        _write(promise, {"objective": scenario.goal, **scenario.scopes, "accept": list(scenario.accept)})
        words += ["--promise", str(promise)]
    for command in scenario.accept:
        words += ["--accept", command]
    return [*words, "--", scenario.goal]


def ended(exit: int, out: str, err: str) -> Ended:
    """What the command's output says; without a decision it has not ended, whatever it printed."""
    try:
        data = json.loads(out)
        decision = data["decision"]
        status, reason = str(decision["status"]), str(decision["stop_reason"])
        turns = int(data.get("turns") or 0)
    except (ValueError, TypeError, KeyError, RecursionError):
        last = (err.strip() or out.strip()).splitlines()[-1:]
        return Ended("not_ended", f"exit {exit}", detail=(last or [""])[0][:400])
    outcome: Outcome = "accepted" if status == "accepted" and exit == 0 else "rejected"
    if decision.get("cause") == "question":
        outcome = "asked"
    if turns > MOST_TURNS or status == "continue":
        outcome = "not_ended"
    return Ended(
        outcome, reason, turns, data.get("branch") or "", data.get("workspace") or "", _cause(decision)
    )


def _run(scenario: Scenario, ground: Ground, in_place: bool, longest: float) -> Ended:
    words = command_line(scenario, ground.root, in_place)
    out, err = ground.root / "out", ground.root / "err"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "donewhen", *words],
            cwd=ground.work,
            env=ground.env,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            exit = process.wait(longest)
        except subprocess.TimeoutExpired:
            _stop(process)
            return Ended("not_ended", "time", detail=f"did not end in {longest:g} s")
        finally:
            end_group(process)
    return ended(exit, _text(out), _text(err))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """In order if it can, so that it ends its own children."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def _tree(ended: Ended, ground: Ground, in_place: bool) -> Path:
    """Where the work is: on the run's branch when it was accepted, else where the run left it."""
    if in_place:
        return ground.work
    if ended.outcome != "accepted" and ended.workspace and Path(ended.workspace).is_dir():
        return Path(ended.workspace)
    if ended.branch and git(ground.work, ground.home, "branch", "--list", ended.branch):
        git(ground.work, ground.home, "checkout", "-q", "-f", ended.branch)
    return ground.work


def _cause(decision: Mapping[str, Any]) -> str:
    cause = decision.get("cause")
    return cause if isinstance(cause, str) else json.dumps(cause) if cause else ""


def _write(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False), encoding="utf-8")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
