"""What a second sitting with the base's tests says about findings, and what only it can find."""

from donewhen.core.integrity.account import Account, Known
from donewhen.core.integrity.finding import found
from donewhen.core.integrity.model import RULES, Rerun
from donewhen.core.integrity.settling import settle
from donewhen.core.texts import LANGUAGES, Phrase, say
from tests.tables import table_test

PATH = "tests/test_shop.py"
GREEN, RED = Rerun(True, 3), Rerun(False, 3)
UNSAT = Rerun(False, why=Phrase("integrity.binary"))
ASKED = Phrase("integrity.binary")


def about(rule, test="T.test_it", **more):
    return found(rule, PATH, 4, now="x", before="y", test=test)._replace(**more)


def known(state, name="T.test_it", path=PATH, **more):
    return Known(name, path, state, **more)


def account(*tests, **more):
    return Account(tests, **more)


def failing(*names, executed=3):
    return Rerun(False, executed, names)


def settled(findings, now=GREEN, base=GREEN, start=None, seen=None, *, source=True, goal=True):
    seen = seen if seen is not None else account(known("changed"))
    return settle(findings, now, base, start, seen, source_changed=source, goal_given=goal)


def shown(findings):
    return [(f.rule, f.policy, f.vouched) for f in findings]


@table_test("rule", ["expected-changed", "test-emptied", "not-compared"])
def test_an_edit_whose_base_version_passes_gained_nothing(rule):
    assert shown(settled([about(rule)])) == [(rule, "warn", True)]


STAY = sorted(
    set(RULES) - {"expected-changed", "test-emptied", "not-compared", "ignored-more", "ignores-spread"}
)


@table_test("rule", STAY)
def test_what_weakens_the_exam_of_tomorrow_stays_however_green_it_is(rule):
    assert shown(settled([about(rule)])) == [(rule, RULES[rule], False)]


def test_a_command_that_only_may_be_weaker_is_vouched_for():
    assert shown(settled([about("command-weakened", policy="ask")])) == [("command-weakened", "warn", True)]
    assert settled([about("command-weakened")])[0].blocks


def test_a_test_without_any_assertion_left_is_not_vouched_for():
    seen = account(known("changed"), gutted=frozenset(("T.test_it",)))
    assert settled([about("test-emptied")], seen=seen)[0].blocks


@table_test("base", [None, UNSAT])
@table_test(
    ("source", "goal", "policy"),
    [(True, True, "deny"), (True, False, "warn"), (False, True, "deny"), (False, False, "deny")],
)
def test_without_a_second_sitting_changed_values_need_a_goal_that_allows_them(base, source, goal, policy):
    found_now = settled([about("expected-changed")], base=base, source=source, goal=goal)
    assert shown(found_now) == [("expected-changed", policy, False)]
    assert settled([about("test-skipped")], base=base, source=source, goal=goal)[0].blocks


def test_a_test_that_was_changed_instead_of_satisfied_is_found():
    base = start = failing(f"{PATH}::T::test_it")
    for findings in ([], [about("test-skipped", policy="warn")]):
        told = settled(findings, base=base, start=start)
        assert told[-1].rule == "base-tests-failed" and told[-1].blocks
        for language in LANGUAGES:
            assert "test_it" in say(told[-1].message.key, language, **told[-1].message.values)
    assert not any(
        f.rule == "base-tests-failed" for f in settled([about("expected-changed")], base=base, start=start)
    )


def test_a_test_that_was_red_is_denied_without_a_goal_as_well():
    base = start = failing("T.test_it")
    assert settled([about("expected-changed")], base=base, start=start, goal=False)[0].blocks
    assert settled([], base=base, start=start, goal=False)[0].blocks


def test_a_change_of_behaviour_needs_the_goal():
    base, start = failing("T.test_it"), GREEN
    asked = about("expected-changed", permitted=ASKED)
    assert not any(f.blocks for f in settled([asked], base=base, start=start))
    assert any(f.blocks for f in settled([], base=base, start=start))
    assert not any(f.blocks for f in settled([], base=base, start=start, goal=False))
    assert not any(f.blocks for f in settled([about("expected-changed")], base=base, start=start, goal=False))
    assert any(f.blocks for f in settled([about("expected-changed")], base=base, start=start))


@table_test("start", [GREEN, failing("T.test_it"), None, UNSAT])
def test_an_edit_that_keeps_all_demands_explains_that_its_base_version_fails(start):
    assert settled([], base=failing("T.test_it"), start=start, seen=account(known("kept"))) == ()


