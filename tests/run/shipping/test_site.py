"""Where a run works: what it starts from, what it says is left out, and what stays as it was."""

import shutil
from pathlib import Path

import pytest

from donewhen.config import Config
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events.run import WorkspaceOpened
from donewhen.core.paths import Exempt
from donewhen.run.shipping.naming import branch_for, own_branch
from donewhen.run.shipping.site import Site, check_wish, open_site, reopen_site
from donewhen.verify.change import Base, look
from donewhen.workspace.git.repository import find_repository
from donewhen.workspace.rooms.places import places
from tests.run.shipping.yard import KEY, SECRET, Yard, said
from tests.workspace.rooms_scene import RUN, contents

NASTY = "new\nline -x \udcff.py"


def facts(site: Site) -> WorkspaceOpened:
    return WorkspaceOpened(str(site.folder), site.branch, site.base, site.kind)


def reopened(yard: Yard, site: Site) -> Site:
    return reopen_site(yard.repository, RUN, yard.places, Config(), facts(site))


def test_a_clean_tree_gives_a_clone_at_head_without_a_word(yard):
    before = yard.state()
    site = yard.open()
    assert (site.kind, site.branch, site.notes) == ("clone", f"donewhen/{RUN}", ())
    assert site.base == yard.git("rev-parse", "HEAD")
    assert site.base_tree == yard.tree_of("HEAD") == site.fingerprints.take().tree
    assert site.repository.root == site.folder != yard.root
    assert yard.state() == before
    assert yard.pins() == [f"refs/donewhen/{RUN}/base"]


def test_a_dirty_tree_is_left_out_and_that_is_said(yard):
    yard.dirty()
    yard.write(NASTY, "x")
    before = yard.state()
    site = yard.open()
    assert site.fingerprints.take().tree == yard.tree_of("HEAD")
    note = said(*site.notes)
    assert "4 changed paths" in note
    assert "app.py" in note
    assert "--with-changes" in note
    assert "\n" not in note
    assert yard.state() == before


def test_with_changes_starts_from_a_snapshot_that_the_users_repository_keeps(yard):
    yard.dirty()
    yard.write(NASTY, "x")
    before = yard.state()
    site = yard.open(with_changes=True)
    assert site.notes == ()
    kept = contents(site.folder)
    assert kept.pop(".gitignore")
    there = contents(yard.root)
    assert {name: there[name] for name in kept} == kept
    assert {"staged.py", "new.py", NASTY} <= set(kept)
    assert "ignored/left.over" not in kept
    assert yard.git("rev-parse", f"{site.base}^") == yard.git("rev-parse", "HEAD")
    assert yard.git("rev-parse", f"refs/donewhen/{RUN}/base") == site.base
    assert yard.state() == before
    shutil.rmtree(yard.cache)
    assert yard.git("fsck", "--strict", "--no-dangling") == ""


def test_a_secret_in_the_snapshot_is_told(yard):
    yard.write("local.py", SECRET)
    site = yard.open(with_changes=True)
    assert "local.py" in said(*site.notes)
    assert KEY not in said(*site.notes)


def test_with_changes_on_a_clean_tree_is_head(yard):
    assert yard.open(with_changes=True).base == yard.git("rev-parse", "HEAD")


def test_in_place_works_in_the_users_own_tree_after_a_checkpoint(yard):
    before = yard.state()
    site = yard.open(in_place=True)
    assert (site.kind, site.folder, site.workspace) == ("in_place", yard.root, None)
    assert site.repository == site.user
    assert site.fingerprints.kept()[f"{RUN}/start"] == yard.tree_of("HEAD")
    assert yard.pins() == [f"refs/donewhen/{RUN}/base"]
    assert yard.state() == before


def test_in_place_with_changes_keeps_what_was_there(yard):
    yard.dirty()
    before = yard.state()
    site = yard.open(in_place=True, with_changes=True)
    yard.write("app.py", "the agent was here\n")
    yard.write("new.py", "here too\n")
    site.fingerprints.restore(site.fingerprints.kept()[f"{RUN}/start"])
    assert contents(yard.root) == before["files"]
    assert yard.git("show", f"refs/donewhen/{RUN}/base:new.py") == "new"


def test_in_place_refuses_a_dirty_tree(yard):
    yard.dirty()
    with pytest.raises(UserError, match="--with-changes"):
        yard.open(in_place=True)
    assert yard.pins() == []


def test_in_place_refuses_an_unfinished_merge(yard):
    yard.write(".git/MERGE_HEAD", yard.git("rev-parse", "HEAD") + "\n")
    with pytest.raises(UserError, match="a merge is not finished"):
        yard.open(in_place=True, with_changes=True)
    assert yard.open().kind == "clone"


