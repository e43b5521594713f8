"""The message of a shipped commit is bounded, plain and ours where it says so."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.run.shipping.message import CONTROLS, message_of, signed_off
from tests.run.shipping.yard import KEY

_PIECES = ["a", " ", "\n", "\r", "\0", "\x1b", "Donewhen-Run: x", "\u202e", "é", "word " * 30]
_TEXT = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)


def test_the_goal_is_the_subject_and_the_summary_the_body():
    assert message_of("\n  Fix it  \nmore", "It works.\n") == "Fix it\n\nIt works.\n"
    assert message_of(" \n") == "Work of a donewhen run\n"
    assert message_of("x" * 100).splitlines() == ["x" * 71 + "…"]
    assert KEY not in message_of(f"use {KEY}", f"used {KEY}")


@given(goal=_TEXT, summary=_TEXT)
def test_whatever_is_said_the_trailers_are_ours(goal, summary):
    lines = signed_off(message_of(goal, summary), "r-1", "t").split("\n")
    assert lines[-4:] == ["", "Donewhen-Run: r-1", "Donewhen-Tree: t", ""]
    assert [line for line in lines if line.startswith("Donewhen-")] == lines[-3:-1]
    assert 0 < len(lines[0]) <= 72
    assert not CONTROLS.search("\n".join(lines))
