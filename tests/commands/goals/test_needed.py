"""The cheap look before a pattern never says no where the pattern matches."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import donewhen.commands.goals
from donewhen.commands.goals.needed import Looked, looked, needed
from donewhen.commands.goals.phrases import phrases, tables
from tests.commands.goals import chinese, english
from tests.examples import many
from tests.tables import table_test

CORPUS = Path(__file__).parents[2] / "cases" / "goals.jsonl"


class Guarded(NamedTuple):
    """A pattern of the parser with its cheap look."""

    name: str
    real: re.Pattern[str]
    look: Looked | tuple[str, ...]

    def may(self, text: str) -> bool:
        return self.look.may(text) if isinstance(self.look, Looked) else any(w in text for w in self.look)


def _phrases() -> Iterator[Guarded]:
    for where, frames in tables().items():
        if where == "words":
            continue
        for frame in frames:
            found = phrases(where, frame)
            for phrase in dict.fromkeys(each for _, several in found for each in several):
                words = tuple(word for word, several in found if phrase in several)
                yield Guarded(f"{where} {frame}", re.compile(phrase.pattern), words)


def _patterns() -> Iterator[Guarded]:
    for info in pkgutil.iter_modules(donewhen.commands.goals.__path__, "donewhen.commands.goals."):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, Looked):
                yield Guarded(f"{info.name}.{name}", re.compile(value.pattern, value.flags), value)


def _texts() -> list[str]:
    """Goals, and their pieces: many phrases stand only at an end of what they are asked of."""
    goals = [case[0] for case in (*english.REQUIRED, *chinese.REQUIRED)]
    goals += [json.loads(line)["goal"] for line in CORPUS.read_text(encoding="utf-8").splitlines()[::12]]
    pieces = [piece for goal in goals for piece in re.split(r"(?<=[.:：。,，])|`[^`]*`", goal) if piece]
    return list(dict.fromkeys([*goals, *(piece.strip().lower() for piece in pieces)]))


GUARDED = [*_phrases(), *_patterns()]


def test_the_look_lets_every_text_through_that_a_pattern_matches():
    texts = _texts()
    missed = [
        (each.name, text)
        for each in GUARDED
        for text in texts
        if not each.may(text) and each.real.search(text)
    ]
    assert missed == []


@settings(max_examples=many(600), suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(st.data())
def test_the_look_lets_every_text_through_that_is_made_from_a_pattern(data: st.DataObject):
    each = data.draw(st.sampled_from(GUARDED))
    text = data.draw(st.from_regex(each.real))
    assert each.may(text), each.name


def test_the_look_knows_words_for_nearly_all_phrases_so_that_a_plain_goal_compiles_few():
    unknown = [each.name for each in GUARDED if isinstance(each.look, tuple) and each.look == ("",)]
    assert len(unknown) <= 4
    assert sum(each.may("fix f7.txt") for each in GUARDED) < 12


@table_test(
    ("source", "words"),
    [
        (r"\b(?:must|should)\b", ("must", "should")),
        (r"^(?:the )?checks?$", ("check",)),
        (r"a|be(?:fore)?", ("a", "be")),
        (r"\bto (?:verify|prove)\b", ("verify", "prove")),
        (r"(?:very )*(?!not)[a-z]+done", ("done",)),
        (r"(?P<one>first|last) x", ("first", "last")),
        (r"验收|(?:都|均)过", ("验收", "都", "均")),
        (r"done|\w+", ("",)),
        (r"done|", ("",)),
        (r"(?:a?b|cd)?", ("",)),
        (r"x{0,3}", ("",)),
        (r"(?i:done)", ("",)),
        (r"[(|]done[)]", ("done",)),
        (r"\(done\)\|", ("done",)),
    ],
)
def test_words_are_read_from_a_pattern(source: str, words: tuple[str, ...]):
    assert needed(source) == words


def test_a_look_without_regard_to_case_is_for_ascii_alone():
    pattern = looked(r"\bkeep\b", re.IGNORECASE)
    assert pattern.search("KEEP it") and pattern.search("\N{KELVIN SIGN}eep it")
    assert pattern.search("drop it") is None
