"""Tokens: the bound is never too low, the count is that of the published encodings, nothing hostile is slow."""

import gzip
import random
import sys
from base64 import b64encode
from binascii import a2b_base64
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donewhen.context import ranks as rank_tables
from donewhen.context import tokens
from donewhen.context.merging import WINDOW, merged
from donewhen.context.rank_cache import kept_ranks
from donewhen.context.ranks import read_ranks
from donewhen.context.tokens import Counter, counter_for
from donewhen.core.texts import Phrase, say
from tests.examples import many
from tests.tables import table_test

ENCODINGS = ("o200k_base", "cl100k_base")
PROSE = "Done is a proof, not a claim. 完成是一种证明，而不是一种声明。\n\tdef total(prices: list[float]) -> float:\n"
SPECIAL = "<|endoftext|><|fim_prefix|><|endofprompt|><|im_start|>"
# letters whose class changed between versions of Unicode are left to the versions
TEXT = st.text(
    st.characters(max_codepoint=0x2FFF, categories=("L", "N", "P", "S", "Z", "Cc", "M")), max_size=80
)
CODE = st.lists(
    st.sampled_from(
        [
            "def ",
            "x_1",
            "\n",
            "    ",
            "'ll",
            "DON'T",
            "'ſ",
            "1234567",
            "====",
            "→",
            "é",
            "naïve",
            "的",
            "\r\n",
            "/*",
            "😀",
        ]
    ),
    max_size=40,
).map("".join)


def rank_file(encoding):
    path = rank_tables.rank_file(encoding)
    assert path is not None
    return path


