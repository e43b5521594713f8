"""The hook of a client that a run started: it guards, it lets the client stop, and only in that run's workspace."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import Cli, Result

GATES = False
RUN = "r-20261115043750-0a1b2c"
DENIED = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}


def launched(cli: Cli, root: Path) -> Path:
    """What a run writes about its workspace."""
    folder = cli.state / "launched"
    folder.mkdir(parents=True)
    guard = {"protected": ["main"], "secret_patterns": [], "danger_patterns": [], "own": [], "rules": []}
    bounds: dict[str, list[str]] = {"kept": [], "allowed_scope": [], "disallowed_scope": []}
    content = {"version": 1, "root": str(root), "language": "en", "guard": guard, "bounds": bounds}
    (folder / f"{RUN}.json").write_text(json.dumps(content))
    return folder


def hooked(cli: Cli, event: str, run: str = RUN, **data: Any) -> Result:
    payload = {"session_id": "s", "cwd": str(cli.folder), "hook_event_name": event, **data}
    return cli.cold("hook", "claude", event, stdin=json.dumps(payload).encode(), DONEWHEN_LAUNCHED=run)


def test_tools_are_guarded_and_refusals_kept_for_the_run(cli: Cli):
    folder = launched(cli, cli.folder)
    fine = hooked(cli, "PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    assert (fine.exit, fine.out) == (0, "")
    refused = hooked(cli, "PreToolUse", RUN, **DENIED)
    assert refused.json["hookSpecificOutput"]["permissionDecision"] == "deny"
    kept = [json.loads(line) for line in (folder / f"{RUN}.denied").read_text().splitlines()]
    assert [each["tool"] for each in kept] == ["Bash"]


def test_it_may_stop_and_its_settings_stay(cli: Cli):
    launched(cli, cli.folder)
    (cli.folder / ".donewhen").mkdir()
    (cli.folder / ".donewhen" / "config.yml").write_text("")  # armed, were it not for the run
    assert hooked(cli, "Stop").out == ""
    assert hooked(cli, "SubagentStop").out == ""
    assert hooked(cli, "ConfigChange", source="user_settings").json["decision"] == "block"
    assert not (cli.state / "sessions").exists()


@pytest.mark.runs
@pytest.mark.parametrize("run", ["r-other", "../x", "", "a" * 100])
def test_a_variable_by_itself_opens_nothing(cli: Cli, run: str):
    launched(cli, cli.folder / "elsewhere")
    (cli.folder / ".donewhen").mkdir()
    (cli.folder / ".donewhen" / "config.yml").write_text("")
    for given in (run, RUN):
        answer = hooked(cli, "PreToolUse", given, **DENIED)
        assert (answer.exit, answer.out) != (0, "")
