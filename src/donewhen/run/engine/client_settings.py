"""What our hook has to know of a client that a run started, and settings that make the client call it.

Both lie in donewhen's own state folder, where the guard lets no agent write. The hook guards the client's
tools like those of the run, and lets it stop: the gate of the run decides after that. Codex, Gemini and
OpenCode are given no hooks; where their user installed ours, these act in the same way.
"""

import json
import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.config.files import write_whole
from donewhen.config.paths import state_folder
from donewhen.guard.configured import guard_data
from donewhen.run.engine.live import Run
from donewhen.run.shipping.site import Site

VARIABLE = "DONEWHEN_LAUNCHED"
_EVENTS = {"PreToolUse": "*", "ConfigChange": ""}
_SECONDS = 60


class Launch(NamedTuple):
    """The files of one run's client."""

    folder: Path
    run: str

    @property
    def known(self) -> Path:
        return self.folder / f"{self.run}.json"

    @property
    def settings(self) -> Path:
        return self.folder / f"{self.run}.settings.json"

    @property
    def denied(self) -> Path:
        return self.folder / f"{self.run}.denied"

    @property
    def env(self) -> dict[str, str]:
        return {VARIABLE: self.run, "DONEWHEN_STATE_DIR": str(self.folder.parent)}

    def remove(self) -> None:
        for file in (self.known, self.settings, self.denied):
            with suppress(OSError):
                file.unlink(missing_ok=True)


def launch(live: Run, site: Site) -> Launch:
    """Write what the hook needs for this run's workspace."""
    env = live.terms.means.env
    folder = state_folder(env) / "launched"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = Launch(folder, live.ledger.run_id)
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
    write_whole(made.settings, json.dumps({"hooks": dict(map(_hook, _EVENTS.items()))}).encode())
    return made


def _hook(event: tuple[str, str]) -> tuple[str, list[dict[str, Any]]]:
    name, matcher = event
    # No module may come from the repository (-P) nor from what the environment names (-E).
    line = shlex.join([sys.executable, "-E", "-P", "-m", "donewhen", "hook", "claude", name])
    entry: dict[str, Any] = {
        "hooks": [{"type": "command", "command": f"{line} || exit 2", "timeout": _SECONDS}]
    }
    return name, [entry | ({"matcher": matcher} if matcher else {})]
