"""Which tests of the base the new code breaks, by properties and by the rulings of the specification."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.base_tests import broken_tests, only_red_before
from donewhen.core.scenarios import Case

FILE = "tests/test_cart.py"
NAMES = st.sampled_from([f"test_{letter}" for letter in "abcdef"])
OUTCOMES = st.sampled_from(["passed", "failed", "skipped", "xfailed"])
SUITES = st.dictionaries(NAMES, OUTCOMES, max_size=6)


def cases(found: dict[str, str], file: str = FILE) -> list[Case]:
    return [Case(name, outcome, "Cart", file=file) for name, outcome in found.items()]  # type: ignore[arg-type]


def names(base: dict[str, str], laid: dict[str, str], now: dict[str, str], touched: bool = True) -> list[str]:
    found = broken_tests(cases(base), cases(laid), cases(now), {FILE} if touched else set())
    return [each.name.rpartition("::")[2] for each in found]


@given(SUITES, SUITES)
def test_a_base_whose_tests_all_pass_on_the_new_code_breaks_nothing(base, now):
    laid = dict.fromkeys(base, "passed")
    assert names(base, laid, now) == []


@given(SUITES, SUITES, SUITES)
def test_only_tests_that_ran_at_the_base_are_counted(base, laid, now):
    ran = {name for name, outcome in base.items() if outcome in ("passed", "failed")}
    assert set(names(base, laid, now)) <= ran


@given(SUITES, SUITES, SUITES)
def test_every_test_that_passed_and_no_longer_does_is_counted(base, laid, now):
    lost = {name for name, outcome in base.items() if outcome == "passed" and laid.get(name) != "passed"}
    assert lost <= set(names(base, laid, now))


@given(SUITES)
def test_what_was_red_before_and_is_left_alone_is_not_counted(base):
    assert [n for n in names(base, base, base, touched=False) if base[n] == "failed"] == []


def test_what_was_red_before_counts_where_the_change_touches_or_silences_it():
    red = {"test_a": "failed"}
    assert names(red, red, {"test_a": "passed"}) == ["test_a"]
    assert names(red, red, {}, touched=False) == ["test_a"]
    assert names(red, red, {"test_a": "skipped"}, touched=False) == ["test_a"]


def test_a_test_of_the_same_name_in_another_file_stands_for_one_only_where_the_file_changed():
    base, laid = cases({"test_a": "passed"}), cases({"test_a": "failed"})
    elsewhere = cases({"test_a": "passed"}, "tests/test_moved.py")
    (moved,) = broken_tests(base, laid, elsewhere, {FILE})
    (silenced,) = broken_tests(base, laid, elsewhere, set())
    assert (moved.now, moved.kept_from_running) == ("passed", False)
    assert (silenced.now, silenced.kept_from_running) == ("absent", True)


def test_a_test_that_passes_when_it_is_run_again_passes():
    twice = [*cases({"test_a": "failed"}), *cases({"test_a": "passed"})]
    assert broken_tests(cases({"test_a": "passed"}), twice, twice, {FILE}) == ()


@given(SUITES, SUITES)
def test_red_before_excuses_a_red_only_where_nothing_else_fails(base, now):
    red = {name for name, outcome in now.items() if outcome == "failed"}
    before = {name for name, outcome in base.items() if outcome == "failed"}
    found = only_red_before(cases(base), cases(now))
    assert (found is not None) == (bool(red) and red <= before)


def test_a_broken_test_says_why():
    failed = [Case("test_a", "failed", "Cart", file=FILE, message="AttributeError: no attribute 'total'")]
    (found,) = broken_tests(cases({"test_a": "passed"}), failed, failed, {FILE})
    assert found.why == "AttributeError: no attribute 'total'"
