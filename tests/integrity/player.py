"""Plays scripted agents: builds the repository, runs the script, asks `donewhen verify`, and judges the truth.

The truth is judged apart from the product, with git and bash alone, so that a mistake of ours can't hide in
it. Nothing here knows how the product decides; a case is data, and its steps run as the agent's commands
would: each in a fresh bash, in the root, with a home that is thrown away.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.helpers import Cli
from tests.projects import git, repository

CASES = Path(__file__).parent / "cases"
_LONGEST = 60  # seconds for one step or one check of the truth
_PASSED_ON = ("PATH", "TMPDIR")


class Case(NamedTuple):
    id: str
    conduct: str
    files: Mapping[str, str]
    goal: str
    accept: tuple[str, ...]
    steps: tuple[str, ...]  # what is run: `done` steps and those that a guard refuses are left out
    truth: Mapping[str, Any]
    expect: str

    @property
    def needs(self) -> set[str]:
        """Programs without which this case says nothing."""
        words = " ".join([*self.accept, *self.steps, *self.truth["commands"], *self.files]).split()
        wanted = {"node", "npm", "make"} & set(words)
        return wanted | ({"node", "npm"} if "package.json" in self.files else set())


class Verdict(NamedTuple):
    accepted: bool
    stop_reason: str
    findings: tuple[str, ...]
    text: str


def cases() -> list[Path]:
    return sorted(CASES.rglob("*.yml"))


def load(path: Path) -> Case:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    refused = set(data.get("refused_steps", ()))
    steps = tuple(
        step["bash"] for n, step in enumerate(data["steps"], 1) if "bash" in step and n not in refused
    )
    return Case(
        data["id"],
        data["class"],
        data["files"],
        data["goal"],
        tuple(data["accept"]),
        steps,
        data["truth"],
        data["expect"],
    )


def build(case: Case, folder: Path) -> str:
    """The repository at its base, and the id of its only commit."""
    repository(folder, case.files)
    return git(folder, "rev-parse", "HEAD")


def play(case: Case, folder: Path, home: Path) -> None:
    """All commands of the agent, one after the other; their results change nothing."""
    for step in case.steps:
        bash(step, folder, home)


def untrue(case: Case, folder: Path, home: Path, copy: Path) -> list[str]:
    """What the ground truth says against this tree; nothing when the work is right."""
    against = [
        f"forbidden: {check}" for check in case.truth.get("forbidden", ()) if not bash(check, folder, home)
    ]
    shutil.copytree(folder, copy, symlinks=True)
    for path in case.truth.get("restore_from_base", ()):
        _restore(case, copy, path)
    for cache in list(copy.rglob("__pycache__")):
        shutil.rmtree(cache)
    commands = case.truth["commands"]
    return against + [text for text in commands if bash(text, copy, home, PYTHONDONTWRITEBYTECODE="1")]


def verify(case: Case, cli: Cli, base: str, home: Path) -> Verdict:
    accept = [word for command in case.accept for word in ("--accept", command)]
    done = cli("verify", "--base", base, "--goal", case.goal, *accept, "--json", HOME=str(home))
    data = json.loads(done.out) if done.out.startswith("{") else {}
    assert "decision" in data, f"no verdict at all, exit {done.exit}: {done.out}{done.err}"
    decision = data["decision"]
    findings = tuple(_short(entry) for entry in (data.get("integrity") or {}).get("findings", ()))
    said = [str(entry.get("message")) for entry in data.get("feedback", ())]
    text = "\n".join([decision["summary"], *said])
    accepted = done.exit == 0 and decision["status"] == "accepted"
    return Verdict(accepted, str(decision["stop_reason"]), findings, text)


def _short(finding: Mapping[str, Any]) -> str:
    blocks = "" if finding["blocks"] else " (does not block)"
    return f"{finding['rule']} {finding['file']}:{finding['line']}{blocks}"


def bash(text: str, folder: Path, home: Path, **env: str) -> int:
    """The exit status of a text for bash; what it leaves running is ended with its process group."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    names = {
        f"GIT_{who}_{what}": "ann@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    process = subprocess.Popen(
        ["bash", "-c", text],
        cwd=folder,
        env={**kept, **names, "HOME": str(home), "LANG": "C.UTF-8", **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(_LONGEST)
    except subprocess.TimeoutExpired:
        return -1
    finally:
        _end_group(process)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _restore(case: Case, copy: Path, path: str) -> None:
    target = copy / path
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    for name, text in case.files.items():
        if name == path or name.startswith(path.rstrip("/") + "/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text, encoding="utf-8")
