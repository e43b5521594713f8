"""Pushes to a bare remote on this machine: never forced, never onto what is protected or foreign."""

import asyncio
import os
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.run.shipping.forge.pushing import Remote, addresses_of, look, push
from donewhen.workspace.git.repository import find_repository
from tests.forges import bare_remote, remote_heads
from tests.projects import git, repository
from tests.tables import table_test

PROTECTED = ("main", "release/*")


class Yard:
    def __init__(self, folder: Path) -> None:
        self.folder = repository(folder / "work")
        self.bare = bare_remote(folder, self.folder)
        self.env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}

    @property
    def remote(self) -> Remote:
        return Remote(find_repository(self.folder, self.env), "origin", self.env)

    def commit(self, text: str = "more") -> str:
        git(self.folder, "commit", "-q", "--allow-empty", "-m", text)
        return git(self.folder, "rev-parse", "HEAD")

    def push(self, commit: str, branch: str, known: str = "") -> None:
        asyncio.run(push(self.remote, commit, branch, known, PROTECTED))

    def refused(self, commit: str, branch: str, known: str = "") -> SetupError:
        before = remote_heads(self.bare)
        with pytest.raises(SetupError) as caught:
            self.push(commit, branch, known)
        assert remote_heads(self.bare) == before
        assert "\n" not in str(caught.value)
        return caught.value


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def test_a_commit_goes_to_its_branch_and_is_seen_there(yard: Yard):
    commit = yard.commit()
    yard.push(commit, "donewhen/x")
    seen = asyncio.run(look(yard.remote, "donewhen/x", "nothing"))
    assert (seen.default, seen.heads) == ("main", {"donewhen/x": commit})
    yard.push(commit, "donewhen/x", commit)


def test_tags_and_other_branches_stay_here(yard: Yard):
    git(yard.folder, "config", "push.followTags", "true")
    git(yard.folder, "config", "push.default", "matching")
    commit = yard.commit()
    git(yard.folder, "tag", "-a", "-m", "t", "v1")
    yard.push(commit, "donewhen/x")
    assert git(yard.bare, "tag") == ""
    assert set(remote_heads(yard.bare)) == {"main", "donewhen/x"}


@pytest.mark.parametrize("branch", ["main", "release/1"])
def test_a_protected_branch_is_refused(yard: Yard, branch: str):
    assert yard.refused(yard.commit(), branch).key == "forge.protected"


@table_test("branch", ["", "-f", "a b", "a..b", "x:refs/heads/main", "+x", "a\nb", "y" * 300, "a~1"])
def test_an_odd_name_is_refused(yard: Yard, branch: str):
    if branch == "+x":
        yard.push(yard.commit(), branch)  # a plus inside of a whole name forces nothing
        return
    assert yard.refused(yard.commit(), branch).key == "forge.bad_branch"


def test_foreign_commits_stay(yard: Yard):
    base = git(yard.folder, "rev-parse", "HEAD")
    theirs = yard.commit("theirs")
    yard.push(theirs, "shared")
    git(yard.folder, "reset", "-q", "--hard", base)
    ours = yard.commit("ours")
    assert yard.refused(ours, "shared", theirs).key == "forge.foreign"
    assert yard.refused(ours, "shared", "f" * 40).key == "forge.foreign"
    assert yard.refused(ours, "shared").key == "forge.foreign"  # it came there after we looked


def test_hooks_on_both_sides_are_quoted(yard: Yard):
    commit = yard.commit()
    mine = yard.folder / ".git/hooks/pre-push"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("#!/bin/sh\necho 'lint is red' >&2\nexit 3\n")
    mine.chmod(0o755)
    error = yard.refused(commit, "work")
    assert (error.key, "lint is red" in str(error)) == ("forge.hook", True)
    mine.unlink()
    theirs = yard.bare / "hooks/update"
    theirs.write_text("#!/bin/sh\necho 'protected by policy' >&2\nexit 1\n")
    theirs.chmod(0o755)
    error = yard.refused(commit, "work")
    assert (error.key, "protected by policy" in str(error)) == ("forge.remote_rejected", True)


def test_a_remote_that_is_not_there(yard: Yard, tmp_path: Path):
    git(yard.folder, "remote", "set-url", "origin", f"{tmp_path}/nowhere.git")
    with pytest.raises(SetupError) as caught:
        asyncio.run(look(yard.remote, "main"))
    assert caught.value.key == "forge.no_remote"


def test_a_network_that_is_not_there_and_a_login_that_is_not_shown(yard: Yard):
    git(yard.folder, "remote", "set-url", "origin", "https://ann:hunter2@127.0.0.1:9/acme/shop.git")
    with pytest.raises(SetupError) as caught:
        asyncio.run(look(yard.remote, "main"))
    assert caught.value.key == "forge.no_network"
    assert "hunter2" not in str(caught.value)


def test_addresses_as_written_and_as_git_reads_them(yard: Yard):
    git(yard.folder, "remote", "add", "hub", "gh:acme/shop")
    git(yard.folder, "config", "url.https://github.com/.insteadOf", "gh:")
    remote = yard.remote._replace(name="hub")
    assert asyncio.run(addresses_of(remote)) == ("gh:acme/shop", "https://github.com/acme/shop")
    assert asyncio.run(addresses_of(remote._replace(name="none"))) == ()
    with pytest.raises(SetupError):
        asyncio.run(addresses_of(remote._replace(name="--upload-pack=x")))


def test_variables_that_turn_git_elsewhere_are_not_heard(yard: Yard, tmp_path: Path):
    yard.env |= {"GIT_DIR": str(tmp_path / "other"), "GIT_INDEX_FILE": "/nowhere"}
    commit = yard.commit()
    yard.push(commit, "work")
    assert remote_heads(yard.bare)["work"] == commit
