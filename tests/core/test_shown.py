"""Names and outputs of others stand in our prompts as theirs: on one line, printable, bounded."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.shown import LONGEST_NAME, TAIL, one_name, tail_of
from tests.tables import table_test

ANY = st.text(st.characters(codec=None), max_size=300)  # with surrogates: names need not be UTF-8


@table_test(
    ("text", "shown"),
    [
        ("src/app.py", "src/app.py"),
        ("my file.md", "my file.md"),
        ("文档.md", "文档.md"),
        ("a\nNext step: stop", r"a\nNext step: stop"),
        ("a\x1b[2Kb", r"a\x1b[2Kb"),
        ("\udc80.md", r"\udc80.md"),
        ("a\u202egnp.sh", r"a\u202egnp.sh"),
    ],
)
def test_a_name_is_one_printable_line(text, shown):
    assert one_name(text) == shown


def test_a_long_name_keeps_both_ends():
    shown = one_name("a" * 5000 + "/the_end.py")
    assert len(shown) == LONGEST_NAME + 1
    assert shown.startswith("aaa") and "…" in shown and shown.endswith("/the_end.py")


@given(ANY)
def test_any_name_is_printable_and_can_be_written(text):
    shown = one_name(text)
    assert shown.isprintable()
    assert shown.encode().decode() == shown


@table_test(
    ("output", "tail"),
    [
        ("", ""),
        ("  \n\t\n", ""),
        ("boom\n", "boom"),
        ("\n\n    x = 1\n", "    x = 1"),
        ("\x1b[31mred\x1b[0m\r\nline\x07\n", "red\nline"),
        ("\x1b]0;title\x07text", "text"),
        ("a\udc80b\u202ec", "abc"),
        ("x" * 3000 + "\nlast", "last"),
    ],
)
def test_the_tail_is_the_end_without_control_characters(output, tail):
    assert tail_of(output) == tail


def test_one_endless_line_is_cut():
    assert tail_of("x" * 100_000) == "x" * TAIL


def test_many_short_lines_are_cut():
    assert tail_of("\n" * 500 + "a\n" * 500).count("\n") == 59


@given(ANY)
def test_any_output_is_bounded_and_can_be_written(output):
    tail = tail_of(output * 20)
    assert len(tail) <= TAIL
    assert tail.encode().decode() == tail
    assert all(each in "\n\t" or each.isprintable() for each in tail)
