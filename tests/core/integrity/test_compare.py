"""What reading alone finds between the tests of a base and those of a change."""

from donewhen.core.integrity.compare import compare, review
from donewhen.core.integrity.model import Assertion, Mark, Pair, Sheet, Trouble
from donewhen.core.texts import LANGUAGES, Phrase, say
from tests.core.integrity.sheets import HOLLOW, ask, case, changed_source, edited, eq, rules, sheet, source
from tests.tables import table_test

PATH = "tests/test_shop.py"
ONE = eq("total", ("1", "2"), "3")
TWO = eq("total", ("5", "5"), "10")
BOTH = case("ShopTest.test_total", ONE, TWO)
ADDS = case("ShopTest.test_adds", ONE)
SUMS = case("ShopTest.test_sums", TWO)
APART = ask("false", "overlap", ("[1, 2]", "[5, 6]"))
NEAR = ask("true", "overlap", ("[1, 9]", "[2, 3]"))


def within(before, now, **more):
    return compare([edited(PATH, before, now, **more)])


def one(before, now):
    """Findings where one test was edited."""
    return within([case("test_it", *before)], [case("test_it", *now)])


WEAKENED = [
    ([ONE], [], "test-emptied"),
    ([ONE, TWO], [ONE], "test-emptied"),
    ([ONE], [HOLLOW], "test-hollow"),
    ([ONE, TWO], [ONE, HOLLOW], "test-hollow"),
    ([ONE], [ask("equal", "", ("1",), ("1",), hollow=True)], "test-hollow"),
    ([ONE], [eq("total", ("1", "2"), "4")], "expected-changed"),
    ([ONE], [eq("total", ("0", "3"), "3")], "expected-changed"),
    ([ONE], [eq("total", ("0", "0"), "0")], "expected-changed"),
    ([NEAR], [NEAR._replace(kind="false", text="not overlap")], "expected-changed"),
    ([NEAR], [NEAR._replace(kind="equal", expected=("false",), text="is False")], "expected-changed"),
    ([ONE], [ask("true", "total", ("1", "2"))], "test-emptied"),
    ([ONE], [ask("not_null", "total", ("1", "2"))], "test-emptied"),
    ([ONE], [ask("type", "total", ("1", "2"), ("int",))], "test-emptied"),
    ([ONE], [ask("contains", "total", ("1", "2"), ("3",))], "test-emptied"),
    ([ONE], [ask("unequal", "total", ("1", "2"), ("3",))], "test-emptied"),
    ([ONE], [ask("order", "total", ("1", "2"), ("0",))], "test-emptied"),
    ([ONE], [ask("close", "total", ("1", "2"), ("3", "100"))], "test-emptied"),
    ([ONE], [ask("other", "total", ("1", "2"), ("3",))], "test-emptied"),
    ([NEAR], [ask("type", "overlap", ("[1, 9]", "[2, 3]"), ("bool",))], "test-emptied"),
    ([ask("raises", "total", ("-1",), ("ValueError",))], [ask("raises", "total", ("-1",), ("Exception",))], "test-emptied"),
    ([ask("raises", "total", ("-1",), ("ValueError",))], [ask("raises", "total", ("-1",), ())], "test-emptied"),
    ([ask("raises", "total", ("-1",), ("ValueError", '"bad"'))], [ask("raises", "total", ("-1",), ("ValueError",))], "test-emptied"),
    ([ask("raises", "total", ("-1",), ("ValueError",))], [ask("raises", "total", ("-1",), ("TypeError",))], "expected-changed"),
    ([ask("close", "total", ("1",), ("2.5", "7"))], [ask("close", "total", ("1",), ("2.5", "1"))], "expected-changed"),
    ([ask("order", "total", ("1",), ("5",))], [ask("order", "total", ("1",), ("1",))], "expected-changed"),
    ([ONE], [eq("fake_total", ("1", "2"), "3")], "test-emptied"),
]  # fmt: skip