def test_a_repository_without_a_commit_is_told_or_starts_from_a_snapshot(tmp_path, yard):
    empty = tmp_path / "empty"
    yard.git("init", "-q", "-b", "main", str(empty), cwd=tmp_path)
    (empty / "first.py").write_text("one = 1\n")
    user = find_repository(empty, yard.env)
    where = places(user, yard.env)
    for in_place in (False, True):
        with pytest.raises(SetupError, match="no commit yet"):
            open_site(user, RUN, where, Config(), in_place=in_place)
    site = open_site(user, RUN, where, Config(), with_changes=True)
    assert contents(site.folder) == {"first.py": b"one = 1\n"}
    assert user.commit("HEAD") == ""


def test_detached_shallow_and_linked_repositories_work(tmp_path, yard):
    yard.git("checkout", "-q", "--detach")
    assert yard.open().base == yard.git("rev-parse", "HEAD")
    for name, words in {
        "shallow": ("clone", "-q", "--depth=1", f"file://{yard.root}", "shallow"),
        "linked": ("-C", str(yard.root), "worktree", "add", "-q", str(tmp_path / "linked"), "feature/one"),
    }.items():
        yard.git(*words, cwd=tmp_path)
        user = find_repository(tmp_path / name, yard.env)
        site = open_site(user, "r-2", places(user, yard.env), Config())
        assert site.fingerprints.take().tree == site.base_tree


def test_a_repository_inside_comes_along(tmp_path, yard):
    yard.git("init", "-q", "-b", "main", str(tmp_path / "inner"), cwd=tmp_path)
    yard.write("inner.py", "inner\n", tmp_path / "inner")
    yard.commit("inner", tmp_path / "inner")
    yard.git("submodule", "--quiet", "add", str(tmp_path / "inner"), "lib")
    yard.commit("with lib")
    site = yard.open()
    assert (site.folder / "lib/inner.py").read_text() == "inner\n"
    assert site.fingerprints.take().tree == site.base_tree


def test_a_bare_repository_is_refused_in_one_sentence(tmp_path, yard):
    yard.git("clone", "-q", "--bare", str(yard.root), "bare", cwd=tmp_path)
    with pytest.raises(SetupError, match="without a working tree"):
        find_repository(tmp_path / "bare", yard.env)


@pytest.mark.parametrize(
    ("branch", "why"),
    [
        ("-f", "no name of a branch"),
        ("a..b", "no name of a branch"),
        ("a\0b", "no name of a branch"),
        ("main", "protected"),
        ("release/2", "protected"),
        ("busy", "checked out"),
        ("ahead", "does not build on"),
        ("feature", "beside the branch feature/one"),
        ("busy/more", "beside the branch busy"),
    ],
)
def test_a_branch_that_can_not_be_had_is_told_before_any_work(yard, branch, why):
    yard.git("switch", "-q", "-c", "ahead")
    yard.write("other.py", "other\n")
    yard.commit("other")
    yard.git("switch", "-q", "-c", "busy", "main")
    yard.write("dirty.py", "dirty\n")
    with pytest.raises(UserError, match=why):
        yard.open(branch=branch, with_changes=True)
    assert yard.pins() == []


def test_a_branch_of_another_name_is_taken(yard):
    assert yard.open(branch="fix/it").branch == "fix/it"
    assert yard.open("r-2", branch="feature/one").branch == "feature/one"  # behind the base: moves forward


@pytest.mark.parametrize("how", ["clone", "in_place", "worktree"])
def test_a_site_is_found_again_with_the_work_in_it(yard, how):
    site = yard.worktree() if how == "worktree" else yard.open(in_place=how == "in_place")
    yard.write("work.py", "work\n", site.folder)
    again = reopened(yard, site)
    assert again._replace(notes=(), fingerprints=site.fingerprints) == site._replace(notes=())
    assert again.fingerprints.take().tree == site.fingerprints.take().tree != site.base_tree
    if how == "in_place":
        assert again.fingerprints.kept()[f"{RUN}/start"] == site.base_tree


