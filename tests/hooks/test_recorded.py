"""The runner for other rooms' tests."""

import asyncio

from donewhen.core.hooking import PASSED, HookRunner, Occasion, Point, Verdict
from donewhen.hooks.testing import Recorded


def test_answers_come_in_turn_and_then_all_passes():
    runner = Recorded([Verdict("no", "x"), Verdict(notes=("n",))])
    said = [asyncio.run(runner.call(Occasion("before_tool", "r", "/"))) for _ in range(3)]
    assert said == [Verdict("no", "x"), Verdict(notes=("n",)), PASSED]
    assert len(runner.asked) == 3


def test_answers_by_point_are_given_again_and_again():
    runner = Recorded(at={"before_commit": Verdict("no", "x")}, points=("before_commit", "run_end"))
    calls: tuple[Point, ...] = ("before_commit", "run_end", "before_tool", "before_commit")
    said = [asyncio.run(runner.call(Occasion(point, "r", "/"))) for point in calls]
    assert said == [Verdict("no", "x"), PASSED, PASSED, Verdict("no", "x")]
    assert [occasion.point for occasion in runner.asked] == ["before_commit", "run_end", "before_commit"]
    assert len(runner.asked_at("before_commit")) == 2 and not runner.listens("before_tool")


def test_it_is_a_runner():
    runner: HookRunner = Recorded()
    assert asyncio.run(runner.call(Occasion("run_start", "r", "/"))) == PASSED
