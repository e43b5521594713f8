"""A disk that is full or read-only at any write of a run: exit 5, a sentence, and later the same end.

Each case gives one folder of the run a real file system of a size at which another write fails.
"""

from pathlib import Path

import pytest

from tests.faults.aftermath import aftermath, orphans
from tests.faults.disks import on_a_read_only_disk, on_a_small_disk, refused, used_kib
from tests.faults.killing import undisturbed
from tests.faults.plays import BY_NAME, CLAIM, FIX, Play
from tests.faults.scenes import Scene
from tests.faults.stage import Ended, Stage

pytestmark = [pytest.mark.faults, pytest.mark.skipif(bool(refused()), reason=refused())]
PLAY = BY_NAME["commits of the agent"]
SIZES = {  # KiB at which the first, a middle and a late write fail
    "state": (4, 90, 170, 250, 340, 520),
    "cache": (4, 69, 138, 160, 180, 190, 196, 200, 203, 207),  # from 196 on at a commit of the agent's
}
BIG = "x" * 1_000_000 + "\n"


def gone_on_with(stage: Stage) -> Ended:
    """There is space again: what was begun goes on, and what was not is typed again."""
    return stage.call(*(["resume", "last"] if stage.rows() else stage.run_words))


@pytest.mark.parametrize(("name", "kib"), [(name, kib) for name, sizes in SIZES.items() for kib in sizes])
def test_a_full_disk_stops_the_run_and_space_lets_it_go_on(tmp_path: Path, name: str, kib: int):
    want = undisturbed(Stage(tmp_path / "calm", PLAY))
    stage = Stage(tmp_path / "storm", PLAY)
    done = on_a_small_disk(stage, name, kib, *stage.run_words, "-q")
    assert (done.exit, "Traceback" in done.said) == (5, False), done
    assert any(
        word in done.said for word in ("no space", "No space", "diskspace", "unable to write", "disk I/O")
    ), done
    assert not any(row.ended for row in stage.rows())
    again = gone_on_with(stage)
    assert aftermath(stage, again.exit) == want, again.said
    assert stage.audit_findings() == []
    assert orphans(stage.base) == []


def test_a_file_of_the_agent_s_that_does_not_fit_waits_for_space(tmp_path: Path):
    play = Play("a big file", [FIX, {"write": {"path": "big.txt", "content": BIG}}, CLAIM])
    want = undisturbed(Stage(tmp_path / "calm", play))
    stage = Stage(tmp_path / "storm", play)
    done = on_a_small_disk(stage, "cache", 600, *stage.run_words, "-q")
    assert (done.exit, "no room on the disk to write `big.txt`" in done.said) == (5, True), done
    assert not stage.row.ended
    again = gone_on_with(stage)
    assert aftermath(stage, again.exit) == want, again.said


def test_the_objects_of_the_user_s_repository_may_lie_on_a_disk_that_is_full(tmp_path: Path):
    want = undisturbed(Stage(tmp_path / "calm", PLAY))
    stage = Stage(tmp_path / "storm", PLAY)
    done = on_a_small_disk(stage, "repo", used_kib(stage, "repo") + 8, *stage.run_words, "-q")
    assert (done.exit, "Traceback" in done.said) == (5, False), done
    assert not any(row.ended for row in stage.rows())
    again = gone_on_with(stage)
    assert aftermath(stage, again.exit) == want, again.said


def test_a_disk_that_is_full_at_the_record_leaves_an_accepted_run_whose_resume_writes_it(tmp_path: Path):
    play = BY_NAME["accepted at once"]
    want = undisturbed(Stage(tmp_path / "calm", play))
    stage = Stage(tmp_path / "storm", play)
    records = stage.state / "records"
    records.mkdir(parents=True)
    stage.state.chmod(0o700)
    (records / "filler").write_bytes(b"x" * 4096)
    done = on_a_small_disk(stage, "state/records", 4, *stage.run_words, "-q")
    assert (done.exit, done.err.count("\n"), "Traceback" in done.said) == (5, 1, False), done
    assert f"no space is left to write {records}" in done.err
    assert [path.name for path in records.iterdir()] == ["filler"]
    assert (stage.row.state, stage.row.stop_reason) == ("done", "accepted")
    (records / "filler").unlink()
    again = stage.call("resume", "last")
    assert aftermath(stage, again.exit) == want, again.said
    (record,) = records.iterdir()
    audited = stage.call("audit", "--record", str(record), "--commit", stage.row.branch)
    assert audited.exit == 0, audited


@pytest.mark.parametrize("name", ["state", "cache"])
def test_a_read_only_folder_stops_a_run_before_it_begins(tmp_path: Path, name: str):
    want = undisturbed(Stage(tmp_path / "calm", PLAY))
    stage = Stage(tmp_path / "storm", PLAY)
    done = on_a_read_only_disk(stage, name, *stage.run_words, "-q")
    assert (done.exit, "Traceback" in done.said) == (5, False), done
    again = gone_on_with(stage)
    assert aftermath(stage, again.exit) == want, again.said


@pytest.mark.parametrize("name", ["state", "cache"])
def test_a_read_only_folder_stops_a_resume_and_nothing_is_lost(tmp_path: Path, name: str):
    scene = Scene(tmp_path)
    process = scene.under_way()
    process.kill()
    process.communicate()
    scene.let_go()
    done = on_a_read_only_disk(scene.stage, name, "resume", "last", "-q")
    assert (done.exit, "Traceback" in done.said) == (5, False), done
    assert not scene.stage.row.ended
    assert scene.same(scene.resumed())
