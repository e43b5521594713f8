"""A stage: one play in a folder of its own, with a real repository, and the installed command to run it.

Everything of a stage lies below one folder, so that whatever is left running can be found by its name.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.core.events import Event
from donewhen.core.summary import Summary
from donewhen.store import open_store
from donewhen.store.audit import audit
from tests.faults.plays import Play
from tests.projects import git, repository

_LONGEST = 240  # seconds for one process; far more than any needs, so that a hang ends the campaign
_COUNT = "#!/bin/sh\ncat > /dev/null\necho x >> {file}\n"


class Ended(NamedTuple):
    exit: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return (self.out + self.err)[-1500:]


class Stage:
    def __init__(self, base: Path, play: Play) -> None:
        self.base, self.play = base.resolve(), play
        self.repo, self.state = self.base / "repo", self.base / "state"
        repository(self.repo, play.files)
        self.env = self._env()
        (self.base / "config").mkdir()
        (self.base / "config/config.yml").write_text(json.dumps(self._settings()))
        script = {"steps": list(play.steps), "after_last": play.after_last}
        (self.base / "script.yml").write_text(json.dumps(script))

    def _env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        folders = {f"DONEWHEN_{name.upper()}_DIR": str(self.base / name) for name in ("cache", "config")}
        wall = {} if self.play.sandbox else {"DONEWHEN_SANDBOX__MODE": "off"}
        return {
            **kept,
            **folders,
            **wall,
            "DONEWHEN_STATE_DIR": str(self.state),
            "HOME": str(self.base),
            "LANG": "C.UTF-8",
            "DONEWHEN_VERIFICATION__QUALITY__ENABLED": "false",
            "DONEWHEN_EVIDENCE__BASE_EXAM": "never",
        }

    def _settings(self) -> Mapping[str, object]:
        hooks = [
            {"name": f"count-{point}", "point": point, "command": [self._counter(point)]}
            for point in self.play.hooks
        ]
        if self.play.meanwhile:
            hooks.append({"name": "somebody", "point": "before_accept", "command": [self._somebody()]})
        settings: dict[str, object] = dict(self.play.settings)
        if hooks:
            settings["hooks"] = {"commands": hooks}
        if self.play.notify:
            settings["notify"] = {"commands": [[self._counter("notify")]]}
        return settings

    def _counter(self, name: str) -> str:
        """A program that adds a line to a file outside of everything that a run could undo."""
        program = self.base / f"{name}.sh"
        program.write_text(_COUNT.format(file=shlex.quote(str(self.base / f"count.{name}"))))
        program.chmod(0o755)
        return str(program)

    def _somebody(self) -> str:
        """A program that works in the repository, once."""
        program, repo = self.base / "somebody.sh", shlex.quote(str(self.repo))
        once = "git log --format=%s main | grep -qx theirs && exit 0\nrm -f .git/index.lock\n"
        text = f"cat > /dev/null\ncd {repo}\nexec > /dev/null\n{once}"
        program.write_text(f"#!/bin/sh\n{text}{self.play.meanwhile}\n")
        program.chmod(0o755)
        return str(program)

    @property
    def run_words(self) -> list[str]:
        accepts = [word for command in self.play.accept for word in ("--accept", command)]
        return ["run", "Fix the cart", *accepts, "--script", str(self.base / "script.yml"), *self.play.words]

    def call(self, *words: str, **env: str) -> Ended:
        """The command, to its end."""
        process = self.start(*words, **env)
        try:
            out, err = process.communicate(timeout=_LONGEST)
        finally:
            process.kill()
        return Ended(process.returncode, out, err)

    def start(self, *words: str, **env: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "donewhen", *words],
            cwd=self.repo,
            env=self.env | env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    # -- what the store has ------------------------------------------------------------------------

    def rows(self) -> Sequence[Summary]:
        if not (self.state / "donewhen.db").exists():
            return ()
        with open_store("user", state=self.state, folder=self.repo) as opened:
            return tuple(opened.store.runs())

    @property
    def row(self) -> Summary:
        (row,) = self.rows()
        return row

    def events(self) -> tuple[Event, ...]:
        with open_store("user", state=self.state, folder=self.repo) as opened:
            return tuple(opened.store.read(self.row.run_id))

    def audit_findings(self) -> list[str]:
        with open_store("user", state=self.state, folder=self.repo) as opened:
            found = audit(opened.store, self.row.run_id, opened.artifacts).findings
        return [str(each) for each in found]

    def holder(self) -> str:
        with open_store("user", state=self.state, folder=self.repo) as opened:
            return str(opened.store.holder(self.row.run_id) or "")

    def git(self, *words: str) -> str:
        return git(self.repo, *words)
