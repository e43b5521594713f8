"""Work that does not lie in the folder where the session began."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integrations.sessions.worker_support import Client
from tests.projects import git


@pytest.fixture
def client(tmp_path: Path) -> Client:
    client = Client(tmp_path)
    client.call("open")
    return client


def worktree(client: Client, name: str = "x") -> Path:
    """The agent, where a session has begun, makes a worktree and works there."""
    client.acted()
    where = client.root / ".claude" / "worktrees" / name
    git(client.root, "worktree", "add", "-q", "-b", f"worktree-{name}", str(where))
    return where


def commit(where: Path, text: str) -> None:
    (where / "value.txt").write_text(text)
    git(where, "commit", "-qam", "all done")


@pytest.mark.runs
@pytest.mark.parametrize("committed", [True, False])
def test_the_worktree_that_the_client_stands_in_is_judged(client: Client, committed: bool) -> None:
    where = worktree(client)
    assert client.call("stop", folder=where)["kind"] == "nothing_changed"
    (where / "value.txt").write_text("bad\n")
    if committed:
        git(where, "commit", "-qam", "all done")
    told = client.call("stop", folder=where)
    assert told["kind"] == "blocked"
    assert "| value.txt is not good" in told["text"]
    (where / "value.txt").write_text("good and new\n")
    assert client.call("stop", folder=where)["kind"] == "accepted"


@pytest.mark.runs
def test_a_worktree_that_the_client_left_is_told_until_it_is_brought_here(client: Client) -> None:
    where = worktree(client)
    (where / "value.txt").write_text("good and new\n")
    told = client.call("stop")
    assert told["kind"] == "blocked"
    assert f"worktree {where} was changed in this session" in told["text"]
    git(where, "commit", "-qam", "all done")
    assert "`git merge worktree-x`" in client.call("stop")["text"]
    git(client.root, "merge", "-q", "worktree-x")
    client.acted("value.txt")
    assert client.call("stop")["kind"] == "accepted"


def test_what_was_accepted_in_a_worktree_owes_nothing_elsewhere(client: Client) -> None:
    where = worktree(client)
    commit(where, "good and new\n")
    assert client.call("stop", folder=where)["kind"] == "accepted"
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_changes_in_two_places_are_not_judged_by_one_of_them(client: Client) -> None:
    where = worktree(client)
    commit(where, "good and new\n")
    client.write("value.txt", "bad\n")
    told = client.call("stop", folder=where)
    assert told["kind"] == "blocked"
    assert "changes in two working trees" in told["text"]


@pytest.mark.runs
def test_changes_that_a_worktree_had_before_are_not_the_sessions(tmp_path: Path) -> None:
    client = Client(tmp_path)
    where = worktree(client)
    (where / "value.txt").write_text("bad\n")
    client.call("open")
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_commits_on_another_branch_are_not_nothing(client: Client) -> None:
    git(client.root, "checkout", "-q", "-b", "feature")
    commit(client.root, "bad\n")
    git(client.root, "checkout", "-q", "main")
    client.acted()
    told = client.call("stop")
    assert told["kind"] == "blocked"
    assert "branch feature got commits in this session" in told["text"]
    assert [client.call("stop")["kind"] for _ in range(2)] == ["blocked", "let_go"]
    assert client.decided()[0].cause == "work-elsewhere"


@pytest.mark.runs
def test_commits_that_head_was_taken_from_are_not_nothing(client: Client) -> None:
    commit(client.root, "bad\n")
    git(client.root, "checkout", "-q", "HEAD~1")
    client.acted()
    assert "branch main got commits" in client.call("stop")["text"]


@pytest.mark.runs
def test_a_stash_is_not_nothing_until_it_is_back(client: Client) -> None:
    client.write("value.txt", "good and new\n")
    git(client.root, "stash", "-q")
    assert "stash@{0}' was stashed in this session" in client.call("stop")["text"]
    git(client.root, "stash", "pop", "-q")
    assert client.call("stop")["kind"] == "accepted"


@pytest.mark.runs
def test_branches_stashes_and_remotes_that_were_there_are_nothing_of_the_session(tmp_path: Path) -> None:
    client = Client(tmp_path)
    client.write("value.txt", "stashed\n")
    git(client.root, "stash", "-q")
    git(client.root, "checkout", "-q", "-b", "other")
    commit(client.root, "bad\n")
    git(client.root, "update-ref", "refs/remotes/origin/far", "HEAD")
    git(client.root, "checkout", "-q", "main")
    client.call("open")
    git(client.root, "branch", "-q", "again", "other")
    git(client.root, "branch", "-q", "-m", "other", "renamed")
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_a_clone_in_the_place_of_the_folder_is_told(client: Client) -> None:
    aside = client.root.with_name("aside")
    client.root.rename(aside)
    subprocess.run(["git", "clone", "-q", str(aside), str(client.root)], check=True, env=client.env)
    client.acted()
    told = client.call("stop")
    assert told["kind"] == "blocked"
    assert "is not the folder that the session began in" in told["text"]
    shutil.rmtree(client.root)
    aside.rename(client.root)
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_a_repository_that_is_gone_is_no_way_out(client: Client) -> None:
    client.acted()
    (client.root / ".git").rename(client.root / "git")
    assert [client.call("stop")["answer"] for _ in range(3)] == ["block"] * 2 + ["allow"]
    assert "was a git repository when the session began" in client.decided()[0].summary
    assert client.decided()[-1].stop_reason == "accept_continue_exhausted"


def test_a_rule_that_is_written_in_the_session_hides_nothing(client: Client) -> None:
    """What git ignored when the session began stays the measure."""
    exclude = client.root / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*\n")
    assert client.call("stop")["kind"] == "nothing_changed"
    client.write("new.py", "value = 1\n")
    assert client.call("stop")["kind"] != "nothing_changed"
