"""gc takes what removed runs left, never what paused runs or unaccepted work need."""

from pathlib import Path

import pytest

from donewhen.core.events import run
from donewhen.store import new_run_id, open_store
from tests.helpers import Cli
from tests.projects import git
from tests.runs import QUICK, broken_cart, play, refs

GATES = False
HALF = {"write": {"path": "notes.txt", "content": "half done\n"}}


def failed(cli: Cli) -> tuple[Path, str]:
    """A repository and a run in it that failed, with work that nobody accepted."""
    folder = broken_cart(cli)
    data = play(cli, HALF, more=QUICK).json
    assert data["state"] == "fail"
    assert data["workspace"]
    return folder, data["run"]


def test_without_being_asked_by_age_unaccepted_work_stays(cli: Cli):
    folder, run_id = failed(cli)
    before = refs(folder)
    for words in ([], ["--max-size", "0"], ["--cache"], ["--older-than", "2020-01-01"]):
        assert cli("gc", *words).exit == 0
    assert refs(folder) == before
    assert cli("list", "-q").out.split() == [run_id]
    assert "+half done" in cli("diff", run_id).out


@pytest.mark.runs
def test_by_its_age_a_run_goes_with_all_that_it_left(cli: Cli):
    folder, run_id = failed(cli)
    workspace = Path(cli("show", run_id, "--json").json["worktree"])
    would = cli("gc", "--older-than", "0s", "--dry-run")
    assert f"workspace of {run_id}: {workspace}" in would.out
    assert workspace.is_dir()
    data = cli("gc", "--older-than", "0s", "--json").json
    assert data["runs"] == [run_id]
    assert {each["what"] for each in data["leftovers"]} >= {"workspace", "reference"}
    assert not workspace.exists()
    assert [name for name in refs(folder) if "donewhen" in name] == []
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.runs
def test_what_a_run_of_another_store_left_is_not_touched(cli: Cli):
    folder, run_id = failed(cli)
    before = refs(folder)
    other = f"sqlite:///{cli.folder.parent}/other.db"
    with open_store(other, state=cli.state, folder=folder) as opened:
        opened.store.append("r-20200101000000-aaaaaa", run.RunStarted("x"))
    assert cli("gc", "--older-than", "0s", DONEWHEN_STORE__URL=other).exit == 0
    assert refs(folder) == before
    assert "+half done" in cli("diff", run_id).out


def test_what_nobody_knows_any_more_goes_as_far_as_no_work_is_lost(cli: Cli):
    folder = broken_cart(cli)
    head = git(folder, "rev-parse", "HEAD")
    old, young = "r-20200101000000-aaaaaa", new_run_id()
    for run_id in (old, young):
        git(folder, "update-ref", f"refs/donewhen/{run_id}/base", head)
    git(folder, "update-ref", f"refs/donewhen/{old[:-1]}b/work", head)
    assert cli("verify", "--accept", "true").exit in (
        0,
        1,
    )  # now there is a store, and a cache of this repository
    gone = cli("gc", "--json").json["leftovers"]
    assert [(each["run"], each["what"]) for each in gone] == [(old, "reference")]
    left = [name for name in refs(folder) if "donewhen" in name]
    assert left == [f"refs/donewhen/{old[:-1]}b/work", f"refs/donewhen/{young}/base"]
