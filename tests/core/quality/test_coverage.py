"""What coverage comes to: the share of changed lines, the total against the base, ranges without a gap."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.coverage import Covered, Lines, family_of, judge, merge, total
from donewhen.core.texts import say
from donewhen.project.roles import exam_side
from tests.tables import table_test

NUMBERS = st.frozensets(st.integers(1, 30), max_size=30)
LINES = st.builds(lambda ran, other: Lines(ran, other - ran), NUMBERS, NUMBERS)
PATHS = st.sampled_from(["src/a.py", "src/b.py", "lib/c.js", "tests/test_a.py"])
COVERED = st.builds(Covered, st.dictionaries(PATHS, LINES, max_size=4))
CHANGED = st.dictionaries(PATHS, NUMBERS, max_size=4)


def some(ran=(), missing=(), path="src/a.py") -> Covered:
    return Covered({path: Lines(frozenset(ran), frozenset(missing))})


@given(COVERED, COVERED, COVERED)
def test_merging_is_one_thing_in_any_order(one, two, three):
    assert merge((one, two, three)).files == merge((three, merge((two, one)))).files
    assert merge((one, one)).files == merge((one,)).files
    for lines in merge((one, two)).files.values():
        assert not lines.executed & lines.missing


@given(COVERED, CHANGED, st.floats(0, 100), st.none() | st.floats(0, 100))
def test_the_verdict_follows_from_the_numbers(covered, changed, threshold, base):
    found = judge(covered, exam_side, changed, threshold, base)
    counted = {path for path in covered.files if path in changed and "test" not in path}
    ran = sum(len(covered.files[path].executed & changed[path]) for path in counted)
    missing = sum(len(covered.files[path].missing & changed[path]) for path in counted)
    short = ran * 100 < threshold * (ran + missing) - 1e-9
    whole = total(covered, exam_side)
    fell = base is not None and whole is not None and whole < min(threshold, base) - 1e-9
    assert found.verdict == ("failed" if short or fell else "passed")
    if found.verdict == "failed":
        assert sum(each.value or 0 for each in found.violations) == missing
    else:
        assert found.violations == ()


@given(LINES, NUMBERS)
def test_ranges_hold_every_missing_changed_line_once_and_none_that_ran(lines, changed):
    found = judge(Covered({"a.py": lines}), exam_side, {"a.py": changed}, 100, None).violations
    held: list[int] = []
    for each in found:
        first, _, last = each.subject.partition("-")
        held += range(int(first), int(last or first) + 1)
        assert each.line == int(first)
    assert len(held) == len(set(held))
    assert lines.missing & changed <= set(held) <= changed
    assert not lines.executed.intersection(held)


@table_test(
    ("ran", "missing", "threshold", "verdict", "ranges"),
    [
        (range(1, 9), (9, 10), 80, "passed", []),
        (range(1, 8), (8, 9, 10), 80, "failed", ["8-10"]),
        ((1, 4), (2, 3, 5, 9), 80, "failed", ["2-3", "5-9"]),
        ((), (), 80, "passed", []),
        ((), (1,), 0, "passed", []),
        ((1,), (), 100, "passed", []),
    ],
)
def test_changed_lines_against_the_threshold(ran, missing, threshold, verdict, ranges):
    found = judge(some(ran, missing), exam_side, {"src/a.py": frozenset(range(1, 11))}, threshold, None)
    assert (found.verdict, [each.subject for each in found.violations]) == (verdict, ranges)


def test_nothing_that_can_run_passes_and_says_so():
    found = judge(
        some((1,), (2,)), exam_side, {"README.md": frozenset((1,)), "src/a.py": frozenset((9,))}, 80, 50.0
    )
    assert found.verdict == "passed"
    assert found.why is not None
    assert say(found.why.key) == "no changed line can be executed, so there is nothing to cover"
    assert "changed" not in found.numbers


@table_test(
    ("base", "verdict"),
    [(None, "passed"), (50.0, "passed"), (49.0, "passed"), (50.1, "failed"), (100.0, "failed")],
)
def test_the_total_may_not_fall_below_the_base(base, verdict):
    found = judge(some((1, 2), (3, 4)), exam_side, {"src/a.py": frozenset((1,))}, 80, base)
    assert (found.verdict, found.numbers["total"]) == (verdict, 50.0)


def test_a_total_above_the_threshold_may_fall():
    covered = some(range(1, 10), (10,))
    assert judge(covered, exam_side, {"src/a.py": frozenset((1,))}, 80, 100.0).verdict == "passed"


def test_long_tests_pay_for_nothing():
    covered = merge((some((1,), (2, 3, 4)), some(range(1, 100), (), "tests/test_a.py")))
    changed = {"src/a.py": frozenset(range(1, 5)), "tests/test_a.py": frozenset(range(1, 100))}
    found = judge(covered, exam_side, changed, 80, None)
    assert (found.verdict, found.numbers["changed"], found.numbers["total"]) == ("failed", 25.0, 25.0)


def test_a_file_without_a_report_fails_the_change_and_leaves_the_total_alone():
    covered = merge((some((1, 2)), some((), (1, 2, 3), "src/new.py")))._replace(
        unmeasured=frozenset(("src/new.py",))
    )
    found = judge(covered, exam_side, {"src/new.py": frozenset((1, 2, 3))}, 80, 100.0)
    assert (found.verdict, found.numbers["total"]) == ("failed", 100.0)
    assert [(each.file, each.subject) for each in found.violations] == [("src/new.py", "1-3")]
    assert "not in the coverage report" in found.violations[0].message


def test_a_file_that_settings_leave_out_is_told_as_a_note():
    covered = some((1,))._replace(left_out=frozenset(("src/gen.py",)))
    found = judge(covered, exam_side, {"src/gen.py": frozenset((1,))}, 80, None)
    assert found.verdict == "passed"
    assert [(each.rule, each.severity, each.file) for each in found.violations] == [
        ("not-in-report", "note", "src/gen.py")
    ]


@table_test(
    ("path", "family"),
    [
        ("a/b.py", "python"),
        ("x.TSX", "javascript"),
        ("Main.kt", "java"),
        (".py", ""),
        ("a.pyi", ""),
        ("m", ""),
    ],
)
def test_families_by_ending(path, family):
    assert family_of(path) == family