@table_test(("before", "now", "rule"), WEAKENED)
def test_an_assertion_that_got_weaker_is_found(before, now, rule):
    found = one(before, now)
    assert rules(found) == [rule]
    assert {(f.file, f.test) for f in found} == {(PATH, "test_it")}
    assert all(f.before for f in found)


EQUIVALENT = [
    ([ONE], [ONE._replace(text="self.assertEqual(3, total(1, 2))")]),
    ([ONE], [ONE, TWO]),
    ([ONE, TWO], [TWO, ONE]),
    ([NEAR], [NEAR._replace(kind="equal", expected=("true",), text="assert overlap(…) is True")]),
    ([APART], [APART._replace(kind="equal", expected=("false",), text="assertEqual(overlap(…), False)")]),
    ([ask("null", "find", ("1",))], [eq("find", ("1",), "null")]),
    ([ask("not_null", "find", ("1",))], [ask("unequal", "find", ("1",), ("null",))]),
    ([ask("not_null", "find", ("1",))], [eq("find", ("1",), '"a"')]),
    ([ask("contains", "names", ("1",), ('"a"',))], [eq("names", ("1",), '["a", "b"]')]),
    ([ask("true", "names", ("1",))], [eq("names", ("1",), '["a", "b"]')]),
    ([ask("order", "total", ("1",), ("5",))], [eq("total", ("1",), "6")]),
    ([eq("total", ("1.0",), "[1,2]")], [eq("total", ("1",), "[1, 2]")]),
    ([ask("raises", "total", ("-1",), ("ValueError",))], [ask("raises", "total", ("-1",), ("ValueError", '"bad"'))]),
    ([eq("cart.total", ("1",), "3")], [eq("basket.total", ("1",), "3")]),
]  # fmt: skip


@table_test(("before", "now"), EQUIVALENT)
def test_the_same_demand_written_otherwise_or_stricter_is_fine(before, now):
    assert one(before, now) == ()


def test_a_value_that_went_into_a_variable_is_still_demanded():
    now = case("test_it", ask("equal", "result", (), ("3",)), calls=("total",), literals=("1", "2", "3"))
    assert within([case("test_it", ONE)], [now]) == ()
    other = case("test_it", ask("equal", "result", (), ("3",)), calls=("other",), literals=("1", "2", "3"))
    assert rules(within([case("test_it", ONE)], [other])) == ["test-emptied"]


def test_input_that_lies_before_the_assertion_is_a_part_of_the_exam():
    final = ask("equal", "cart.total", (), ("4",))
    before = case("test_it", final, calls=("Cart", "cart.add", "cart.total"), literals=('"a"', "2", "4"))
    now = case("test_it", final, calls=("Cart", "cart.add", "cart.total"), literals=('"a"', "9", "4"))
    found = within([before], [now])
    assert [(f.rule, f.before) for f in found] == [("expected-changed", "2")]


def test_a_test_that_calls_nothing_of_what_it_called_is_empty():
    before = case("test_runs", calls=("main",))
    assert rules(within([before], [case("test_runs", calls=())])) == ["test-emptied"]
    assert within([before], [case("test_runs", calls=("main", "log"))]) == ()


def test_a_subject_that_is_patched_away_is_not_tested():
    now = case("test_it", ONE, calls=("mock.patch", "total"), literals=('"shop.total"', "1", "2", "3"))
    assert rules(within([case("test_it", ONE)], [now])) == ["test-emptied"]
    clock = case("test_it", ONE, calls=("mock.patch", "total"), literals=('"time.time"', "1", "2", "3"))
    assert within([case("test_it", ONE)], [clock]) == ()


def test_a_test_file_that_defines_the_product_itself_asks_nobody():
    before, now = sheet(PATH, ADDS), sheet(PATH, ADDS, defines=("total",))
    assert rules(compare([Pair(before, now)])) == ["test-emptied"]
    fake = sheet("tests/fakes.py", role="support", defines=("total",))
    assert rules(
        compare([Pair(before, sheet(PATH, ADDS, constants=("9",))), Pair(None, fake), changed_source()])
    ) == ["test-emptied"]