def test_edits_of_tests_that_pass_as_they_were_are_vouched_for_beside_others_that_fail():
    seen = account(known("changed"), known("changed", "T.test_other"))
    findings = [about("expected-changed", permitted=ASKED), about("expected-changed", "T.test_other")]
    told = settled(findings, base=failing("T.test_it"), start=GREEN, seen=seen)
    assert shown(told) == [("expected-changed", "deny", False), ("expected-changed", "warn", True)]
    assert not any(f.blocks for f in told)
    stopped = settled(findings, base=failing("T.test_it", executed=1), start=GREEN, seen=seen)
    assert any(f.blocks for f in stopped)


NAMES = [
    "T.test_it",
    "tests/test_shop.py::T::test_it",
    "tests.test_shop.T.test_it",
    "test_it (tests.test_shop.T.test_it)",
    "test_it (tests.test_shop.T)",
    "tests/test_shop.py::T::test_it[1-2]",
    "test_it (tests.test_shop.T.test_it) (a=1, b='x')",
    "test_it",
]


@table_test("name", NAMES)
def test_runners_may_name_a_test_as_they_like(name):
    seen = account(known("kept"), known("same", "T.test_other"))
    assert settled([], base=failing(name), start=GREEN, seen=seen) == ()
    seen = account(known("changed"), known("same", "T.test_other"))
    assert [f.test for f in settled([], base=failing(name), start=GREEN, seen=seen)] == ["T.test_it"]


def test_titles_with_blanks_and_subtests_are_recognised():
    cart = known("changed", "cart > adds two items", "test/cart.test.js")
    other = known("same", "cart > adds", "test/cart.test.js")
    for name in ("cart > adds two items", "cart adds two items", "adds two items"):
        assert [f.test for f in settled([], base=failing(name), start=GREEN, seen=account(cart, other))] == [
            cart.name
        ]
    go = known("changed", "TestSum", "sum_test.go")
    assert [f.test for f in settled([], base=failing("TestSum/negative"), start=GREEN, seen=account(go))] == [
        "TestSum"
    ]


def test_a_recorded_output_may_change_with_the_code_that_makes_it():
    seen = account(known("same"), data=("tests/golden.txt",))
    base = failing("T.test_it")
    assert settled([], base=base, start=GREEN, seen=seen) == ()
    assert settled([], base=base, start=base, seen=seen)[0].blocks
    assert settled([], base=base, start=GREEN, seen=seen, source=False)[0].blocks
    inline = account(known("changed", snapshot=True))
    assert (
        settled([about("expected-changed", policy="warn")], base=base, start=GREEN, seen=inline)[-1].rule
        == "expected-changed"
    )


def test_a_file_that_can_no_longer_be_imported_is_judged_by_what_was_edited_in_it():
    name = "unittest.loader._FailedTest.tests.test_shop"
    base = failing(name, executed=1)
    kept = account(known("kept"), known("same", "T.test_other"))
    assert settled([], base=base, start=GREEN, seen=kept) == ()
    permitted = [about("test-deleted", permitted=ASKED)]
    gone = account(known("gone"), known("same", "T.test_other"))
    assert not any(f.blocks for f in settled(permitted, base=base, start=GREEN, seen=gone))
    changed = account(known("changed"), known("same", "T.test_other"))
    assert [f.rule for f in settled([], base=base, start=GREEN, seen=changed)] == ["base-tests-failed"]


def test_untouched_tests_fail_with_the_file_whose_other_tests_changed_as_asked():
    seen = account(known("gone"), known("same", "T.test_other"))
    permitted = [about("test-deleted", permitted=ASKED)]
    base = failing("T.test_it", "T.test_other")
    assert not any(f.blocks for f in settled(permitted, base=base, start=GREEN, seen=seen))


def test_set_up_that_was_renamed_with_the_product_explains_untouched_tests_that_passed():
    seen = account(known("same"), remade=frozenset((PATH,)))
    base = failing("T.test_it")
    assert settled([], base=base, start=GREEN, seen=seen) == ()
    assert settled([], base=base, start=base, seen=seen)[0].blocks
    assert settled([], base=base, start=GREEN, seen=account(known("same")))[0].blocks


def test_a_rewrite_beside_names_that_are_gone_is_explained_unless_it_was_red():
    seen = account(known("changed"), renamed=frozenset(("total",)))
    base = failing("T.test_it")
    assert settled([], base=base, start=GREEN, seen=seen) == ()
    assert settled([], base=base, start=base, seen=seen)[0].blocks


@table_test(
    ("seen", "start", "blocks"),
    [
        (account(known("kept")), GREEN, False),
        (account(known("kept")), RED, False),
        (account(known("kept"), helpers=("tests/helpers.py",)), RED, True),
        (account(known("changed")), GREEN, True),
        (account(known("changed")), RED, True),
        (account(data=("tests/golden.txt",)), GREEN, False),
        (account(data=("tests/golden.txt",)), RED, True),
        (account(config=("package.json",)), GREEN, False),
        (account(config=("package.json",)), RED, True),
        (account(), GREEN, True),
    ],
)
def test_where_nobody_knows_names_the_exam_is_judged_as_a_whole(seen, start, blocks):
    told = settled([], base=RED, start=start, seen=seen)
    assert any(f.blocks for f in told) == blocks


