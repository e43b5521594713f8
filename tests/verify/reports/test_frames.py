"""Code frames: the lines round a place, harmless on a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.shown import visible
from donewhen.verify.failures import Failure, feedback_of, frame

TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n"


def of(text):
    return lambda path: text if path == "a.py" else None


def test_the_line_is_marked_and_numbers_stand_in_a_column():
    assert frame(of(TEXT), "a.py", 9) == (
        "   7 | seven",
        "   8 | eight",
        ">  9 | nine",
        "  10 | ten",
        "  11 | eleven",
    )


def test_at_the_edges_there_is_less_around():
    assert frame(of(TEXT), "a.py", 1, around=1) == ("> 1 | one", "  2 | two")
    assert frame(of("only"), "a.py", 1) == ("> 1 | only",)


def test_a_column_is_pointed_at():
    assert frame(of("\tx = 1\n"), "a.py", 1, column=2) == ("> 1 |     x = 1", "    |     ^")


def test_what_is_not_known_gives_no_frame():
    assert frame(of(TEXT), "b.py", 1) == ()
    assert frame(of(TEXT), "", 1) == ()
    assert frame(of(TEXT), "a.py", 0) == ()
    assert frame(of(TEXT), "a.py", 12) == ()
    assert frame(of(""), "a.py", 1) == ()


def test_control_and_direction_characters_are_escaped():
    (line,) = frame(of("\x1b[31mred\u202e\x00\x9b\n"), "a.py", 1)
    assert line == "> 1 | \\x1b[31mred\\u202e\\x00\\x9b"


def test_long_lines_are_cut():
    (line,) = frame(of("x" * 100_000), "a.py", 1)
    assert len(line) < 200
    assert line.endswith("…")


def test_lines_are_counted_as_editors_do():
    assert frame(of("a\x0cb\u2028c\nsecond\r\nthird"), "a.py", 2, around=0) == ("> 2 | second",)


@given(st.text(), st.integers(-3, 50), st.integers(-2, 40), st.integers(0, 300))
def test_a_frame_never_breaks_the_terminal(text, line, around, column):
    for shown in frame(of(text), "a.py", line, around, column):
        assert shown.isprintable()


@given(st.text(alphabet=st.characters()))
def test_visible_text_is_printable(text):
    assert visible(text).isprintable()


def test_failures_as_feedback():
    (found,) = feedback_of([Failure("test_a", "t.py", 3, "no", "story")])
    assert (found.message, found.place, found.rule, found.status) == ("test_a: no", "t.py:3", "tests", "fail")
    (bare,) = feedback_of([Failure("", "a.c", 1, "missing ;", rule="E1")])
    assert (bare.message, bare.rule) == ("missing ;", "E1")
