"""Forges for tests: a bare remote on this machine, and tiny `gh` and `glab` that write down their argv."""

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.projects import git
from tests.pythons import plain_python

PATH = "acme/shop"

_PROGRAM = """#!{python}
import json, os, sys
desk = {desk!r}
words = sys.argv[1:]
bodies = [open(word.partition("=")[2]).read() for word in words if word.startswith("--body-file=")]
with open(os.path.join(desk, "argv.jsonl"), "a") as log:
    log.write(json.dumps({{"argv": words, "body": "".join(bodies), "cwd": os.getcwd()}}) + "\\n")
plan = json.load(open(os.path.join(desk, "plan.json")))
key = " ".join(words[:2])
answer = plan.get(key, {{}})
if isinstance(answer, list):
    used = sum(" ".join(json.loads(line)["argv"][:2]) == key for line in open(os.path.join(desk, "argv.jsonl")))
    answer = answer[min(used, len(answer)) - 1]
sys.stdout.write(answer.get("out", ""))
sys.stderr.write(answer.get("err", ""))
sys.exit(answer.get("exit", 0))
"""


class Program:
    """A fake `gh` or `glab`: `plan` says by its first two words what it answers."""

    def __init__(self, folder: Path, name: str, plan: Mapping[str, Any]) -> None:
        self.bin = folder / f"{name}-bin"
        self.bin.mkdir()
        self._desk = folder / f"{name}-desk"
        self._desk.mkdir()
        (self._desk / "plan.json").write_text(json.dumps(plan))
        path = self.bin / name
        path.write_text(_PROGRAM.format(python=plain_python(), desk=str(self._desk)))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    @property
    def calls(self) -> list[dict[str, Any]]:
        log = self._desk / "argv.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def called(self, *words: str) -> list[dict[str, Any]]:
        return [call for call in self.calls if call["argv"][: len(words)] == list(words)]


def bare_remote(folder: Path, repository: Path, url: str = f"https://forge.example/{PATH}.git") -> Path:
    """A bare remote that `repository` pushes to, under an address of a forge that nobody asks."""
    bare = folder / "remote.git"
    git(folder, "init", "-q", "--bare", str(bare))
    git(repository, "remote", "add", "origin", url)
    git(repository, "config", f"url.{bare}.insteadOf", url)
    branch = git(repository, "symbolic-ref", "--short", "HEAD")
    git(repository, "push", "-q", "origin", f"HEAD:refs/heads/{branch}")
    git(bare, "symbolic-ref", "HEAD", f"refs/heads/{branch}")
    return bare


def remote_heads(bare: Path) -> dict[str, str]:
    lines = git(bare, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads").splitlines()
    return dict(line.split(" ", 1) for line in lines)
