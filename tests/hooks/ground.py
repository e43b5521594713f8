"""A workspace, a home and a configuration from real files, and the hooks that they make."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from donewhen.config.load import Loaded, load_config
from donewhen.config.trusted import trust
from donewhen.core.codec import EMPTY
from donewhen.core.events.facts import HookCalled
from donewhen.core.hooking import Occasion, Point, Verdict
from donewhen.hooks.hooks import Hooks
from donewhen.secrets.redact import Redactor

RUN = "r-1"


class Ground:
    def __init__(self, base: Path) -> None:
        self.workspace = base / "workspace"
        self.home = base / "home"
        self.programs = base / "programs"
        for folder in (self.workspace, self.home, self.programs):
            folder.mkdir()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DONEWHEN_CONFIG_DIR": str(base / "config"),
            "DONEWHEN_STATE_DIR": str(base / "state"),
            "LANG": "C.UTF-8",
        }
        self.state = base / "state"
        self.recorded: list[HookCalled] = []

    def user(self, **hooks: Any) -> None:
        file = Path(self.env["DONEWHEN_CONFIG_DIR"]) / "config.yml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"hooks": {"enabled": [], "on_failure": [], **hooks}}))

    def project(self, *, trusted: bool, **hooks: Any) -> None:
        file = self.workspace / ".donewhen/config.yml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"hooks": hooks}))
        if trusted:
            digest = load_config(self.workspace, env=self.env).digest
            assert digest is not None
            trust(digest, env=self.env, folder=self.workspace)

    def loaded(self) -> Loaded:
        return load_config(self.workspace, env=self.env)

    def hooks(self, **more: Any) -> Hooks:
        given = {
            "env": self.env,
            "workspace": self.workspace,
            "run_id": RUN,
            "record": self.recorded.append,
            "redactor": Redactor(),
        }
        return Hooks(self.loaded(), **{**given, **more})

    def script(self, name: str, source: str) -> list[str]:
        """A Python program outside the workspace, as a command."""
        file = self.programs / name
        file.write_text(source)
        return [sys.executable, str(file)]

    def shell(self, text: str) -> list[str]:
        return ["/bin/sh", "-c", text]

    def call(self, point: Point, hooks: Hooks | None = None, **data: Any) -> Verdict:
        return asyncio.run((hooks or self.hooks()).call(self.occasion(point, **data)))

    def occasion(self, point: Point, **data: Any) -> Occasion:
        return Occasion(point, RUN, str(self.workspace), data or EMPTY)

    def only(self, command: list[str], point: Point = "before_tool", **more: Any) -> None:
        """One command hook of the user, called `mine`."""
        self.user(commands=[{"name": "mine", "point": point, "command": command, **more}])