def test_a_change_that_is_red_itself_needs_no_second_reason():
    assert settled([], now=RED, base=RED, start=RED) == ()


def test_fewer_executed_tests_than_with_those_of_the_base_are_found():
    now, base = Rerun(True, 2), Rerun(True, 3)
    (told,) = settled([], now=now, base=base)
    assert told.rule == "fewer-tests" and told.blocks
    assert "executes 2 tests, with the base's tests it would be 3" in say(
        told.message.key, **told.message.values
    )
    assert settled([], now=Rerun(True, 4), base=base) == ()
    assert settled([], now=Rerun(True), base=base) == ()
    assert settled([], now=now, base=Rerun(True)) == ()


def test_fewer_tests_need_no_second_finding_where_one_says_which():
    now, base = Rerun(True, 2), Rerun(True, 3)
    for finding in (
        about("test-deleted"),
        about("test-deleted", permitted=ASKED),
        about("test-skipped", policy="warn"),
    ):
        told = settled([finding], now=now, base=base, seen=account(known("gone")))
        assert [f.rule for f in told] == [finding.rule]


def test_a_permitted_deletion_explains_no_more_than_its_own_tests():
    finding, seen = about("test-deleted", permitted=ASKED), account(known("gone"))
    told = settled([finding], now=Rerun(True, 1), base=Rerun(True, 3), seen=seen)
    assert [f.rule for f in told] == ["test-deleted", "fewer-tests"]


def test_tests_that_were_merged_whole_explain_a_lower_count():
    now, base = Rerun(True, 1), Rerun(True, 3)
    assert settled([], now=now, base=base, seen=account(merged=2)) == ()
    assert [f.rule for f in settled([], now=now, base=base, seen=account(merged=1))] == ["fewer-tests"]


def test_a_new_test_that_is_switched_off_explains_nothing():
    born = about("test-skipped", "T.test_new", policy="warn")
    assert [f.rule for f in settled([born], now=Rerun(True, 2), base=Rerun(True, 3))] == [
        "test-skipped",
        "fewer-tests",
    ]


def test_a_red_test_may_follow_a_rename_but_not_take_another_form():
    base = start = failing("T.test_it")
    assert settled([], base=base, start=start, seen=account(known("kept"))) == ()
    assert settled([], base=base, start=start, seen=account(known("kept", reshaped=True)))[0].blocks
    assert settled([], base=base, start=GREEN, seen=account(known("kept", reshaped=True))) == ()


def test_a_test_of_what_the_product_no_longer_has_is_judged_by_its_text_alone():
    base = start = failing("T.test_it")
    orphan = account(known("changed", orphaned=True), renamed=frozenset(("total",)))
    assert settled([], base=base, start=start, seen=orphan) == ()
    assert settled([about("test-emptied")], base=base, start=start, seen=orphan)[0].blocks


@table_test("source", [True, False])
def test_a_test_whose_marker_is_gone_explains_that_its_base_version_passed_unexpectedly(source):
    seen = account(known("kept", freed=True, reshaped=True), known("same", "T.test_other"))
    for base in (failing("T.test_it"), failing()):
        assert settled([], base=base, start=failing("T.test_it"), seen=seen, source=source) == ()


def test_a_marker_that_went_with_what_the_test_asked_explains_nothing():
    seen = account(known("changed", freed=True))
    (finding,) = settled([about("test-emptied")], base=GREEN, seen=seen)
    assert finding.blocks


def test_a_file_that_no_code_could_pass_explains_its_own_red_and_no_other():
    tests = (known("same"), known("changed", "U.test_more", "tests/test_u.py"))
    seen = account(*tests, mended=frozenset({PATH}))
    whole = failing(PATH)
    assert settled([], base=whole, start=whole, seen=seen) == ()
    other = failing("tests/test_u.py")
    assert [each.rule for each in settled([], base=other, start=other, seen=seen)] == ["base-tests-failed"]


@table_test(
    ("more", "explained"),
    [
        ({"apart": frozenset({"Makefile"})}, True),
        ({}, False),
        ({"apart": frozenset({"Makefile"}), "helpers": ("tests/helpers.py",)}, False),
    ],
)
def test_a_makefile_whose_exam_is_what_it_was_explains_the_red(more, explained):
    seen = account(config=("Makefile",), **more)
    assert (settled([], base=failing(), start=failing(), seen=seen, source=False) == ()) == explained
