"""What our hook has to know of a client that a run started, and settings that make the client call it.

Both lie in donewhen's own state folder, where the guard lets no agent write. The hook guards the client's
tools like those of the run, and lets it stop: the gate of the run decides after that.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from donewhen.agents.clients.hooks import Hooked, file_name, hooked
from donewhen.agents.clients.model import Client
from donewhen.config.files import write_whole
from donewhen.config.paths import state_folder
from donewhen.guard.configured import guard_data
from donewhen.run.engine.live import Run
from donewhen.run.shipping.site import Site

VARIABLE = "DONEWHEN_LAUNCHED"


class Launch(NamedTuple):
    """The files of one run's client."""

    folder: Path
    run: str
    name: str  # of the file that the client is led to
    hooks: Hooked = Hooked()

    @property
    def known(self) -> Path:
        return self.folder / f"{self.run}.json"

    @property
    def settings(self) -> Path:
        return self.folder / self.name

    @property
    def denied(self) -> Path:
        return self.folder / f"{self.run}.denied"

    @property
    def env(self) -> dict[str, str]:
        return {VARIABLE: self.run, "DONEWHEN_STATE_DIR": str(self.folder.parent), **self.hooks.env}

    def remove(self) -> None:
        for file in (self.known, self.settings, self.denied):
            with suppress(OSError):
                file.unlink(missing_ok=True)


def launch(live: Run, site: Site, client: Client) -> Launch:
    """Write what the hook needs for this run's workspace, and what makes the client call it."""
    env = live.terms.means.env
    folder = state_folder(env) / "launched"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = Launch(folder, live.ledger.run_id, file_name(client, live.ledger.run_id))
    promise = live.state.promise
    content = {
        "version": 1,
        "root": os.path.realpath(site.folder),
        "in_place": site.kind == "in_place",
        "language": live.language,
        "guard": guard_data(live.terms.config, env),
        "bounds": {
            "kept": [],
            "allowed_scope": list(promise.allowed_scope),
            "disallowed_scope": list(promise.disallowed_scope),
        },
    }
    made.denied.unlink(missing_ok=True)  # of a process that was killed, and had told it
    write_whole(made.known, json.dumps(content).encode())
    made = made._replace(hooks=hooked(client, made.settings, site.folder, env))
    if made.hooks.text:
        write_whole(made.settings, made.hooks.text.encode())
    return made
