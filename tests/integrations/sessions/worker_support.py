"""A session of a client, driven through the worker as the hook does: a process per call, JSON in and out."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from donewhen.core.events import Event, facts
from donewhen.core.summary import Summary
from donewhen.store import Opened, open_store
from tests.projects import repository

_CALL = "import json, sys; from donewhen.integrations.sessions.worker import work; sys.exit(work(sys.argv[1], json.load(sys.stdin)))"
WORKER = [sys.executable, "-P", "-c", _CALL]
CHECK = {
    "Makefile": "test:\n\tsh check.sh\n",
    "check.sh": "grep -q good value.txt || { echo 'value.txt is not good'; exit 1; }\n",
    "shop.sh": "cat value.txt style.txt\n",
    "value.txt": "good\n",
    ".donewhen/config.yml": "verification:\n  quality:\n    enabled: false\n",
}


class Client:
    """One client with a private home, and a project that it works in."""

    def __init__(self, tmp_path: Path, files: dict[str, str] | None = None, client: str = "claude") -> None:
        self.root = repository(tmp_path / "project", CHECK if files is None else files)
        self.home = tmp_path / "home"
        self.home.mkdir(exist_ok=True)
        self.state = tmp_path / "state"
        self.client = client
        self._calls = 0
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "DONEWHEN_STATE_DIR": str(self.state),
            "DONEWHEN_CONFIG_DIR": str(tmp_path / "config"),
            "DONEWHEN_CACHE_DIR": str(tmp_path / "cache"),
            "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def start(
        self, verb: str, session: str = "s1", folder: Path | None = None, **more: Any
    ) -> "subprocess.Popen[bytes]":
        given = {
            "client": self.client,
            "session_id": session,
            "folder": str(folder or self.root),
            "event": verb,
            "payload": more.pop("payload", {}),
            **more,
        }
        process = subprocess.Popen(
            [*WORKER, verb],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=self.env,
            start_new_session=True,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(given).encode())
        process.stdin.close()
        process.stdin = None
        return process

    def call(self, verb: str, session: str = "s1", folder: Path | None = None, **more: Any) -> dict[str, Any]:
        return answer(self.start(verb, session, folder, **more))

    def prompt(self, text: str, session: str = "s1") -> str:
        said = self.call("prompt", session, payload={"prompt": text})["context"]
        assert isinstance(said, str)
        return said

    def write(self, name: str, text: str) -> None:
        """The agent writes a file, and its client tells of the call."""
        (self.root / name).write_text(text)
        self.acted(name)

    def acted(self, *names: str) -> None:
        """A call of the agent has changed these files, as the hook notes it."""
        if (self.state / "sessions").is_dir():
            self._calls += 1
            called = facts.ToolCalled(f"main/t{self._calls}", "Write", {}, f"t{self._calls}")
            self.append(called, *(facts.FileChanged(name, "write") for name in names))

    def edit(self, name: str, text: str) -> None:
        """The user edits a file."""
        (self.root / name).write_text(text)

    def folder(self) -> Path:
        (found,) = (self.state / "sessions").iterdir()
        return found

    def run_id(self) -> str:
        return str(json.loads((self.folder() / "session.json").read_text())["run"])

    def rows(self) -> list[Summary]:
        with self._opened() as opened:
            return opened.store.runs()

    def events(self) -> list[Event]:
        with self._opened() as opened:
            return list(opened.store.read(self.run_id()))

    def types(self) -> list[str]:
        return [event.type for event in self.events()]

    def decided(self) -> list[Any]:
        return [event.body for event in self.events() if event.type == "decided"]

    def cli(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """The command as the client's user runs it."""
        return subprocess.run(
            [sys.executable, "-m", "donewhen", *words],
            cwd=self.root,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )

    def append(self, *bodies: Any) -> None:
        with self._opened() as opened:
            opened.store.append(self.run_id(), *bodies)

    def _opened(self) -> Opened:
        return open_store("user", state=self.state, folder=self.root)


def answer(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    found = json.loads(out)
    assert isinstance(found, dict)
    return found
