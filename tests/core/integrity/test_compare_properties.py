"""What holds for any change: nothing comes from nothing, more is never less, and order makes no difference."""

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.core.integrity.account import account_data, read_account
from donewhen.core.integrity.compare import compare, review
from donewhen.core.integrity.model import Pair
from tests.core.integrity.sheets import ask, case, sheet

SUBJECTS = st.sampled_from(["total", "overlap", "cart.sum", "parse", "find"])
VALUES = st.sampled_from(["1", "2", "3", "10", '"a"', '"b"', "true", "[1, 2]", "null"])
KINDS = st.sampled_from(["equal", "true", "false", "raises", "contains", "null", "order"])


@st.composite
def asserts(draw):
    kind = draw(KINDS)
    expected = () if kind in ("true", "false", "null") else (draw(VALUES),)
    return ask(kind, draw(SUBJECTS), tuple(draw(st.lists(VALUES, max_size=2))), expected)


NAMES = st.sampled_from([f"test_{word}" for word in "one two three four five six seven".split()])
BODIES = st.lists(asserts(), min_size=1, max_size=3)


@st.composite
def suites(draw, low=1):
    names = draw(st.lists(NAMES, min_size=low, max_size=5, unique=True))
    return [case(name, *draw(BODIES)) for name in names]


FILES = st.dictionaries(
    st.sampled_from(["tests/test_a.py", "tests/test_b.py", "tests/test_c.py"]), suites(), min_size=1
)


def pairs(before, now):
    return [
        Pair(
            sheet(path, *before[path]) if path in before else None,
            sheet(path, *now[path]) if path in now else None,
        )
        for path in sorted({**before, **now})
    ]


@given(FILES)
def test_a_change_of_nothing_has_no_finding(files):
    seen = review(pairs(files, files))
    assert seen.findings == ()
    assert {test.state for test in seen.account.tests} == {"same"}


@given(FILES, suites(), BODIES)
def test_more_tests_and_more_assertions_are_never_a_finding(files, extra, more):
    now = {path: [case(t.name, *t.asserts, *more) for t in tests] for path, tests in files.items()}
    assert compare(pairs(files, {**now, "tests/test_new.py": extra})) == ()


@given(FILES, st.data())
def test_a_test_that_is_taken_away_is_always_found_unless_others_demand_the_same(files, data):
    path = data.draw(st.sampled_from(sorted(files)))
    gone = case("test_unlike_any", ask("equal", "unlike", ("77",), ("78",)))
    before = {**files, path: [*files[path], gone]}
    found = compare(pairs(before, files))
    assert [(f.rule, f.test) for f in found] == [("test-deleted", "test_unlike_any")]


@given(FILES)
def test_files_may_be_moved(files):
    moved = {path.replace("tests/", "tests/unit/"): tests for path, tests in files.items()}
    assert compare(pairs(files, moved)) == ()


@settings(max_examples=60)
@given(FILES, FILES, st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_makes_no_difference(before, now, chance):
    made = pairs(before, now)
    shuffled = made[:]
    chance.shuffle(shuffled)
    assert review(made) == review(shuffled)


@given(FILES, FILES)
def test_an_account_can_be_kept_as_data(before, now):
    account = review(pairs(before, now)).account
    assert read_account(account_data(account)) == account
