"""A small machine for tests: workspace, home with secrets, a place outside, and the walls that are here."""

import asyncio
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.running import run
from donewhen.workspace.sandbox.confinement import Confinement, Network, confine
from donewhen.workspace.sandbox.plan import Plan, plan
from donewhen.workspace.sandbox.support import Support, probe

WALLS = ("bubblewrap", "landlock", "landlock without namespaces")
SECRET = "planted where nobody should look"


class Place:
    def __init__(self, base: Path) -> None:
        self.base = base
        self.workspace = base / "workspace"
        self.home = base / "home"
        self.outside = base / "outside"
        for folder in (self.workspace, self.home / ".ssh", self.home / ".config/gh", self.outside):
            folder.mkdir(parents=True)
        (self.home / ".ssh/id_ed25519").write_text(SECRET)
        (self.home / ".netrc").write_text(SECRET)
        (self.home / ".gitconfig").write_text("[user]\nname = somebody\n")
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home)}

    def command(self, text: str, /, **more: Any) -> Command:
        fields = {"folder": self.workspace, "outputs": self.base / "outputs", "text": text, "env": self.env}
        return Command(**{**fields, **more})

    def run(self, text: str, /, **more: Any) -> Finished:
        return asyncio.run(run(self.command(text, **more)))

    def wish(self, network: Network = "full", **more: Any) -> Confinement:
        return confine(self.workspace, self.base / "scratch", self.env, network=network, **more)

    def walls(self, name: str, network: Network = "full", **more: Any) -> Plan:
        """The plan for one of WALLS; skips the test where this machine has it not."""
        chosen = plan(self.wish(network, **more), only(name))
        if not name.startswith(chosen.mechanism):
            pytest.skip(f"{name} does not work on this machine")
        return chosen

    def is_free(self, name: str = "lock") -> bool:
        """Whether no process is left that holds the lock file."""
        with (self.workspace / name).open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True


def only(name: str) -> Support:
    """What this machine supports, without what is stronger than `name`."""
    here = probe()
    if name == "bubblewrap":
        return here
    here = here._replace(bubblewrap="", bubblewrap_network=False)
    return here if name == "landlock" else here._replace(namespaces=False)
