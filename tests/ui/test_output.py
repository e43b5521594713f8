"""Text for a terminal of any width: broken at spaces, or cut where it says least."""

import os
import sys

from hypothesis import given
from hypothesis import strategies as st

from donewhen.ui import output
from donewhen.ui.output import fit_end, width, wrap


class Screen:
    """A terminal that nothing is written to."""

    def isatty(self) -> bool:
        return True


def wrapped(text: str, columns: int, indent: str = "  ") -> list[str]:
    before, sys.stdout = sys.stdout, Screen()
    kept = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        return wrap(text, indent)
    finally:
        sys.stdout = before
        os.environ.pop("COLUMNS") if kept is None else os.environ.update(COLUMNS=kept)


@given(st.lists(st.text("ab界", min_size=1, max_size=9), min_size=1, max_size=20), st.integers(24, 60))
def test_lines_break_at_spaces_and_lose_no_word(words, columns):
    lines = wrapped("  - " + " ".join(words), columns)
    assert lines[0].startswith("  - ")
    assert " ".join(line.strip() for line in lines).split(" ")[1:] == words
    assert all(width(line) <= columns for line in lines)


def test_what_is_no_terminal_gets_long_lines():
    assert output.wrap("word " * 100) == ["word " * 100]


@given(st.text("ab/界", max_size=40), st.integers(2, 30))
def test_of_a_path_the_end_is_kept(path, columns):
    kept = fit_end(path, columns)
    assert width(kept) <= columns
    assert path.endswith(kept.removeprefix("…"))
