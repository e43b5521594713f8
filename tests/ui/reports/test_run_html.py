"""The page of a run: well formed, self-contained, readable by ear, bounded, and inert whatever is in it."""

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen import __version__
from donewhen.ui.reports.run_html import run_html
from tests.tables import table_test
from tests.ui.reports.run_samples import ACCEPTED, ATTACK, WAITING, attacked, dossier, evidence
from tests.ui.reports.test_html import Page

ALLOWED = frozenset(
    "lang charset http-equiv content name class id href aria-label aria-labelledby scope role tabindex open "
    "min max high value".split()
)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_page(language, snapshot):
    text = run_html(WAITING, language).replace(f"donewhen {__version__}", "donewhen VERSION")
    assert re.sub(r"<style>.*?</style>|sha256-[^']+", "…", text, flags=re.DOTALL) == snapshot


@table_test(
    "wanted",
    [
        "waiting for a human",
        "escalated · max_retries",
        "donewhen approve a-1",
        "1 of 5 passed",
        "✗ failed python3 -m unittest",
        "exit 1, tests run: 3, 2 passed, 1 failed, 1.2s",
        "the harness itself",
        "aaaaaaaaaaaa (unchanged by it)",
        "FAIL: test_adds_up",
        "◐ masked make",
        "↻ stale lint",
        "All tests pass.",
        "force-push",
        "+1 −2",
        "$0.25 of $2.00 (12.5 %)",
        "may I push?",
        "no answer yet",
        "no reviewer is configured",
        "Notes: older entries, 3",
        "donewhen audit r-20261115043750-0a1b2c",
    ],
)
def test_a_stranger_finds(wanted):
    assert wanted in Page(run_html(WAITING, "en")).text


def test_an_accepted_run_says_how_to_merge_and_how_to_check():
    text = Page(run_html(ACCEPTED, "en")).text
    assert "✓ accepted" in text
    assert "git merge donewhen/x" in text
    assert "donewhen audit --record x.json" in text


def test_no_folder_of_this_machine_is_told():
    assert "/home/ann" not in run_html(ACCEPTED, "en") + run_html(WAITING, "en")


@table_test("report", [ACCEPTED, WAITING, attacked()])
def test_it_needs_nothing_else_and_runs_nothing(report):
    page = Page(run_html(report, "en"))
    names = {name for name, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "form", "svg", "base"}
    assert {key for _, given in page.tags for key in given} <= ALLOWED
    assert all((link["href"] or "").startswith("#") for link in page.all("a"))


def test_the_policy_allows_its_own_style_and_nothing_else():
    text = run_html(ACCEPTED, "en")
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = [meta["content"] for meta in Page(text).all("meta") if meta.get("http-equiv")]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_a_screen_reader_finds_its_way():
    page = Page(run_html(WAITING, "en"))
    names = [name for name, _ in page.tags]
    assert [names.count(name) for name in ("header", "main", "footer", "h1", "nav")] == [1] * 5
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    assert {section["aria-labelledby"] for section in page.all("section")} <= set(ids)
    assert {(link["href"] or "")[1:] for link in page.all("a")} <= set(ids)
    assert all("scope" in head for head in page.all("th"))


@given(st.text(alphabet=st.characters(codec=None), max_size=80).map(lambda text: f"{text}{ATTACK}"))
def test_whatever_somebody_wrote_stays_text(text):
    page = run_html(attacked(text), "en")
    assert {name for name, _ in Page(page).tags} <= {name for name, _ in Page(run_html(WAITING, "en")).tags}
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert page.encode()


@table_test("text", ["x" * 50_000_000, "<&>" * 5_000_000, "\x1b[1m\n" * 1_000_000])
def test_a_huge_output_is_cut(text):
    proof = WAITING.proofs[0]._replace(evidence=(evidence(output=text),))
    page = run_html(dossier(proofs=(proof,)), "en")
    assert len(page) < 500_000
    assert "…" in page


def test_many_large_outputs_do_not_make_a_large_page():
    proofs = tuple(
        WAITING.proofs[0]._replace(id=str(n), evidence=(evidence(output="y" * 64_000),)) for n in range(300)
    )
    page = run_html(dossier(proofs=proofs), "en")
    assert len(page) < 4_000_000
    assert "the report would become too large" in page


def test_a_diff_that_was_cut_says_where_all_of_it_is():
    page = run_html(dossier(change=WAITING.change._replace(cut=True)), "en")
    assert "donewhen diff r-20261115043750-0a1b2c" in page
