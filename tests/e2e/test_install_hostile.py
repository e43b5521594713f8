"""The installed line in a repository that brings modules of its own, under an environment that points at them."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.helpers import Cli

GATES = False  # nothing is examined here
MODULES = ("json.py", "sitecustomize.py", "usercustomize.py", "os.py", "donewhen/__init__.py", "sqlite3.py")


@pytest.fixture
def repository(cli: Cli) -> Path:
    """A gated one, whose modules write down that they were loaded."""
    for name in MODULES:
        file = cli.folder / name
        file.parent.mkdir(exist_ok=True)
        loaded = cli.folder.parent / "loaded"
        file.write_text(f"open({str(loaded)!r}, 'a').write({name!r})\nraise SystemExit(0)\n")
    subprocess.run(["git", "init", "-q", str(cli.folder)], check=True)
    assert cli("arm").exit == 0
    return cli.folder


def lines_of(cli: Cli, home: Path, client: str) -> dict[str, str]:
    home.mkdir()
    assert cli("install", client, HOME=str(home)).exit == 0
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    return {event: groups[-1]["hooks"][0]["command"] for event, groups in hooks.items()}


def called(cli: Cli, line: str, event: str, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    payload = {
        "session_id": "s",
        "transcript_path": "/t",
        "cwd": str(cli.folder),
        "hook_event_name": event,
        "prompt": "Fix the cart",
        "tool_name": "Bash",
        "tool_input": {"command": "rm -rf /"},
    }
    given = {**cli.env, **env}
    return subprocess.run(
        ["sh", "-c", line],
        cwd=cli.folder,
        env=given,
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=False,
    )


@pytest.mark.runs
@pytest.mark.parametrize("paths", ["", ".", "/x", "/x:", ":/x"])
def test_no_module_of_the_repository_is_loaded(cli: Cli, repository: Path, paths: str):
    """By the hook itself nor, at the start of a session, by the worker that it starts."""
    env = {"PYTHONPATH": paths, "PYTHONHOME": "/x" if paths else ""}
    lines = lines_of(cli, repository.parent / "home", "claude")
    started = called(cli, lines["SessionStart"], "SessionStart", env)
    assert (started.returncode, started.stderr) == (0, b"")
    # what a session is not told at its start, because the first one does not wait long, its first prompt tells
    told = started.stdout or called(cli, lines["UserPromptSubmit"], "UserPromptSubmit", env).stdout
    assert b"additionalContext" in told
    denied = called(cli, lines["PreToolUse"], "PreToolUse", env)
    assert json.loads(denied.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert not (repository.parent / "loaded").exists()


def test_without_its_beginning_the_line_would_load_them(cli: Cli, repository: Path):
    """So that the test above can fail."""
    line = lines_of(cli, repository.parent / "home", "claude")["PreToolUse"]
    called(cli, line.partition("SAFEPATH=1 ")[2], "PreToolUse", {"PYTHONPATH": "."})
    assert (repository.parent / "loaded").exists()
