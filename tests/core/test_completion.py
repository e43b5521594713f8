"""How an agent says that it is done, and how often it may forget to."""

import json

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.completion import Misses, Reply, count, has_visible_text, kind_of_reply, read_reply
from tests.tables import table_test

YES = '{"task_completion": {"completed": true, "summary": "did it"}}'
NO = '{"task_completion": {"completed": false, "summary": "half way"}}'


@table_test(
    ("text", "reply"),
    [
        (YES, Reply(True, "did it", "")),
        (NO, Reply(False, "half way", "")),
        (f"All is well.\n\n{YES}", Reply(True, "did it", "All is well.")),
        (f"Before {YES} after", Reply(True, "did it", "Before\n\nafter")),
        (f"Done:\n```json\n{YES}\n```\nBye.", Reply(True, "did it", "Done:\n\nBye.")),
        (f"`{YES}`", Reply(True, "did it", "")),
        ('{"task_completion": {"completed": true}}', Reply(True, "", "")),
        ('{"task_completion": {"completed": true, "summary": 3}}', Reply(True, "", "")),
        ('{"task_completion": {"completed": "true"}}', Reply(False, "", "")),
        ('{"task_completion": {"completed": 1}}', Reply(False, "", "")),
        ('{"task_completion": true}', Reply(False, "", "")),
        ('{"task_completion": [{"completed": true}]}', Reply(False, "", "")),
        ('{"note": 1, "task_completion": {"completed": true, "summary": "x", "more": {}}, "z": []}', Reply(True, "x", "")),
        (f"{YES} {NO}", Reply(True, "did it", "")),
        (f"{NO} {YES}", Reply(False, "half way", "")),
        (f'{{"a": 1}} {YES}', Reply(True, "did it", '{"a": 1}')),
        (f"use {{braces}} and {{ so on {YES}", Reply(True, "did it", "use {braces} and { so on")),
        (f"function f() {{ return {YES} }}", Reply(True, "did it", "function f() { return\n\n}")),
        ('{"task_completion": {"completed": true, "summary": "handles \\"{\\" and }"}}', Reply(True, 'handles "{" and }', "")),
        ('{"task_completion": {"completed": true, "summary": "two\nlines"}}', Reply(True, "two\nlines", "")),
        ('{"task_completion": {"completed": true, "summary": "完成"}}', Reply(True, "完成", "")),
        (f"[{YES}]", Reply(True, "did it", "[\n\n]")),
    ],
)  # fmt: skip
def test_the_first_object_with_the_key_decides(text, reply):
    assert read_reply(text) == reply


@table_test(
    "text",
    [
        "", "task_completion: completed = true. COMPLETE.", "I am done.", '{"a": {"task_completion": {"completed": true}}}',
        '{"task_completion": {"completed": true}', "{'task_completion': {'completed': true}}",
        '{"task_completion": {"completed": true,}}', '{task_completion: {completed: true}}', '{"completed": true}',
        '{"Task_Completion": {"completed": true}}', '"task_completion": {"completed": true}',
        '{\\"task_completion\\": {\\"completed\\": true}}', '{"text": "{\\"task_completion\\": {\\"completed\\": true}}"}',
    ],
)  # fmt: skip
def test_everything_else_is_no_signal_and_is_shown(text):
    assert read_reply(text) == Reply(False, "", text)


@table_test(
    ("text", "answer"),
    [(YES, "did it"), (f"Hello.\n{YES}", "Hello."), (f"\u200b {YES}", "did it"), ("Hi", "Hi")],
)
def test_the_summary_is_the_answer_when_nothing_else_is_visible(text, answer):
    assert read_reply(text).answer == answer


@table_test(
    "piece",
    ["{", '{"', '{"a":', '{"a":[', '{"task_completion":', "{}", '{"a":"', '{"a":1', '{"a":{}', "```{"],
)
def test_hostile_text_is_no_signal_and_ends(piece):
    assert not read_reply("task_completion " + piece * (1_000_000 // len(piece))).signal


@given(st.text(), st.text())
def test_a_signal_is_found_behind_any_prose_without_braces(prose, summary):
    prose = prose.replace("{", "(")
    signal = json.dumps({"task_completion": {"completed": True, "summary": summary}})
    reply = read_reply(f"{prose}\n{signal}")
    assert (reply.signal, reply.summary) == (True, summary)


@table_test(
    "text", ["", " \n\t", "\u200b\u200d\ufeff", "\u00a0\u3000", "\x00\x1b", "\u3164", "\u2800", "\u0301"]
)
def test_what_nobody_sees_is_no_visible_text(text):
    assert not has_visible_text(text)


@table_test("text", ["a", ".", " 完成 ", "\u200b👍", "0"])
def test_what_people_see_is_visible_text(text):
    assert has_visible_text(text)


@table_test(
    ("text", "thinking", "calls", "kind"),
    [
        ("", False, 0, "miss"), ("Done!", False, 0, "miss"), ("Done!", True, 0, "miss"), ("", True, 0, "thinking"),
        ("\u200b", True, 0, "thinking"), (YES, True, 0, "signal"), (NO, False, 0, "miss"), ("", True, 1, "tools"),
    ],
)  # fmt: skip
def test_a_reply_has_one_kind(text, thinking, calls, kind):
    assert kind_of_reply(text, thinking=thinking, tool_calls=calls) == kind


def _play(kinds):
    misses, outcome = Misses(), "go"
    for kind in kinds:
        misses, outcome = count(misses, kind)
    return misses, outcome


@table_test(
    ("kinds", "expected"),
    [
        (["miss"] * 5, (Misses(5, 0), "remind")),
        (["miss"] * 6, (Misses(6, 0), "stop")),
        (["miss"] * 5 + ["tools", "miss"], (Misses(1, 0), "remind")),
        (["miss"] * 5 + ["signal", "miss"], (Misses(1, 0), "remind")),
        (["miss"] * 5 + ["thinking"], (Misses(5, 1), "remind")),
        (["miss"] * 5 + ["thinking", "miss"], (Misses(6, 0), "stop")),
        (["thinking"] * 6, (Misses(0, 6), "remind")),
        (["thinking"] * 7, (Misses(0, 7), "stop")),
        (["thinking"] * 5 + ["tools", "thinking"], (Misses(0, 1), "remind")),
        (["thinking"] * 5 + ["miss", "thinking"], (Misses(1, 1), "remind")),
        (["miss", "tools"], (Misses(), "go")),
    ],
)
def test_misses_and_thinking_are_counted_apart_and_in_a_row(kinds, expected):
    assert _play(kinds) == expected
