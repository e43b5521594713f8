"""What runs left goes by the fate of the run: with it, without loss, or not at all."""

import shutil
from pathlib import Path

import pytest

from donewhen.run.shipping.clearing import Fate, clear, unshipped
from donewhen.run.shipping.leaving import rescue
from donewhen.workspace.rooms.lease import lease
from tests.run.shipping.yard import said
from tests.workspace.rooms_scene import RUN, names_in

WORK = f"refs/donewhen/{RUN}/work"


def cleared(yard, fate: Fate, **more):
    return clear(yard.env, lambda run_id: fate, {}, **more)


def left(yard) -> list[list[str]]:
    return [names_in(folder) for folder in (yard.places.runs, yard.places.homes, yard.places.scratch)]


def worked(yard, how: str = "clone"):
    """A run with a workspace in which something was written and kept."""
    site = yard.worktree() if how == "worktree" else yard.open(in_place=how == "in_place")
    site.scratch.mkdir(exist_ok=True)
    yard.write("app.py", "one = 2\n", site.folder)
    rescue(site, RUN)
    return site


@pytest.mark.parametrize("how", ["clone", "worktree", "in_place"])
def test_with_a_run_that_is_removed_everything_of_it_goes(yard, how):
    site = worked(yard, how)
    found = cleared(yard, "going")
    assert found.kept == ()
    kinds = {each.what for each in found.gone}
    assert kinds == {"reference", "scratch"} | (
        {"checkpoint"} if how == "in_place" else {"workspace", "home"}
    )
    assert left(yard) == [[], [], []]
    assert yard.pins() == []
    assert yard.git("worktree", "list").count("\n") == 0
    assert site.folder.exists() == (how == "in_place")
    if how == "in_place":
        assert (site.folder / "app.py").read_text() == "one = 2\n"
        assert site.fingerprints.kept() == {}
    assert cleared(yard, "going").gone == ()


def test_of_a_run_that_stays_only_what_is_no_work_goes(yard):
    site = worked(yard)
    assert cleared(yard, "lives").gone == ()
    found = cleared(yard, "ended")
    assert [(each.run_id, each.what) for each in found.gone] == [(RUN, "scratch")]
    assert (site.folder / "app.py").read_text() == "one = 2\n"
    assert WORK in yard.pins()


def test_of_a_run_that_nobody_knows_work_stays_and_is_told(yard):
    site = worked(yard)
    found = cleared(yard, "unknown")
    assert [each.run_id for each in found.kept] == [RUN]
    assert "not committed" in said(found.kept[0].why)
    assert (site.folder / "app.py").read_text() == "one = 2\n"
    assert WORK in yard.pins()


def test_of_a_run_that_nobody_knows_what_holds_no_work_goes(yard):
    site = yard.open()
    found = cleared(yard, "unknown")
    assert {each.what for each in found.gone} == {"workspace", "reference", "home"}
    assert not site.folder.exists()
    assert yard.pins() == []


def test_a_commit_that_is_kept_goes_only_with_its_run(yard):
    worked(yard)
    commit = yard.git("rev-parse", WORK)
    yard.git("branch", "-q", "theirs", commit)  # even where a branch has it
    for folder in (yard.places.runs, yard.places.homes):
        for path in folder.iterdir():
            _remove(path)
    cleared(yard, "unknown")
    assert yard.git("rev-parse", WORK) == commit
    cleared(yard, "going")
    assert yard.pins() == []


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def test_a_shipped_commit_that_no_branch_has_any_more_is_kept(yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    shipped = yard.ship(site)
    yard.git("branch", "-q", "-D", site.branch)
    _remove(site.folder)
    cleared(yard, "unknown")
    assert yard.git("rev-parse", f"refs/donewhen/{RUN}/shipped") == shipped.commit


def test_a_workspace_that_a_process_holds_stays(yard):
    site = worked(yard)
    with lease(site.folder):
        found = cleared(yard, "going")
    assert [each.folder for each in found.kept] == [str(site.folder)]
    assert (site.folder / "app.py").exists()
    assert WORK in yard.pins()


def test_looking_changes_nothing(yard):
    site = worked(yard)
    would = cleared(yard, "going", dry_run=True)
    assert {each.what for each in would.gone} == {"workspace", "home", "scratch", "reference"}
    assert sum(each.bytes for each in would.gone) > 0
    assert site.scratch.is_dir()
    assert (site.folder / "app.py").exists()
    assert WORK in yard.pins()
    assert cleared(yard, "going").gone == would.gone


def test_a_path_of_the_ledger_that_is_no_workspace_of_ours_is_not_believed(yard, tmp_path):
    worked(yard)
    mine = tmp_path / "mine" / RUN
    mine.mkdir(parents=True)
    clear(yard.env, lambda run_id: "going", {RUN: str(mine)})
    assert mine.is_dir()
    assert left(yard) == [[], [], []]


def test_a_workspace_of_a_repository_that_is_gone_stays_for_a_human(yard):
    site = worked(yard)
    yard.repository.root.rename(yard.base / "elsewhere")
    found = cleared(yard, "unknown")
    assert "is gone" in said(found.kept[0].why)
    assert site.folder.is_dir()


def test_runs_with_work_on_no_branch_are_known(yard):
    assert unshipped(yard.env) == frozenset()
    worked(yard)
    assert unshipped(yard.env) == {RUN}
