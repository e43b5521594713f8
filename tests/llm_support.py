"""Runs with models for tests: the real command against a fake endpoint, over HTTP, in every protocol."""

import json
import subprocess
import sys
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from donewhen.core.events import facts, run
from donewhen.testing import Answer, Call, FakeModel, Request
from donewhen.testing.model import Then
from tests.helpers import Cli, Result
from tests.projects import TESTS
from tests.runs import bodies, broken_cart

KEY = "sk-test-" + "k9Zq" * 8
MODEL = "fake-model"
FIX = Call("edit_file", {"path": "cart.py", "edits": [{"old": "sum(prices) + 1", "new": "sum(prices)"}]})
LOOK = Call("read_file", {"path": "cart.py"})
LOOK_AT_TESTS = Call("read_file", {"path": "test_cart.py"})
CLAIM = Call("complete", {"summary": "The cart adds up now."})
WORK = (FIX, CLAIM)  # a run that is accepted
UNREVIEWED = {"semantic": {"enabled": False}}  # answers are played to the agent alone
PRICE = {"input": 3.0, "output": 15.0}  # dollars for a million tokens, as configured below


class Protocol(NamedTuple):
    """How a run is pointed at the fake endpoint."""

    name: str
    provider: str
    variable: str  # of the key
    url_variable: str  # of the address
    speech: str = "auto"
    openai: bool = True

    @property
    def model(self) -> str:
        return f"{self.provider}:{MODEL}"


CHAT = Protocol("chat", "openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "chat")
RESPONSES = Protocol("responses", "openai", "OPENAI_API_KEY", "OPENAI_BASE_URL", "responses")
ANTHROPIC = Protocol("anthropic", "anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", openai=False)
GOOGLE = Protocol("google", "google", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", openai=False)
LIBRARY = GOOGLE._replace(name="library", speech="library")
WIRES = (CHAT, RESPONSES, ANTHROPIC, GOOGLE)


class Played(NamedTuple):
    """A run that has ended, and what the endpoint saw of it."""

    cli: Cli
    fake: FakeModel
    done: Result

    @property
    def id(self) -> str:
        return str(self.done.json["run"])

    @property
    def asked(self) -> list[Request]:
        """Calls to a model."""
        return [each for each in self.fake.requests if each.method == "POST"]

    @property
    def bodies(self) -> list[Any]:
        return bodies(self.cli, self.id)

    @property
    def booked(self) -> list[run.CostBooked]:
        return [each for each in self.bodies if isinstance(each, run.CostBooked)]

    @property
    def reserved(self) -> list[run.CostReserved]:
        return [each for each in self.bodies if isinstance(each, run.CostReserved)]

    @property
    def notes(self) -> str:
        return "\n".join(each.text for each in self.bodies if isinstance(each, run.Noted))

    @property
    def results(self) -> list[facts.ToolReturned]:
        return [each for each in self.bodies if isinstance(each, facts.ToolReturned)]

    @property
    def why(self) -> tuple[int, str, str]:
        """Exit code, stop reason and its cause."""
        decision = self.done.json["decision"]
        return self.done.exit, decision["stop_reason"], decision["cause"]

    @property
    def said(self) -> str:
        return str(self.done.json["decision"]["summary"])


def play(
    cli: Cli,
    protocol: Protocol,
    answers: Iterable[Answer | Call | str],
    *words: str,
    then: Then = "stop",
    **settings: Any,
) -> Played:
    """`donewhen run` on a broken cart with a model that gives these answers."""
    if not (cli.folder / ".git").exists():
        broken_cart(cli)
    with FakeModel(answers, key=KEY, then=then) as fake:
        configured(cli, protocol, at(fake, protocol), **settings)
        done = cli(*run_words(*words))
        assert done.exit != 70, done.err  # a bug of ours is never what a test expects
        assert "Traceback" not in done.err
    return Played(cli, fake, done)


def at(fake: FakeModel, protocol: Protocol) -> str:
    return fake.openai_url if protocol.openai else fake.url


def configured(
    cli: Cli, protocol: Protocol, url: str, *, stream: bool = True, key: str = KEY, **more: Any
) -> None:
    """The user's configuration names the model and its address; the key is in the environment."""
    llm = {"provider": protocol.provider, "model": MODEL, "base_url": url, "stream": stream, "retries": 2}
    if protocol.speech != "auto":
        llm["protocol"] = protocol.speech
    sections = {key: value for key, value in more.items() if key != "llm"}
    settings = {
        "tools": {"llm": llm | more.get("llm", {})},
        "budget": {"unknown_price": PRICE} | sections.pop("budget", {}),
        "evidence": {"base_exam": "never"},
        "verification": UNREVIEWED | sections.pop("verification", {}),
        "sandbox": {"mode": "off"},
        **sections,
    }
    cli.config.mkdir(exist_ok=True)
    (cli.config / "config.yml").write_text(json.dumps(settings))
    cli.env[protocol.variable] = key


def run_words(*more: str, goal: str = "Fix the cart") -> tuple[str, ...]:
    return ("run", goal, "--accept", TESTS, "--json", *more)


class Heard(NamedTuple):
    """A request as the model reads it: what it is, and what was said, one after another; bytes as they came."""

    system: str
    said: tuple[str, ...]  # the last one tells how things stand now


def heard(request: Request) -> Heard:
    body: dict[str, Any] = request.body
    if "instructions" in body:
        return Heard(body["instructions"], tuple(map(json.dumps, body["input"])))
    if "contents" in body:
        return Heard(json.dumps(body["systemInstruction"]), tuple(_parts(body["contents"], "parts")))
    if "system" in body:
        return Heard(json.dumps(body["system"]), tuple(_parts(body["messages"], "content")))
    system, *said = body["messages"]
    return Heard(json.dumps(system), tuple(map(json.dumps, said)))


def _parts(messages: Iterable[dict[str, Any]], name: str) -> Iterable[str]:
    """Messages part by part; marks for the cache move, what they mark does not."""
    for message in messages:
        for part in message[name]:
            kept = {key: value for key, value in part.items() if key != "cache_control"}
            yield json.dumps([message["role"], kept])


def only_grows(requests: Iterable[Request]) -> bool:
    """Whether each request begins with all of the one before, but for how things stood."""
    found = [heard(each) for each in requests]
    for before, after in pairwise(found):
        kept = before.said[:-1]
        assert after.system == before.system
        assert after.said[: len(kept)] == kept
    return True


def traces(cli: Cli, secret: str) -> list[str]:
    """Files of a test's own folder that hold a secret, its configuration aside."""
    base = cli.folder.parent
    files = (path for path in base.rglob("*") if path.is_file() and not path.is_symlink())
    return [str(path) for path in files if secret.encode() in path.read_bytes()]


def start(cli: Cli, *words: str) -> "subprocess.Popen[str]":
    """The command in a process that the test can end."""
    return subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words],
        cwd=cli.folder,
        env=cli.env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def until_asked(fake: FakeModel, times: int, process: "subprocess.Popen[str]") -> None:
    """Return when the endpoint has taken so many requests; the last one may still wait for its answer."""
    while sum(each.answer is not None for each in fake.requests) < times:
        assert process.poll() is None, process.communicate()
        subprocess.run(["sleep", "0.02"], check=True)