@pytest.mark.parametrize("what", ["folder", "git", "elsewhere", "record"])
def test_a_site_that_is_gone_or_altered_says_what_is_kept(yard, what):
    site = yard.open()
    yard.git("update-ref", f"refs/donewhen/{RUN}/work", site.base)
    own = site.folder / ".git"
    if what == "folder":
        shutil.rmtree(site.folder)
    elif what == "git":
        shutil.rmtree(own)
    elif what == "elsewhere":
        own.rename(yard.base / "moved")
        own.write_text(f"gitdir: {yard.base}/moved\n")
    else:
        site.workspace.record.write_text("{")
    with pytest.raises(SetupError) as caught:
        reopened(yard, site)
    text = str(caught.value)
    assert "the ledger of the run is kept" in text
    assert f"refs/donewhen/{RUN}/work" in text
    assert str(site.folder) in text


def test_a_site_in_place_of_another_folder_is_not_this_one(yard):
    site = yard.open(in_place=True)
    moved = facts(site)._replace(path=str(yard.base / "elsewhere"))
    with pytest.raises(SetupError, match="is gone"):
        reopen_site(yard.repository, RUN, yard.places, Config(), moved)


def test_a_base_that_is_gone_is_told(yard):
    site = yard.open()
    with pytest.raises(SetupError, match="no longer in"):
        reopen_site(yard.repository, RUN, yard.places, Config(), facts(site)._replace(base="1" * 40))


@pytest.mark.parametrize("there", ["team", "team/odd!", "team/é/x/below"])
def test_a_branch_above_or_below_is_in_the_way_and_its_neighbours_are_not(yard, there):
    for name in ("teams", "team-a"):
        yard.git("branch", name)
    wanted = {"team": "team/x", "team/odd!": "team/odd!/y", "team/é/x/below": "team/é/x"}[there]
    assert branch_for(yard.repository, RUN, wanted, yard.repository.head, ()) == wanted
    yard.git("branch", there)
    with pytest.raises(UserError) as error:
        branch_for(yard.repository, RUN, wanted, yard.repository.head, ())
    assert (error.value.key, error.value.values["other"]) == ("shipping.name_taken", there)


def test_a_branch_that_a_rebase_will_move_is_not_free(yard):
    (yard.root / ".git/rebase-merge").mkdir()
    (yard.root / ".git/rebase-merge/head-name").write_text("refs/heads/topic\n")
    with pytest.raises(UserError):
        branch_for(yard.repository, RUN, "topic", yard.repository.head, ())


def test_a_run_begins_with_few_processes(yard):
    """From the wish to the first look at its workspace, when the project was looked at before."""
    for number in range(20):
        yard.write(f"many/f{number}.txt", f"{number}\n")
    yard.commit("many")
    yard.open("r-20261115043750-ffffff").fingerprints.take()
    where, log = yard.places, counted(yard)
    user = yard.repository
    check_wish(user, RUN, where, Config(), in_place=False, with_changes=False, branch="")
    site = open_site(user, RUN, where, Config())
    found = find_repository(site.folder, yard.env)
    change = look(found, site.fingerprints, Base(site.base, "base"), Exempt())
    assert (change.changed, change.uncommitted, change.conflicts) == ({}, 0, ())
    assert change.fingerprint.tree == site.base_tree
    called = log.read_text().splitlines()
    assert len(called) <= 17, called


def test_a_result_on_a_base_that_is_only_borrowed_is_shipped_whole(yard):
    for number in range(20):
        yard.write(f"many/f{number}.txt", f"{number}\n")
    yard.commit("many")
    site = yard.open()
    site.fingerprints.take()
    yard.write("many/f3.txt", "three\n", site.folder)
    shipped = yard.ship(site)
    shutil.rmtree(site.folder)
    shutil.rmtree(site.workspace.home)
    assert yard.git("show", f"{shipped.commit}:many/f3.txt") == "three"
    assert yard.git("diff", "--name-only", "HEAD", shipped.commit) == "many/f3.txt"
    yard.git("fsck", "--strict")


def counted(yard: Yard) -> Path:
    """From now on each call of git leaves a line."""
    log, real = yard.base / "calls", shutil.which("git")
    file = yard.write(
        "bin/git", f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{log}'\nexec '{real}' \"$@\"\n", yard.base
    )
    file.chmod(0o755)
    yard.env["PATH"] = f"{file.parent}:{yard.env['PATH']}"
    return log


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Fix the rounding in cart.py", "donewhen/fix-rounding-cart-4e83"),
        ("修复 折扣", "donewhen/修复-折扣-4e83"),
        ("???", "donewhen/run-4e83"),
        ("../../x --force; rm -rf ~", "donewhen/x-force-rm-4e83"),
    ],
)
def test_a_branch_says_what_it_is_for(yard, goal, name):
    assert own_branch(goal, "r-20261114093000-1a4e83") == name
    assert branch_for(yard.repository, RUN, name, "HEAD", ()) == name
