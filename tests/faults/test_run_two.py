"""Two processes and one run: exactly one goes on, and whoever is not it says who is."""

from pathlib import Path

import pytest

from tests.faults.scenes import BEGUN, Scene, ended

pytestmark = pytest.mark.faults


def test_a_live_run_can_not_be_taken_up_by_another_process(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    second = scene.stage.call("resume", "last", "-q")
    assert second.exit in (4, 5), second
    assert second.err.count("\n") == 1
    assert str(process.pid) in second.err
    scene.let_go()
    assert scene.same(ended(process))


def test_of_several_that_resume_at_once_one_goes_on(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    process.kill()
    process.communicate()
    (Path(scene.stage.row.workspace) / BEGUN).unlink()
    rivals = [scene.stage.start("resume", "last", "-q") for _ in range(3)]
    scene.begun(*rivals)
    while sum(rival.poll() is None for rival in rivals) > 1:
        pass  # those who may not leave by themselves, while one waits in its command
    scene.let_go()
    told = [ended(rival) for rival in rivals]
    went_on = [each for each in told if each.exit == 0]
    assert len(went_on) == 1, told
    assert {each.exit for each in told if each.exit} <= {4, 5}, told
    assert all("Traceback" not in each.err for each in told)
    assert scene.same(went_on[0])
    assert sum(event.type == "resumed" for event in scene.stage.events()) == 1


def test_the_lease_of_a_killed_process_is_taken_over_at_once(tmp_path: Path):
    scene = Scene(tmp_path)
    process = scene.under_way()
    process.kill()
    process.communicate()
    assert scene.stage.holder() == ""
    assert scene.same(scene.resumed())
