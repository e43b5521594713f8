"""Before a tool: the guard's word in each client's own form, and nothing else."""

import json
import sqlite3

import pytest

from donewhen.core.events import facts
from tests.integrations.hook.samples import SHELLS, after, before, event

CLIENTS = ("claude", "codex", "gemini", "opencode")


def _reason(client, answer):
    if client == "gemini":
        assert set(answer) == {"decision", "reason"}
        assert answer["decision"] == "deny"
        return answer["reason"]
    assert set(answer) == {"hookSpecificOutput"}
    said = answer["hookSpecificOutput"]
    assert set(said) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    assert (said["hookEventName"], said["permissionDecision"]) == ("PreToolUse", "deny")
    return said["permissionDecisionReason"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_harmless_command_is_allowed_and_leaves_no_trace(place, client):
    place.session(client)
    assert place.hook(client, before(client, place.repo, "echo one > proof.txt")) == (0, "", "")
    assert place.bodies() == []


@pytest.mark.parametrize("client", CLIENTS)
def test_a_dangerous_command_is_denied_in_the_clients_own_words(place, client):
    place.session(client)
    result = place.hook(client, before(client, place.repo, "rm -rf ~"), "PreToolUse")
    assert (result.exit, result.err) == (0, "")
    reason = _reason(client, result.answer)
    assert "delete-workspace" in reason
    assert "Instead:" in reason
    called, denied = place.bodies()
    assert (called.tool, called.args["command"]) == (SHELLS[client], "rm -rf ~")
    assert (denied.tool, denied.rule, denied.command) == (SHELLS[client], "delete-workspace", "rm -rf ~")


def test_what_the_guard_asks_about_claude_asks_its_user(place):
    place.session("claude")
    answer = place.hook("claude", before("claude", place.repo, "sudo ls")).answer
    said = answer["hookSpecificOutput"]
    assert said["permissionDecision"] == "ask"
    assert "privilege" in said["permissionDecisionReason"]
    asked = place.bodies()[-1]
    assert isinstance(asked, facts.Asked)
    assert (asked.tool, asked.rule) == ("Bash", "privilege")


@pytest.mark.parametrize("client", ("codex", "gemini", "opencode"))
def test_clients_that_can_not_ask_are_told_that_a_human_must_allow_it(place, client):
    place.session(client)
    reason = _reason(client, place.hook(client, before(client, place.repo, "sudo ls")).answer)
    assert "human" in reason
    assert "action: allow" in reason
    assert place.bodies()[-1].approval == "user"


def test_rules_of_the_session_count_by_command_and_by_the_clients_own_tool_name(place):
    rule = dict.fromkeys(("name", "pattern", "command", "path", "tool", "action", "reason"))
    rules = [
        rule
        | {"name": "no-deploy", "command": "make deploy", "action": "deny", "reason": "by the release job"},
        rule | {"name": "no-web", "tool": "Web*", "action": "deny"},
        rule | {"name": "sudo-ls", "command": "sudo ls", "tool": "Bash", "action": "allow"},
    ]
    guard = {"protected": ["main"], "secret_patterns": [], "danger_patterns": [], "own": [], "rules": rules}
    place.session("claude", guard=guard)
    assert "by the release job" in place.hook("claude", before("claude", place.repo, "make deploy")).out
    web = event(
        "claude", "before", place.repo, tool_name="WebFetch", tool_input={"url": "https://example.org"}
    )
    assert "no-web" in place.hook("claude", web).out
    assert place.hook("claude", before("claude", place.repo, "sudo ls")).answer == {}
    write = event("claude", "before", place.repo, tool_name="Write", tool_input={"file_path": "a.txt"})
    assert place.hook("claude", write).answer == {}


def test_bounds_of_the_session_count(place):
    place.session("claude", bounds={"kept": ["tests/**"], "allowed_scope": [], "disallowed_scope": []})
    (place.repo / "tests").mkdir()
    assert "kept-file" in place.hook("claude", before("claude", place.repo, "rm -r tests")).out


def test_paths_are_taken_from_where_the_client_stands(place):
    place.session("claude")
    (place.repo / "sub").mkdir()
    assert place.hook("claude", before("claude", place.repo / "sub", "rm ../old.txt")).answer == {}
    assert "delete-outside" in place.hook("claude", before("claude", place.repo / "sub", "rm ../../old")).out


def test_a_refusal_that_can_not_be_recorded_is_a_refusal(place):
    place.session("claude")
    with sqlite3.connect(place.store_path) as lock:
        lock.execute("PRAGMA locking_mode = EXCLUSIVE")
        lock.execute("BEGIN EXCLUSIVE")
        asked = place.hook("claude", before("claude", place.repo, "sudo ls"), "PreToolUse", "--deadline", "1")
    assert asked.exit == 0
    said = asked.answer["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "could not be recorded" in said["permissionDecisionReason"]


def test_a_ledger_that_is_gone_is_not_made_anew(place):
    place.session("claude")
    for file in place.state.glob("donewhen.db*"):
        file.unlink()
    assert "is gone" in place.hook("claude", before("claude", place.repo, "rm -rf ~")).out
    assert not place.store_path.exists()


def test_a_stale_configuration_is_compiled_anew(place):
    place.arm()
    config = str(place.repo / ".donewhen" / "config.yml")
    folder = place.session("claude", inputs=(config,))
    assert place.hook("claude", before("claude", place.repo, "ls")).answer == {}
    assert place.asked() == []
    (place.repo / ".donewhen" / "config.yml").write_text("language: en\n")
    fresh = json.dumps(place.compiled(inputs=(config,)))
    place.tell({"compile": {"file": {str(folder / "config.json"): fresh}}})
    assert place.hook("claude", before("claude", place.repo, "ls")).answer == {}
    assert [verb for verb, _ in place.asked()] == ["compile"]


@pytest.mark.parametrize("broken", ("", "[]", "{", '{"version": 1}', '{"version": 2}'))
def test_a_configuration_that_stays_broken_closes_the_door(place, broken):
    folder = place.session("claude")
    (folder / "config.json").write_text(broken)
    place.tell({"compile": {}})
    result = place.hook("claude", before("claude", place.repo, "ls"))
    assert (result.exit, result.out) == (2, "")
    assert "configuration" in result.err


def test_another_environment_is_another_configuration(place):
    place.session("claude")
    result = place.hook("claude", before("claude", place.repo, "ls"), DONEWHEN_LANGUAGE="zh")
    assert result.exit == 2
    assert [verb for verb, _ in place.asked()] == ["compile"]


def test_a_broken_session_closes_the_door(place):
    folder = place.session("claude")
    (folder / "session.json").write_text("{}")
    assert place.hook("claude", before("claude", place.repo, "ls")).exit == 2


def test_a_broken_rule_closes_the_door(place):
    guard = {
        "protected": [],
        "secret_patterns": [],
        "danger_patterns": [],
        "own": [],
        "rules": [{"pattern": "("}],
    }
    place.session("claude", guard=guard)
    result = place.hook("claude", before("claude", place.repo, "ls"))
    assert (result.exit, result.out) == (2, "")
    assert "donewhen.integrations" in result.err or "donewhen.guard" in result.err


def _asks(place, command, **more):
    answer = place.hook("claude", before("claude", place.repo, command, **more)).answer
    return answer["hookSpecificOutput"]["permissionDecision"] if answer else "allow"


def test_an_environment_file_is_asked_about_once_in_a_session(place):
    place.session()
    (place.repo / ".env").write_text("KEY=1\n")
    line = "source .env && npm test"
    assert _asks(place, line, tool_use_id="t1") == "ask"
    assert _asks(place, line, tool_use_id="t2") == "ask"  # the first was answered with no
    place.hook("claude", after("claude", place.repo, line, tool_use_id="t2"))
    assert _asks(place, ". ./.env; make", tool_use_id="t3") == "allow"
    assert _asks(place, "source .env && npm publish", tool_use_id="t4") == "ask"
    assert _asks(place, "source .env.local && make", tool_use_id="t5") == "ask"
    assert _asks(place, "cat .env", tool_use_id="t6") == "deny"
    place.session(name="s-2", number=2)
    assert _asks(place, line, tool_use_id="t7", session="s-2") == "ask"


LOSES = ("git reset --hard", "git checkout .", "git clean -fd", "git stash drop", "mkdir ~/new")


def test_in_the_users_own_checkout_losing_work_is_asked_about(place):
    place.session()
    assert {line: _asks(place, line) for line in LOSES} == dict.fromkeys(LOSES, "ask")
    notes = {"file_path": str(place.home / ".claude" / "plans" / "a.md"), "content": "x"}
    plan = event("claude", "before", place.repo, tool_name="Write", tool_input=notes, tool_use_id="t")
    assert place.hook("claude", plan).answer == {}
    notes["file_path"] = str(place.home / ".claude" / "settings.json")
    plan = event("claude", "before", place.repo, tool_name="Write", tool_input=notes, tool_use_id="t")
    assert "client-settings" in place.hook("claude", plan).out
