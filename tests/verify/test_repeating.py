"""Earlier results in a ledger: as few as say the same, and none that this run did not need."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.core.events.facts import CommandEnded
from donewhen.core.evidence import Evidence
from donewhen.core.tally import Flaky
from donewhen.core.target import accept_target
from donewhen.store.results import Stored
from donewhen.verify.exam_run import worth_telling
from donewhen.verify.new_tests import on_base_code
from tests.projects import BUG, TESTS, UNITTEST
from tests.verify.exam_support import Desk, FinishedExam

TAILS = ("", "1 passed in 0.1s", "1 failed, 2 passed in 0.1s", "2 failed in 0.1s", "Ran 0 tests in 0.0s")


def result(exit: int, tail: str, on: tuple[str, ...], run_id: str) -> Stored:
    ended = CommandEnded("exam", "pytest", by="harness", exit=exit, tail=tail, before="t1", on=on)
    return Stored(ended, run_id, 0.0)


TREES = st.sampled_from([(), ("t1",), ("t1", "t2")])
RESULTS = st.builds(result, st.sampled_from([0, 1, 2]), st.sampled_from(TAILS), TREES, st.sampled_from("abc"))
HISTORY = st.lists(RESULTS, max_size=12)


@given(HISTORY, st.sampled_from([Flaky(), Flaky(1, 2), Flaky(2, 3)]))
def test_what_is_told_proves_what_all_results_prove(history, flaky):
    told = worth_telling(history, "a", flaky.of)
    target = accept_target(read_accept("pytest", parse)[0], parse)
    wholes = []
    for results in (history, told):
        evidence = Evidence(parse, flaky)
        for each in results:
            evidence.take(each.ended)
        standings = [evidence.standing(target, tree, "harness") for tree in ("t1", "t2")]
        wholes.append([(each.status, each.reason) for each in standings])
    assert wholes[0] == wholes[1]
    assert [each for each in told if each.run_id == "a"] == [each for each in history if each.run_id == "a"]


def ended(desk: Desk) -> list[CommandEnded]:
    return [event.body for event in desk.events if event.type == "command_ended"]


def test_wanted_reds_of_earlier_runs_are_in_no_later_ledger(tmp_path):
    desk = Desk(tmp_path, {**UNITTEST, "cart.py": BUG, "test_cart.py": ""}, TESTS)
    desk.write(**UNITTEST)

    async def act(exam: FinishedExam):
        return (await on_base_code(exam.context)).green

    for number in range(4):
        assert desk.do(act) is False
        told = [(body.exit, bool(body.of_run), body.before.partition(":")[0]) for body in ended(desk)]
        first = (0, number > 0, ended(desk)[0].before)
        assert told == [first, (1, number > 0, "new-tests-on-base")]


def test_a_red_of_an_earlier_run_is_told_once_beside_the_green_of_this_one(tmp_path):
    """Flaky stays flaky: what was red on this very tree is known to the ledger."""
    luck = tmp_path / "luck"
    desk = Desk(tmp_path, {"a.txt": "1\n"}, f"test -e {luck}", settings=("sandbox.mode=off",))
    desk.write(**{"a.txt": "2\n"})

    async def act(exam: FinishedExam):
        return exam.green

    assert [desk.do(act) for _ in range(3)] == [False] * 3
    assert [(body.exit, bool(body.of_run)) for body in ended(desk)] == [(1, False)]
    luck.touch()
    assert desk.do(act)
    assert [(body.exit, bool(body.of_run)) for body in ended(desk)] == [(1, True), (0, False)]
    assert desk.do(act)
    assert [(body.exit, bool(body.of_run)) for body in ended(desk)][:1] == [(1, True)]
