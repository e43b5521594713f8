"""`donewhen run --agent CLIENT` with the real programs, against a model that plays a script on this machine."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from donewhen.core.events import facts, run
from donewhen.testing import Answer, Call, FakeModel, Request
from tests.helpers import Cli, Result
from tests.projects import CART, TESTS, git
from tests.runs import QUICK, attempts, bodies, broken_cart, settings

GATES = False
pytestmark = pytest.mark.clients
PLACE = Path(os.environ.get("DONEWHEN_TEST_CLIENTS") or Path(__file__).parents[2] / ".venv" / "clients")
NOWHERE = "http://127.0.0.1:9"  # the proxy for all that is not this machine: nobody listens there
WRITE = f"cat > cart.py <<'END'\n{CART}END\n"
_CODEX = """\
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"
[features]
apps = false
plugins = false
[analytics]
enabled = false
"""
_GEMINI = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False},
}
_OPENCODE = {
    "model": "fake/fake-model",
    "small_model": "fake/fake-model",
    "provider": {
        "fake": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "fake",
            "options": {"baseURL": "{url}/v1", "apiKey": "any"},
            "models": {"fake-model": {"name": "fake-model", "tool_call": True}},
        }
    },
}
_OFF = ("AUTOUPDATE", "MODELS_FETCH", "SHARE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "CLAUDE_CODE")


class Real(NamedTuple):
    """A real client: where it is, how it finds the model, and how its model asks for a command."""

    name: str
    program: Path
    shell: tuple[str, str]  # the tool, and its argument
    env: Mapping[str, str] = {}
    files: Mapping[str, str] = {}  # of its home
    words: tuple[str, ...] = ()
    model: str = ""

    def run(self, command: str) -> Call:
        tool, argument = self.shell
        more = {"description": "scripted"} if argument == "command" else {}
        return Call(tool, {argument: command, **more})


CLIENTS = {
    each.name: each
    for each in (
        Real(
            "claude",
            PLACE / "claude/claude_agent_sdk/_bundled/claude",
            ("Bash", "command"),
            {
                "ANTHROPIC_BASE_URL": "{url}",
                "ANTHROPIC_API_KEY": "any",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "DISABLE_TELEMETRY": "1",
            },
        ),
        Real(
            "codex",
            PLACE / "codex/node_modules/.bin/codex",
            ("exec_command", "cmd"),
            {"FAKE_KEY": "any", "CODEX_HOME": "{home}/.codex"},
            {".codex/config.toml": _CODEX},
            ("-c", 'sandbox_mode="danger-full-access"'),  # its own sandbox does not work everywhere
        ),
        Real(
            "gemini",
            PLACE / "gemini/node_modules/.bin/gemini",
            ("run_shell_command", "command"),
            {"GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_API_KEY": "any"},
            {".gemini/settings.json": json.dumps(_GEMINI)},
            model="gemini-2.5-flash",
        ),
        Real(
            "opencode",
            PLACE / "opencode/node_modules/.bin/opencode",
            ("bash", "command"),
            {**{f"OPENCODE_DISABLE_{name}": "1" for name in _OFF}, "npm_config_fetch_retries": "0"},
            {".config/opencode/opencode.json": json.dumps(_OPENCODE)},
        ),
    )
}


def real(name: str) -> Real:
    found = CLIENTS[name]
    if not found.program.exists():
        pytest.skip(f"{name} is not installed; run: make test-clients")
    return found


def worked(cli: Cli, client: Real, fake: FakeModel, *more: str) -> Result:
    """A run whose work the real client does, with a home of its own."""
    home = cli.folder.parent / "home"

    def filled(text: str) -> str:
        return text.replace("{url}", fake.url).replace("{home}", str(home))

    for name, text in client.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(filled(text))
    home.mkdir(exist_ok=True)
    command = [str(client.program), *client.words]
    agent = {"kind": "command", "command": command, "env": ["FAKE_KEY", "npm_config_fetch_retries"]}
    settings(cli, agents={"real": agent}, verification={"semantic": {"enabled": False}})
    env = {name: filled(value) for name, value in client.env.items()}
    env |= dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), NOWHERE)
    env |= dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    wish = ["run", "Make the cart add up.", "--accept", TESTS, "--agent", "real", "--json", *QUICK, *more]
    wish += ["--model", client.model] if client.model else []
    return cli(*wish, **(env | {"HOME": str(home)}))  # type: ignore[arg-type]


def aside(request: Request) -> Answer | None:
    """Titles and the like are asked for without tools; they must not eat the script."""
    return None if request.body.get("tools") else Answer("A title")


def play(*answers: Answer) -> FakeModel:
    return FakeModel(answers, aside=aside)


@pytest.mark.parametrize("name", CLIENTS)
def test_a_false_claim_is_refused_and_the_session_goes_on(cli: Cli, name: str):
    client = real(name)
    user = broken_cart(cli)
    answers = [Answer("All tests pass."), Answer("I mend it.", calls=(client.run(WRITE),)), Answer("Mended.")]
    with play(*answers) as fake:
        done = worked(cli, client, fake)
        asked = [str(each.body) for each in fake.requests if each.method == "POST"]
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (0, "accepted"), done.out + done.err
    assert attempts(cli, data["run"]) == ["continue", "accepted"]
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()
    assert "All tests pass." in asked[-1]  # the same conversation
    booked = [each for each in bodies(cli, data["run"]) if isinstance(each, run.CostBooked)]
    assert len(booked) == 2
    assert all(each.tokens_in > 0 for each in booked)


@pytest.mark.parametrize(
    ("name", "installed"),
    [("claude", False), ("claude", True), ("codex", False), ("opencode", False), ("gemini", True)],
)
def test_the_guard_holds_for_tools_of_clients(cli: Cli, name: str, installed: bool):
    """Their hooks come with the run, where the client allows; `installed`: by the user too."""
    client = real(name)
    broken_cart(cli)
    if installed:
        home = cli.folder.parent / "home"
        for path, text in client.files.items():
            (home / path).parent.mkdir(parents=True)
            (home / path).write_text(text)
        home.mkdir(exist_ok=True)
        made = cli("install", name, HOME=str(home))
        assert made.exit == 0, made.err
        client = client._replace(files={})  # they are there
    force = client.run("git push --force origin HEAD:main")
    answers = [
        Answer("I push.", calls=(force,)),
        Answer("I mend.", calls=(client.run(WRITE),)),
        Answer("Mended."),
    ]
    with play(*answers) as fake:
        done = worked(cli, client, fake)
        heard = str(fake.requests[-1].body)
    assert done.exit == 0, done.out + done.err
    denied = [each for each in bodies(cli, done.json["run"]) if isinstance(each, facts.Denied)]
    assert len(denied) == 1
    assert denied[0].rule in heard
    assert not list(Path(cli.state / "launched").glob("*"))
