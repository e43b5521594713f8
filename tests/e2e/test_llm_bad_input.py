"""What users get wrong about models: one sentence that says what to do, the right exit code, nothing spent."""

from pathlib import Path

import pytest

from donewhen.testing import Answer, Call, FakeModel, Fault
from tests.helpers import Cli
from tests.llm_support import ANTHROPIC, CHAT, CLAIM, FIX, KEY, WORK, at, configured, play, run_words, traces
from tests.projects import TESTS
from tests.runs import broken_cart

pytestmark = pytest.mark.models

GATES = False
NOBODY = "http://127.0.0.1:1"
MEGABYTES = 5_000_000


def test_no_model_is_configured(cli: Cli):
    broken_cart(cli)
    done = cli(*run_words(), OLLAMA_HOST="127.0.0.1:1")
    assert (done.exit, "Traceback" in done.err) == (2, False)
    assert "--script" in done.out


def test_a_wrong_key(cli: Cli):
    broken_cart(cli)
    wrong = "sk-wrong-" + "x8Yw" * 8
    with FakeModel(WORK, key=KEY) as fake:
        configured(cli, CHAT, at(fake, CHAT), key=wrong)
        done = cli(*run_words())
    assert (done.exit, done.json["decision"]["cause"]) == (5, "models.failed_key")
    assert "the key in OPENAI_API_KEY" in done.json["decision"]["summary"]
    assert len(fake.requests) == 1
    assert wrong not in done.out + done.err and traces(cli, wrong) == []
    assert cli("cost", "--json").json["cost"]["total"] == 0


def test_a_key_that_is_not_set(cli: Cli):
    broken_cart(cli)
    configured(cli, CHAT, "https://models.example.com/v1")
    del cli.env["OPENAI_API_KEY"]
    done = cli(*run_words())
    assert (done.exit, "OPENAI_API_KEY" in done.out) == (2, True)


def test_an_endpoint_that_is_not_there(cli: Cli):
    broken_cart(cli)
    configured(cli, CHAT, f"{NOBODY}/v1", llm={"retries": 1})
    done = cli(*run_words())
    assert (done.exit, done.json["decision"]["cause"]) == (5, "models.failed_unreachable")
    assert "check the address and the network" in done.json["decision"]["summary"]
    assert cli("cost", "--json").json["cost"]["total"] == 0


@pytest.mark.parametrize(
    "url", ["garbage", "ftp://127.0.0.1", "http://", "http://[::1", "https://host?key=1"]
)
def test_an_address_that_is_none(cli: Cli, url: str):
    broken_cart(cli)
    configured(cli, CHAT, url)
    done = cli(*run_words())
    assert (done.exit, "Traceback" in done.err) == (2, False), done
    assert "address" in done.out or "base_url" in done.out


def test_an_address_where_something_else_lives(cli: Cli):
    broken_cart(cli)
    with FakeModel(WORK) as fake:
        configured(cli, CHAT, f"{fake.url}/wiki")
        done = cli(*run_words())
    assert (done.exit, done.json["decision"]["cause"]) == (5, "models.failed_request")
    assert "tools.llm.base_url" in done.json["decision"]["summary"]


def test_a_model_that_nobody_has(cli: Cli):
    played = play(cli, ANTHROPIC, [Answer(fault=Fault("model"))])
    assert played.why == (5, "fatal_error", "models.failed_model")
    assert len(played.asked) == 1


@pytest.mark.parametrize("name", ["nobody:model", "two words", ":", "x" * 400])
def test_a_name_that_is_none(cli: Cli, name: str):
    broken_cart(cli)
    done = cli(*run_words("--model", name), OPENAI_API_KEY=KEY)
    assert (done.exit, "Traceback" in done.err) == (2, False), done


@pytest.mark.runs
def test_what_talks_to_models_is_not_installed(cli: Cli, tmp_path: Path):
    broken_cart(cli)
    missing = tmp_path / "missing"
    missing.mkdir()
    (missing / "h11.py").write_text("raise ImportError('not here')\n")
    with FakeModel(WORK) as fake:
        configured(cli, CHAT, at(fake, CHAT))
        done = cli(*run_words(), PYTHONPATH=str(missing))
    assert (done.exit in (2, 5), "donewhen[llm]" in done.out, fake.requests) == (True, True, []), done
    assert "Traceback" not in done.err


@pytest.mark.runs
def test_failures_are_told_in_the_language_of_the_user(cli: Cli):
    broken_cart(cli)
    with FakeModel([Answer(fault=Fault("quota"))]) as fake:
        configured(cli, CHAT, at(fake, CHAT))
        done = cli("run", "Fix the cart", "--accept", TESTS, DONEWHEN_LANGUAGE="zh")
    assert done.exit == 5
    assert "请充值后恢复运行" in done.out + done.err


# -- a million tokens ------------------------------------------------------------------------------


@pytest.mark.runs
@pytest.mark.parametrize(("size", "exit_code"), [(MEGABYTES, 2), (250 * 1024, 3)], ids=["5 MB", "250 KB"])
def test_a_goal_that_no_model_takes_is_refused_before_anybody_is_asked(cli: Cli, size: int, exit_code: int):
    broken_cart(cli)
    goal = cli.folder.parent / "goal.txt"
    goal.write_text(("Fix the cart: " + " ".join(map(str, range(size // 5))))[:size])
    with FakeModel(WORK) as fake:
        configured(cli, CHAT, at(fake, CHAT))
        done = cli("run", "--goal-file", str(goal), "--accept", TESTS, "--json")
    assert (done.exit, fake.requests, "Traceback" in done.err) == (exit_code, [], False), done.out[-2000:]
    if exit_code == 3:
        decision = done.json["decision"]
        assert (decision["stop_reason"], decision["cause"]) == ("budget_exceeded", "context")
        assert cli("cost", "--json").json["cost"]["total"] == 0


@pytest.mark.runs
def test_a_result_of_megabytes_never_reaches_the_model(cli: Cli):
    flood = Call("run_command", {"command": f"yes all work and no play | head -c {MEGABYTES}"})
    read = Call("read_file", {"path": "big.txt"})
    make = Call("run_command", {"command": f"yes word | head -c {MEGABYTES} > big.txt"})
    remove = Call("run_command", {"command": "rm big.txt"})
    played = play(cli, CHAT, [flood, make, read, remove, FIX, CLAIM])
    assert played.why[0] == 0, played.done
    assert max(each.size for each in played.asked) < 300_000


@pytest.mark.runs
def test_a_prompt_beyond_the_budget_is_not_sent(cli: Cli):
    played = play(
        cli, CHAT, WORK, "--budget", "0.11", budget={"unknown_price": {"input": 100, "output": 500}}
    )
    assert played.why == (3, "budget_exceeded", "money")
    assert played.asked == []
    assert "budget" in played.said
