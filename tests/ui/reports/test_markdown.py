"""The comment on a pull request: what it says, and that nobody else's text becomes markup in it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.findings import Feedback
from donewhen.ui.reports.markdown import LARGEST, markdown
from donewhen.ui.reports.markup import cell, code, fenced, folded
from tests.ui.reports.samples import ACCEPTED, ATTACK, EVERYTHING, attacked

FENCE = re.compile(r"^(`{3,})text\n.*?^\1$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])??(?<!`)\1(?!`)")
HTML_CODE = re.compile(r"<code>[^<>]*</code>")


def outside_of_code(text: str) -> str:
    """The Markdown without what forges show as code: there is no markup in it."""
    return HTML_CODE.sub("", SPAN.sub("", FENCE.sub("", text)))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_comment(language, snapshot):
    assert markdown(EVERYTHING._replace(language=language)) == snapshot


def test_an_accepted_change_is_short(snapshot):
    assert markdown(ACCEPTED) == snapshot


def test_hostile_text_stands_only_in_code():
    left = outside_of_code(markdown(attacked()))
    for trace in ("evil", "@admin", "#1 ", "script", "<!--", "planted", "set-env", "](", "💥"):
        assert trace not in left, trace
    tags = re.findall(r"<[^>]*>", left)
    assert set(tags) <= {"<details>", "</details>", "<summary>", "</summary>"}


def test_hostile_text_breaks_no_table():
    rows = [line for line in markdown(attacked()).splitlines() if line.startswith("| ")]
    for row in rows:
        bars = len(re.findall(r"(?<!\\)\|", row))
        assert bars in (4, 6), row  # three columns or five


@given(st.text(alphabet="`|\\ @#<>!-ab\n\r\t", max_size=60))
def test_a_span_is_one_span_of_one_line(text):
    for shown in (code(text), cell(text)):
        assert "\n" not in shown
        assert outside_of_code(shown) == ""


@given(st.text(alphabet="|\\`a ", max_size=40))
def test_a_bar_in_a_cell_follows_exactly_one_backslash(text):
    assert not re.search(r"(?<!\\)\||\\\\\|", cell(text))


@given(st.text(alphabet="`~ \nab<>-", max_size=80))
def test_a_block_is_ended_only_by_its_own_end(text):
    shown = fenced(text, 1000)
    assert outside_of_code(shown).strip() == ""
    assert (
        outside_of_code(folded("details", text, shown)).split()
        == ["<details>", "<summary>details", "</summary>", "</details>"]
        or not text.strip()
    )


def test_findings_stand_below_their_file_gravest_first():
    told = (
        Feedback("warning", "style", "w", "b.py", 1),
        Feedback("fail", "style", "f", "b.py", 9),
        Feedback("fail", "style", "a", "a.py", 2),
        Feedback("skipped", "semantic", "s"),
    )
    text = markdown(ACCEPTED._replace(feedback=told))
    wanted = [
        "**`a.py`**",
        "- ✗ 2 `a`",
        "**`b.py`**",
        "- ✗ 9 `f`",
        "- ! 1 `w`",
        "**No particular file**",
        "- ○ `s`",
    ]
    assert [line for line in text.splitlines() if line in wanted] == wanted


def test_it_fits_into_a_comment_and_says_what_is_left_out():
    told = tuple(
        Feedback("fail", "style", ATTACK * 20, f"{at}.py", 1, details=ATTACK * 50, rule=ATTACK)
        for at in range(300)
    )
    text = markdown(EVERYTHING._replace(feedback=told, notes=(ATTACK * 9,) * 200))
    assert len(text) <= LARGEST
    assert "the rest was left out here; `donewhen show r-20261115200234-ea9685` has all of it" in text
    assert text.count("<details>") == text.count("</details>")
