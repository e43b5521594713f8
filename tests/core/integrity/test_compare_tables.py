"""Tables as readers tell them: every column's values in one assertion, rows among the literals."""

from donewhen.core.integrity.compare import compare, review
from donewhen.core.integrity.model import Pair
from tests.core.integrity.sheets import ask, case, edited, rules, sheet, source
from tests.tables import table_test

PATH = "tests/test_events.py"


def apart(first, second):
    """assertFalse(overlap(first, second)), values whole and in parts."""
    return case(f"T.test_{first}{second}", ask("false", "overlap", (*_all(first), *_all(second)), ("false",)))


def near(first, second):
    return case(f"T.test_{first}{second}", ask("true", "overlap", (*_all(first), *_all(second)), ("true",)))


def _all(pair):
    return (f"[{pair[0]}, {pair[1]}]", str(pair[0]), str(pair[1]))


def table(*rows, kind="equal", name="test_overlap"):
    """One test over rows (first, second, expected)."""
    given = tuple(v for row in rows for part in row[:2] for v in _all(part))
    truths = tuple(row[2] for row in rows) if kind == "equal" else (kind,)
    written = [
        f"[[{a[0]}, {a[1]}], [{b[0]}, {b[1]}]{', ' + c if kind == 'equal' else ''}]" for a, b, c in rows
    ]
    literals = (*written, *given, *truths)
    made = ask(kind, "overlap", given, truths)
    return case(name, made, literals=literals, cases=len(rows)), f"[{', '.join(written)}]"


BASE = [near((1, 9), (2, 3)), apart((1, 2), (5, 6)), apart((1, 5), (5, 6))]
ROWS = [((1, 9), (2, 3), "true"), ((1, 2), (5, 6), "false"), ((1, 5), (5, 6), "false")]


def rewritten(*tables):
    now = sheet(PATH, *(test for test, _ in tables), constants=[whole for _, whole in tables])
    return review([Pair(sheet(PATH, *BASE), now)])


def test_single_tests_may_become_rows():
    seen = rewritten(table(*ROWS))
    assert seen.findings == ()
    assert {test.state for test in seen.account.tests} == {"changed"}
    assert seen.account.merged == 2


def test_rows_may_be_grouped_by_what_they_expect():
    yes = table(ROWS[0], ROWS[0], kind="true", name="test_near")
    no = table(*ROWS[1:], kind="false", name="test_apart")
    assert rewritten(yes, no).findings == ()


@table_test(
    "rows",
    [
        [ROWS[0], ROWS[1], ((1, 5), (5, 6), "true")],
        [ROWS[0], ROWS[1]],
        [ROWS[0], ROWS[1], ((1, 4), (5, 6), "false")],
        [ROWS[0], ((1, 5), (5, 6), "true"), ((1, 2), (5, 6), "false")],
    ],
)
def test_a_test_whose_values_are_in_no_row_is_found(rows):
    found = rewritten(table(*rows)).findings
    assert [(f.test, f.blocks) for f in found] == [("T.test_(1, 5)(5, 6)", True)]


def test_a_table_may_grow_and_be_cut_into_tests():
    test, whole = table(*ROWS[:2])
    grown, larger = table(*ROWS)
    before = sheet(PATH, test, constants=[whole])
    assert compare([Pair(before, sheet(PATH, grown, constants=[larger]))]) == ()
    assert compare([Pair(before, sheet(PATH, *BASE))]) == ()


def test_values_may_move_to_what_the_file_prepares():
    before = case("test_total", ask("equal", "total", ("[1, 2]", "1", "2"), ("3",)))
    now = case("test_total", ask("equal", "total", (), ("3",)))
    prepared = sheet(PATH, now, constants=("[1, 2]", "1", "2"))
    seen = review([Pair(sheet(PATH, before), prepared)])
    assert seen.findings == ()
    assert [test.state for test in seen.account.tests] == ["changed"]
    assert rules(compare([Pair(sheet(PATH, before), sheet(PATH, now, constants=("9",)))])) == [
        "expected-changed"
    ]


def test_lists_may_be_taken_apart_where_a_function_becomes_a_method():
    code = Pair(source("src/events.py", "overlap"), source("src/events.py", "Interval", "overlaps"))
    before = case("test_it", ask("true", "overlap", ("[1, 9]", "1", "9", "[2, 3]", "2", "3"), ("true",)))
    made = ask("true", "Interval.overlaps", ("1", "9", "2", "3"), ("true",))
    now = case("test_it", made, calls=("Interval", "Interval.overlaps"))
    seen = review([edited(PATH, [before], [now]), code])
    assert seen.findings == ()
    assert [(test.state, test.orphaned) for test in seen.account.tests] == [("changed", True)]


def test_input_in_another_order_is_another_input():
    before = case("test_it", ask("equal", "sort", ("[3, 1, 2]", "3", "1", "2"), ("[1, 2, 3]", "1", "2", "3")))
    now = case("test_it", ask("equal", "sort", ("[1, 2, 3]", "1", "2", "3"), ("[1, 2, 3]", "1", "2", "3")))
    assert rules(compare([edited(PATH, [before], [now])])) == ["expected-changed"]


def test_python_tests_in_a_file_that_no_runner_takes_for_one_are_uncollected():
    moved = sheet("tests/events_old.py", *BASE)
    assert rules(compare([Pair(sheet(PATH, *BASE), None), Pair(None, moved)])) == ["test-uncollected"]
    fine = sheet("tests/unit/events_test.py", *BASE)
    assert compare([Pair(sheet(PATH, *BASE), None), Pair(None, fine)]) == ()


def test_a_decorator_that_names_what_is_tested_puts_something_in_its_place():
    now = sheet(PATH, *BASE, constants=('"events.overlap"',))
    assert rules(compare([Pair(sheet(PATH, *BASE), now)])) == ["test-emptied"]
    clock = sheet(PATH, *BASE, constants=('"time.time"',))
    assert compare([Pair(sheet(PATH, *BASE), clock)]) == ()


def test_a_number_that_vanishes_from_what_is_prepared_is_found():
    before, now = sheet(PATH, *BASE, constants=("77",)), sheet(PATH, *BASE)
    assert rules(compare([Pair(before, now)])) == ["expected-changed"]
    assert (
        compare(
            [Pair(before, now), Pair(None, sheet("tests/conftest.py", role="support", constants=("77",)))]
        )
        == ()
    )


def test_arguments_that_changed_places_are_not_surely_the_same():
    before = case("test_it", ask("true", "before", ("1", "2"), ("true",)))
    now = case("test_it", ask("true", "before", ("2", "1"), ("true",), text="other"))
    assert [t.state for t in review([edited(PATH, [before], [now])]).account.tests] == ["changed"]
