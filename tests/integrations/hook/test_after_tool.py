"""After a tool: what the client tells of it goes to the ledger, short and without secrets, and never blocks."""

import json
import sqlite3
from typing import Any

import pytest

from donewhen.integrations.hook.detached import await_calls
from tests.integrations.hook.samples import after, event

CLIENTS = ("claude", "codex", "gemini", "opencode")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_call_and_its_result_are_kept(place, client):
    place.session(client)
    assert place.hook(client, after(client, place.repo, "echo one > proof.txt"), "PostToolUse") == (
        0,
        "",
        "",
    )
    called, returned = place.bodies()
    assert called.args["command"] == "echo one > proof.txt"
    assert called.key == returned.key
    assert called.key.startswith("main/")
    assert (returned.ok, "one" in returned.output) == (True, True)


def test_a_failed_call_is_kept_as_failed(place):
    place.session("claude")
    tool: dict[str, Any] = {
        "tool_name": "Bash",
        "tool_input": {"command": "exit 3"},
        "tool_use_id": "toolu_02",
    }
    told: dict[str, Any] = {"error": "Exit code 3", "is_interrupt": False, "duration_ms": 37}
    place.hook("claude", event("claude", "failure", place.repo, **tool, **told))
    called, returned = place.bodies()
    assert called.id == "toolu_02"
    assert (returned.ok, returned.output, returned.duration_ms) == (False, "Exit code 3", 37)


def test_calls_of_a_sub_agent_carry_its_id(place):
    place.session("claude")
    place.hook("claude", after("claude", place.repo, "ls", agent_id="aa22", agent_type="general-purpose"))
    assert place.bodies()[0].key == "aa22/toolu_01"


def test_long_texts_are_cut_and_secrets_are_gone_also_at_the_cut(place):
    place.session("claude", secret_names=["ODD_NAME"])
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    text = "x " * 490 + key + " y" * 5000
    told = {"stdout": text + " declared-value-of-mine", "stderr": ""}
    place.hook(
        "claude",
        after("claude", place.repo, f"curl -H 'Authorization: {key}' x", tool_response=told),
        ODD_NAME="declared-value-of-mine",
    )
    raw = repr(place.bodies())
    assert len(raw) < 8000
    assert key[:12] not in raw
    assert "declared-value" not in raw
    assert "[redacted:" in raw


@pytest.mark.parametrize(
    "more",
    (
        {"tool_input": "text"},
        {"tool_input": None, "tool_response": None},
        {"tool_name": 5, "tool_use_id": ["x"], "agent_id": {}},
        {"tool_response": [1, {"a": [[[[[[[["deep"]]]]]]]]}], "duration_ms": -(2**80)},
        {"tool_response": {"output": "\ud800 half", "metadata": {"exit": 1}}},
        {"tool_input": {str(n): "x" * 5000 for n in range(200)}},
        {"tool_input": {"n": 2**70, "f": 1.5, "t": True, "x": None}},
    ),
)
def test_whatever_a_client_tells_can_be_kept(place, more):
    place.session("claude")
    assert place.hook("claude", {**after("claude", place.repo, "ls"), **more}) == (0, "", "")
    assert len(place.bodies()) == 2


def test_eight_hooks_at_once_lose_nothing_and_the_chain_holds(place):
    place.session("claude")
    children = [place.start("claude", "PostToolUse") for _ in range(8)]
    for number, child in enumerate(children):
        child.stdin.write(
            json.dumps(after("claude", place.repo, f"echo {number}", tool_use_id=f"t{number}")).encode()
        )
        child.stdin.close()
    for child in children:
        assert (child.stdout.read(), child.stderr.read(), child.wait()) == (b"", b"", 0)
        child.stdout.close()
        child.stderr.close()
    kept = place.bodies()  # reading proves the chain
    assert sorted(body.args["command"] for body in kept[::2]) == [f"echo {n}" for n in range(8)]
    assert [call.key for call in kept[::2]] == [back.key for back in kept[1::2]]


def test_two_sessions_have_a_ledger_each(place):
    place.session("claude", "s-1", 1)
    place.session("claude", "s-2", 2)
    place.hook("claude", after("claude", place.repo, "echo one", "s-1"))
    place.hook("claude", after("claude", place.repo, "echo two", "s-2"))
    assert place.bodies(1)[0].args["command"] == "echo one"
    assert place.bodies(2)[0].args["command"] == "echo two"


@pytest.mark.runs
def test_a_locked_ledger_is_said_and_blocks_nothing(place):
    place.session("claude")
    with sqlite3.connect(place.store_path) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        result = place.hook("claude", after("claude", place.repo, "ls"), "PostToolUse", "--deadline", "2")
        assert result == (0, "", "")
        await_calls(str(place.folder()))
    assert "lock" in (place.folder() / "worker.log").read_text()


def test_the_next_event_waits_for_what_is_kept_of_a_call(place):
    place.session("claude")
    with sqlite3.connect(place.store_path) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        assert place.hook("claude", after("claude", place.repo, "ls")) == (0, "", "")
        place.tell({"stop": {"say": {"answer": "allow", "text": ""}}})
        stop = place.start("claude")
        stop.stdin.write(json.dumps(event("claude", "stop", place.repo)).encode())
        stop.stdin.close()
        assert place.asked() == []
    assert stop.wait() == 0
    assert [verb for verb, _ in place.asked()] == ["stop"]
    assert place.bodies()[0].args["command"] == "ls"


def test_a_lock_that_passes_is_waited_for(place):
    place.session("claude")
    lock = sqlite3.connect(place.store_path)
    lock.execute("BEGIN EXCLUSIVE")
    child = place.start("claude", "PostToolUse")
    child.stdin.write(json.dumps(after("claude", place.repo, "ls")).encode())
    child.stdin.close()
    lock.rollback()
    lock.close()
    assert (child.stdout.read(), child.wait()) == (b"", 0)
    child.stdout.close()
    child.stderr.close()
    assert len(place.bodies()) == 2
