"""Rows that are drawn again in place, as a terminal shows them."""

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.ui.live_screen import Screen
from tests.ui.emulator import Emulator


class Looked:
    """A screen, and the terminal that shows it."""

    def __init__(self, columns=40, lines=10):
        self.stream = io.StringIO()
        self.terminal = Emulator(columns, lines)
        self.screen = Screen(self.stream, lambda: (self.terminal.columns, self.terminal.lines))

    def draw(self, above, rows):
        drawn = self.screen.draw(above, rows)
        self.look()
        return drawn

    def look(self):
        self.terminal.feed(self.stream.getvalue())
        self.stream.seek(0)
        self.stream.truncate()


def test_the_log_scrolls_above_and_the_rows_stay_below():
    looked = Looked()
    looked.draw(["first"], ["a", "b"])
    looked.draw(["second"], ["c"])
    assert looked.terminal.screen == ["first", "second", "c"]
    looked.draw([], ["d", "e", "f"])
    assert looked.terminal.screen == ["first", "second", "d", "e", "f"]


def test_nothing_is_written_where_nothing_changed():
    looked = Looked()
    assert looked.draw([], ["a"]) is True
    assert looked.draw([], ["a"]) is False
    assert looked.terminal.pictures == 1


def test_a_log_longer_than_the_terminal_keeps_every_line():
    looked = Looked(lines=5)
    for number in range(20):
        looked.draw([f"line {number}"], ["a", "b"])
    assert looked.terminal.text.splitlines() == [*(f"line {number}" for number in range(20)), "a", "b"]


def test_erased_nothing_is_left_and_the_cursor_is_shown():
    looked = Looked()
    looked.draw(["kept"], ["a", "b", "c"])
    looked.screen.erase()
    looked.look()
    assert looked.terminal.screen == ["kept", ""]
    assert looked.terminal.cursor_shown and looked.terminal.wraps


def test_a_long_line_of_the_log_wraps_above_the_rows():
    looked = Looked(columns=20)
    looked.draw(["x" * 50], ["y" * 19, "z"])
    looked.draw([], ["w"])
    assert looked.terminal.screen == ["x" * 20, "x" * 20, "x" * 10, "w"]


def test_a_terminal_with_other_widths_clips_a_row_instead_of_folding_it():
    looked = Looked(columns=20)
    looked.terminal.columns = 18  # as if some characters took more room than we count
    looked.draw([], ["y" * 19, "z"])
    assert looked.terminal.screen == ["y" * 18, "z"]


def test_a_new_size_is_drawn_again():
    looked = Looked()
    looked.draw([], ["a"])
    looked.terminal.columns = 60
    assert looked.draw([], ["a"]) is True


def test_a_narrower_terminal_has_folded_the_rows():
    looked = Looked(columns=40)
    looked.draw(["kept"], ["r" * 39, "s" * 39])
    looked.terminal.columns = 20  # terminals fold what no longer fits: each row is two now
    looked.screen.erase()
    assert "\x1b[3A" in looked.stream.getvalue()


class Gone(io.StringIO):
    def write(self, _):
        raise OSError(5, "hung up")


def test_a_terminal_that_is_gone_is_drawn_on_no_more():
    screen = Screen(Gone(), lambda: (80, 24))
    screen.draw(["x"], ["y"])
    assert not screen.alive
    screen.erase()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.lists(st.text("ab你", max_size=30), max_size=3),
            st.lists(st.text("xy好", max_size=15), max_size=5),
        ),
        max_size=8,
    )
)
def test_whatever_is_drawn_the_log_stays_whole(pictures):
    looked = Looked(columns=32, lines=12)
    log: list[str] = []
    for above, rows in pictures:
        looked.draw(above, rows)
        log += above
    looked.screen.erase()
    looked.look()
    folded = "".join(looked.terminal.text.split("\n"))
    assert folded == "".join(log)
