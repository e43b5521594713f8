"""Which functions a change answers for: new ones over the limit, and those that grew."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.model import Violation
from donewhen.core.quality.newness import too_complex
from tests.tables import table_test


def function(name: str, value: float, file: str = "a.py", line: int = 1) -> Violation:
    return Violation("complexity", f"{name}: {value}", file, line, subject=name, value=value)


@table_test(
    ("was", "now", "blamed"),
    [
        (None, 11, True),
        (None, 10, False),
        (8, 12, True),
        (12, 12, False),
        (12, 11, False),
        (12, 13, True),
        (5, 9, False),
    ],
    ids=["new over", "new at the limit", "crossed", "old", "shrank", "grew", "grew below"],
)
def test_a_function_counts_when_the_change_made_it_so(was, now, blamed):
    base = [function("f( x )", was)] if was else []
    assert too_complex([function("f( x )", now)], base, 10) == ((function("f( x )", now),) if blamed else ())


@table_test(
    ("before", "after"),
    [
        ("f( x )", "f( x , y )"),
        ("(s*T)Name x int", "(s*T)Name x int , y int"),
        ("g & self", "g & self , x : X"),
        ("A::f( int )", "A::f( long )"),
        ("m ( a )", "m ( )"),
    ],
)
def test_a_changed_signature_is_still_the_same_function(before, after):
    assert too_complex([function(after, 15)], [function(before, 15)], 10) == ()


def test_a_moved_function_is_known_by_its_name_where_only_one_bears_it():
    moved = function("f( )", 15, "new.py")
    assert too_complex([moved], [function("f( )", 15, "old.py")], 10) == ()
    two = [function("f( )", 15, "old.py"), function("f( )", 15, "other.py")]
    assert too_complex([moved], two, 10) == (moved,)


def test_a_function_that_still_stands_in_its_file_excuses_no_copy_of_it():
    stays, copy = function("f( )", 15, "old.py"), function("f( )", 15, "new.py")
    assert too_complex([stays, copy], [stays], 10) == (copy,)


def test_a_renamed_file_brings_its_functions_along():
    now = [function("(anonymous) ( x )", 12, "new.js", 3), function("f( )", 12, "new.js", 9)]
    base = [each._replace(file="old.js") for each in now]
    assert too_complex(now, base, 10, {"new.js": "old.js"}) == ()


def test_a_nameless_function_never_comes_from_another_file():
    now = function("(anonymous) ( x )", 12, "new.js")
    assert too_complex([now], [now._replace(file="old.js")], 10) == (now,)


def test_of_functions_of_one_name_as_many_are_excused_as_can_be():
    now = [function("f( )", 20, line=1), function("f( )", 15, line=9)]
    assert too_complex(now, [function("f( )", 15)], 10) == (now[0],)


def test_what_was_not_measured_is_no_function():
    assert too_complex([Violation("complexity", "?", "a.py", 1)], [], 10) == ()


functions = st.lists(
    st.builds(
        function,
        st.sampled_from(["f( )", "g( x )", "(anonymous) ( )"]),
        st.integers(1, 30).map(float),
        st.sampled_from(["a.py", "b.py"]),
        st.integers(1, 99),
    ),
    max_size=12,
)


@given(functions, st.integers(1, 20))
def test_a_tree_that_did_not_change_has_nothing_new(tree, threshold):
    assert too_complex(tree, tree, threshold) == ()


@given(functions, functions, st.integers(1, 20))
def test_only_functions_of_now_over_the_threshold_are_given_and_a_base_only_excuses(now, base, threshold):
    found = too_complex(now, base, threshold)
    everything = too_complex(now, (), threshold)
    assert all(each.value > threshold and each in now for each in found)
    assert len(everything) == sum(each.value > threshold for each in now)
    assert all(everything.count(each) >= found.count(each) for each in found)
    assert list(found) == sorted(found, key=lambda each: (each.file, each.line, each.subject))


@given(functions, functions, st.integers(1, 20))
def test_the_order_in_which_functions_are_listed_does_not_matter(now, base, threshold):
    assert sorted(map(repr, too_complex(now, base, threshold))) == sorted(
        map(repr, too_complex(now[::-1], base[::-1], threshold))
    )
