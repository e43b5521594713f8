"""Arguments: slips are forgiven, everything else is said in one sentence with the way to call the tool."""

import json
from types import MappingProxyType
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import freeze
from donewhen.tools.describing import signature, unknown, validated
from donewhen.tools.model import Arguments, Tool
from donewhen.tools.registry import Toolbox, built_in
from tests.tables import table_test

TOOLS = Toolbox(built_in())


def tool(name: str) -> Tool:
    found = TOOLS.get(name)
    assert found is not None
    return found


class Many(Arguments):
    paths: list[str]
    pair: tuple[int, int] = (0, 0)
    share: float = 0.5


class Listing:
    name = "listing"
    description = "lists"
    arguments: type[Arguments] = Many
    dangerous = requires_permission = writes = scans = foreign = False
    timeout: float | None = None

    async def execute(self, args: Any, context: Any) -> Any:
        return None


@table_test(
    ("name", "args", "expected"),
    [
        ("read_file", {"path": "a", "start": "3", "end": 4.0}, {"path": "a", "start": 3, "end": 4}),
        ("read_file", {"path": "a", "start": None}, {"path": "a", "start": None, "end": None}),
        ("list_dir", {"path": None}, {"path": "."}),
        ("edit_file", {"path": "a", "edits": {"old": "x", "new": "y", "all": "true"}}, None),
        (
            "edit_file",
            {"path": "a", "edits": ({"old": "x", "new": "y", "all": "True"},)},
            {"path": "a", "edits": [{"old": "x", "new": "y", "all": True}]},
        ),
        (
            "grep",
            {"pattern": "x", "context": "2", "ignore_case": "false", "glob": None},
            {"pattern": "x", "path": ".", "glob": None, "ignore_case": False, "context": 2},
        ),
    ],
)
def test_harmless_slips_are_forgiven(name, args, expected):
    valid = validated(tool(name), freeze(args))
    if expected is None:  # two slips, one inside the other: said, not guessed
        assert isinstance(valid, str)
        return
    assert not isinstance(valid, str), valid
    assert valid.model_dump() == expected


def test_one_text_stands_for_a_list_of_one():
    valid = validated(Listing(), {"paths": "a", "pair": [1, 2], "share": "0.25"})
    assert isinstance(valid, Many)
    assert (valid.paths, valid.pair, valid.share) == (["a"], (1, 2), 0.25)


@table_test(
    ("name", "args", "words"),
    [
        ("read_file", {}, "`path` is missing"),
        ("read_file", {"path": None}, "`path` must be text, not null"),
        ("read_file", {"path": 3}, "must be text, not integer"),
        ("read_file", {"path": "a", "start": "three"}, "`start` must be a whole number, not string"),
        ("read_file", {"path": "a", "start": 0}, "`start` does not fit"),
        ("read_file", {"file": "a", "path": "a"}, "`file` is no argument of it"),
        ("read_file", {"path": "a", "strat": 1}, "did you mean `start`?"),
        ("write_file", {"path": "a", "content": {"x": 1}}, "must be text, not object"),
        ("edit_file", {"path": "a", "edits": []}, "`edits` does not fit"),
        ("edit_file", {"path": "a", "edits": [{"old": "x"}]}, "`edits.0.new` is missing"),
        ("edit_file", {"path": "a", "edits": [3]}, "must be an object"),
        ("grep", {"pattern": "x", "context": 10**30}, "`context`"),
        ("read_file", {"path": "\ud800"}, "can't be"),
        ("read_file", {"path": "a", "start": float("nan")}, "can't be read"),
    ],
)
def test_what_does_not_fit_is_one_sentence_with_the_signature(name, args, words):
    said = validated(tool(name), args)
    assert isinstance(said, str)
    assert words in said
    assert "\n" not in said
    assert name in said


def test_the_signature_shows_kinds_and_an_example():
    assert signature(tool("read_file")) == (
        'read_file(path: string, start?: integer, end?: integer); {"path":"src/app.py"}'
    )
    shown = signature(tool("edit_file"))
    assert "edits: [{old: string, new: string, all?: boolean}]" in shown
    assert isinstance(validated(tool("edit_file"), json.loads(shown.partition("; ")[2])), Arguments)


@table_test("each", [each.name for each in TOOLS])
def test_the_example_of_every_tool_is_valid(each):
    example = signature(tool(each)).partition("; ")[2]
    assert isinstance(validated(tool(each), json.loads(example)), Arguments)


def deep(levels: int) -> Any:
    data: Any = []
    for _ in range(levels):
        data = [data]
    return data


@table_test(
    ("args", "words"),
    [
        ({"path": deep(100_000)}, "nested more than"),
        ({"path": [0] * 100_000}, "more than 50000 values"),
        ({"path": "a", "content": "x" * (17 * 1024 * 1024)}, "more than 16 MB"),
        ({"x" * (17 * 1024 * 1024): 1}, "more than 16 MB"),
    ],
)
def test_arguments_without_measure_are_refused(args, words):
    said = validated(tool("write_file"), args)
    assert isinstance(said, str)
    assert words in said


def test_errors_speak_chinese_too():
    assert "缺失" in str(validated(tool("read_file"), {}, "zh"))
    assert "没有工具" in unknown("x", TOOLS.names, "zh")


def test_an_unknown_tool_names_the_near_ones_and_all():
    said = unknown("readfile", TOOLS.names)
    assert "did you mean read_file" in said
    assert all(name in said for name in TOOLS.names)
    assert "did you mean" not in unknown("\x1b[31mzzzzzz", TOOLS.names)
    assert "\x1b" not in unknown("\x1b[31mzzzzzz", TOOLS.names)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.sampled_from(TOOLS.names),
    st.dictionaries(st.sampled_from(["path", "start", "edits", "pattern", "x"]), JSON),
)
def test_whatever_is_sent_is_valid_or_said(name, args):
    valid = validated(tool(name), MappingProxyType(args))
    assert isinstance(valid, Arguments) or (valid and "\n" not in valid)
