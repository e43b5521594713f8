"""What a session began with stands in the ledger: the notes in its folder are for the hook."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.sessions.worker_support import WORKER, Client
from tests.projects import git
from tests.tables import table_test


@pytest.fixture
def client(tmp_path: Path) -> Client:
    client = Client(tmp_path)
    client.call("open")
    return client


def forge(client: Client, **values: Any) -> None:
    note = client.folder() / "session.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), **values}))


@pytest.mark.runs
@pytest.mark.parametrize("field", ["tree", "base", "root"])
def test_a_forged_note_is_told_and_the_ledger_holds(client: Client, field: str) -> None:
    forge(client, **{field: "/" if field == "root" else "0" * 40})
    client.write("value.txt", "bad\n")
    told = client.call("stop")
    assert told["kind"] == "blocked"
    assert "said something else about this session than the ledger" in told["text"]
    assert "| value.txt is not good" in client.call("stop")["text"]
    assert len(client.rows()) == 1


def test_a_broken_note_is_made_anew_from_the_ledger(client: Client) -> None:
    run_id = client.run_id()
    client.write("value.txt", "bad\n")
    (client.folder() / "session.json").write_text("{")
    assert client.call("stop")["kind"] == "blocked"
    assert client.run_id() == run_id
    assert "| value.txt is not good" in client.call("stop")["text"]


@pytest.mark.runs
def test_a_removed_folder_does_not_begin_the_session_anew(client: Client) -> None:
    run_id = client.run_id()
    client.write("value.txt", "bad\n")
    shutil.rmtree(client.folder())
    client.call("open", event="UserPromptSubmit")
    assert client.run_id() == run_id
    assert client.call("stop")["kind"] == "blocked"


@pytest.mark.runs
def test_a_note_cannot_name_the_run_of_another_session(client: Client) -> None:
    first = client.run_id()
    client.call("open", "s2")
    client.edit("value.txt", "bad\n")
    for folder in (client.state / "sessions").iterdir():
        note = folder / "session.json"
        note.write_text(json.dumps({**json.loads(note.read_text()), "run": first, "tree": "0" * 40}))
    assert client.call("stop", "s2")["kind"] == "blocked"
    assert len(client.rows()) == 2


@pytest.mark.runs
def test_a_note_without_any_run_begins_from_the_last_commit(client: Client) -> None:
    client.write("value.txt", "bad\n")
    forge(client, store=str(client.state / "other.db"), run="nobody")
    for path in client.state.glob("donewhen.db*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(client.state / "heads", ignore_errors=True)
    assert "| value.txt is not good" in client.call("stop")["text"]


@pytest.mark.runs
@table_test("event", ["Stop", "PreToolUse"])
def test_a_session_first_seen_in_its_midst_owes_what_is_not_committed(tmp_path: Path, event: str) -> None:
    client = Client(tmp_path)
    client.write("value.txt", "bad\n")
    client.call("open", event=event)
    assert "| value.txt is not good" in client.call("stop", event="Stop")["text"]
    git(client.root, "checkout", "-q", "value.txt")
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_an_id_that_is_a_secret_is_not_kept(tmp_path: Path) -> None:
    client = Client(tmp_path)
    secret = "ghp_" + "a1B2c3D4e5" * 4
    client.call("open", secret)
    client.call("end", secret)
    kept = [path.read_bytes() for path in client.state.rglob("*") if path.is_file()]
    assert not any(secret.encode() in data for data in kept)


@pytest.mark.runs
def test_changes_have_their_author(client: Client) -> None:
    client.write("value.txt", "good and new\n")
    client.edit("notes.txt", "the user's\n")
    client.call("stop")
    changed = [each.body for each in client.events() if each.type == "file_changed"]
    assert {(each.path, each.by) for each in changed} == {("value.txt", "agent"), ("notes.txt", "human")}


def test_a_failure_says_why(tmp_path: Path) -> None:
    client = Client(tmp_path)
    client.write(".donewhen/config.yml", "verification: [\n")
    failed = client.start("open")
    out, _ = failed.communicate()
    assert failed.returncode != 0
    assert "config.yml" in json.loads(out)["error"]


@pytest.mark.runs
def test_the_end_of_a_session_loads_nothing_heavy(client: Client) -> None:
    given = {"client": "claude", "session_id": "s1", "folder": str(client.root), "payload": {}}
    words = [WORKER[0], "-X", "importtime", *WORKER[1:], "end"]
    done = subprocess.run(words, input=json.dumps(given).encode(), capture_output=True, env=client.env)
    assert done.returncode == 0
    assert not [name for name in ("pydantic", "yaml", "asyncio") if f"| {name}".encode() in done.stderr]
    assert client.types()[-1] == "closed"
