"""Who is told, and that each message is an intended effect before and a done one after."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from donewhen.config import config_from_mapping
from donewhen.core.errors import UserError
from donewhen.core.events import facts
from donewhen.core.texts import say
from donewhen.run.notifying.model import Notice, Notifier, Sent
from donewhen.run.notifying.program import Program
from donewhen.run.notifying.sending import Delivery, load_notifiers, notify, wanted
from tests.tables import table_test

NOTICE = Notice("completion", "r-1", "r-1:9", "run r-1 is accepted", data={"branch": "donewhen/r-1"})


class Recording:
    def __init__(self, name: str, answer: Sent | Exception, ledger: list[object]) -> None:
        self.name = name
        self._answer = answer
        self._ledger = ledger

    async def send(self, notice: Notice) -> Sent:
        self._ledger.append((self.name, notice.key))
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def test_each_message_is_intended_sent_and_done_in_this_order():
    ledger: list[object] = []
    notifiers: list[Notifier] = [
        Recording("one", Sent(True, "HTTP 200"), ledger),
        Recording("two", ValueError("https://host/secret"), ledger),
        Recording("three", Sent(False), ledger),
    ]
    told = asyncio.run(notify(notifiers, NOTICE, ledger.append, ledger.append))
    assert ledger == [
        facts.EffectIntended("r-1:9/one", "notify", "one"),
        ("one", "r-1:9"),
        facts.EffectDone("r-1:9/one", True, "HTTP 200"),
        facts.EffectIntended("r-1:9/two", "notify", "two"),
        ("two", "r-1:9"),
        facts.EffectDone("r-1:9/two", False),
        facts.EffectIntended("r-1:9/three", "notify", "three"),
        ("three", "r-1:9"),
        facts.EffectDone("r-1:9/three", False),
    ]
    assert told[0] == Delivery("one", Sent(True, "HTTP 200"))
    problem = told[1].sent.problem
    assert problem is not None
    assert "secret" not in say(problem.key, "en", **problem.values)


def notify_section(**more):
    return config_from_mapping({"notify": more}).notify


def test_the_configuration_names_who_is_told(tmp_path):
    section = notify_section(
        urls=["https://hooks.example/a", "https://hooks.example/b", "http://127.0.0.1:9/x"],
        commands=[["notify-me", "--token", "hunter2"], ["/opt/notify-me"]],
        on=["pause"],
    )
    names = [each.name for each in load_notifiers(section, tmp_path, {})]
    assert names == [
        "webhook:hooks.example",
        "webhook:hooks.example#2",
        "webhook:127.0.0.1",
        "command:notify-me",
        "command:notify-me#2",
    ]
    assert [kind for kind in ("pause", "completion") if wanted(section, kind)] == ["pause"]


def test_nobody_is_told_by_default(tmp_path):
    assert load_notifiers(notify_section(), tmp_path, {}) == ()


@table_test(
    "url",
    ["slack://token/secret/x", "mailto:me@example.com", "desktop://", "plain-secret", "se cret:x"],
)
def test_an_address_of_another_kind_is_refused_where_it_is_read(url):
    with pytest.raises(UserError) as caught:
        notify_section(urls=["https://ok.example/x", url])
    assert "notify.urls[1]" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "notify.commands" in str(caught.value)


def program(tmp_path: Path, code: str, timeout: float = 60.0, **env: str) -> Program:
    script = tmp_path / "told.py"
    script.write_text(code)
    return Program((sys.executable, str(script)), tmp_path, {"PATH": "/usr/bin:/bin", **env}, timeout=timeout)


def problem(sent: Sent) -> str:
    assert sent.problem is not None
    return say(sent.problem.key, "en", **sent.problem.values)


def test_a_program_gets_the_message_on_its_standard_input(tmp_path):
    code = (
        "import json, os, sys\n"
        "seen = {'told': json.load(sys.stdin), 'env': dict(os.environ)}\n"
        "open('seen.json', 'w').write(json.dumps(seen))\n"
    )
    sent = asyncio.run(program(tmp_path, code, API_TOKEN="hunter2", LANG="C.UTF-8").send(NOTICE))
    assert sent == Sent(True, "exit 0")
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert seen["told"]["key"] == "r-1:9"
    assert seen["told"]["data"] == {"branch": "donewhen/r-1"}
    assert (seen["env"]["DONEWHEN_RUN"], seen["env"]["DONEWHEN_NOTICE"]) == ("r-1", "completion")
    assert "API_TOKEN" not in seen["env"]


def test_a_program_that_fails_is_told(tmp_path):
    sent = asyncio.run(program(tmp_path, "raise SystemExit(3)").send(NOTICE))
    assert not sent.ok
    assert problem(sent).endswith("of notify.commands ended with exit 3")


def test_a_program_that_hangs_is_ended(tmp_path):
    sent = asyncio.run(program(tmp_path, "import signal; signal.pause()", timeout=0.5).send(NOTICE))
    assert "did not take the message within 0.5 seconds" in problem(sent)


def test_a_program_that_is_not_there_is_told(tmp_path):
    sent = asyncio.run(Program(("no-such-program-here", "x"), tmp_path / "gone", {}).send(NOTICE))
    assert not sent.ok
    assert "no-such-program-here of notify.commands" in problem(sent)
