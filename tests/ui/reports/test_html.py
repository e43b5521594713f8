"""The page: well formed, self-contained, readable by ear, and inert whatever text is in it."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.findings import Feedback
from donewhen.ui.reports.html import html
from tests.tables import table_test
from tests.ui.reports.samples import ACCEPTED, EVERYTHING, attacked

EMPTY = {"meta", "br"}


class Page(HTMLParser):
    """Elements, attributes and text; refuses what is not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    def handle_comment(self, data):
        raise AssertionError(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_page(language, snapshot):
    text = html(EVERYTHING._replace(language=language))
    assert re.sub(r"<style>.*?</style>|sha256-[^']+", "…", text, flags=re.DOTALL) == snapshot


def test_it_says_verdict_proofs_gates_findings_and_notes():
    text = Page(html(EVERYTHING)).text
    for wanted in (
        "donewhen: not accepted",
        "3 proofs are missing",
        "its own summary reports 1 failed",
        "61.5 % of changed lines",
        "python -m pip install mypy",
        "subprocess call with shell=True",
        "assert total([100.0], 20) == 80.0",
        "the exam has no network but loopback",
        "no reviewer is configured",
    ):
        assert wanted in text, wanted


@table_test("report", [ACCEPTED, EVERYTHING, attacked()])
def test_it_needs_nothing_else_and_runs_nothing(report):
    page = Page(html(report))
    names = {name for name, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "form", "svg", "base"}
    attributes = {key for _, given in page.tags for key in given}
    assert attributes <= {
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "class",
        "id",
        "href",
        "aria-label",
        "aria-labelledby",
        "scope",
        "role",
        "tabindex",
    }
    assert all((link["href"] or "").startswith("#") for link in page.all("a"))


def test_the_policy_allows_its_own_style_and_nothing_else():
    text = html(ACCEPTED)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = [meta["content"] for meta in Page(text).all("meta") if meta.get("http-equiv")]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_a_screen_reader_finds_its_way():
    page = Page(html(EVERYTHING))
    names = [name for name, _ in page.tags]
    assert [names.count(name) for name in ("header", "main", "footer", "h1", "nav")] == [1] * 5
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    assert {section["aria-labelledby"] for section in page.all("section")} <= set(ids)
    assert {(link["href"] or "")[1:] for link in page.all("a")} <= set(ids)
    assert all("scope" in head for head in page.all("th"))
    assert page.all("html") == [{"lang": "en"}]


def test_it_is_made_for_a_phone_and_for_the_dark():
    text = html(ACCEPTED)
    assert "width=device-width" in text
    assert "prefers-color-scheme: dark" in text


@given(st.text(), st.text(alphabet="<>&\"'/=! -abc"))
def test_any_text_is_text(message, file):
    finding = Feedback("fail", "quality", message, file, 3, details=message, fix_suggestion=file, rule=file)
    text = html(ACCEPTED._replace(feedback=(finding,), notes=(message,)))
    text.encode()
    plain = Page(
        html(ACCEPTED._replace(feedback=(finding._replace(message="m", details="d"),), notes=("n",)))
    )
    assert {name for name, _ in Page(text).tags} <= {name for name, _ in plain.tags} | {"code"}
