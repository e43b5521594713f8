"""Choosing a model as a user does: what is found, what is taken, what is said when there is nothing."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from donewhen.core.events import run
from donewhen.store import open_store
from donewhen.testing import Call, FakeModel
from donewhen.ui.finding_defaults import DEFAULT_MODELS
from tests.helpers import Cli
from tests.projects import TESTS, git
from tests.runs import bodies, broken_cart
from tests.tables import table_test

GATES = False
KEY = "sk-test-" + "q7W3" * 8
NOBODY = "127.0.0.1:1"  # nothing listens there
FIX = Call("edit_file", {"path": "cart.py", "edits": [{"old": "sum(prices) + 1", "new": "sum(prices)"}]})
DONE = Call("complete", {"summary": "The cart adds up now."})
ALONE = ("--set", "verification.semantic.enabled=false")  # answers are played to the agent alone
RUN = ("run", "Fix the cart", "--accept", TESTS, "--set", "evidence.base_exam=never", *ALONE)


@pytest.fixture
def alone(cli: Cli) -> Cli:
    """A machine without keys, Ollama and agent programs of its own."""
    cli.env |= {"OLLAMA_HOST": NOBODY}
    return cli


@pytest.fixture
def ollama(alone: Cli) -> Iterator[FakeModel]:
    with FakeModel([FIX, DONE], models=("nomic-embed-text:latest", "qwen3-coder:30b")) as fake:
        alone.env |= {"OLLAMA_HOST": f"127.0.0.1:{fake.port}"}
        yield fake


@pytest.fixture
def openai(alone: Cli) -> Iterator[FakeModel]:
    with FakeModel([FIX, DONE], key=KEY) as fake:
        alone.env |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": fake.openai_url}
        yield fake


def no_run(cli: Cli) -> bool:
    with open_store("user", state=cli.state, folder=cli.folder, create=False) as opened:
        return not opened.exists or not opened.store.runs()


# -- models ----------------------------------------------------------------------------------------


def test_models_says_on_one_screen_what_can_be_used(alone: Cli, ollama: FakeModel):
    done = alone("models", ANTHROPIC_API_KEY=KEY, GOOGLE_API_KEY="")
    assert (done.exit, done.err) == (0, "")
    assert f"1 anthropic:{DEFAULT_MODELS['anthropic']}  ANTHROPIC_API_KEY is set" in done.out
    assert f"2 ollama:qwen3-coder:30b       Ollama at {ollama.url}" in done.out
    assert "google (GEMINI_API_KEY or GOOGLE_API_KEY)" in done.out
    assert len(done.out.splitlines()) <= 24
    assert KEY not in done.out


def test_models_as_data(alone: Cli):
    data = alone("models", "--json", MISTRAL_API_KEY=KEY).json
    assert data["found"]["usable"] == [
        {"model": f"mistral:{DEFAULT_MODELS['mistral']}", "source": "MISTRAL_API_KEY"}
    ]
    assert [(row["for"], row["known"]) for row in data["configured"]] == [("first", True)]
    assert KEY not in json.dumps(data)


def test_models_shows_configured_models_with_price_and_size(alone: Cli):
    alone.config.mkdir()
    (alone.config / "config.yml").write_text(
        "tools: {llm: {provider: openai, model: gpt-6.1-sol, fallback: ['custom:mine'],"
        " roles: {review: 'anthropic:claude-opus-5-5'}}}\n"
        "budget: {prices: {'custom:mine': {input: 0.5, output: 1.5}}}\n"
    )
    rows = {row["for"]: row for row in alone("models", "--json").json["configured"]}
    assert (rows["default"]["model"], rows["default"]["known"]) == ("openai:gpt-6.1-sol", True)
    assert rows["default"]["context"] > 100_000
    assert rows["review"]["model"] == "anthropic:claude-opus-5-5"
    assert (rows["fallback"]["input"], rows["fallback"]["source"]) == (0.5, "config")
    assert "not known" in alone("models").out  # the size of custom:mine


@table_test("provider", list(DEFAULT_MODELS))
def test_the_default_models_are_in_the_price_table(alone: Cli, provider: str):
    usual = f"{provider}:{DEFAULT_MODELS[provider]}"
    (row,) = alone("models", "--json", "--set", f"tools.llm.model={usual}").json["configured"]
    assert (row["model"], row["source"]) == (usual, "table")


# -- run -------------------------------------------------------------------------------------------


def test_a_run_with_nothing_usable_says_what_was_looked_for_and_what_to_do(alone: Cli):
    broken_cart(alone)
    done = alone(*RUN)
    assert (done.exit, done.out, no_run(alone)) == (2, "", True)
    assert len(done.err.splitlines()) <= 24
    for said in ("no Ollama answers", "export ANTHROPIC_API_KEY=", "ollama pull", "--script FILE"):
        assert said in done.err
    data = alone(*RUN, "--json").json
    assert (data["error"]["key"], data["error"]["exit"], len(data["next"])) == ("models_found.none", 2, 3)
    assert data["found"]["usable"] == []
    assert "没有可用的模型" in alone(*RUN, DONEWHEN_LANGUAGE="zh").err


@pytest.mark.runs
def test_the_first_key_is_taken_and_said_and_the_run_remembers(alone: Cli, openai: FakeModel):
    broken_cart(alone)
    done = alone(*RUN, "--json")
    assert done.exit == 0, done.err
    model = f"openai:{DEFAULT_MODELS['openai']}"
    assert f"model: {model} (OPENAI_API_KEY is set)" in done.err
    started = bodies(alone, done.json["run"])[0]
    assert isinstance(started, run.RunStarted)
    assert (started.agent, started.metadata["model"]) == ("llm", model)
    assert {body.model for body in bodies(alone, done.json["run"]) if isinstance(body, run.CostBooked)} == {
        model
    }
    assert KEY not in done.out + done.err


@pytest.mark.runs
def test_a_local_model_is_taken_where_there_is_no_key(alone: Cli, ollama: FakeModel):
    broken_cart(alone)
    done = alone(*RUN, "--json")
    assert done.exit == 0, done.err
    assert f"model: ollama:qwen3-coder:30b (Ollama at {ollama.url})" in done.err
    assert done.json["metrics"]["cost"] == 0


@pytest.mark.runs
def test_a_named_model_is_used_and_named_wherever_the_run_is_told(alone: Cli, openai: FakeModel):
    broken_cart(alone)
    done = alone(*RUN, "--model", "openai:fake-model")
    assert (done.exit, done.err.splitlines()[0]) == (0, "model: openai:fake-model")
    assert "Model: openai:fake-model\n" in done.out
    shown = alone("show", "last", "--json").json
    assert bodies(alone, shown["run"])[0].metadata["model"] == shown["models"][0] == "openai:fake-model"
    assert "openai:fake-model" in alone("show", "last").out


@pytest.mark.runs
def test_machines_and_those_who_want_quiet_read_the_model_at_the_end(alone: Cli, openai: FakeModel):
    broken_cart(alone)
    done = alone(*RUN, "--model", "openai:fake-model", "--json")
    assert (done.exit, done.err, done.json["models"]) == (0, "", ["openai:fake-model"])


def test_an_empty_variable_is_called_empty(alone: Cli):
    broken_cart(alone)
    assert "OPENAI_API_KEY is not set" in alone(*RUN, "--model", "openai:x").err
    assert "OPENAI_API_KEY is empty" in alone(*RUN, "--model", "openai:x", OPENAI_API_KEY=" ").err


@pytest.mark.runs
def test_events_end_with_the_result_on_one_line(alone: Cli, openai: FakeModel):
    broken_cart(alone)
    done = alone(*RUN, "--model", "openai:fake-model", "--events", "--json")
    *events, last = [json.loads(line) for line in done.out.splitlines()]
    assert (events[0]["type"], last["models"]) == ("run_started", ["openai:fake-model"])


@pytest.mark.runs
def test_another_model_goes_on_with_a_run_and_is_remembered(alone: Cli):
    broken_cart(alone)
    alone.env |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://{NOBODY}/v1"}
    words = ("--model", "openai:gone", "--set", "tools.llm.retries=0")
    waits = alone(*RUN, *words)
    assert waits.exit == 5
    assert f"http://{NOBODY}/v1 can't be reached" in waits.out
    assert "models.failed" not in waits.out + alone("show", "last").out + alone("logs", "last").out
    assert "resume RUN --model" in waits.out
    assert waits.out.count("nothing in the workspace differs") == 1
    asks = Call("run_command", {"command": "sudo -n true"})
    with FakeModel([asks, FIX, DONE], key=KEY) as fake:
        alone.env |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": fake.url}
        paused = alone("resume", "last", "--model", "anthropic:other", "--on-ask", "pause")
        assert (paused.exit, "model: anthropic:other" in paused.err) == (4, True), paused
        done = alone("resume", "last", "--on-ask", "deny", "--json")
    assert (done.exit, done.json["models"]) == (0, ["anthropic:other"]), done
    told = [body for body in bodies(alone, done.json["run"]) if isinstance(body, run.Resumed | run.Noted)]
    assert [body.model for body in told if isinstance(body, run.Resumed)] == ["anthropic:other", ""]
    assert "the run goes on with anthropic:other" in {
        body.text for body in told if isinstance(body, run.Noted)
    }


@pytest.mark.runs
def test_a_setting_of_a_resume_wins_over_the_model_that_the_run_began_with(alone: Cli):
    broken_cart(alone)
    alone.env |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://{NOBODY}/v1"}
    assert alone(*RUN, "--model", "openai:gone", "--set", "tools.llm.retries=0").exit == 5
    with FakeModel([FIX, DONE], key=KEY) as fake:
        alone.env |= {"OPENAI_BASE_URL": fake.openai_url}
        done = alone("resume", "last", "--set", "tools.llm.model=openai:other", "--json")
    assert (done.exit, done.json["models"][-1]) == (0, "openai:other"), done


def test_a_bad_model_changes_nothing_of_a_run_that_waits(alone: Cli):
    broken_cart(alone)
    alone.env |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://{NOBODY}/v1"}
    assert alone(*RUN, "--model", "openai:gone", "--set", "tools.llm.retries=0").exit == 5
    events = alone("show", "last", "--json").json["events"]
    refused = alone("resume", "last", "--model", "mistral:x")
    assert (refused.exit, "MISTRAL_API_KEY" in refused.err) == (2, True)
    assert alone("show", "last", "--json").json["events"] == events


@pytest.mark.runs
def test_an_agent_of_the_configuration_has_its_own_model(alone: Cli, openai: FakeModel):
    alone.config.mkdir()
    (alone.config / "config.yml").write_text(
        "agents: {cheap: {kind: llm, provider: openai, model: fake-model}}\n"
    )
    broken_cart(alone)
    done = alone(*RUN, "--agent", "cheap", "--json")
    assert done.exit == 0, done.err
    started = bodies(alone, done.json["run"])[0]
    assert (started.agent, started.metadata["model"]) == ("cheap", "openai:fake-model")


@pytest.mark.runs
def test_a_resumed_run_goes_on_with_the_model_that_it_began_with(alone: Cli):
    broken_cart(alone)
    with FakeModel([Call("run_command", {"command": "sudo -n true"}), FIX, DONE]) as fake:
        alone.env |= {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": fake.openai_url}
        paused = alone(*RUN, "--on-ask", "pause", "--json")
        assert paused.exit == 4, paused.err
        alone.env |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}  # now preferred
        done = alone("resume", "last", "--on-ask", "deny", "--json")
    assert (done.exit, "model:" in done.err) == (0, False), done.err
    booked = [body for body in bodies(alone, done.json["run"]) if isinstance(body, run.CostBooked)]
    assert {body.model for body in booked} == {f"openai:{DEFAULT_MODELS['openai']}"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "nonsense"), "write provider:model"),
        (("--model", "nobody:x"), "no provider is called nobody"),
        (("--model", "opnai:x"), "did you mean openai?"),
        (("--model", "custom"), "is configured without a model"),
        (("--model", "openai:gpt-6.1-sol"), "OPENAI_API_KEY"),
        (("--model", "openai", "--script", "x.yml"), "exclude each other"),
        (("--agent", "nobody"), "no agent is called nobody"),
        (("--set", "tools.llm.provider=mistral"), "mistral"),
        (("--set", "tools.llm.base_url=http://127.0.0.1:1/v1"), "names an endpoint but no model"),
    ],
)
def test_what_can_not_be_used_is_told_before_anything_begins(alone: Cli, words: tuple[str, ...], said: str):
    broken_cart(alone)
    done = alone(*RUN, *words)
    assert (done.exit, done.out, no_run(alone)) == (2, "", True)
    assert said in done.err
    assert len(done.err.splitlines()) == 1


# -- init ------------------------------------------------------------------------------------------


def project(cli: Cli) -> Path:
    git(cli.folder, "init", "-q", "-b", "main")
    (cli.folder / "package.json").write_text('{"name": "shop", "scripts": {"test": "jest"}}')
    return cli.folder / ".donewhen/config.yml"


def test_init_writes_what_can_be_used_and_what_else_could(alone: Cli, ollama: FakeModel):
    path = project(alone)
    done = alone("init", ANTHROPIC_API_KEY=KEY)
    assert (done.exit, done.err) == (0, "")
    written = yaml.safe_load(path.read_text())["tools"]["llm"]
    assert written == {"provider": "anthropic", "model": DEFAULT_MODELS["anthropic"]}
    assert "ollama:qwen3-coder:30b" in path.read_text()
    assert KEY not in path.read_text() + done.out
    assert alone("config", "validate").exit == 0


def test_init_switches_the_model_off_where_none_can_be_used(alone: Cli):
    path = project(alone)
    data = alone("init", "--json").json
    assert (data["model"], data["models"]["usable"]) == (None, [])
    assert "tools" not in yaml.safe_load(path.read_text())
    on = path.read_text().replace("\n#tools:", "\ntools:").replace("\n#  llm:", "\n  llm:")
    on = on.replace("\n#    provider:", "\n    provider:").replace("\n#    model:", "\n    model:")
    assert yaml.safe_load(on)["tools"]["llm"]["provider"] == "anthropic"


def test_init_takes_a_named_model(alone: Cli):
    path = project(alone)
    assert alone("init", "--model", "ollama:qwen3-coder:30b").exit == 0
    assert yaml.safe_load(path.read_text())["tools"]["llm"] == {
        "provider": "ollama",
        "model": "qwen3-coder:30b",
    }


def test_init_warns_of_a_missing_key_and_says_that_the_file_is_to_be_committed(alone: Cli):
    project(alone)
    done = alone("init", "--model", "openai:gpt-x")
    assert (done.exit, "OPENAI_API_KEY is not set" in done.err) == (0, True)
    assert "commit the file" in done.out


def test_init_refuses_a_model_that_is_none_and_writes_nothing(alone: Cli):
    path = project(alone)
    assert alone("init", "--model", "nonsense").exit == 2
    assert alone("init", "--model", "openai", "--from", ".").exit == 2
    assert not path.exists()


@pytest.mark.runs
@pytest.mark.parametrize(
    ("answer", "provider"),
    [(b"\n", "openai"), (b"9\n2\n", "mistral"), (b"ollama:qwen3:8b\n", "ollama"), (b"-\n", "")],
)
def test_init_asks_once_on_a_terminal(alone: Cli, answer: bytes, provider: str):
    path = project(alone)
    alone.env |= {"OPENAI_API_KEY": KEY, "MISTRAL_API_KEY": KEY}
    mine, theirs = pty.openpty()
    try:
        os.write(mine, answer)
        words = [sys.executable, "-m", "donewhen", "init", "-v"]
        done = subprocess.run(
            words,
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            cwd=alone.folder,
            env=alone.env,
            check=False,
        )
        said = os.read(mine, 65536).decode()
    finally:
        os.close(mine)
        os.close(theirs)
    assert done.returncode == 0, said
    assert "Which model shall runs use?" in said
    assert yaml.safe_load(path.read_text()).get("tools", {}).get("llm", {}).get("provider", "") == provider


# -- doctor ----------------------------------------------------------------------------------------


def checks(cli: Cli, *words: str) -> dict[str, tuple[str, str]]:
    found = cli("doctor", "--json", *words).json["checks"]
    return {check["name"]: (check["status"], check["found"]) for check in found}


def test_doctor_names_keys_and_asks_nobody(alone: Cli, openai: FakeModel):
    status, said = checks(alone)["models"]
    assert (status, openai.requests) == ("ok", [])
    assert "OPENAI_API_KEY" in said
    assert KEY not in said


def test_doctor_asks_the_endpoint_when_it_is_told_to(alone: Cli, openai: FakeModel):
    assert checks(alone, "--online")["endpoint"][0] == "ok"
    alone.env["OPENAI_API_KEY"] = "sk-wrong"
    status, said = checks(alone, "--online")["endpoint"]
    assert (status, "OPENAI_API_KEY" in said, "sk-wrong" in said) == ("failed", True, False)
    assert [request.path for request in openai.requests] == ["/v1/models", "/v1/models"]
    alone.env["OPENAI_BASE_URL"] = "http://127.0.0.1:1/v1"
    assert checks(alone, "--online")["endpoint"][0] == "failed"


def test_doctor_knows_how_google_refuses_a_key(alone: Cli):
    with FakeModel([DONE], key=KEY) as fake:
        alone.env |= {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": fake.url}
        assert checks(alone, "--online")["endpoint"][0] == "ok"
        alone.env["GEMINI_API_KEY"] = "wrong-key"
        status, said = checks(alone, "--online")["endpoint"]
    assert (status, "GEMINI_API_KEY" in said, "wrong-key" in said) == ("failed", True, False)
    assert [request.path for request in fake.requests] == ["/v1beta/models"] * 2


def test_doctor_only_warns_where_there_is_no_model(alone: Cli):
    assert checks(alone, "--online")["models"][0] == "warning"
    assert alone("doctor", "--online").exit == 0


# -- cost ------------------------------------------------------------------------------------------


def test_cost_tells_models_apart_what_is_held_and_what_was_guessed(alone: Cli):
    with open_store("user", state=alone.state, folder=alone.folder) as opened:
        opened.store.append(
            "r-20261115043750-0a1b2c",
            run.RunStarted("fix it", agent="llm", budget_micros=5_000_000),
            run.TurnStarted(1),
            run.CostReserved("model-1", 900_000, 4000),
            run.CostBooked("model-1", "llm", 250_000, 1000, 100, "openai:gpt-6.1-sol"),
            run.CostReserved("model-2", 700_000, 4000),
            run.CostBooked("model-2", "llm", 125_000, 1000, 100, "custom:mine"),
            run.CostReserved("model-3", 500_000, 4000),
        )
    data = alone("cost", "--json").json
    assert {row["model"]: row["cost"] for row in data["models"]} == {
        "openai:gpt-6.1-sol": 0.25,
        "custom:mine": 0.125,
    }
    assert (data["held"], data["unknown_price"]) == (0.5, ["custom:mine"])
    done = alone("cost")
    assert "held: $0.50" in done.out
    assert "no price table knows custom:mine" in done.err
