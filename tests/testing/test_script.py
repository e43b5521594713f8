"""Scripts as data: what they mean, and what is said about those that mean nothing."""

from typing import Any

import pytest

from donewhen.core.errors import UserError
from donewhen.core.texts import LANGUAGES
from donewhen.testing import Answer, Call, Fault, Reported
from donewhen.testing.script import Script, read_script
from tests.tables import table_test


def one(answer: Any) -> Answer:
    (found,) = read_script([answer]).answers
    return found


@table_test(
    ("given", "meant"),
    [
        ("hi", Answer("hi")),
        ({"say": "hi", "thinking": "hm", "finish": "length"}, Answer("hi", (), "hm", "length")),
        ({"run": "ls"}, Answer(calls=(Call("run_command", {"command": "ls"}),))),
        ({"read": "a.py", "text": "so"}, Answer("so", (Call("read_file", {"path": "a.py"}),))),
        ({"complete": "all"}, Answer(calls=(Call("complete", {"summary": "all"}),))),
        (
            {"write": "a", "content": ""},
            Answer(calls=(Call("write_file", {"path": "a", "content": ""}),)),
        ),
        (
            {"write": {"path": "a", "content": "b"}},
            Answer(calls=(Call("write_file", {"path": "a", "content": "b"}),)),
        ),
        (
            {"edit": "a", "old": "b", "new": "c"},
            Answer(calls=(Call("edit_file", {"path": "a", "edits": [{"old": "b", "new": "c"}]}),)),
        ),
        (
            {"calls": [{"tool": "t", "args": {"a": [1]}, "id": "x"}, {"tool": "u", "args": "{"}]},
            Answer(calls=(Call("t", {"a": [1]}, "x"), Call("u", "{"))),
        ),
        ({"text": "x", "usage": True}, Answer("x")),
        ({"text": "x", "usage": "missing"}, Answer("x", usage="missing")),
        ({"text": "x", "usage": {"factor": 0.5}}, Answer("x", factor=0.5)),
        ({"text": "x", "usage": {"input": 3, "cache_read": 1}}, Answer("x", usage=Reported(3, 0, 1))),
        ({"fault": "timeout", "times": 3}, Answer(fault=Fault("timeout"), times=3)),
        ({"fault": 429}, Answer(fault=Fault("rate"))),
        ({"fault": 503}, Answer(fault=Fault("status", status=503))),
        ({"fault": {"kind": 429, "retry_after": "soon"}}, Answer(fault=Fault("rate", retry_after="soon"))),
        (
            {"fault": {"kind": "cut", "after": 0, "middle": True}, "text": "x", "when": "y"},
            Answer("x", fault=Fault("cut", after=0, middle=True), when="y"),
        ),
    ],
)
def test_answers(given: Any, meant: Answer):
    assert one(given) == meant


def test_a_whole_script():
    data = {"answers": ["a"], "then": "error", "key": "k", "models": ["m"]}
    assert read_script(data) == Script((Answer("a"),), "error", "k", ("m",))


@table_test(
    ("data", "sentence"),
    [
        ("x", "script is not a script"),
        ({"answer": []}, "script is not a script"),
        ([], "script has no answers"),
        ({"answers": []}, "script.answers has no answers"),
        ({"answers": "x"}, "script.answers is not a script"),
        ({"answers": ["x"], "els": 1}, "script.els has the key `els`"),
        (
            {"answers": ["x"], "then": "on"},
            "`then` is `on`, which is not known; choose from: stop, repeat-last",
        ),
        ({"answers": ["x"], "models": "m"}, "`models` must be a list"),
        ([7], "script[0]: `answers` must be a mapping"),
        (["x", {"txt": "x"}], "script[1].txt has the key `txt`"),
        ([{}], "script[0] is an answer that says and does nothing"),
        ([{"text": 7}], "script[0].text: `text` must be a text"),
        ([{"text": "x", "say": "x"}], "several actions (text, say)"),
        ([{"run": "x", "read": "y"}], "several actions (run, read)"),
        ([{"write": "x"}], "script[0] lacks `content`"),
        ([{"run": "x", "content": "y"}], "has the key `content`"),
        ([{"edit": {"path": "x", "old": "y"}}], "script[0].edit lacks `new`"),
        ([{"calls": {}}], "`calls` must be a list"),
        ([{"calls": [{"args": {}}]}], "script[0].calls[0] lacks `tool`"),
        ([{"calls": [{"tool": "t", "args": []}]}], "`args` must be a text or a mapping"),
        ([{"text": "x", "finish": "end"}], "`finish` is `end`"),
        ([{"text": "x", "times": 0}], "`times` must be a whole number, 1 or more"),
        ([{"text": "x", "usage": "none"}], "`usage` must be true, `missing`, or a mapping"),
        ([{"text": "x", "usage": {"inputs": 1}}], "has the key `inputs`"),
        ([{"text": "x", "usage": {"factor": "a"}}], "`factor` must be a number"),
        ([{"fault": "flood"}], "`fault` is `flood`, which is not known; choose from: rate, key"),
        ([{"fault": 200}], "`fault` must be a whole number, 400 or more"),
        ([{"fault": {}}], "script[0].fault lacks `kind`"),
        (
            [{"fault": {"kind": "cut", "mb": 1}}],
            "has the key `mb`, which is not known here; choose from: kind, after",
        ),
        ([{"fault": {"kind": "cut", "clean": 1}}], "`clean` must be true or false"),
        ([{"fault": {"kind": "rate", "retry_after": "a\r\nb: c"}}], "`retry_after` must be a whole number"),
    ],
)
def test_complaints_name_the_place(data: Any, sentence: str):
    with pytest.raises(UserError) as caught:
        read_script(data)
    assert sentence in str(caught.value)
    for language in LANGUAGES:
        assert caught.value.say(language)
