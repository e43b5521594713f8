"""A small world for one test: a home, a repository and a model that plays a script; nothing else is reached."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.testing import Answer, Call, FakeModel, Request
from donewhen.testing.model import Then, Watch
from tests.clients.known import Client
from tests.helpers import Result
from tests.projects import UNITTEST, git, repository

PROMPT = "Make the cart add up."
LONGEST = 240  # seconds until a client that hangs is ended, and the test with it
NOWHERE = "http://127.0.0.1:9"  # the proxy for all that is not this machine: nobody listens there
_HOSTS = "127.0.0.1,localhost"


def aside(request: Request) -> Answer | None:
    """Titles and the like are asked for without tools; they must not eat the script."""
    return None if request.body.get("tools") else Answer("A title")


class Ran(NamedTuple):
    """A client that has ended, and what its model was asked."""

    exit: int
    out: str
    err: str
    requests: list[Request]
    left: int  # answers of the script that nobody asked for
    problems: list[str]
    over: float = 0.0  # when it had ended, on the monotonic clock

    @property
    def asked(self) -> list[str]:
        """What the model read, request by request, in the client's work."""
        found = [each for each in self.requests if each.asked and each.body.get("tools")]
        return ["\n".join(each.asked.texts) for each in found if each.asked]

    @property
    def told(self) -> list[str]:
        """What each request added to the one before it."""
        texts = [each.asked.texts for each in self.requests if each.asked and each.body.get("tools")]
        before = [(), *texts][: len(texts)]
        return ["\n".join(now[len(old) :]) for now, old in zip(texts, before, strict=True)]

    def __str__(self) -> str:
        lines = [f"{each.method} {each.path} {each.status} {each.refused}" for each in self.requests]
        return "\n".join([f"exit {self.exit}", self.out[-3000:], self.err[-3000:], *lines, *self.problems])


class World:
    def __init__(self, folder: Path, client: Client, files: Mapping[str, str] = UNITTEST) -> None:
        self.client = client
        self.folder = folder
        self.home = folder / "home"
        self.repo = repository(folder / "repo", dict(files))
        for name, text in client.settings(self.repo).items():
            path = self.home / name
            path.parent.mkdir(parents=True)
            path.write_text(text)
        programs = [Path(sys.executable).parent, client.program.parent]
        self.env = {
            "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "GIT_CONFIG_NOSYSTEM": "1",
            "DONEWHEN_VERIFICATION__QUALITY__ENABLED": "false",  # tools that are or are not on this machine
            **dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), NOWHERE),
            **dict.fromkeys(("NO_PROXY", "no_proxy"), _HOSTS),
        }
        if client.name == "codex":
            self.env["CODEX_HOME"] = str(self.home / ".codex")

    # -- the user's side ---------------------------------------------------------------------------

    def __call__(self, *words: str, cwd: Path | None = None) -> Result:
        """`donewhen WORDS` as the user of this home."""
        done = subprocess.run(
            [sys.executable, "-m", "donewhen", *words],
            capture_output=True,
            text=True,
            cwd=cwd or self.repo,
            env=self.env,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def gate(self, *, arm: bool = True) -> None:
        """What a user does once: install, and arm the repository."""
        for words in (("install", self.client.name, "--user"), *([("arm",)] if arm else [])):
            done = self(*words)
            assert done.exit == 0, done

    def remote(self) -> Path:
        """A remote called origin that has all commits."""
        bare = self.folder / "origin.git"
        git(self.folder, "clone", "-q", "--bare", str(self.repo), str(bare))
        git(self.repo, "remote", "add", "origin", str(bare))
        return bare

    # -- the client --------------------------------------------------------------------------------

    def fake(
        self, answers: Iterable[Answer | Call | str], then: Then = "stop", watch: Watch | None = None
    ) -> FakeModel:
        return FakeModel(answers, then=then, aside=aside, watch=watch)

    def play(
        self,
        fake: FakeModel,
        prompt: str = PROMPT,
        *more: str,
        cwd: Path | None = None,
    ) -> Ran:
        """The client at work on this prompt until it ends; its whole process group ends with it."""
        with self.started(fake, prompt, *more, cwd=cwd) as process:
            return self.ended(process, fake)

    def started(
        self,
        fake: FakeModel,
        prompt: str = PROMPT,
        *more: str,
        cwd: Path | None = None,
        again: bool = False,
        typing: bool = False,
    ) -> subprocess.Popen[str]:
        """`again`: as the next prompt of the last session; `typing`: its user goes on writing on stdin."""
        words = self.client.words
        if again:
            assert self.client.again is not None
            words = self.client.again
        return subprocess.Popen(
            [str(self.client.program), *words(prompt, fake), *more],
            stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd or self.repo,
            env={**self.env, **self.client.env(fake, self.home)},
            start_new_session=True,
        )

    def ended(self, process: subprocess.Popen[str], fake: FakeModel) -> Ran:
        try:
            out, err = process.communicate(timeout=LONGEST)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        return Ran(process.returncode, out, err, fake.requests, fake.left, fake.problems, time.monotonic())

    # -- what is left behind -----------------------------------------------------------------------

    def files(self) -> dict[str, bytes]:
        """The client's files that an install may touch, with their bytes."""
        names = [".claude", ".codex", ".gemini", ".config/opencode"]
        found: dict[str, bytes] = {}
        for name in names:
            for path in sorted((self.home / name).rglob("*")):
                if path.is_file():
                    found[str(path.relative_to(self.home))] = path.read_bytes()
        return found

    def runs(self) -> list[Any]:
        """The runs in the ledger, newest first."""
        done = self("list", "--all-kinds", "--json")
        assert done.exit == 0, done
        return list(json.loads(done.out)["runs"])

    def events(self, run: str = "last") -> list[tuple[str, Any]]:
        """What the ledger has of a run: the type and the body of each event."""
        done = self("show", run, "--events")
        assert done.exit == 0, done
        found = [json.loads(line) for line in done.out.splitlines()]
        return [(each["type"], each["body"]) for each in found]

    def until(self, holds: Callable[[], bool]) -> None:
        """Look at the ledger again and again; the time limit of the test is the end of it."""
        while not (self.runs() and holds()):
            time.sleep(0.2)

    def of_type(self, kind: str, run: str = "last") -> list[Any]:
        return [body for each, body in self.events(run) if each == kind]
