"""Only what a change brought is new, however its lines moved."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.quality.lines import Edit
from donewhen.core.quality.model import Violation
from donewhen.core.quality.newness import Origin, on_changed_lines, sort_out, stands_for
from tests.tables import table_test


def at(line: int, message: str = "unused name", rule: str = "F841", file: str = "a.py") -> Violation:
    return Violation(rule, message, file, line)


def moved(before: list[str], after: list[str], base: str = "a.py") -> Origin:
    found = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    edits = [Edit(i1 + 1, i2 - i1, j1 + 1, j2 - j1) for tag, i1, i2, j1, j2 in found if tag != "equal"]
    return Origin(base, tuple(edits))


def test_a_violation_that_only_moved_is_old():
    moves = {"a.py": moved(["x", "y"], ["new", "x", "y"])}
    assert sort_out([at(3)], [at(2)], moves) == ((), 1)


def test_the_same_complaint_on_an_added_line_is_new():
    moves = {"a.py": moved(["x", "y"], ["x", "y", "z"])}
    assert sort_out([at(2), at(3)], [at(2)], moves) == ((at(3),), 1)


def test_a_rewritten_line_answers_for_the_one_it_replaced():
    moves = {"a.py": moved(["x", "y"], ["x", "Y"])}
    assert sort_out([at(2)], [at(2)], moves) == ((), 1)
    assert sort_out([at(2, "other words")], [at(2)], moves) == ((), 1)
    assert sort_out([at(2, rule="F401")], [at(2)], moves).new == (at(2, rule="F401"),)


def test_what_is_said_in_the_same_words_has_its_own_before_others_borrow_it():
    moves = {"a.py": moved(["x", "y"], ["X", "Y", "Z"])}
    now = [at(1, "another"), at(2, "first"), at(3, "second")]
    assert sort_out(now, [at(1, "first"), at(2, "second")], moves) == ((now[0],), 2)


def test_one_old_complaint_excuses_one_of_now():
    moves = {"a.py": moved(["x"], ["Y", "Z"])}
    assert len(sort_out([at(1), at(2)], [at(1)], moves).new) == 1


def test_an_unchanged_line_that_is_wrong_only_now_is_new():
    assert sort_out([at(4)], [], {"b.py": moved([], ["x"])}).new == (at(4),)


def test_numbers_in_a_message_move_with_the_lines():
    moves = {"a.py": moved(["x", "y"], ["n", "x", "y"])}
    base, now = at(2, "already defined on line 1"), at(3, "already defined on line 2")
    assert sort_out([now], [base], moves).new == ()


def test_a_renamed_file_keeps_what_it_had():
    moves = {"b.py": Origin("a.py")}
    assert sort_out([at(2, file="b.py")], [at(2)], moves).new == ()


def test_a_new_file_has_only_new_ones():
    assert len(sort_out([at(2, file="b.py")], [at(2, file="")], {"b.py": Origin("")}).new) == 1


@table_test("file", ["", "a.py"])
def test_without_a_line_the_same_complaint_is_the_same(file):
    assert sort_out([at(0, file=file)], [at(0, file=file)], {}).new == ()


@table_test("line", [0, 1])
def test_what_is_said_of_a_file_as_a_whole_is_old_though_its_first_line_changed(line):
    for moves in (
        moved(["x", "y"], ["n", "x", "y"]),
        moved(["x", "y"], ["n", "y"]),
        moved(["x", "y"], ["y"]),
    ):
        assert sort_out([at(line)], [at(1)], {"a.py": moves}) == ((), 1)
    assert sort_out([at(line, file="b.py")], [at(1)], {"b.py": Origin("a.py", (Edit(1, 0, 1, 1),))}).new == ()


def test_the_first_line_excuses_nothing_else():
    moves = {"a.py": moved(["x", "y"], ["n", "x", "y"]), "b.py": Origin("")}
    for now in (at(1, "other thing"), at(1, rule="F401"), at(1, file="b.py"), at(2)):
        base = [at(1)] if now.line == 1 else [at(2)]
        assert sort_out([now], base, moves).new == (now,)


def test_what_stayed_on_its_line_is_not_lent_to_the_first_one():
    moves = {"a.py": moved(["x", "y"], ["n", "x", "y"])}
    assert sort_out([at(1), at(3)], [at(2)], moves) == ((at(1),), 1)


def test_without_a_base_only_changed_lines_are_surely_new():
    origins = {"a.py": moved(["x", "y"], ["x", "z"]), "b.py": Origin("")}
    found = on_changed_lines([at(1), at(2), at(3, file="b.py"), at(4, file="c.py")], origins)
    assert found == ((at(2), at(3, file="b.py")), 2)


LINES = st.lists(st.sampled_from("abcd"), max_size=12)


@given(LINES, LINES)
def test_every_line_stands_for_lines_of_the_base_in_their_order(before, after):
    edits = moved(before, after).edits
    last = 0
    for number, text in enumerate(after, 1):
        stands = stands_for(number, edits)
        assert stands.lines.start >= last
        last = stands.lines.start
        assert stands.same == _stayed(number, edits)
        assert not stands.same or before[last - 1] == text


@given(LINES, LINES, st.sets(st.integers(1, 12)))
def test_what_the_base_had_on_lines_that_stayed_is_never_new(before, after, numbers):
    moves = moved(before, after)
    same = [n for n in numbers if n <= len(after) and _stayed(n, moves.edits)]
    base = [at(stands_for(n, moves.edits).lines.start) for n in same]
    assert sort_out([at(n) for n in same], base, {"a.py": moves}).new == ()


def _stayed(number: int, edits: tuple[Edit, ...]) -> bool:
    return not any(edit.new <= number < edit.new + edit.added for edit in edits)
