"""Commits that an agent makes in a real workspace: seen, looked through, taken back."""

import asyncio
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.agent import ToolRequest
from donewhen.core.codec import freeze
from donewhen.core.texts import Phrase, say
from donewhen.guard.ground import Ground
from donewhen.guard.guard import Guard
from donewhen.run.engine.calls import Call, read_call
from donewhen.run.engine.committing import Commits
from donewhen.run.engine.committing_held import NOTHING, Held, held_by
from donewhen.run.shipping.site import Site
from donewhen.secrets.redact import Redactor
from donewhen.tools.commands import command_tools
from donewhen.tools.git import git_tools
from donewhen.tools.model import Shell, ToolContext
from donewhen.tools.registry import Toolbox
from donewhen.workspace.processes.background import Background
from donewhen.workspace.processes.command import Command
from tests.run.shipping.yard import KEY, SECRET, Yard
from tests.tables import table_test

TOOLS = Toolbox((*command_tools(), *git_tools()))


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def context_at(site: Site, background: Background, outputs: Path) -> ToolContext:
    def make(text: str, folder: Path, timeout: float | None) -> Command:
        return Command(folder, outputs, text=text, env=site.user.env, timeout=timeout)

    shell = Shell(background, make, 10.0, lambda: 600.0)
    same = Redactor().text
    return ToolContext(site.folder, site.repository, {}, "en", lambda _: False, lambda _: False, same, shell)


def after(commits: Commits, site: Site, outputs: Path) -> str:
    """What the agent is told when its call is over; empty for nothing."""

    async def ask() -> Phrase | None:
        async with Background(lambda handle, finished: None) as background:
            return await commits.after(context_at(site, background, outputs))

    phrase = asyncio.run(ask())
    return say(phrase.key, **phrase.values) if phrase else ""


def call(tool: str, **args: object) -> Call:
    guard = Guard(Ground("/w", "/w", "/home/u"))
    read = read_call("c1", ToolRequest("1", tool, freeze(args)), TOOLS, guard, "en")
    assert isinstance(read, Call), read
    return read


def test_nothing_committed_is_nothing_new(yard):
    commits = Commits(yard.open())
    before = commits.taken()
    assert commits.taken() == before
    assert commits.new(before, before) == ()


def test_a_clean_commit_stays(yard):
    site = yard.open()
    commits = Commits(site)
    before = commits.taken()
    yard.write("app.py", "one = 3\n", site.folder)
    made = yard.commit("clean", cwd=site.folder)
    assert commits.new(before, commits.taken()) == (made,)
    assert after(commits, site, yard.base / "outputs") == ""
    assert commits.taken().commit == made


@pytest.mark.parametrize("files", [{"key.py": SECRET}, {".env": "PASSWORD=hunter2\n"}, {"id_rsa": "x\n"}])
def test_a_commit_with_a_secret_is_taken_back_and_files_and_index_stay(yard, files):
    site = yard.open()
    commits = Commits(site)
    before = commits.taken()
    yard.write("app.py", "one = 3\n", site.folder)
    for name, text in files.items():
        yard.write(name, text, site.folder)
    yard.git("add", "-A", "-f", cwd=site.folder)
    yard.git("commit", "-qm", "leak", cwd=site.folder)
    said = after(commits, site, yard.base / "outputs")
    assert "was taken back" in said
    assert all(name in said for name in files)
    assert KEY not in said
    assert commits.taken() == before
    assert yard.git("diff", "--cached", "--name-only", cwd=site.folder).splitlines() == sorted(
        [*files, "app.py"]
    )
    assert all((site.folder / name).read_text() == text for name, text in files.items())


def test_a_secret_that_a_later_commit_takes_away_is_found(yard):
    site = yard.open()
    commits = Commits(site)
    before = commits.taken()
    yard.write("app.py", SECRET, site.folder)
    yard.commit("leak", cwd=site.folder)
    yard.write("app.py", "one = 3\n", site.folder)
    yard.commit("hide", cwd=site.folder)
    assert "app.py" in after(commits, site, yard.base / "outputs")
    assert commits.taken() == before


def test_a_secret_in_the_message_is_found(yard):
    site = yard.open()
    commits = Commits(site)
    before = commits.taken()
    yard.write("app.py", "one = 3\n", site.folder)
    yard.commit(f"use {KEY}", cwd=site.folder)
    said = after(commits, site, yard.base / "outputs")
    assert "message" in said
    assert KEY not in said
    assert commits.taken() == before


@pytest.mark.parametrize("words", [("checkout", "-q", "-b", "mine"), ("checkout", "-q", "--detach")])
def test_a_new_branch_goes_back_to_where_it_began(yard, words):
    site = yard.open()
    commits = Commits(site)
    yard.git(*words, cwd=site.folder)
    yard.write("key.py", SECRET, site.folder)
    yard.commit("leak", cwd=site.folder)
    assert "was taken back" in after(commits, site, yard.base / "outputs")
    assert yard.git("rev-parse", "HEAD", cwd=site.folder) == site.base


