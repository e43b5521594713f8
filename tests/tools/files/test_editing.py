"""Edits as pure decisions: exact, anchored in lines, refused when they could mean several places."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from donewhen.core.errors import AgentError
from donewhen.tools.files.content import text_of
from donewhen.tools.files.editing import Edit, edited
from tests.tables import table_test

MOST = 1_000_000
CODE = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n"


def after(text: str, old: str, new: str, all: bool = False) -> str:
    return edited(text, [Edit(old, new, all)], MOST).text


@table_test(
    ("text", "old", "new", "expected"),
    [
        ("a b c", "b", "x", "a x c"),
        # indentation is missing, and given back
        (
            CODE,
            "def two(self):\n    return 2",
            "def two(self):\n    return 3\n",
            CODE.replace("return 2", "return 3\n"),
        ),
        (
            CODE,
            "def two(self):\n    return 2\n",
            "def two(self):\n    x = 2\n    return x\n",
            CODE.replace("return 2", "x = 2\n        return x"),
        ),
        # just the first line lacks it
        (
            CODE,
            "def two(self):\n        return 2",
            "def two(self):\n        return 3",
            CODE.replace("return 2", "return 3"),
        ),
        # trailing space on either side
        ("one  \ntwo\n", "one\ntwo", "three", "three\n"),
        ("one\ntwo\n", "one   \ntwo", "three", "three\n"),
        # tabs for spaces
        (
            "if a:\n\tb\n\tif c:\n\t\td\n",
            "    b\n    if c:\n        d",
            "    b\n    if c:\n        e\n            f",
            "if a:\n\tb\n\tif c:\n\t\te\n\t\t\tf\n",
        ),
        # too deep
        ("a\nb\n", "    a\n    b", "    c\n        d\n", "c\n    d\n\n"),
        # line ends of a mixed file
        ("x\r\none  \r\ntwo\r\ny\n", "one\ntwo", "three\nfour", "x\r\nthree\r\nfour\r\ny\n"),
        # deletion of whole lines
        ("  a\n  b\nc\n", "a\nb\n", "", "c\n"),
    ],
)
def test_replacements(text, old, new, expected):
    assert after(text, old, new) == expected


@table_test(
    ("text", "old", "words"),
    [
        ("a\na\n", "a", "found 2 times (lines 1, 2)"),
        ("  x = 1\ny\n    x = 1\n", "x = 1 ", "but for white space 2 times (lines 1, 3)"),
        ("alpha\nbeta gamma\ndelta\n", "beta gamme", "2\tbeta gamma"),
        ("alpha\n", "omega", "nor anything like it"),
        ("alpha\n", "", "`old` is empty"),
        ("alpha\n", " \n \n", "nor anything like it"),
        # the structure differs: both lines are on one level in what is wanted
        ("if a:\n    b\n", "  if a:\n  b", "not in the file"),
    ],
)
def test_refusals_say_what_would_help(text, old, words):
    with pytest.raises(AgentError) as caught:
        after(text, old, "new")
    assert words in str(caught.value)


def test_all_replaces_everywhere_but_not_without_measure():
    assert after("a a a", "a", "b", all=True) == "b b b"
    with pytest.raises(AgentError, match="would grow"):
        edited("a" * 1000, [Edit("a", "b" * 10_000, True)], MOST)


def test_the_same_text_is_no_edit():
    with pytest.raises(AgentError) as caught:
        after("a", "a", "a")
    assert "the same" in str(caught.value)


def test_a_hostile_file_takes_no_time():
    text = "x\n" * 200_000
    with pytest.raises(AgentError):
        after(text, " x\n" * 1000 + " y", "z")


@given(st.text(alphabet="ab \n\t"), st.text(alphabet="ab \n\t"), st.text(alphabet="ab \n\t"), st.text())
def test_an_exact_unique_edit_is_just_that(head, old, tail, new):
    marked = f"<{old}>"
    assume(new != marked)
    assert after(head + marked + tail, marked, new) == head + new + tail


@given(st.lists(st.sampled_from(["a", "b", "c d", ""]), min_size=1, max_size=6), st.integers(1, 3))
def test_an_evenly_shifted_block_is_replaced_in_its_place(lines, shift):
    lines = [*lines, "end"]
    block = "\n".join(" " * shift * 2 + line if line else "" for line in lines)
    text = f"first\n{block}\nlast\n"
    wanted = "\n".join(lines)
    assume(text.count(wanted) == 0)
    assert (
        after(text, wanted, "new\n  deeper")
        == f"first\n{' ' * shift * 2}new\n{' ' * shift * 2}  deeper\nlast\n"
    )


@given(st.binary(max_size=80))
def test_text_is_put_back_as_it_was(data):
    assert text_of(data).bytes() == data


@given(st.lists(st.sampled_from([b"a", b"\r\n", b"\n", b"\xef\xbb\xbf", b"\xff", b"\r"]), max_size=12))
def test_line_ends_and_marks_are_put_back_as_they_were(parts):
    data = b"".join(parts)
    assert text_of(data).bytes() == data
