"""Which red of a command with the base's tests is no regression: narrowly, and only beside tests that pass."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.accept import Accept, read_accept
from donewhen.core.counts import Counts
from donewhen.core.events.facts import CommandEnded
from donewhen.core.integrity.account import Account, Known
from donewhen.core.integrity.finding import found
from donewhen.core.view import Change
from donewhen.run.verifying.comparing import rerun_of
from donewhen.run.verifying.composing import PutBack
from donewhen.run.verifying.natural import MoreTests, asks_for_tests, only_added, red_by_nature
from donewhen.run.verifying.verdict import Sitting
from donewhen.shell import parse
from donewhen.verify.reports.model import Failure
from tests.tables import table_test

TESTS = "python3 -m unittest"
COUNTING = "python3 enough.py"
KNOWN = Known("EndsTest.test_two", "tests/test_ends.py", "same")
MORE = MoreTests((KNOWN,), lambda entry: False)


def entry(line: str) -> Accept:
    [only] = read_accept(line, parse)
    return only


def sat(line: str, exit: int, executed: int | None = None, *failed: str) -> Sitting:
    counts = None if executed is None else Counts(executed, executed - len(failed), len(failed))
    ended = CommandEnded("k", line, exit=exit)
    return Sitting(entry(line), "ran", ended, counts=counts, failures=tuple(map(Failure, failed)))


def spared(again: list[Sitting], start: list[Sitting], more: MoreTests = MORE) -> list[str]:
    found = red_by_nature(again, start, more, parse)
    return [sitting.entry.line for sitting in again if sitting.entry.identity in found]


def test_a_count_that_was_red_all_along_is_spared_and_what_is_left_is_green():
    again = [sat(TESTS, 0, 1), sat(COUNTING, 1)]
    assert spared(again, again) == [COUNTING]
    assert rerun_of(again, parse, red_by_nature(again, again, MORE, parse)).green
    assert not rerun_of(again, parse).green


def test_a_threshold_of_the_test_run_itself_is_spared_where_all_its_tests_passed():
    again = [sat("pytest --cov --cov-fail-under=90", 1, 4)]
    assert spared(again, again) == ["pytest --cov --cov-fail-under=90"]


def test_an_assertion_of_the_counting_script_is_no_test():
    again = [sat(TESTS, 0, 1), sat(COUNTING, 1, None, "enough.py: AssertionError")]
    assert spared(again, again) == [COUNTING]


RED = sat(COUNTING, 1)
CASES = {
    "green at the base": ([sat(TESTS, 0, 1), RED], [sat(TESTS, 0, 1), sat(COUNTING, 0)]),
    "not run at the base": ([sat(TESTS, 0, 1), RED], [sat(TESTS, 0, 1)]),
    "could not run": ([sat(TESTS, 0, 1), RED._replace(way="could_not_run")], [sat(TESTS, 0, 1), RED]),
    "no tests are seen to pass": ([RED], [RED]),
    "tests fail on the new code": ([sat(TESTS, 1, 1, "test_two"), RED], [sat(TESTS, 0, 1), RED]),
    "it names a test": ([sat(TESTS, 0, 1), sat(COUNTING, 1, None, "EndsTest.test_two")], [RED]),
    "it counts a failure": ([sat(TESTS, 0, 1), sat(COUNTING, 1, 2, "other")], [RED]),
    "a test run that says nothing": ([sat(COUNTING, 0, 1), sat(TESTS, 1)], [RED, sat(TESTS, 1)]),
}


@table_test(("again", "start"), CASES.values(), ids=CASES)
def test_nothing_else_is_spared(again, start):
    assert spared(again, start) == []


def test_a_command_whose_own_script_was_edited_is_not_spared():
    again = [sat(TESTS, 0, 1), RED]
    assert spared(again, again, MORE._replace(touches=lambda entry: "enough.py" in entry.argv)) == []


@given(st.lists(st.tuples(st.sampled_from((TESTS, COUNTING)), st.integers(0, 1)), unique_by=lambda e: e[0]))
def test_what_was_green_at_the_base_is_never_spared(rows):
    again = [sat(line, exit, 3 if line == TESTS else None) for line, exit in rows]
    start = [sat(line, 0, 3) for line, _ in rows]
    assert spared(again, start) == []


CHANGED = {"tests/test_ends.py": "modified", "tests/test_new.py": "added", "tests/__init__.py": "added"}
BACK = PutBack(tuple(sorted(CHANGED)))


def added(back=BACK, changed=CHANGED, tests=(KNOWN,), findings=(), blank=("tests/__init__.py",)) -> bool:
    return only_added(back, changed, Account(tuple(tests)), findings, lambda path: path in blank)


def test_tests_below_old_ones_and_in_new_files_are_only_added():
    assert added()


@table_test(("moved", "fine"), [({"old/test_ends.py"}, True), (set(), False)])
def test_tests_that_lie_elsewhere_as_they_are_count_as_added(moved, fine):
    changed: dict[str, Change] = {"old/test_ends.py": "deleted", "tests/test_ends.py": "added"}
    back = PutBack(tuple(changed))
    known = Account((KNOWN._replace(path="old/test_ends.py"),))
    assert only_added(back, changed, known, (), lambda path: False, moved.__contains__) is fine


@table_test(
    "how",
    [
        {"tests": [KNOWN._replace(state="changed")]},
        {"tests": [KNOWN._replace(state="kept")]},
        {"tests": [KNOWN, KNOWN._replace(name="x", state="gone")]},
        {"tests": []},  # nobody could read it
        {"findings": [found("test-emptied", "tests/test_ends.py", 1)]},
        {"blank": []},  # a new `__init__.py` that does something
        {"changed": {**CHANGED, "tests/test_new.py": "deleted"}},
        {"back": PutBack(BACK.paths, {"pyproject.toml": b""})},
        {
            "back": PutBack((*BACK.paths, "tests/data.txt")),
            "changed": dict(CHANGED) | {"tests/data.txt": "modified"},
        },
        {"back": PutBack()},
    ],
)
def test_whatever_else_changed_on_the_side_of_the_exam_is_more_than_adding(how):
    assert not added(**how)


@table_test(
    ("goal", "asks"),
    [("", True), ("Write three more tests", True), ("补充测试用例", True), ("Fix the parser", False)],
)
def test_a_goal_that_speaks_of_no_tests_asks_for_none(goal, asks):
    assert asks_for_tests(goal) is asks
