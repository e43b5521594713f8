"""The comment about a run: bounded, with nothing in it that somebody else could turn into markup."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen import __version__
from donewhen.ui.reports.run_markdown import LARGEST, run_markdown
from tests.tables import table_test
from tests.ui.reports.run_samples import ACCEPTED, ATTACK, WAITING, attacked, dossier, evidence


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_comment(language, snapshot):
    text = run_markdown(WAITING, language)
    assert text.replace(f"donewhen {__version__}", "donewhen VERSION") == snapshot


def test_no_folder_of_this_machine_is_told():
    assert "/home/ann" not in run_markdown(ACCEPTED, "en") + run_markdown(WAITING, "en")


@given(st.text(alphabet=st.characters(codec=None), max_size=60).map(lambda text: f"{text}{ATTACK}"))
def test_whatever_somebody_wrote_stays_text(text):
    told = run_markdown(attacked(text), "en")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", told)
    outside = _without_code(told)
    assert "<script" not in outside
    assert "@ann" not in outside
    assert "javascript:" not in outside
    assert "# heading" not in outside


def _without_code(text: str) -> str:
    """What is left when fenced blocks, code spans and <code> are taken away."""
    fences = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    spans = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", fences)
    return re.sub(r"<code>.*?</code>", "", spans)


@table_test("text", ["x" * 5_000_000, "好" * 2_000_000, "`" * 1_000_000, "\n" * 1_000_000 + "end"])
def test_it_fits_into_a_comment(text):
    proofs = tuple(
        WAITING.proofs[0]._replace(id=str(n), evidence=(evidence(output=text),)) for n in range(200)
    )
    told = run_markdown(dossier(proofs=proofs, goal=text, change=WAITING.change._replace(diff=text)), "en")
    assert len(told.encode()) <= LARGEST
    assert told.endswith("</sub>\n")


def test_what_does_not_fit_is_said():
    proofs = tuple(WAITING.proofs[0]._replace(id=str(n), reason="because " * 60) for n in range(200))
    told = run_markdown(dossier(proofs=proofs, attempts=WAITING.attempts * 100), "en", largest=8000)
    assert "donewhen report r-20261115043750-0a1b2c --html" in told