def test_an_assertion_in_a_helper_of_another_file_may_be_the_same():
    now = case("test_it", calls=("assert_total",), literals=("1", "2", "3"))
    assert within([case("test_it", ONE)], [now]) == ()
    assert rules(within([case("test_it", ONE)], [now._replace(literals=("1", "2", "4"))])) == ["test-emptied"]


def test_a_removed_test_is_told_with_what_it_demanded():
    (finding,) = within([ADDS, SUMS], [ADDS])
    assert (finding.rule, finding.test, finding.line) == ("test-deleted", "ShopTest.test_sums", 2)
    assert finding.before == TWO.text


def test_a_deleted_file_names_twenty_tests_and_counts_the_rest():
    tests = [case(f"test_{n}", eq("total", (str(n),), str(2 * n))) for n in range(33)]
    found = compare([Pair(sheet(PATH, *tests), None)])
    assert [f.rule for f in found] == ["test-deleted"] * 21
    assert any("13 more tests" in say(f.message.key, **f.message.values) for f in found)


def test_a_whole_file_may_move_and_be_renamed():
    moved = sheet("tests/unit/shop_test.py", ADDS, SUMS)
    assert compare([Pair(sheet(PATH, ADDS, SUMS), None), Pair(None, moved)]) == ()


def test_a_moved_file_that_lost_a_test_is_found():
    moved = sheet("tests/unit/test_shop.py", ADDS)
    found = compare([Pair(sheet(PATH, ADDS, SUMS), None), Pair(None, moved)])
    assert [(f.rule, f.test) for f in found] == [("test-deleted", "ShopTest.test_sums")]


def test_classes_and_functions_may_be_renamed():
    now = [ADDS._replace(name="TestShop.test_adds"), SUMS._replace(name="TestShop.test_it_sums_up")]
    assert within([ADDS, SUMS], now) == ()
    rewritten = case("test_adds", ONE._replace(text="assert total(1, 2) == 3"))
    assert within([ADDS], [rewritten]) == ()


@table_test("name", ["_test_adds", "check_adds", "xtest_adds", "adds", "no_test_adds", "disabled_test_adds"])
def test_a_function_that_no_runner_takes_for_a_test_is_uncollected(name):
    now = sheet(PATH, SUMS)._replace(defines=frozenset(("ShopTest", "test_sums", name)))
    found = compare([Pair(sheet(PATH, ADDS, SUMS), now)])
    assert [(f.rule, f.test) for f in found] == [("test-uncollected", "ShopTest.test_adds")]


def test_tests_in_a_class_or_file_that_is_not_collected_are_told_so():
    now = sheet(PATH)._replace(defines=frozenset(("ShopChecks", "test_adds")))
    assert rules(compare([Pair(sheet(PATH, ADDS), now)])) == ["test-uncollected"]
    aside = sheet("tests/shop_checks.py", ADDS, role="support")
    assert rules(compare([Pair(sheet(PATH, ADDS), None), Pair(None, aside)])) == ["test-uncollected"]
    attic = sheet("attic/shop.py", role="source", defines=("test_adds",))
    assert rules(compare([Pair(sheet(PATH, ADDS), None), Pair(None, attic)])) == ["test-uncollected"]


def test_a_second_python_function_of_the_same_name_takes_the_place_of_the_first():
    weak = case("ShopTest.test_adds", HOLLOW)
    assert rules(within([ADDS], [ADDS, weak])) == ["test-hollow"]
    assert within([ADDS], [ADDS, weak], language="javascript") != ()


OPEN = ask("equal", "total", ())
TABLE = case("test_total", OPEN, literals=("1", "2", "3", "5", "5", "10"), cases=2)


def test_tests_may_be_merged_into_a_table_or_a_loop():
    assert within([ADDS, SUMS], [TABLE]) == ()
    assert within([ADDS, SUMS], [TABLE._replace(cases=1)]) == ()
    assert within([ADDS, SUMS], [TABLE._replace(cases=0)]) == ()


def test_a_table_that_lost_or_changed_a_row_on_the_way_is_found():
    less = case("test_total", OPEN, literals=("1", "2", "3"), cases=1)
    assert within([ADDS, SUMS], [less]) != ()
    other = case("test_total", OPEN, literals=("1", "2", "3", "5", "5", "11"), cases=2)
    found = within([ADDS, SUMS], [other])
    assert {f.test for f in found} == {"ShopTest.test_sums"}


