"""A small project and a place to examine it in: real folders, real processes, the walls of this machine."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from donewhen.commands import parse
from donewhen.config.sections_guard import Sandbox
from donewhen.core.accept import Accept, read_accept
from donewhen.core.evidence import counts_of
from donewhen.core.outcome import outcome
from donewhen.core.target import accept_target
from donewhen.core.texts import say
from donewhen.verify.exam.command import fact, run_entry
from donewhen.verify.exam.model import Execution, Progress, Where
from donewhen.verify.exam.walls import exam_plan, harness_folder_of

BIN = str(Path(sys.executable).parent)


class Exams:
    """Use `write` to fill the project, `run` to run a command in it."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.folder = base / "project"
        self.scratch = base / "scratch"
        self.home = base / "home"
        for folder in (self.folder, self.home):
            folder.mkdir()
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8"}
        self.progress: list[Progress] = []

    def write(self, **files: str) -> None:
        """`test_a="…"` writes test_a.py; two underscores are a slash."""
        for name, text in files.items():
            self.file(name.replace("__", "/") + ".py", text)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def where(self, **more: Any) -> Where:
        fields: dict[str, Any] = {
            "folder": self.folder,
            "scratch": harness_folder_of(self.scratch),
            "outputs": self.base / "outputs",
            "env": self.env,
            "path": (BIN,),
            "timeout": 60.0,
        }
        return Where(**{**fields, **more})

    def walled(self, **sandbox: Any) -> Where:
        """The same behind the walls that this machine has."""
        plan = exam_plan(
            self.folder,
            self.env,
            Sandbox(**sandbox),
            self.scratch,
            git=[self.folder / ".git"],
            path=[BIN],
        )
        return self.where(plan=plan)

    def run(self, command: str | Accept, where: Where | None = None) -> Execution:
        entry = read_accept(command, parse)[0] if isinstance(command, str) else command
        return asyncio.run(run_entry(entry, where or self.where(), self.progress.append))

    def names(self) -> set[str]:
        """All that lies in the project, relative to it."""
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")}

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-C", str(self.folder), *words], check=True, capture_output=True)


def why(execution: Execution) -> str:
    return say(execution.why_not.key, **execution.why_not.values) if execution.why_not else ""


def verdict(command: str, execution: Execution) -> str:
    entry = read_accept(command, parse)[0]
    target = accept_target(entry, parse)
    ended = fact(entry, execution, "1", before="t")
    return outcome(ended, counts_of(ended, parse), is_test=target.is_test, program=target.program)[0]


def executed(execution: Execution) -> tuple[int | None, int, int]:
    assert execution.counts is not None, execution
    return execution.counts.executed, execution.counts.failed, execution.counts.errors
