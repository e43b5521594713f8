"""Which files a call of an agent changed: looked at before it and after it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from donewhen.integrations.hook.looks import changed_between, look_at
from tests.integrations.hook.samples import after, before
from tests.projects import git


def call(place: Any, command: str, *, user: str = "") -> set[str]:
    """The files that one call of Bash changed, as the ledger has them; `user`: what the user does meanwhile."""
    assert place.hook("claude", before("claude", place.repo, command)).exit == 0
    subprocess.run(["sh", "-c", command], cwd=place.repo, check=True)
    assert place.hook("claude", after("claude", place.repo, command)).exit == 0
    changed = set(place.changed())  # waits for what is looked at after the call
    if user:
        subprocess.run(["sh", "-c", user], cwd=place.repo, check=True)
    return changed


def test_what_a_call_writes_is_the_agents_and_what_the_user_writes_between_is_not(place: Any) -> None:
    place.session()
    (place.repo / "old.txt").write_text("old\n")
    (place.repo / "user.txt").write_text("mine\n")
    git(place.repo, "add", "-A")
    git(place.repo, "commit", "-qm", "begun")
    (place.repo / "loose.txt").write_text("before\n")
    assert call(place, "cat old.txt loose.txt", user="echo more >> user.txt; echo x > made.txt") == set()
    assert call(place, "echo new > new.txt; rm old.txt") == {"new.txt", "old.txt"}
    assert call(place, "git -c user.name=a -c user.email=a@b.c commit -qam mine") == {
        "new.txt",
        "old.txt",
    }  # a commit writes no file


def test_without_a_look_before_it_a_call_may_have_changed_anything(place: Any) -> None:
    place.session()
    place.hook("claude", after("claude", place.repo, "make"))
    assert place.changed() == ["."]


def test_a_call_that_only_reads_is_not_looked_at(place: Any) -> None:
    place.session()
    payload = after("claude", place.repo, "x") | {"tool_name": "Read", "tool_input": {"file_path": "a"}}
    place.hook("claude", payload)
    assert place.changed() == []
    assert not (place.folder() / "looks").exists()


def test_where_git_says_nothing_there_is_no_look(tmp_path: Path) -> None:
    assert look_at(str(tmp_path), {"PATH": os.environ["PATH"]}) is None


def test_a_file_that_is_edited_twice_differs(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    env = {"PATH": os.environ["PATH"]}
    (tmp_path / "a.txt").write_text("one")
    first = look_at(str(tmp_path), env)
    (tmp_path / "a.txt").write_text("two")
    second = look_at(str(tmp_path), env)
    assert first is not None
    assert second is not None
    assert changed_between(first, second, str(tmp_path)) == ("a.txt",)
    assert changed_between(second, second, str(tmp_path)) == ()


def test_what_a_process_writes_that_a_call_left_behind_is_the_agents(place: Any, tmp_path: Path) -> None:
    """The client here is this test: its child is started in the call and writes after it."""
    env = {"DONEWHEN_CLIENT_PROCESS": str(os.getpid())}
    place.session(env=env)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    write = f"open({str(pipe)!r}).read(); open('late.txt', 'w').write('late')"
    place.hook("claude", before("claude", place.repo, "make serve"), **env)
    child = subprocess.Popen([sys.executable, "-c", write], cwd=place.repo)
    place.hook("claude", after("claude", place.repo, "make serve"), **env)
    pipe.write_text("go")
    child.wait()
    place.hook("claude", before("claude", place.repo, "ls"), **env)
    place.hook("claude", after("claude", place.repo, "ls"), **env)
    assert place.changed() == ["late.txt"]
