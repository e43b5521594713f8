"""How long a call may take, by what became of the same call before."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.backoff import LONGEST, MOST_KEYS, Backoff, key_of, noted, timeout_for
from tests.tables import table_test

ARGS = {"command": "make", "cwd": "."}


def after(*timed_out: bool, args=ARGS, tool="run_command", scans=False) -> Backoff:
    backoff = Backoff()
    for each in timed_out:
        backoff = noted(backoff, key_of(tool, args, scans=scans), timed_out=each)
    return backoff


@table_test(
    ("default", "scans", "times", "seconds"),
    [
        (30.0, False, 0, 30.0),
        (30.0, False, 1, 60.0),
        (30.0, False, 2, 120.0),
        (30.0, False, 3, LONGEST),
        (30.0, False, 99, LONGEST),
        (30.0, True, 0, 60.0),
        (30.0, True, 1, 120.0),
        (120.0, True, 0, 120.0),
        (300.0, False, 0, 300.0),
        (300.0, False, 5, 300.0),
    ],
)
def test_each_time_out_doubles_up_to_the_cap(default, scans, times, seconds):
    backoff = after(*[True] * times, scans=scans)
    assert timeout_for(backoff, "run_command", ARGS, default, scans=scans) == seconds


def test_any_other_result_clears_it():
    assert after(True, True, False) == Backoff()
    assert after(False) == Backoff()


def test_other_arguments_are_another_call():
    backoff = after(True)
    assert timeout_for(backoff, "run_command", {**ARGS, "command": "make x"}, 30.0) == 30.0
    assert timeout_for(backoff, "other", ARGS, 30.0) == 30.0
    assert timeout_for(backoff, "run_command", {"cwd": ".", "command": "make"}, 30.0) == 60.0


@table_test(
    ("args", "seconds"),
    [
        ({"pattern": "y", "path": "src"}, 120.0),
        ({"pattern": "z", "path": "./src/"}, 120.0),
        ({"pattern": "x", "path": "docs"}, 60.0),
        ({"pattern": "x"}, 60.0),
        ({"pattern": "x", "path": 7}, 60.0),
    ],
)
def test_a_scan_is_known_by_its_folder(args, seconds):
    backoff = after(True, tool="grep", args={"pattern": "x", "path": "src"}, scans=True)
    assert timeout_for(backoff, "grep", args, 30.0, scans=True) == seconds


def test_arguments_may_be_nested_as_deeply_as_they_like():
    deep: object = "x"
    for _ in range(50_000):
        deep = [deep]
    assert key_of("t", {"a": deep}) == key_of("t", {"a": deep})


def test_only_so_many_calls_are_remembered_and_the_oldest_goes():
    backoff = Backoff()
    for number in range(MOST_KEYS + 10):
        backoff = noted(backoff, str(number), timed_out=True)
    assert len(backoff.doublings) == MOST_KEYS
    assert "9" not in backoff.doublings
    assert str(MOST_KEYS + 9) in backoff.doublings


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=60),
    st.floats(0.1, 1000),
    st.booleans(),
)
def test_the_time_stays_within_its_bounds(story, default, scans):
    backoff = Backoff()
    for name, timed_out in story:
        args = {"path": name}
        backoff = noted(backoff, key_of("t", args, scans=scans), timed_out=timed_out)
        seconds = timeout_for(backoff, "t", args, default, scans=scans)
        assert default <= seconds <= max(LONGEST, default)
        assert timed_out or seconds == max(default, 60.0 if scans else 0.0)
