"""How list, show, report, logs, stats and abort tell a session of a client."""

import fcntl
import json
from pathlib import Path

import pytest

from tests.integrations.sessions.test_prompts import FILES
from tests.integrations.sessions.worker_support import Client


@pytest.fixture
def client(tmp_path: Path) -> Client:
    client = Client(tmp_path, FILES)
    client.call("open")
    return client


@pytest.mark.runs
def test_what_was_let_go_is_told_without_sending_the_reader_in_circles(client: Client) -> None:
    client.write("value.txt", "bad\n")
    while client.call("stop")["answer"] == "block":
        pass
    shown = client.cli("show", "last").stdout
    assert "fail (accept_continue_exhausted)" in shown
    assert "without progress" in shown
    assert "donewhen show" not in shown
    report = json.loads(client.cli("report", "last", "--json").stdout)
    assert report["about"]["client"] == "claude"
    assert report["next"]["sentence"].startswith("open that session in claude")
    assert "resume" not in report["next"]["command"]


def test_a_report_of_a_session_without_verdict_sends_to_the_client(client: Client) -> None:
    report = json.loads(client.cli("report", "last", "--json").stdout)
    assert report["explanation"] == "the session of claude has no verdict on its last state yet"
    assert report["next"]["sentence"].startswith("open that session in claude")


@pytest.mark.runs
def test_a_list_names_a_session_by_its_first_prompt(client: Client) -> None:
    assert client.rows()[0].goal == "a session of claude"
    client.prompt("Mend the\n  discount, please. " + "x" * 300)
    client.prompt("And now the cart.")
    (row,) = client.rows()
    assert row.goal.startswith("Mend the discount, please. xxx")
    assert len(row.goal) == 201
    assert "Mend the discount, please." in client.cli("list").stdout
    assert client.cli("list", "--goal", "DISCOUNT", "-q").stdout.split() == [row.run_id]
    assert client.cli("audit", "last").returncode == 0


def waiting(client: Client) -> list[str]:
    return client.cli("list", "--waiting", "-q").stdout.split()


@pytest.mark.runs
def test_abort_closes_the_ledger_until_the_next_prompt(client: Client) -> None:
    client.write("value.txt", "bad\n")
    assert client.call("stop")["answer"] == "block"
    assert waiting(client) == [client.run_id()]
    done = client.cli("abort", "last")
    assert done.returncode == 0, done.stderr
    assert "the next prompt in claude goes on with it" in done.stdout
    assert (client.root / "value.txt").read_text() == "bad\n"
    (row,) = client.rows()
    assert (row.state, row.status, row.stop_reason) == ("fail", "failed", "user_interrupt")
    assert client.cli("audit", "last").returncode == 0
    assert waiting(client) == []
    events = len(client.events())
    assert "has ended already" in client.cli("abort", "last").stdout
    assert len(client.events()) == events
    client.prompt("go on")
    assert client.rows()[0].state == "executing"
    client.write("value.txt", "good and new\n")
    assert client.call("stop")["kind"] == "accepted"


@pytest.mark.runs
def test_a_session_is_not_closed_under_its_exam(client: Client) -> None:
    with (client.folder() / "exam.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = client.cli("abort", "last")
    assert done.returncode == 5
    assert "is being judged now" in done.stderr
    assert client.rows()[0].state == "executing"


@pytest.mark.runs
@pytest.mark.parametrize("verb", ["stop", "end"])
def test_a_session_that_changed_nothing_or_ended_waits_for_nobody(client: Client, verb: str) -> None:
    assert waiting(client) == [client.run_id()]
    client.call(verb)
    assert client.rows()[0].state == "executing"
    assert waiting(client) == []
