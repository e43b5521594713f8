"""A user's repository and runs in it, for tests of where a run works and how its result is shipped."""

import os
from pathlib import Path
from typing import Any

from donewhen.config import Config
from donewhen.core.texts import Phrase, say
from donewhen.run.shipping.commit import Shipped, ship
from donewhen.run.shipping.message import message_of
from donewhen.run.shipping.site import Site, open_site
from tests.workspace.rooms_scene import RUN, Scene

# put together here, so that no scanner takes this file for a leak
KEY = "ghp_" + "a9B3xK7mQ2wE5rT8yU1iO4pL6sD0fG3hJ5kZ"
SECRET = f"token = '{KEY}'\n"


class Yard(Scene):
    def open(self, run: str = RUN, config: Config | None = None, **more: Any) -> Site:
        return open_site(self.repository, run, self.places, config or Config(), **more)

    def worktree(self) -> Site:
        return self.open(config=Config.model_validate({"workspace": {"kind": "worktree"}}))

    def ship(self, site: Site, tree: str = "", message: str = "") -> Shipped:
        accepted = tree or site.fingerprints.take().tree
        return ship(site, site.run_id, accepted, message or message_of("Make it work"), self.env)

    def tree_of(self, name: str) -> str:
        return self.git("rev-parse", f"{name}^{{tree}}")

    def log(self, name: str) -> list[str]:
        return self.git("log", "--format=%s", name).splitlines()

    def program(self) -> Path:
        """A program that leaves a mark when somebody runs it."""
        file = self.write("evil", f"#!/bin/sh\ntouch '{self.mark}'\ncat\n", self.base)
        file.chmod(0o755)
        return file

    @property
    def mark(self) -> Path:
        return self.base / "ran"


def said(*phrases: Phrase) -> str:
    return "\n".join(say(phrase.key, **phrase.values) for phrase in phrases)


def plant(folder: Path, name: str, program: Path) -> None:
    (folder / ".git/hooks").mkdir(exist_ok=True)
    os.link(program, folder / ".git/hooks" / name)
