"""The store can't grow at some write of a run: exit 5, a sentence, and later the same end.

Needs no namespaces, so it holds the place of the full disk where there are none.
"""

from pathlib import Path

import pytest

from tests.faults.aftermath import aftermath, orphans
from tests.faults.disks import with_small_files
from tests.faults.killing import undisturbed
from tests.faults.plays import BY_NAME
from tests.faults.stage import Stage

pytestmark = pytest.mark.faults
PLAY = BY_NAME["commits of the agent"]


@pytest.mark.parametrize(
    "kib", [8, 64, 128, 300]
)  # at which the first, an early, a middle and a late write fail
def test_a_store_that_can_not_grow_stops_the_run_and_lets_it_go_on(tmp_path: Path, kib: int):
    want = undisturbed(Stage(tmp_path / "calm", PLAY))
    stage = Stage(tmp_path / "storm", PLAY)
    done = with_small_files(stage, kib, *stage.run_words, "-q")
    assert (done.exit, done.err.count("\n"), "Traceback" in done.said) == (5, 1, False), done
    assert str(stage.state) in done.err
    assert not any(row.ended for row in stage.rows())
    again = stage.call(*(["resume", "last"] if stage.rows() else stage.run_words))
    assert aftermath(stage, again.exit) == want, again.said
    assert stage.audit_findings() == []
    assert orphans(stage.base) == []