@cache
def reference(encoding):
    """The library of those who made the encodings, with the same ranks."""
    import tiktoken

    openai_public = import_module("tiktoken_ext.openai_public")
    openai_public.load_tiktoken_bpe = lambda *_, **__: {}  # type: ignore[attr-defined]
    lines = gzip.decompress(rank_file(encoding).read_bytes()).split(b"\n")
    ranks = {a2b_base64(line.split()[0]): int(line.split()[1]) for line in lines if line}
    pattern = getattr(openai_public, encoding)()["pat_str"]
    return tiktoken.Encoding(encoding, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


@table_test("encoding", ENCODINGS)
@given(st.one_of(TEXT, CODE))
@settings(max_examples=many(300), deadline=None)
def test_a_count_is_that_of_the_published_encoding_and_never_above_the_bound(encoding, text):
    counter = Counter(encoding)
    assert counter.count(text) == len(reference(encoding).encode_ordinary(text))
    assert counter.count(text) <= counter.bound(text)


@table_test("encoding", ENCODINGS)
def test_real_files_count_the_same(encoding):
    for path in sorted(Path(tokens.__file__).parents[1].rglob("texts/*.py"))[:20]:
        text = path.read_text()
        assert Counter(encoding).count(text) == len(reference(encoding).encode_ordinary(text))


@table_test("encoding", ENCODINGS)
@given(
    st.sampled_from(["a", " ", "-", "=", "中", "é", "ab", "\n", "😀", "的一", "0", " \t", "x" * 7]),
    st.integers(1, 900),
)
@settings(max_examples=many(200), deadline=None)
def test_a_repeat_longer_than_a_window_is_never_counted_too_low(encoding, unit, times):
    text = unit * times
    exact = len(reference(encoding).encode_ordinary(text))
    counted = Counter(encoding).count(text)
    assert exact <= counted <= exact + 3 * (1 + len(text.encode()) // WINDOW)


def test_what_looks_like_a_special_token_is_ordinary_text():
    assert Counter().count(SPECIAL) == len(reference("o200k_base").encode_ordinary(SPECIAL)) > 4


@table_test("text", ["\ud800", "a\udfffb", "\ud83d\ude00", "ok " + "\udc80" * 100, "\0\x1b[31m", ""])
def test_what_is_no_unicode_is_counted_all_the_same(text):
    counter = Counter()
    assert counter.count(text) == len(reference("o200k_base").encode_ordinary(text))
    assert counter.count(text) <= counter.bound(text)


def hostile():
    chance = random.Random(1)
    noise = bytes(chance.randrange(256) for _ in range(100_000))
    yield from (
        unit * (200_000 // len(unit))
        for unit in ("a", " ", "\n", "-", "aA", "\n ", "1", "'", "中", " " * 99 + "x")
    )
    yield b64encode(noise).decode()
    yield "".join(chr(97 + byte % 26) for byte in noise)  # one word that repeats nothing


@pytest.mark.runs
def test_hostile_text_is_counted_without_quadratic_work():
    looked_up = 0

    def rank(token):
        nonlocal looked_up
        looked_up += 1
        return ranks.rank(token)

    ranks = read_ranks(rank_file("cl100k_base"), 18)
    for text in hostile():
        words = text.encode()
        assert 0 < Counter("cl100k_base").count(text) <= len(words)
        looked_up = 0
        assert 0 < merged(words, rank) <= len(words)
        assert looked_up < 2 * len(words)


@table_test(
    ("model", "encoding"),
    [
        ("gpt-4", "cl100k_base"),
        ("openai:gpt-4-turbo", "cl100k_base"),
        ("azure:gpt-35-turbo", "cl100k_base"),
        ("openai/gpt-3.5-turbo-0125", "cl100k_base"),
        ("ft:gpt-4:me", "cl100k_base"),
        ("gpt-4o", "o200k_base"),
        ("ft:gpt-4o:me", "o200k_base"),
        ("openai:gpt-4.1-mini", "o200k_base"),
        ("openai:gpt-5", "o200k_base"),
        ("anthropic:claude-sonnet-4-5", "o200k_base"),
        ("", "o200k_base"),
    ],
)
def test_a_model_is_counted_in_its_own_encoding(model, encoding):
    assert counter_for(model).encoding == encoding


def test_many_threads_may_load_and_count_at_once():
    tokens.forget()
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: Counter().count(PROSE * 20), range(16)))
    assert set(counts) == {len(reference("o200k_base").encode_ordinary(PROSE * 20))}


@pytest.fixture
def without(monkeypatch):
    """A place where the packages of the extra are not installed."""
    tokens.forget()
    monkeypatch.setitem(sys.modules, "regex", None)
    yield
    tokens.forget()


def test_without_the_tables_the_bound_is_the_count_and_that_is_said_once(without):
    told: list[Phrase] = []
    counter = counter_for("openai:gpt-5", told.append)
    assert not counter.warm()
    assert counter.count(PROSE) == counter.bound(PROSE) == len(PROSE.encode())
    assert counter.count("more") == 4
    assert [phrase.key for phrase in told] == ["prices.no_counter"]
    assert "donewhen[llm]" in say(told[0].key, "zh")


@pytest.mark.parametrize(
    "content", [b"", b"no gzip", gzip.compress(b"IQ== 0\n", mtime=0), gzip.compress(b"????\n" * 300, mtime=0)]
)
def test_a_rank_file_that_is_none_is_not_believed(tmp_path, monkeypatch, content):
    path = tmp_path / "o200k_base.tiktoken.gz"
    path.write_bytes(content)
    tokens.forget()
    monkeypatch.setattr(tokens, "rank_file", lambda _: path)
    assert Counter().count("aé") == 3
    tokens.forget()


def kept(folder):
    return folder / "cl100k_base.ranks"


def same(ranks, others):
    words = [b"a", b" the", b"zz", b"qzxv", b"\xff", b"", b" function", b"\n\n"]
    return [ranks.rank(word) for word in words] == [others.rank(word) for word in words]


def test_tables_that_were_made_once_are_read_the_next_time(tmp_path):
    source = rank_file("cl100k_base")
    made = kept_ranks(source, 18, tmp_path)
    assert kept(tmp_path).stat().st_mode & 0o777 == 0o600
    again = kept_ranks(source, 18, tmp_path)
    assert isinstance(again.table, memoryview)
    assert same(made, again)


@table_test("spoil", ["cut", "longer", "flipped", "empty", "writable", "link", "folder"])
def test_tables_that_are_odd_are_made_again(tmp_path, spoil):
    source = rank_file("cl100k_base")
    made, path = kept_ranks(source, 18, tmp_path), kept(tmp_path)
    data = path.read_bytes()
    if spoil in ("cut", "longer", "flipped", "empty"):
        changed = {"cut": data[:-1], "longer": data + b"x", "empty": b""}
        path.write_bytes(changed.get(spoil, data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]))
    elif spoil == "writable":
        path.chmod(0o622)
    else:
        path.unlink()
        (tmp_path / "other").write_bytes(data)
        path.symlink_to(tmp_path / "other") if spoil == "link" else path.mkdir()
    again = kept_ranks(source, 18, tmp_path)
    assert not isinstance(again.table, memoryview)
    assert same(made, again)
