"""The world changed while nobody looked: the workspace, its git, the PATH, the ledger of an older donewhen."""

import os
import shutil
from pathlib import Path

import pytest

from tests.faults.scenes import Scene, ended
from tests.faults.stage import Stage

pytestmark = pytest.mark.faults
GOLDEN = Path(__file__).parent.parent / "golden" / "ledger-v1-run.jsonl"


def killed(scene: Scene) -> Path:
    """A run that was killed while its command ran; its workspace."""
    process = scene.under_way()
    process.kill()
    process.communicate()
    return Path(scene.stage.row.workspace)


def test_a_workspace_that_is_gone_before_a_resume_is_told_and_nothing_is_given_up(tmp_path: Path):
    scene = Scene(tmp_path)
    workspace = killed(scene)
    aside = workspace.with_name("aside")
    workspace.rename(aside)
    done = scene.resumed("-q")
    assert (done.exit, "Traceback" in done.err) == (5, False), done
    assert str(workspace) in done.said
    assert not scene.stage.row.ended
    aside.rename(workspace)
    assert scene.same(scene.resumed())


def test_a_workspace_that_goes_under_a_live_run_is_told_and_its_work_is_kept(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    shutil.rmtree(scene.stage.row.workspace)
    scene.let_go()
    done = ended(process)
    assert (done.exit, "Traceback" in done.err) == (5, False), done
    refs = scene.stage.git("for-each-ref", "--format=%(refname)").splitlines()
    work = [name for name in refs if name.endswith("/work")]
    assert scene.stage.git("show", f"{work[0]}:cart.py").endswith("return sum(prices)")


def test_a_moved_head_and_locks_of_killed_gits_are_put_right(tmp_path: Path):
    scene = Scene(tmp_path)
    workspace = killed(scene)
    own = workspace / ".git"
    (own / "HEAD").write_text("ref: refs/heads/elsewhere\n")
    for name in ("index.lock", "HEAD.lock", "refs/heads/x.lock"):
        (own / name).write_text("")
    assert scene.same(scene.resumed())


def test_a_changed_path_is_no_hindrance(tmp_path: Path):
    scene = Scene(tmp_path)
    killed(scene)
    more = tmp_path / "bin"
    more.mkdir()
    assert scene.same(scene.resumed(PATH=f"{more}{os.pathsep}{scene.stage.env['PATH']}"))


def test_a_run_without_a_git_to_go_on_with_waits_for_one(tmp_path: Path):
    scene = Scene(tmp_path)
    killed(scene)
    empty = tmp_path / "empty"
    empty.mkdir()
    done = scene.resumed("-q", PATH=str(empty))
    assert (done.exit, "Traceback" in done.err) == (5, False), done
    assert "git" in done.err
    assert scene.same(scene.resumed())


@pytest.mark.parametrize("word", ["resume", "abort"])
def test_a_run_of_an_older_donewhen_gets_a_clear_answer(tmp_path: Path, word: str):
    scene = Stage(tmp_path / "s", Scene(tmp_path).play)
    assert scene.call("import", str(GOLDEN)).exit == 0
    done = scene.call(word, "last", "-q")
    assert done.exit in (2, 4, 5) or scene.row.ended, done
    assert "Traceback" not in done.err
    assert done.exit == 0 or done.err.count("\n") == 1, done
