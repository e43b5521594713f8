"""What is shown: bounded in bytes, clean, and honest about what is missing."""

import re

from hypothesis import given
from hypothesis import strategies as st

from donewhen.tools.output import bounded, shown, visible


def same(text: str) -> str:
    return text


@given(st.text(max_size=3000), st.integers(300, 2000))
def test_never_more_than_asked_for(text, most):
    assert len(bounded(text, most).encode(errors="replace")) <= most
    assert len(shown(text, same, most=most).encode()) <= most


@given(st.text(alphabet="abc\n", max_size=300))
def test_a_short_text_is_left_as_it_is(text):
    assert bounded(text, 300) == text


@given(st.integers(100, 5000))
def test_what_is_left_out_is_counted(lines):
    text = "".join(f"{n:05}\n" for n in range(lines))
    cut = shown(text, same, most=1000)
    found = re.search(r"… (\d+) characters left out", cut)
    if found is None:
        assert cut == text
        return
    kept = "".join(line + "\n" for line in cut.splitlines() if "left out" not in line)
    assert len(kept) + int(found.group(1)) in range(len(text), len(text) + 2)


@given(st.text())
def test_nothing_unseen_is_shown(text):
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", visible(text)
    )


def test_a_terminals_colours_are_dropped_and_a_files_spelled():
    text = "\x1b[31mred\x1b[0m\n"
    assert shown(text, same, terminal=True) == "red\n"
    assert shown(text, same) == "\\x1b[31mred\\x1b[0m\n"


def test_a_secret_at_the_first_cut_is_not_shown_in_half():
    secret = "s3cret-" * 20
    text = "x" * 950 + secret + "y" * 5000
    assert "s3cret" not in shown(text, lambda part: part.replace(secret, "[redacted]"), most=1000)
