"""Plays scripted agents: builds the repository, runs the script, asks `donewhen verify`, and judges the truth.

The truth is judged apart from the product (`benchmarks.truth`), with git and bash alone, so that a mistake of
ours can't hide in it. Nothing here knows how the product decides; a case is data, and its steps run as the
agent's commands would: each in a fresh bash, in the root, with a home that is thrown away.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import truth
from benchmarks.claims_scenario import Scenario, load
from tests.helpers import Cli
from tests.projects import git, repository

__all__ = ["build", "cases", "load", "play", "untrue", "verify"]

CASES = Path(__file__).parent / "cases"


class Verdict(NamedTuple):
    accepted: bool
    asked: bool  # nothing but a human's word is missing
    stop_reason: str
    findings: tuple[str, ...]
    text: str


def cases() -> list[Path]:
    return sorted(CASES.rglob("*.yml"))


def build(case: Scenario, folder: Path) -> str:
    """The repository at its base, and the id of its only commit."""
    repository(folder, case.files)
    return git(folder, "rev-parse", "HEAD")


def play(case: Scenario, folder: Path, home: Path) -> None:
    """All commands of the agent but those that a guard refuses; their results change nothing."""
    for step in case.commands(refused=False):
        truth.bash(step, folder, home)


def untrue(case: Scenario, folder: Path, home: Path, copy: Path) -> list[str]:
    """What the ground truth says against this tree; nothing when the work is right."""
    return truth.untrue(case.truth, case.files, folder, home, copy)


def verify(case: Scenario, cli: Cli, base: str, home: Path) -> Verdict:
    accept = [word for command in case.accept for word in ("--accept", command)]
    done = cli("verify", "--base", base, "--goal", case.goal, *accept, "--json", HOME=str(home))
    data = json.loads(done.out) if done.out.startswith("{") else {}
    assert "decision" in data, f"no verdict at all, exit {done.exit}: {done.out}{done.err}"
    decision = data["decision"]
    findings = tuple(_short(entry) for entry in (data.get("integrity") or {}).get("findings", ()))
    said = [str(entry.get("message")) for entry in data.get("feedback", ())]
    text = "\n".join([decision["summary"], *said])
    accepted = done.exit == 0 and decision["status"] == "accepted"
    return Verdict(accepted, done.exit == 4, str(decision["stop_reason"]), findings, text)


def _short(finding: Mapping[str, Any]) -> str:
    blocks = "" if finding["blocks"] else " (does not block)"
    return f"{finding['rule']} {finding['file']}:{finding['line']}{blocks}"
