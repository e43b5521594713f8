"""The client's own settings: a change that touches its hooks is not applied while a session runs."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.integrations.sessions.worker_support import Client

HOOKS = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "donewhen hook claude stop"}]}]}}


@pytest.fixture
def client(tmp_path: Path) -> Client:
    client = Client(tmp_path)
    (client.home / ".claude").mkdir()
    (client.root / ".claude").mkdir()
    settings(client).write_text(json.dumps(HOOKS))
    client.call("open")
    return client


def settings(client: Client) -> Path:
    return client.home / ".claude" / "settings.json"


def changed(client: Client, path: Path, source: str = "user_settings") -> str:
    told = client.call("config", payload={"file_path": str(path), "source": source})
    return str(told["answer"])


def test_a_change_of_something_else_is_allowed(client: Client) -> None:
    settings(client).write_text(
        json.dumps({**HOOKS, "theme": "dark", "permissions": {"allow": ["Bash(ls)"]}})
    )
    assert changed(client, settings(client)) == "allow"
    assert "denied" not in client.types()


@pytest.mark.runs
@pytest.mark.parametrize("text", ["{}", '{"disableAllHooks": true}', "not json", "[]", ""])
def test_hooks_that_go_are_refused(client: Client, text: str) -> None:
    settings(client).write_text(text)
    assert changed(client, settings(client)) == "block"
    denied = [event.body for event in client.events() if event.type == "denied"]
    assert [(each.rule, each.target) for each in denied] == [("client-settings", str(settings(client)))]


@pytest.mark.runs
def test_the_plugin_is_not_switched_off_and_others_may_be(client: Client) -> None:
    local = client.root / ".claude" / "settings.local.json"
    local.write_text('{"enabledPlugins": {"other@shop": false}}')
    assert changed(client, local, "local_settings") == "allow"
    local.write_text('{"enabledPlugins": {"donewhen@donewhen": false}}')
    assert changed(client, local, "local_settings") == "block"


@pytest.mark.runs
def test_a_file_that_was_not_there_is_watched_too(client: Client) -> None:
    local = client.root / ".claude" / "settings.local.json"
    local.write_text('{"permissions": {"allow": ["Bash(ls)"]}}')
    assert changed(client, local, "local_settings") == "allow"
    local.write_text('{"disableAllHooks": true}')
    assert changed(client, local, "local_settings") == "block"
    local.unlink()
    assert changed(client, local, "local_settings") == "allow"


@pytest.mark.runs
def test_a_stop_is_refused_while_they_are_changed(client: Client) -> None:
    settings(client).write_text("{}")
    told = client.call("stop")
    assert told["kind"] == "blocked"
    assert str(settings(client)) in told["text"]
    settings(client).write_text(json.dumps(HOOKS))
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_what_our_install_wrote_is_allowed(client: Client) -> None:
    data = json.dumps({**HOOKS, "env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "50"}}).encode()
    settings(client).write_bytes(data)
    assert changed(client, settings(client)) == "block"
    note = client.state / "installed" / "claude-0123456789abcdef.json"
    note.parent.mkdir()
    note.write_text(
        json.dumps({"file": str(settings(client)), "sha_after": hashlib.sha256(data).hexdigest()})
    )
    assert changed(client, settings(client)) == "allow"


@pytest.mark.runs
def test_a_file_that_nobody_watched_may_not_switch_hooks_off(client: Client, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"theme": "dark"}')
    assert changed(client, other, "flag_settings") == "allow"
    other.write_text('{"disableAllHooks": true}')
    assert changed(client, other, "flag_settings") == "block"


@pytest.mark.runs
def test_what_our_uninstall_took_back_is_allowed(tmp_path: Path) -> None:
    client = Client(tmp_path)
    assert client.cli("install", "claude").returncode == 0
    client.call("open")
    before = settings(client).read_text()
    settings(client).unlink()
    assert changed(client, settings(client)) == "block"
    settings(client).write_text(before)
    assert changed(client, settings(client)) == "allow"
    assert client.cli("uninstall", "claude").returncode == 0
    assert changed(client, settings(client)) == "allow"
