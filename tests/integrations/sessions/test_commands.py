"""The commands for runs, asked about a session that lives in a client."""

import json
from pathlib import Path

import pytest

from tests.integrations.sessions.test_prompts import FILES, ORDER
from tests.integrations.sessions.worker_support import Client


@pytest.fixture
def client(tmp_path: Path) -> Client:
    client = Client(tmp_path, FILES)
    client.call("open")
    return client


def test_it_goes_on_in_the_client(client: Client) -> None:
    before = client.types()
    done = client.cli("resume", "last")
    assert done.returncode == 2
    assert "is a session of claude: it goes on in the client" in done.stderr
    assert client.types() == before


@pytest.mark.runs
def test_show_says_who_goes_on(client: Client) -> None:
    assert "its client, claude: the session goes on there" in client.cli("show", "last").stdout
    client.write("value.txt", "good and new\n")
    client.call("stop")
    shown = client.cli("show", "last").stdout
    assert "git merge" not in shown
    assert "done (accepted)" in shown


@pytest.mark.runs
def test_the_gate_says_the_same_from_the_ledger(client: Client) -> None:
    client.write("value.txt", "good and new\n")
    client.call("stop")
    assert client.cli("gate", "decide", "--run", "last").stdout.startswith("accepted")
    assert client.cli("audit", "last").returncode == 0


@pytest.mark.runs
def test_gc_leaves_a_session_alone_that_may_go_on(client: Client) -> None:
    client.write("value.txt", "good and new\n")
    assert client.call("stop")["kind"] == "accepted"
    assert json.loads(client.cli("gc", "--max-size", "1", "--json").stdout)["runs"] == []
    assert client.call("stop")["kind"] == "accepted"
    run_id = client.run_id()
    client.call("end")
    assert json.loads(client.cli("gc", "--max-size", "1", "--json").stdout)["runs"] == [run_id]
    assert list((client.state / "sessions").iterdir()) == []
    assert (client.root / "value.txt").read_text() == "good and new\n"


@pytest.mark.runs
def test_stats_count_what_evidence_refused_and_nothing_else(tmp_path: Path) -> None:
    client = Client(tmp_path, {"notes.txt": "nothing to prove\n"})
    client.call("open")
    client.write("notes.txt", "changed\n")
    assert [client.call("stop")["answer"] for _ in range(2)] == ["block", "allow"]
    counted = client.cli("stats", "--json").stdout
    assert '"claims_refused": 0,' in counted
    assert '"claims_not_judged": 2,' in counted


@pytest.mark.runs
def test_a_human_takes_out_what_a_prompt_added(client: Client) -> None:
    client.prompt(ORDER)
    assert "make lint" in client.call("stop")["text"]
    done = client.cli("amend", "last", "--drop", "make lint", "--yes")
    assert done.returncode == 0, done.stderr
    assert client.call("stop")["kind"] == "accepted"
    client.write("value.txt", "bad\n")
    told = client.call("stop")["text"]
    assert "make test" in told
    assert "make lint" not in told


@pytest.mark.runs
def test_a_session_that_was_allowed_to_stop_can_be_amended(client: Client) -> None:
    client.prompt(ORDER)
    assert [client.call("stop")["kind"] for _ in range(2)] == ["blocked", "let_go"]
    done = client.cli("amend", "last", "--drop", "make lint", "--yes")
    assert done.returncode == 0, done.stderr


@pytest.mark.runs
def test_a_human_adds_a_command_beside_the_projects_own(client: Client) -> None:
    assert client.cli("amend", "last", "--accept", "make lint", "--yes").returncode == 0
    told = client.call("stop")
    assert told["kind"] == "blocked"
    assert "make lint" in told["text"]
    client.write("style.txt", "clean\n")
    client.write("value.txt", "bad\n")
    assert "make test" in client.call("stop")["text"]
    client.write("value.txt", "good again\n")
    assert client.call("stop")["kind"] == "accepted"