def test_truth_values_may_stand_in_the_table():
    rows = ("[1, 2]", "[5, 6]", "false", "[1, 9]", "[2, 3]", "true")
    table = case("test_overlap", ask("equal", "overlap"), literals=rows, cases=2)
    assert within([case("test_apart", APART), case("test_near", NEAR)], [table]) == ()


def test_a_table_may_be_cut_into_tests():
    assert within([TABLE], [ADDS, SUMS]) == ()
    assert rules(within([TABLE], [ADDS])) != []


def test_one_test_may_be_split():
    assert within([BOTH], [ADDS, SUMS]) == ()
    assert within([BOTH], [case("ShopTest.test_total", ONE), SUMS]) == ()


@table_test("kept", [("1", "2", "3"), ("5", "5", "10"), ("1", "2", "10")])
def test_rows_that_are_gone_are_found(kept):
    now = case("test_total", OPEN, literals=kept, cases=1)
    assert rules(within([TABLE], [now])) == ["test-emptied"]


def test_rows_whose_values_changed_are_found():
    now = case("test_total", OPEN, literals=("1", "2", "3", "5", "5", "3"), cases=2)
    assert rules(within([TABLE], [now])) == ["expected-changed"]


def test_rows_may_be_added_and_reordered():
    assert (
        within([TABLE], [TABLE._replace(literals=(*TABLE.literals, "7", "7", "14"), cases=3, digest="n")])
        == ()
    )
    assert within([TABLE], [TABLE._replace(literals=("5", "5", "10", "1", "2", "3"), digest="n")]) == ()


def test_a_function_renamed_in_the_product_is_renamed_in_its_tests():
    code = Pair(source("src/shop.py", "total"), source("src/shop.py", "grand_total"))
    now = [
        case("ShopTest.test_adds", eq("grand_total", ("1", "2"), "3")),
        case("ShopTest.test_sums", eq("grand_total", ("5", "5"), "10")),
    ]
    seen = review([edited(PATH, [ADDS, SUMS], now), code])
    assert seen.findings == ()
    assert seen.account.unharmed == {"ShopTest.test_adds", "ShopTest.test_sums"}


def test_another_function_that_is_asked_instead_is_no_rename():
    there = Pair(source("src/shop.py", "total", "other"), source("src/shop.py", "total", "other", body="new"))
    asked = [case("ShopTest.test_adds", eq("other", ("1", "2"), "3"))]
    assert rules(compare([edited(PATH, [ADDS], asked), there])) == ["test-emptied"]
    never = Pair(source("src/shop.py", "unrelated"), source("src/shop.py", "unrelated", "other"))
    assert rules(compare([edited(PATH, [ADDS], asked), never])) == ["test-emptied"]


def test_a_value_outside_of_the_tests_that_changed_is_found():
    found = compare([Pair(sheet(PATH, ADDS, constants=("212",)), sheet(PATH, ADDS, constants=("213",)))])
    assert [(f.rule, f.before) for f in found] == [("expected-changed", "212")]
    paths = Pair(
        sheet(PATH, ADDS, constants=('"./shop.js"',)), sheet(PATH, ADDS, constants=('"../shop.js"',))
    )
    assert compare([paths]) == ()


def test_recorded_output_that_changes_with_the_code_is_no_finding_alone_it_is():
    trouble = (Trouble(0, Phrase("integrity.unknown_language", {"suffix": ".snap"})),)
    snap = Sheet("tests/__snapshots__/a.snap", "support", troubles=trouble)
    assert compare([Pair(snap, snap), changed_source()]) == ()
    assert [(f.rule, f.file) for f in compare([Pair(snap, snap)])] == [("expected-changed", snap.path)]
    assert rules(compare([Pair(snap, None)])) == ["expected-changed"]
    assert compare([Pair(snap, None), Pair(None, snap._replace(path="tests/x/a.snap"))]) == ()
    assert compare([Pair(None, snap)]) == ()


