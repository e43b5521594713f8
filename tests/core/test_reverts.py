"""Commits that later ones say they take back."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.reverts import taken_back

A, B, C, D = ("a" * 40, "b" * 40, "c" * 40, "d" * 64)


def reverting(*commits: str) -> str:
    return "Revert something\n\n" + "\n".join(f"This reverts commit {each}." for each in commits)


def test_a_revert_names_what_it_takes_back():
    assert taken_back([(B, reverting(A)), (A, "work")]) == {A: B}
    assert taken_back([(C, reverting(A, D))]) == {A: C, D: C}
    merged = f'Revert "Merge"\n\nThis reverts commit {A}, reversing\nchanges made to {B}.'
    assert taken_back([(C, merged)]) == {A: C}


def test_a_revert_that_was_taken_back_takes_nothing_back():
    assert taken_back([(C, reverting(B)), (B, reverting(A))]) == {B: C}


def test_only_whole_ids_in_the_words_of_git_count():
    for message in (f"reverts {A}", "This reverts commit abc123.", f"This reverts commit {A}0.", ""):
        assert taken_back([(B, message)]) == {}


@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), st.text())))
def test_any_messages_are_read(commits):
    assert isinstance(taken_back(commits), dict)


def test_a_message_of_many_ids_is_bounded():
    many = reverting(*(f"{n:040x}" for n in range(10_000)))
    assert len(taken_back([(A, many)])) == 50
