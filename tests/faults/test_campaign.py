"""A short campaign: a few dozen kills over all plays; `make faults` injects hundreds."""

import os
from pathlib import Path

import pytest

from tests.faults.campaign import Known, carry_out, plan, rehearse, summary
from tests.faults.plays import PLAYS, Play

pytestmark = pytest.mark.faults
KILLS = max(1, int(os.environ.get("DONEWHEN_TEST_KILLS", "40")) // len(PLAYS))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_killed_runs_end_as_undisturbed_ones(play: Play, tmp_path: Path, record_property):
    known = rehearse(play, tmp_path / "calm")
    cases = plan([known], KILLS, seed=PLAYS.index(play))
    told = list(carry_out(cases, {play.name: known}, 1, tmp_path))
    counts = summary(told)
    assert counts["problems"] == []
    record_property("runs killed", counts["kills"])
    record_property("runs lost", counts["runs_lost"])
    record_property("effects doubled", counts["effects_doubled"])
    record_property("orphans", counts["orphans"])


def test_the_same_seed_gives_the_same_plan_and_every_kill_is_planned():
    points = tuple(f"before:{letter}" for letter in "abcdefgh" for _ in range(3))
    known = [Known(play, None, points) for play in PLAYS[:3]]  # type: ignore[arg-type]
    one, other = plan(known, 60, seed=4), plan(known, 60, seed=4)
    assert one == other
    assert sum(len(case.kills) for case in one) == 60
    assert {kill[0] for case in one for kill in case.kills} >= {"b", "~"}