def test_a_branch_that_nobody_is_on_is_told_and_left(yard):
    site = yard.open()
    commits = Commits(site)
    yard.git("checkout", "-q", "-b", "mine", cwd=site.folder)
    yard.write("key.py", SECRET, site.folder)
    yard.commit("leak", cwd=site.folder)
    made = yard.git("rev-parse", "mine", cwd=site.folder)
    yard.git("checkout", "-q", "-", cwd=site.folder)
    assert "could not be taken back" in after(commits, site, yard.base / "outputs")
    assert yard.git("rev-parse", "mine", cwd=site.folder) == made


def test_packed_references_and_a_worktree_are_read_too(yard):
    site = yard.worktree()
    commits = Commits(site)
    before = commits.taken()
    yard.write("key.py", SECRET, site.folder)
    yard.commit("leak", cwd=site.folder)
    yard.git("pack-refs", "--all", cwd=site.folder)
    assert "was taken back" in after(commits, site, yard.base / "outputs")
    assert commits.taken() == before


def test_what_comes_from_the_user_is_not_new(yard):
    yard.git("checkout", "-q", "-b", "theirs")
    yard.write("old.py", SECRET)
    yard.commit("theirs")
    yard.git("checkout", "-q", "main")
    site = yard.open()
    commits = Commits(site)
    before = commits.taken()
    yard.write("app.py", "one = 3\n", site.folder)
    yard.commit("mine", cwd=site.folder)
    yard.git("merge", "-q", "-m", "both", "origin/theirs", cwd=site.folder)
    assert len(commits.new(before, commits.taken())) == 2
    assert after(commits, site, yard.base / "outputs") == ""


def test_no_hook_runs_when_a_commit_is_taken_back(yard):
    site = yard.open()
    commits = Commits(site)
    yard.write("key.py", SECRET, site.folder)
    yard.commit("leak", cwd=site.folder)
    hooks = site.folder / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "reference-transaction").write_bytes(yard.program().read_bytes())
    (hooks / "reference-transaction").chmod(0o755)
    assert "was taken back" in after(commits, site, yard.base / "outputs")
    assert not yard.mark.exists()


@table_test(
    ("command", "held"),
    [
        ("git add .", Held(everything=True)),
        ("git add -A", Held(everything=True)),
        ("git add '*.py'", Held(everything=True)),
        ("git add -- src/a.py b.py", Held(paths=("src/a.py", "b.py"))),
        ("git commit -m 'x y'", Held(staged=True)),
        ("git -C sub commit --amend --no-edit", Held(staged=True)),
        ("git commit -am x", Held(everything=True)),
        ("git commit -m x a.py", Held(everything=True)),
        ("git add a.py && git commit -qm x", Held(staged=True, paths=("a.py",))),
        ("bash -c 'git stash'", Held(everything=True)),
        ("git push origin topic", Held(pushed=True)),
        ("git status && git log", NOTHING),
        ("echo git commit -am x", NOTHING),
        ("python3 -m unittest", NOTHING),
    ],
)
def test_what_a_command_would_commit(command, held):
    assert held_by(call("run_command", command=command)) == held


WORDS = st.lists(
    st.sampled_from(("-m", "-qm", "-a", "-am", "--", "a.py", "--amend", ".", "-q", "x y")), max_size=6
)


@given(WORDS)
def test_a_commit_that_may_take_more_than_what_is_staged_counts_as_everything(words):
    held = held_by(call("run_command", command=shlex.join(["git", "commit", *words])))
    values = {at + 1 for at, word in enumerate(words) if word in ("-m", "-qm")}
    plain = {"-m", "-qm", "--amend", "-q"}
    if any(word not in plain and at not in values for at, word in enumerate(words)):
        assert held.everything
    assert held.everything or held.staged


def test_what_the_tools_would_commit():
    assert held_by(call("git_commit", message="x")) == Held(everything=True)
    assert held_by(call("git_commit", message="x", paths=["a.py"])) == Held(paths=("a.py",))
    assert held_by(call("git_push")) == Held(pushed=True)
    assert held_by(call("git_status")) == NOTHING


@pytest.mark.runs
@pytest.mark.parametrize(
    ("held", "files"),
    [
        (Held(everything=True), ("app.py", "new.py", "staged.py")),
        (Held(staged=True), ("staged.py",)),
        (Held(paths=("new.py",)), ("new.py",)),
        (Held(paths=("./",)), ("app.py", "new.py", "staged.py")),
        (Held(staged=True, paths=("app.py",)), ("app.py", "staged.py")),
        (Held(pushed=True), ("pkg/own.py",)),
    ],
)
def test_hooks_are_shown_what_would_be_committed_and_no_more(yard, held, files):
    site = yard.open()
    yard.write("pkg/own.py", "own\n", site.folder)
    yard.commit("own", cwd=site.folder)
    yard.write("staged.py", "staged first\n", site.folder)
    yard.git("add", "staged.py", cwd=site.folder)
    yard.write("staged.py", "staged then\n", site.folder)
    yard.write("app.py", "one = 3\n", site.folder)
    yard.write("new.py", "new\n", site.folder)
    shown = Commits(site).pending(held)
    assert shown.files == files
    assert all(f"b/{name}" in shown.diff for name in files)
    assert ("+staged first" in shown.diff) == held.staged
