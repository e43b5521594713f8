"""`donewhen run --agent CLIENT`: a program of others does the work, and only the gate says when it is done."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from donewhen.core.events import facts, run
from tests.clients_support import FIX, KEY, Fake, claude, codex, gemini, log_of, opencode
from tests.helpers import Cli
from tests.projects import CART, TESTS, git
from tests.runs import QUICK, attempts, bodies, broken_cart, settings, told

GATES = False
PRINTS = {"claude": claude, "codex": codex, "gemini": gemini, "opencode": opencode}
GOES_ON = {
    "claude": ("--resume", "s-1"),
    "codex": ("resume", "t-1"),
    "gemini": ("--resume", "g-1"),
    "opencode": ("--session", "ses_1"),
}


@pytest.mark.runs
@pytest.mark.parametrize("name", PRINTS)
def test_a_false_success_is_refused_and_the_same_session_goes_on(cli: Cli, name: str):
    user = broken_cart(cli)
    fake = Fake(cli, name)
    fake.plan({"print": PRINTS[name]("All tests pass.")}, {**FIX, "print": PRINTS[name]()})

    done = fake.run(name, *QUICK)

    data = done.json
    assert (done.exit, data["decision"]["stop_reason"]) == (0, "accepted"), done.err
    assert attempts(cli, data["run"]) == ["continue", "accepted"]
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()
    first, second = (call["argv"] for call in fake.calls)
    assert any("Fix the cart" in word and TESTS in word for word in first)
    assert all(word not in first for word in GOES_ON[name][1:])
    assert all(word in second for word in GOES_ON[name])
    assert any("unittest" in word for word in second)
    opened = next(each for each in bodies(cli, data["run"]) if isinstance(each, run.WorkspaceOpened))
    assert {call["cwd"] for call in fake.calls} == {opened.path}
    changed = [each.path for each in bodies(cli, data["run"]) if isinstance(each, facts.FileChanged)]
    assert changed == ["cart.py"]


AIDER = """
cart.py
Applied edit to cart.py
Tokens: 1.2k sent, 1.1k cache hit, 300 received. Cost: $0.0021 message, $0.0021 session.
Tokens: 2k sent, 40 received. Cost: $0.0021 message, $0.0042 session.
"""


def test_aider_works_by_its_name_and_what_it_says_it_cost_is_booked(cli: Cli):
    user = broken_cart(cli)
    fake = Fake(cli, "aider")
    fake.plan({**FIX, "print": AIDER})
    assert "aider" in cli("models", PATH=fake.path).out
    done = fake.run("aider", "--model", "sonnet", *QUICK)
    data = done.json
    assert (done.exit, data["decision"]["stop_reason"], data["changed"]) == (0, "accepted", ["cart.py"]), (
        done.err
    )
    assert git(user, "show", f"{data['branch']}:cart.py") == CART.rstrip()
    (call,) = fake.calls
    assert {"--yes-always", "--no-auto-commits", "--model", "sonnet"} <= set(call["argv"])
    assert "Fix the cart" in next(word for word in call["argv"] if word.startswith("--message="))
    (cost,) = booked(cli, data["run"])
    assert (cost.micros, cost.tokens_in, cost.tokens_out) == (4200, 3200, 340)


@pytest.mark.runs
@pytest.mark.parametrize("name", ["aider", "goose"])
def test_a_program_without_sessions_hears_all_of_it_again(cli: Cli, name: str):
    broken_cart(cli)
    fake = Fake(cli, name)
    fake.plan({"print": "All tests pass."}, {**FIX, "print": "Done."})
    done = fake.run(name, *QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (0, "accepted"), done.err
    second = " ".join(fake.calls[1]["argv"])
    assert "Fix the cart" in second
    assert "unittest" in second


def booked(cli: Cli, run_id: str) -> list[run.CostBooked]:
    return [each for each in bodies(cli, run_id) if isinstance(each, run.CostBooked)]


def notes(cli: Cli, run_id: str) -> str:
    return "\n".join(each.text for each in bodies(cli, run_id) if isinstance(each, run.Noted))


@pytest.mark.runs
def test_what_a_session_cost_so_far_is_booked_once(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({"print": claude(cost=0.25)}, {**FIX, "print": claude(cost=0.375)})
    data = fake.run("claude", "--budget", "2", *QUICK).json
    assert [each.micros for each in booked(cli, data["run"])] == [250_000, 125_000]
    assert data["metrics"]["cost"] == 0.375
    limits = [call["argv"][call["argv"].index("--max-budget-usd") + 1] for call in fake.calls]
    assert limits == ["2.0000", "1.7500"]
    assert "not enforceable" in notes(cli, data["run"])


@pytest.mark.runs
def test_a_cost_that_nobody_tells_is_said(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "codex")
    fake.plan({"print": codex(tokens=100)}, {**FIX, "print": codex(tokens=140)})
    data = fake.run("codex", *QUICK).json
    found = booked(cli, data["run"])
    assert [(each.micros, each.tokens_in) for each in found] == [(0, 100), (0, 40)]
    assert "does not say what its calls cost" in notes(cli, data["run"])


@pytest.mark.runs
def test_a_budget_that_is_used_up_calls_nobody_again(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({"print": claude(subtype="error_max_budget_usd", is_error=True, cost=1.0), "exit": 1})
    done = fake.run("claude", "--budget", "1", *QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (3, "budget_exceeded")
    assert len(fake.calls) == 1


@pytest.mark.runs
@pytest.mark.parametrize(
    "act",
    [
        {"exit": 1, "stderr": "Invalid API key"},
        {"print": "", "stderr": "Invalid API key"},
        {"print": claude("Invalid API key", is_error=True)},
    ],
    ids=["exit", "silent", "error"],
)
def test_a_client_that_failed_has_claimed_nothing(cli: Cli, act: dict[str, object]):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan(act)
    done = fake.run("claude", *QUICK)
    data = done.json
    assert data["decision"]["stop_reason"] == "fatal_error"
    assert attempts(cli, data["run"]) == ["continue"] or "accepted" not in attempts(cli, data["run"])
    assert len(fake.calls) == 3
    assert "Invalid API key" in json.dumps(data["decision"])
    assert not any(isinstance(each, facts.CandidateKept) for each in bodies(cli, data["run"]))
    assert "is gone" not in notes(cli, data["run"])  # the run removed its workspace itself
    assert "resume" not in json.dumps(data["decision"])  # a run that failed has ended


@pytest.mark.runs
def test_a_client_that_fails_once_goes_on_with_all_it_has_to_know(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({"print": claude()}, {"exit": 1, "stderr": "No conversation found"}, {**FIX, "print": claude()})
    done = fake.run("claude", *QUICK)
    assert done.exit == 0, done.err
    refused, last = fake.calls[1]["argv"], fake.calls[2]["argv"]
    assert "--resume" in refused
    assert "--resume" not in last
    assert last[1].endswith(refused[1])
    assert "Fix the cart" in last[1]


def test_a_program_that_is_not_there_is_told_with_how_to_get_it(cli: Cli):
    broken_cart(cli)
    done = cli("run", "Fix the cart", "--accept", TESTS, "--agent", "claude", PATH="/usr/bin:/bin")
    assert (done.exit, done.out) == (5, "")
    assert "npm install -g @anthropic-ai/claude-code" in done.err
    other = cli("run", "Fix the cart", "--accept", TESTS, "--agent", "command:nothing-here {prompt}")
    assert other.exit == 5
    assert "nothing-here" in other.err
    assert cli("list", "--json").json["runs"] == []


def test_any_command_gets_the_prompt_as_one_argument_that_no_shell_reads(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "worker")
    fake.plan({}, {**FIX, "print": "done"})
    goal = "Fix the cart; touch 'pwned' \"$(touch pwned)\" {session} `touch pwned`"
    words = (
        "run",
        goal,
        "--accept",
        TESTS,
        "--agent",
        "command:worker --id {session} --say={prompt}",
        "--json",
    )
    done = cli(*words, *QUICK, PATH=fake.path)
    assert done.exit == 0, done.err
    first, second = (call["argv"] for call in fake.calls)
    assert first[:2] == ["--id", done.json["run"]] == second[:2]
    assert (len(first), len(second)) == (3, 3)
    assert all(goal in words[2] for words in (first, second))  # it remembers nothing, and hears all again
    assert "unittest" in second[2]
    assert fake.calls[0]["stdin"] == ""
    assert git(cli.folder, "ls-tree", "--name-only", done.json["branch"]).split() == [
        "cart.py",
        "test_cart.py",
    ]


@pytest.mark.runs
def test_without_a_place_for_it_the_prompt_comes_by_stdin(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "worker")
    fake.plan(FIX)
    settings(cli, agents={"mine": {"kind": "command", "command": ["worker", "-q"], "env": ["MY_TOKEN"]}})
    done = fake.run("mine", *QUICK, MY_TOKEN=KEY, OTHER_TOKEN="t")
    assert done.exit == 0, done.err
    call = fake.calls[0]
    assert (call["argv"], "Fix the cart" in call["stdin"]) == (["-q"], True)
    assert (call["env"]["MY_TOKEN"], "OTHER_TOKEN" in call["env"]) == (KEY, False)


@pytest.mark.runs
def test_a_client_has_its_own_login_and_nobody_else_sees_it(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({**FIX, "print": claude(f"I used {KEY}."), "stderr": KEY})
    secrets = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": "sk-other", "GITHUB_TOKEN": "ghp-other"}
    done = fake.run("claude", *QUICK, **secrets)
    assert done.exit == 0, done.err
    env = fake.calls[0]["env"]
    assert env["ANTHROPIC_API_KEY"] == KEY
    assert not {"OPENAI_API_KEY", "GITHUB_TOKEN"} & env.keys()
    assert KEY not in done.out + done.err + log_of(cli.state)


@pytest.mark.runs
def test_words_of_the_configuration_come_before_ours_and_a_model_is_passed_on(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    fake.plan({**FIX, "print": claude()})
    command = [str(fake.program), "--effort", "low"]
    settings(cli, agents={"careful": {"kind": "command", "command": command}})
    done = fake.run("careful", "--model", "opus", *QUICK)
    assert done.exit == 0, done.err
    argv = fake.calls[0]["argv"]
    assert argv[:3] == ["--effort", "low", "-p"]
    assert argv[argv.index("--model") + 1] == "opus"


@pytest.mark.runs
def test_the_time_of_a_run_ends_the_client_and_all_it_started(cli: Cli):
    broken_cart(cli)
    fake = Fake(cli, "claude")
    orphan = fake.folder / "orphan"
    fake.plan({"shell": f"(setsid sh -c 'echo $$ >{orphan}; exec sleep 1000' &) ; sleep 1000"})
    done = fake.run("claude", "--set", "loop.max_total_time=8", *QUICK)
    assert (done.exit, done.json["decision"]["stop_reason"]) == (3, "time_exceeded")
    assert not Path(f"/proc/{orphan.read_text().strip()}").exists()


@pytest.mark.runs
def test_a_killed_run_takes_the_client_back_and_calls_it_again(cli: Cli):
    user = broken_cart(cli)
    fake = Fake(cli, "claude")
    seen = fake.folder / "seen"
    hang = f"echo half > half.txt; echo $$ > {seen}.tmp; mv {seen}.tmp {seen}; sleep 1000"
    fake.plan({"print": claude()}, {"shell": hang}, {**FIX, "print": claude(cost=0.5)})
    words = ["run", "Fix the cart", "--accept", TESTS, "--agent", "claude", "--events", *QUICK]
    env = cli.env | {"PATH": fake.path}
    process = subprocess.Popen(
        [sys.executable, "-m", "donewhen", *words], cwd=cli.folder, env=env, stdout=subprocess.PIPE
    )
    while not seen.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    run_id = cli("list", "--json").json["runs"][0]["run"]

    done = cli("resume", run_id, "--json", PATH=fake.path)

    assert done.exit == 0, done.err
    cut, again = fake.calls[1]["argv"], fake.calls[2]["argv"]
    assert ("--resume" in cut, "--resume" in again) == (True, True)
    assert again[1].startswith(cut[1])
    assert "interrupted" in again[1]
    assert git(user, "diff", "--name-only", "main", done.json["branch"]) == "cart.py"
    assert not Path(f"/proc/{seen.read_text().strip()}").exists()
    assert done.json["metrics"]["cost"] == 0.5


@pytest.mark.runs
def test_todos_of_a_spec_are_ticked_by_what_the_client_says(cli: Cli):
    broken_cart(cli)
    promise = cli.folder.parent / "promise.json"
    todos = [{"id": "t1", "content": "mend the sum"}]
    promise.write_text(json.dumps({"objective": "the cart adds up", "accept": [TESTS], "todos": todos}))
    fake = Fake(cli, "claude")
    told_so = 'Mended.\n{"todos": [{"id": "t1", "status": "completed"}]}'
    fake.plan({**FIX, "print": claude(told_so)})
    done = cli("run", "--promise", str(promise), "--agent", "claude", "--json", *QUICK, PATH=fake.path)
    assert done.exit == 0, done.err + told(cli, done.json["run"])