def test_an_inline_snapshot_that_changes_with_the_code_only_warns():
    before = ask("snapshot", "render", ("1",), ('"a"',))
    pair = edited(
        PATH, [case("test_it", before)], [case("test_it", before._replace(expected=('"b"',), text="b"))]
    )
    assert [f.blocks for f in compare([pair])] == [True]
    assert [f.blocks for f in compare([pair, changed_source()])] == [False]


def test_what_is_new_among_the_marks_is_found_once():
    mark, ignore = Mark("exit-call", 4, "sys.exit(0)"), Mark("ignores-spread", 9, "# noqa")
    base = sheet(PATH, ADDS)
    now = base._replace(marks=(mark, mark, ignore, ignore), digest="n")
    found = compare([Pair(base._replace(marks=(mark,)), now)])
    assert [(f.rule, f.line, f.policy) for f in found] == [
        ("exit-call", 4, "deny"),
        ("ignores-spread", 9, "warn"),
    ]
    assert "2 in this file" in say(found[1].message.key, **found[1].message.values)


def test_a_mark_that_moved_to_another_file_is_not_new():
    mark = Mark("exit-call", 4, "sys.exit(0)")
    here, there = sheet("src/a.py", role="source"), sheet("src/b.py", role="source")
    pairs = [
        Pair(here._replace(marks=(mark,)), here._replace(digest="n")),
        Pair(there, there._replace(marks=(mark,), digest="m")),
    ]
    assert compare(pairs) == ()
    assert compare([Pair(here, here._replace(marks=(mark,), digest="n"))])[0].rule == "exit-call"


BROKEN = (Trouble(7, Phrase("integrity.syntax", {"line": 7, "language": "python"})),)
UNKNOWN = (Trouble(0, Phrase("integrity.unknown_language", {"suffix": ".rb"})),)
RUBY = Sheet("spec/shop_spec.rb", "test", troubles=UNKNOWN)


@table_test(
    ("pair", "expected"),
    [
        (Pair(sheet(PATH, ADDS), sheet(PATH, ADDS)._replace(troubles=BROKEN, digest="n")), ["not-compared"]),
        (Pair(sheet(PATH, ADDS), sheet(PATH)._replace(troubles=BROKEN, digest="n")), ["not-compared"]),
        (Pair(sheet(PATH)._replace(troubles=BROKEN, digest="n"), sheet(PATH, ADDS)), ["not-compared"]),
        (Pair(None, sheet(PATH)._replace(troubles=BROKEN)), ["not-compared"]),
        (Pair(RUBY, RUBY), ["not-compared"]),
        (Pair(None, RUBY), []),
        (Pair(RUBY, None), ["test-deleted"]),
        (Pair(None, RUBY._replace(role="support")), []),
        (Pair(source(body="a"), source(body="b")._replace(troubles=BROKEN)), ["not-compared"]),
        (Pair(source(body="a")._replace(troubles=BROKEN), source(body="b")._replace(troubles=BROKEN)), []),
        (Pair(RUBY._replace(role="config"), RUBY._replace(role="config")), []),
        (Pair(RUBY._replace(role="other"), None), []),
    ],
)
def test_what_could_not_be_read_is_said(pair, expected):
    found = compare([pair])
    assert rules(found) == expected
    for finding in found:
        for language in LANGUAGES:
            assert say(finding.message.key, language, **finding.message.values)
            assert say(finding.wanted.key, language, **finding.wanted.values)


def test_a_moved_file_in_an_unknown_language_is_not_compared():
    moved = Pair(None, RUBY._replace(path="spec/unit/shop_spec.rb"))
    assert rules(compare([Pair(RUBY, None), moved])) == ["not-compared"]


def test_a_hostile_assertion_is_compared_without_harm():
    deep = "[" * 5000 + "]" * 5000
    strange = Assertion("x\ny", 1, "equal", ("f",), (deep, "\udcff"), ("9" * 30000,))
    assert within([case("test_it", strange)], [case("test_it", strange, literals=("1",))]) is not None
