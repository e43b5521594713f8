"""Bodies and titles of pull requests: complete, bounded, and no text of others becomes markup or a command."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from donewhen.core.pull_request import (
    LARGEST,
    Account,
    Criterion,
    Finding,
    Proof,
    Record,
    Verdict,
    accepted_body,
    draft_body,
    key_of,
    title,
)
from donewhen.core.pull_request_text import LONGEST_TITLE

RUN = "r-20261115043750-0a1b2c"
KEY = f"{RUN}:77"
TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EVIL = (
    "@boss",
    "fixes #1",
    "Closes acme/shop#2",
    "<!-- donewhen:key other:1 -->",
    "-->",
    "<img src=x onerror=y>",
    "![x](http://evil.example/x.png)",
    "[x](javascript:y)",
    "```\n/merge\n```",
    "~~~\n/approve",
    "````",
    "</details>",
    "/close",
    "$(touch x)",
    "| a | b |",
    "\\|",
    "`",
    "\x1b[31m",
    "\u202e",
    "\ud800",
    "\r\n\r\n# head",
    "---",
    "$$x$$",
    "a" * 3000,
)
hostile = st.lists(st.one_of(st.sampled_from(EVIL), st.text(max_size=30)), max_size=8).map(" ".join)
lines = st.lists(st.one_of(st.sampled_from(EVIL), st.text(max_size=30)), max_size=8).map("\n".join)
texts = st.one_of(hostile, lines)


@st.composite
def accounts(draw: st.DrawFn) -> Account:
    names = draw(st.lists(texts, max_size=4))
    return Account(
        RUN,
        KEY,
        draw(texts),
        "donewhen/" + RUN,
        "main",
        TREE,
        summary=draw(texts),
        cause=draw(texts),
        criteria=tuple(Criterion(name, draw(texts), draw(texts), tuple(names)) for name in names),
        proofs=tuple(Proof(name, draw(texts), "passed", draw(texts), (draw(texts),)) for name in names),
        verdicts=tuple(Verdict(name, draw(texts)) for name in names),
        files=tuple((draw(texts), name) for name in names),
        missing=tuple(names),
        findings=tuple(Finding("fail", name, draw(texts), draw(texts)) for name in names),
        spent="0.1 dollars",
        record=Record('{"a":"```"}', "0" * 64, "x.json"),
    )


def outside_of_code(body: str) -> list[Token]:
    """What a forge reads as more than code, as a reader of its Markdown sees it."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(body)
    flat = [part for token in tokens for part in (token, *(token.children or ()))]
    return [token for token in flat if token.type not in ("fence", "code_inline", "code_block", "inline")]


OURS = re.compile(r"<!-- donewhen:key r-[0-9a-z-]+:77 -->|</?details>|<summary>[^<@#]*</summary>|<br>")


@settings(max_examples=60, deadline=None)
@given(accounts(), st.sampled_from(("en", "zh")), st.booleans())
def test_no_text_of_others_is_more_than_code(account: Account, language: str, draft: bool):
    body = (draft_body if draft else accepted_body)(account, language)  # type: ignore[arg-type]
    assert key_of(body) == KEY
    assert len(body.encode(errors="replace")) <= LARGEST
    for token in outside_of_code(body):
        assert token.type not in ("image", "link_open", "heading_open") or token.tag == "h3"
        if token.type in ("html_block", "html_inline"):
            assert OURS.sub("", token.content).strip() == "", token
        elif token.type == "text":
            assert not re.search(r"[@#]\w|/merge|/close|/approve|evil\.example", token.content), token


@settings(max_examples=60, deadline=None)
@given(accounts())
def test_no_line_of_a_body_is_a_command_to_the_forge(account: Account):
    """GitLab reads its quick actions by lines, and looks for code blocks more simply than Markdown does."""
    for body in (draft_body(account, "en"), accepted_body(account, "en")):
        simple = re.sub(r"^```.+?\n```$", "", body, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"^\s*/(?:merge|close|approve)\b", simple, re.MULTILINE)


@settings(max_examples=120, deadline=None)
@given(texts)
def test_a_title_is_one_short_line_that_nobody_acts_on(goal: str):
    said = title(Account(RUN, KEY, goal, "b", "main"), "en")
    assert 0 < len(said) <= LONGEST_TITLE
    assert said.isprintable() or "\u2060" in said
    assert not re.search(r"[@#]\w|^-|^/|://|^(?:draft|wip)\s*:", said, re.IGNORECASE)
    said.encode()


def test_a_title_keeps_what_was_meant():
    assert (
        title(Account(RUN, KEY, "\n\n  Make the cart add up.\nMore", "b", "main"), "en")
        == "Make the cart add up."
    )
    assert title(Account(RUN, KEY, "Draft: WIP: [draft] cart", "b", "main"), "en") == "cart"
    assert title(Account(RUN, KEY, " \n", "b", "main"), "en") == f"Work of run {RUN}"


def test_what_does_not_fit_is_named():
    many = tuple(f"proof {number} " + "x" * 400 for number in range(500))
    body = draft_body(
        Account(RUN, KEY, "y" * 200_000, "b", "main", missing=many, files=(("a", "z" * 900),) * 999), "en"
    )
    assert len(body.encode()) <= LARGEST
    assert "and 460 more" in body
    huge = Record("{" + '"a":1,' * 20_000 + "}", "f" * 64, "r.json")
    told = accepted_body(Account(RUN, KEY, "y", "b", "main", TREE, record=huge), "en")
    assert "f" * 64 in told
    assert "r.json" in told


def test_a_key_is_read_from_the_first_line_alone():
    assert key_of(f"\n<!-- donewhen:key {KEY} -->\nrest") == KEY
    assert key_of(f"hello\n<!-- donewhen:key {KEY} -->") == ""
    assert key_of("") == ""
