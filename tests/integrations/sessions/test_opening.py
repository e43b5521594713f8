"""A session begins: once, with the configuration and the promise as they are then."""

import json
from pathlib import Path

import pytest

from donewhen.integrations.hook.compiled import read_compiled
from tests.integrations.sessions.worker_support import CHECK, Client, answer
from tests.projects import git


def test_the_agent_is_told_what_must_be_proven(tmp_path: Path) -> None:
    client = Client(tmp_path)
    told = client.call("open")
    assert told["session"] == str(client.folder())
    assert "- `make test`" in told["context"]
    assert client.types() == [
        "run_started",
        "promise_set",
        "workspace_opened",
        "artifact_kept",
        "state_changed",
    ]
    (row,) = client.rows()
    assert (row.agent, row.state, row.base) == ("claude", "executing", git(client.root, "rev-parse", "HEAD"))


@pytest.mark.runs
def test_parallel_hooks_make_one_session(tmp_path: Path) -> None:
    client = Client(tmp_path)
    started = [client.start("open") for _ in range(6)]
    told = [answer(process) for process in started]
    assert all(each == told[0] for each in told)
    assert len(client.rows()) == 1
    assert client.types().count("run_started") == 1


@pytest.mark.runs
def test_two_sessions_of_one_folder_are_two(tmp_path: Path) -> None:
    client = Client(tmp_path)
    started = [client.start("open", session) for session in ("one", "two")]
    assert len({answer(process)["session"] for process in started}) == 2
    assert len(client.rows()) == 2


@pytest.mark.runs
def test_the_session_is_kept_in_a_private_folder(tmp_path: Path) -> None:
    client = Client(tmp_path)
    client.call("open")
    kept = json.loads((client.folder() / "session.json").read_text())
    assert (kept["version"], kept["client"], kept["session"], kept["root"]) == (
        1,
        "claude",
        "s1",
        str(client.root),
    )
    assert (client.folder() / "session.json").stat().st_mode & 0o077 == 0
    assert client.folder().stat().st_mode & 0o077 == 0


@pytest.mark.runs
def test_the_hook_can_use_what_was_compiled(tmp_path: Path) -> None:
    rules = "guardrails:\n  rules:\n    - {name: no-deploy, command: make deploy, action: deny}\n"
    client = Client(tmp_path, CHECK | {".donewhen/config.yml": rules})
    client.call("open")
    compiled = read_compiled(str(client.folder() / "config.json"), client.env)
    assert compiled is not None
    assert compiled.store == str(client.state / "donewhen.db")
    assert [rule["name"] for rule in compiled.guard["rules"]] == ["no-deploy"]


@pytest.mark.runs
def test_a_changed_user_file_makes_it_stale_and_compiling_mends_that(tmp_path: Path) -> None:
    client = Client(tmp_path)
    client.call("open")
    path = str(client.folder() / "config.json")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yml").write_text("guardrails:\n  protected_branches: [trunk]\n")
    assert read_compiled(path, client.env) is None
    assert client.call("compile") == {}
    compiled = read_compiled(path, client.env)
    assert compiled is not None
    assert "trunk" in compiled.guard["protected"]


@pytest.mark.runs
def test_a_config_that_the_agent_removes_still_holds(tmp_path: Path) -> None:
    rules = "guardrails:\n  rules:\n    - {name: no-deploy, command: make deploy, action: deny}\n"
    client = Client(tmp_path, CHECK | {".donewhen/config.yml": rules})
    client.call("open")
    (client.root / ".donewhen" / "config.yml").unlink()
    assert read_compiled(str(client.folder() / "config.json"), client.env) is None
    client.call("compile")
    compiled = read_compiled(str(client.folder() / "config.json"), client.env)
    assert compiled is not None
    assert [rule["name"] for rule in compiled.guard["rules"]] == ["no-deploy"]


@pytest.mark.runs
def test_outside_a_repository_the_agent_is_told_once(tmp_path: Path) -> None:
    client = Client(tmp_path)
    bare = tmp_path / "bare"
    bare.mkdir()
    assert "is in no git repository" in client.call("open", folder=bare)["context"]
    client.acted()
    first, second = (client.call("stop", folder=bare) for _ in range(2))
    assert (first["answer"], first["kind"]) == ("block", "not_repository")
    assert "is in no git repository" in first["text"]
    assert (second["answer"], second["kind"]) == ("allow", "not_repository")
    assert client.decided()[-1].stop_reason == "verification_config_missing"
    assert client.rows()[0].state == "fail"


@pytest.mark.runs
def test_a_folder_that_becomes_a_repository_is_judged(tmp_path: Path) -> None:
    client = Client(tmp_path)
    bare = tmp_path / "bare"
    bare.mkdir()
    client.call("open", folder=bare)
    for name, text in CHECK.items():
        (bare / name).parent.mkdir(exist_ok=True)
        (bare / name).write_text(text)
    git(bare, "init", "-q")
    client.acted(*CHECK)
    assert client.call("stop", folder=bare)["kind"] == "accepted"


@pytest.mark.runs
def test_where_nothing_can_be_proven_a_stop_is_refused_once(tmp_path: Path) -> None:
    client = Client(tmp_path, {"notes.txt": "hello\n"})
    assert "no test command was found" in client.call("open")["context"]
    client.write("notes.txt", "changed\n")
    first, second = (client.call("stop") for _ in range(2))
    assert (first["answer"], first["kind"]) == ("block", "nothing_to_prove")
    assert (second["answer"], second["kind"]) == ("allow", "nothing_to_prove")
    assert all(each.status != "accepted" for each in client.decided())
