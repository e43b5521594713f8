"""A site goes when nothing is lost, and work that nobody accepted is kept."""

import shutil

import pytest

from donewhen.core.errors import SetupError
from donewhen.run.shipping.leaving import leave, rescue
from donewhen.workspace.rooms.leaving import Kept, Removed
from tests.run.shipping.yard import said
from tests.workspace.rooms_scene import RUN, contents, names_in

WORK = f"refs/donewhen/{RUN}/work"


def opened(yard, how):
    return yard.worktree() if how == "worktree" else yard.open(in_place=how == "in_place")


def kept(site) -> str:
    outcome = leave(site)
    assert isinstance(outcome, Kept)
    assert outcome.folder == site.folder
    return said(*outcome.reasons)


@pytest.mark.parametrize("how", ["clone", "worktree"])
@pytest.mark.parametrize("commits", [False, True])
def test_after_shipping_the_workspace_goes_and_leaves_nothing(yard, how, commits):
    before = yard.state()
    site = opened(yard, how)
    site.scratch.mkdir()
    yard.write("app.py", "one = 2\n", site.folder)
    if commits:
        yard.commit("mine", site.folder)
        yard.write("app.py", "one = 3\n", site.folder)
    yard.write("ignored/cache", "x", site.folder)
    shipped = yard.ship(site)
    assert leave(site) == Removed(site.folder)
    assert [names_in(folder) for folder in (yard.places.runs, yard.places.homes, yard.places.scratch)] == [
        [],
        [],
        [],
    ]
    assert yard.pins() == []
    assert yard.tree_of(site.branch) == shipped.tree
    yard.git("branch", "-q", "-D", site.branch)
    assert yard.state() == before
    assert yard.git("worktree", "list").count("\n") == 0


def test_what_came_after_shipping_keeps_it(yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    yard.ship(site)
    yard.write("late.py", "late\n", site.folder)
    assert "not committed" in kept(site)
    assert (site.folder / "late.py").exists()


def test_a_branch_that_was_deleted_after_shipping_keeps_it(yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    shipped = yard.ship(site)
    yard.git("branch", "-q", "-D", site.branch)
    assert "not accepted" in kept(site)
    assert yard.git("rev-parse", f"refs/donewhen/{RUN}/shipped") == shipped.commit


def test_a_stash_or_a_branch_of_the_agents_keeps_it(yard):
    site = yard.open()
    yard.write("app.py", "stashed\n", site.folder)
    yard.git("stash", "-q", cwd=site.folder)
    yard.write("app.py", "one = 2\n", site.folder)
    yard.ship(site)
    assert "stash" in kept(site)


def test_a_repository_inside_with_work_keeps_it(tmp_path, yard):
    yard.git("init", "-q", "-b", "main", str(tmp_path / "inner"), cwd=tmp_path)
    yard.write("inner.py", "inner\n", tmp_path / "inner")
    yard.commit("inner", tmp_path / "inner")
    yard.git("submodule", "--quiet", "add", str(tmp_path / "inner"), "lib")
    yard.commit("with lib")
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    yard.write("lib/inner.py", "changed\n", site.folder)
    yard.ship(site)
    assert "lib/inner.py" in kept(site)


@pytest.mark.parametrize("how", ["clone", "worktree"])
def test_a_run_that_did_nothing_leaves_nothing(yard, how):
    before = yard.state()
    site = opened(yard, how)
    assert leave(site) == Removed(site.folder)
    assert yard.pins() == []
    assert yard.state() == before


@pytest.mark.parametrize("how", ["clone", "worktree"])
def test_unaccepted_work_stays_even_when_it_was_rescued(yard, how):
    site = opened(yard, how)
    yard.write("app.py", "half done\n", site.folder)
    yard.commit("half", site.folder)
    rescue(site, RUN)
    assert "not accepted" in kept(site)
    assert (site.folder / "app.py").read_text() == "half done\n"
    assert WORK in yard.pins()


def test_in_place_nothing_goes(yard):
    site = yard.open(in_place=True)
    yard.write("app.py", "half done\n")
    before = yard.state()
    assert "your own working tree" in kept(site)
    assert yard.pins() == [f"refs/donewhen/{RUN}/base"]
    yard.ship(site)
    kept(site)
    assert yard.pins() == []
    assert contents(yard.root) == before["files"]


@pytest.mark.parametrize("how", ["clone", "worktree", "in_place"])
def test_work_is_rescued_and_outlives_its_workspace(yard, how):
    site = opened(yard, how)
    yard.write("app.py", "committed\n", site.folder)
    made = yard.commit("by the agent", site.folder)
    yard.write("new.py", "uncommitted\n", site.folder)
    before = yard.state()
    commit = rescue(site, RUN)
    assert yard.state() == before
    assert yard.git("rev-parse", WORK) == commit
    shutil.rmtree(yard.cache)
    assert yard.git("show", f"{WORK}:new.py") == "uncommitted"
    assert yard.git("show", f"{WORK}:app.py") == "committed"
    assert yard.git("rev-parse", f"{WORK}^") == made
    assert yard.git("fsck", "--strict", "--no-dangling") == ""


def test_a_rescue_of_the_same_work_changes_nothing(yard):
    site = yard.open()
    yard.write("app.py", "half done\n", site.folder)
    first = rescue(site, RUN)
    assert rescue(site, RUN) == first
    yard.write("app.py", "more\n", site.folder)
    assert rescue(site, RUN) != first


def test_nothing_done_is_nothing_to_rescue(yard):
    assert rescue(yard.open(), RUN) == ""
    assert WORK not in yard.pins()


def test_a_folder_deleted_under_the_run_loses_no_work_that_the_harness_saw(yard):
    site = yard.open()
    yard.write("app.py", "committed\n", site.folder)
    yard.commit("by the agent", site.folder)
    yard.write("new.py", "uncommitted\n", site.folder)
    last = site.fingerprints.take().tree
    shutil.rmtree(site.folder)
    with pytest.raises(SetupError, match=r"is gone; the ledger of the run is kept"):
        rescue(site, RUN)
    rescue(site, RUN, last)
    assert yard.git("show", f"{WORK}:new.py") == "uncommitted"
    assert yard.git("show", f"{WORK}:app.py") == "committed"
    assert "is gone" in kept(site)
    assert WORK in kept(site)
    assert yard.git("fsck", "--strict", "--no-dangling") == ""


def test_spoilt_objects_of_the_agents_do_not_hinder_the_rescue(yard):
    site = yard.open()
    yard.write("app.py", "committed\n", site.folder)
    yard.commit("by the agent", site.folder)
    for file in (site.folder / ".git/objects").glob("??/*"):
        file.chmod(0o600)
        file.write_bytes(b"")
    rescue(site, RUN)
    assert yard.git("show", f"{WORK}:app.py") == "committed"
    assert yard.git("fsck", "--strict", "--no-dangling") == ""


def test_work_that_was_rescued_before_it_was_accepted_is_forgotten_with_the_workspace(yard):
    site = yard.open()
    yard.write("app.py", "half done\n", site.folder)
    yard.commit("half", site.folder)
    rescue(site, RUN)
    yard.write("app.py", "done\n", site.folder)
    yard.ship(site)
    assert leave(site) == Removed(site.folder)
    assert yard.pins() == []
