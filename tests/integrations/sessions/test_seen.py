"""How list, show, report, logs, stats and abort tell a session of a client."""

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


def test_what_was_let_go_is_told_without_sending_the_reader_in_circles(client: Client) -> None:
    client.write("value.txt", "bad\n")
    while client.call("stop")["answer"] == "block":
        pass
    shown = client.cli("show", "last").stdout
    assert "fail (accept_continue_exhausted)" in shown
    assert "refused too often" in shown
    assert "donewhen show" not in shown
    report = json.loads(client.cli("report", "last", "--json").stdout)
    assert report["about"]["client"] == "claude"
    assert report["next"]["sentence"].startswith("open that session in claude")
    assert "resume" not in report["next"]["command"]


def test_a_report_of_a_session_without_verdict_sends_to_the_client(client: Client) -> None:
    report = json.loads(client.cli("report", "last", "--json").stdout)
    assert report["explanation"] == "the session of claude has no verdict on its last state yet"
    assert report["next"]["sentence"].startswith("open that session in claude")
