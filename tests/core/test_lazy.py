"""A lazy pattern is the pattern, from its first use on."""

import copy
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from donewhen.core.lazy import Lazy, lazy


def test_a_lazy_pattern_answers_as_the_compiled_one_does():
    late, real = lazy(r"(?P<word>[a-z]+)\d", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)\d", re.IGNORECASE)
    text = "A1 b2, cc3"
    assert [found.span() for found in late.finditer(text)] == [found.span() for found in real.finditer(text)]
    assert late.sub(r"<\g<word>>", text) == real.sub(r"<\g<word>>", text)
    assert late.findall(text, 3) == real.findall(text, 3)
    found = late.fullmatch("cc3")
    assert found is not None
    assert found["word"] == "cc"
    assert (late.pattern, late.flags, late.groupindex) == (real.pattern, real.flags, real.groupindex)


def test_bytes_have_lazy_patterns_too():
    assert lazy(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_a_wrong_pattern_is_told_when_it_is_used():
    late = lazy("(")
    with pytest.raises(re.error):
        late.search("")


def test_what_was_asked_once_is_the_compiled_patterns_own():
    late = lazy(r"\d")
    assert late.search("x") is None
    assert vars(late)["search"] == re.compile(r"\d").search


def test_it_can_be_copied_and_sent_to_another_process():
    late = lazy(r"\d")
    late.search("1")
    for each in (copy.copy(late), copy.deepcopy(late), pickle.loads(pickle.dumps(late))):
        assert isinstance(each, Lazy)
        assert each.search("a1").start() == 1


def test_threads_that_ask_together_get_the_same_answer():
    late = lazy(r"(\w+)@(\w+)")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: late.findall("me@here"), range(64)))
    assert found == [[("me", "here")]] * 64
