"""A machine for the hook: a repository, a state folder, sessions as the worker writes them, and a worker.

The worker here only says what a test tells it to: it stands in the real one's place in every hook.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.core.events import Event, facts, run
from donewhen.integrations.hook.compiled import header
from donewhen.integrations.hook.detached import await_calls
from donewhen.integrations.hook.places import session_folder
from donewhen.store.sqlite import SqliteStore
from tests.projects import git

STAND_IN = """
import sys, types

def work(verb, asked):
    import json, os
    with open(os.environ["STAND_IN"]) as file:
        told = json.load(file)
    with open(os.environ["STAND_IN"] + ".asked", "a") as file:
        file.write(json.dumps([verb, asked]) + "\\n")
    said = told.get(verb, {"exit": 9})
    for path, text in said.get("file", {}).items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    if "wait" in said:
        open(said["wait"]).read()
    os.write(1, said.get("out", json.dumps(said.get("say", {}))).encode())
    os.write(2, b"seen by the log\\n")
    return said.get("exit", 0)

stand_in = types.ModuleType("donewhen.integrations.sessions.worker")
stand_in.work = work
sys.modules[stand_in.__name__] = stand_in
"""


class Result(NamedTuple):
    exit: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        """The JSON that was printed; nothing is an answer too."""
        return json.loads(self.out or "{}")


class Place:
    def __init__(self, folder: Path) -> None:
        self.state, self.home, self.repo = folder / "state", folder / "home", folder / "repo"
        self.store_path = self.state / "donewhen.db"
        for each in (self.home, self.repo, folder / "lib"):
            each.mkdir()
        git(self.repo, "init", "-q", "-b", "work")
        (folder / "lib" / "sitecustomize.py").write_text(STAND_IN)
        self._told = folder / "told.json"
        self.tell({})
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        self.env = {
            **kept,
            "HOME": str(self.home),
            "DONEWHEN_STATE_DIR": str(self.state),
            "PYTHONPATH": str(folder / "lib"),
            "STAND_IN": str(self._told),
        }

    # -- the worker ------------------------------------------------------------------------------

    def tell(self, told: Mapping[str, Any]) -> None:
        self._told.write_text(json.dumps(told))

    def asked(self) -> list[tuple[str, dict[str, Any]]]:
        file = self._told.with_name(self._told.name + ".asked")
        return [tuple(json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []

    # -- sessions --------------------------------------------------------------------------------

    def arm(self) -> None:
        (self.repo / ".donewhen").mkdir(exist_ok=True)
        (self.repo / ".donewhen" / "config.yml").write_text("")

    def session(
        self,
        client: str = "claude",
        name: str = "s-1",
        number: int = 1,
        env: Mapping[str, str] = {},
        **more: Any,
    ) -> Path:
        """A session that has begun, and its run; `more` goes to its compiled configuration."""
        run_id = f"r-20261115043750-{number:06x}"
        with SqliteStore(self.store_path, heads=self.state / "heads") as store:
            started = run.RunStarted("", str(self.repo), agent=client, metadata={"client": client})
            store.append(run_id, started, run.StateChanged("idle", "executing"))
        folder = self.folder(client, name)
        folder.mkdir(parents=True, mode=0o700)
        facts = {"version": 1, "client": client, "session_id": name, "run": run_id, "root": str(self.repo)}
        facts |= {"store": str(self.store_path), "since": 0, "language": "en", "base": "", "tree": ""}
        (folder / "session.json").write_text(json.dumps(facts))
        (folder / "config.json").write_text(json.dumps(self.compiled(env=env, **more)))
        return folder

    def compiled(
        self, inputs: tuple[str, ...] = (), env: Mapping[str, str] = {}, **more: Any
    ) -> dict[str, Any]:
        guard = {"protected": ["main"], "secret_patterns": [], "danger_patterns": [], "rules": []}
        return {
            **header(inputs, {**self.env, **env}),
            "guard": {**guard, "own": [str(self.state)]},
            "bounds": {"kept": [], "allowed_scope": [], "disallowed_scope": []},
            "secret_names": [],
            "language": "en",
            "store": str(self.store_path),
            "heads": str(self.state / "heads"),
            **more,
        }

    def folder(self, client: str = "claude", name: str = "s-1") -> Path:
        return Path(session_folder(str(self.state), client, name))

    def events(self, number: int = 1) -> list[Event]:
        for folder in self.state.glob("sessions/*"):
            await_calls(str(folder))
        with SqliteStore(self.store_path, heads=self.state / "heads") as store:
            return list(store.read(f"r-20261115043750-{number:06x}"))

    def bodies(self, number: int = 1) -> list[Any]:
        bodies = [event.body for event in self.events(number)][2:]
        return [each for each in bodies if not isinstance(each, facts.FileChanged)]

    def changed(self, number: int = 1) -> list[str]:
        """The files that the agent's calls changed, as the ledger has them."""
        bodies = [event.body for event in self.events(number)]
        return [each.path for each in bodies if isinstance(each, facts.FileChanged)]

    # -- the hook --------------------------------------------------------------------------------

    def start(self, client: str, *words: str, **env: str) -> "subprocess.Popen[bytes]":
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-m", "donewhen", "hook", client, *words]
        return subprocess.Popen(command, cwd=self.repo, env={**self.env, **env}, **pipes)  # type: ignore[call-overload,no-any-return]

    def hook(self, client: str, payload: Any, *words: str, **env: str) -> Result:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        child = self.start(client, *words, **env)
        out, err = child.communicate(data)
        return Result(child.returncode, out.decode(), err.decode())
