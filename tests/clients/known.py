"""The real clients: where they are, how each is started headless, and how its model calls its tools."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from donewhen.testing import Call, FakeModel

ROOT = Path(__file__).parents[2]
PLACE = Path(os.environ.get("DONEWHEN_TEST_CLIENTS") or ROOT / ".venv" / "clients")
_NODE = "node_modules/.bin"


class Client(NamedTuple):
    name: str
    program: Path
    words: Callable[[str, FakeModel], tuple[str, ...]]  # after the program, for a prompt
    env: Callable[[FakeModel, Path], Mapping[str, str]]  # the endpoint, and the home
    settings: Callable[[Path], Mapping[str, str]]  # files of a user of this repository, by their path at home
    run: Callable[[str], Call]  # a shell command, as its model asks for it
    again: Callable[[str, FakeModel], tuple[str, ...]] | None = None  # words that go on with the last session

    @property
    def missing(self) -> str:
        """Why it can't be tested here; empty when it can."""
        if self.program.exists():
            return ""
        return (
            f"{self.name} is not installed; run: make test-clients, or scripts/clients.py FOLDER {self.name}"
        )


def _shell(tool: str, name: str = "command", **more: str) -> Callable[[str], Call]:
    return lambda command: Call(tool, {name: command, **more})


def _dump(data: Any) -> str:
    return json.dumps(data, indent=2) + "\n"


def _claude_env(fake: FakeModel, home: Path) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": fake.url,
        "ANTHROPIC_API_KEY": "any",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_BUG_COMMAND": "1",
        "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "false",
    }


CLAUDE = Client(
    "claude",
    PLACE / "claude" / "claude_agent_sdk" / "_bundled" / "claude",
    lambda prompt, _: ("-p", prompt, "--output-format", "json", "--allowedTools", "Bash", "Write", "Agent"),
    _claude_env,
    lambda _: {".claude/settings.json": _dump({"cleanupPeriodDays": 30})},
    _shell("Bash", description="scripted"),
    lambda prompt, _: (
        *("--continue", "-p", prompt, "--output-format", "json", "--allowedTools", "Bash", "Write", "Agent"),
    ),
)


def _codex_config(repo: Path) -> dict[str, str]:
    """Codex itself notes the trust in a folder when it ends: here it is noted from the start."""
    return {
        ".codex/config.toml": f"""\
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:9/v1"
env_key = "FAKE_KEY"
wire_api = "responses"

[features]
apps = false
plugins = false

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"

[projects."{repo}"]
trust_level = "trusted"
"""
    }


CODEX = Client(
    "codex",
    PLACE / "codex" / _NODE / "codex",
    # The test's own folder is the sandbox here: bubblewrap is not everywhere.
    lambda prompt, fake: (
        *("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
        *("-c", f'model_providers.fake.base_url="{fake.openai_url}"', prompt),
    ),
    lambda _, home: {"CODEX_HOME": str(home / ".codex"), "FAKE_KEY": "any"},
    _codex_config,
    _shell("exec_command", "cmd"),
    lambda prompt, fake: (
        *("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
        *("-c", f'model_providers.fake.base_url="{fake.openai_url}"', "resume", "--last", prompt),
    ),
)
GEMINI = Client(
    "gemini",
    PLACE / "gemini" / _NODE / "gemini",
    lambda prompt, _: (
        *("-p", prompt, "--output-format", "json", "--approval-mode", "yolo"),
        *("-m", "gemini-2.5-flash"),
    ),
    lambda fake, _: {
        "GOOGLE_GEMINI_BASE_URL": fake.url,
        "GEMINI_API_KEY": "any",
        "GEMINI_TELEMETRY_ENABLED": "false",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    },
    lambda _: {
        ".gemini/settings.json": _dump(
            {
                "security": {"auth": {"selectedType": "gemini-api-key"}},
                "privacy": {"usageStatisticsEnabled": False},
                "telemetry": {"enabled": False},
                "general": {"enableAutoUpdate": False},
            }
        )
    },
    _shell("run_shell_command", description="scripted"),
)


def _opencode_config(_: Path) -> dict[str, str]:
    """OpenCode adds the name of the schema by itself: here it is there from the start."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "fake",
        "options": {"baseURL": "{env:FAKE_URL}", "apiKey": "any"},
        "models": {"fake-model": {"name": "fake-model", "tool_call": True}},
    }
    model = "fake/fake-model"
    schema = "https://opencode.ai/config.json"
    data = {"$schema": schema, "model": model, "small_model": model, "provider": {"fake": provider}}
    return {".config/opencode/opencode.json": _dump(data)}


_OPENCODE_OFF = "AUTOUPDATE MODELS_FETCH SHARE LSP_DOWNLOAD DEFAULT_PLUGINS CLAUDE_CODE"
OPENCODE = Client(
    "opencode",
    PLACE / "opencode" / _NODE / "opencode",
    lambda prompt, _: ("run", "--format", "json", prompt),
    lambda fake, home: {
        "FAKE_URL": fake.openai_url,
        **{f"OPENCODE_DISABLE_{name}": "1" for name in _OPENCODE_OFF.split()},
        "npm_config_fetch_retries": "0",
    },
    _opencode_config,
    _shell("bash", description="scripted"),
)
CLIENTS = {client.name: client for client in (CLAUDE, CODEX, GEMINI, OPENCODE)}
