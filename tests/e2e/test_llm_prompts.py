"""All that a model is told in each phase of a small run, word by word, in both languages."""

import json
import re
from typing import Any

import pytest

from donewhen.testing import Call, Request
from tests.helpers import Cli
from tests.llm_support import CHAT, CLAIM, FIX, play

pytestmark = pytest.mark.models

GATES = False
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])
PLAN = Call("plan_update", {"todos": [{"id": "t1", "content": "mend the sum"}], "files": ["cart.py"]})
WORK = Call("todo_write", {"todos": [{"id": "t1", "status": "in_progress"}]})
DONE = Call("todo_write", {"todos": [{"id": "t1", "status": "completed"}]})
WRITE = Call("code_generate", {"spec": "Say hello.", "paths": ["hello.py"], "context": ["cart.py"]})
HELLO = '```path=hello.py\nprint("hello")\n```'


def shown(cli: Cli, request: Request) -> str:
    """What the model reads, without what differs from one run to the next."""
    body: dict[str, Any] = request.body
    parts = [_said(message) for message in body["messages"]]
    text = "\n\n".join(parts).replace(str(cli.folder), "WORK")
    return re.sub(r"\d+(\.\d+)?(?= (?:dollars|minutes|美元|分钟))", "N", text)


def _said(message: dict[str, Any]) -> str:
    calls = [
        f"{each['function']['name']} {each['function']['arguments']}"
        for each in message.get("tool_calls", ())
    ]
    content = message.get("content") or ""
    text = content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
    return "\n".join((f"[{message['role']}]", *([text] if text else []), *calls))


@pytest.mark.runs
@LANGUAGES
def test_what_is_said_in_each_phase(cli: Cli, language: str, snapshot: Any):
    cli.env["DONEWHEN_LANGUAGE"] = language
    answers = [PLAN, WORK, DONE, CLAIM, FIX, CLAIM]
    played = play(cli, CHAT, answers, llm={"roles": {"plan": "openai:planner"}})
    assert played.why == (0, "accepted", ""), played.done
    plan, work, fix = (shown(cli, played.asked[number]) for number in (0, 1, 4))
    assert plan == snapshot(name="plan")
    assert work == snapshot(name="execute")
    assert fix == snapshot(name="fix")


@LANGUAGES
def test_how_tools_are_described(cli: Cli, language: str, snapshot: Any):
    cli.env["DONEWHEN_LANGUAGE"] = language
    played = play(cli, CHAT, [FIX, CLAIM])
    tools = [each["function"] for each in played.asked[0].body["tools"]]
    own = {"todo_write", "plan_update", "complete", "ask_user", "code_generate"}
    assert {each["name"]: each["description"] for each in tools if each["name"] in own} == snapshot


@pytest.mark.runs
@LANGUAGES
def test_what_a_model_that_writes_files_is_told(cli: Cli, language: str, snapshot: Any):
    cli.env["DONEWHEN_LANGUAGE"] = language
    played = play(cli, CHAT, [WRITE, HELLO, FIX, CLAIM])
    assert played.why == (0, "accepted", ""), played.done
    assert shown(cli, played.asked[1]) == snapshot
    assert "tools" not in json.dumps(played.asked[1].body)
