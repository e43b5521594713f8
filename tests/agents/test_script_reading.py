"""Scripts that are not understood are refused with file, line and next step; hostile ones cost little."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.agents.script_reading import load_script, read_script
from donewhen.core.errors import UserError
from donewhen.core.texts import agents
from tests.tables import table_test

WRONG = {
    "nothing": ("", "script.yml:1 is not a script"),
    "a list": ("- bash: ls\n", "script.yml:1 is not a script"),
    "no steps": ("goal: x\n", "script.yml:1 has no steps"),
    "empty steps": ("goal: x\nsteps: []\n", "script.yml:2 has no steps"),
    "steps as text": ("steps: ls\n", "script.yml:1: `steps` must be a list of steps"),
    "unknown key": ("steps: [{bash: ls}]\nafterlast: stop\n", "script.yml:2 has the key `afterlast`"),
    "unknown step": ("steps:\n  - bash: ls\n  - bsh: ls\n", "script.yml:3 has the key `bsh`"),
    "step as text": ("steps:\n  - ls\n", "script.yml:2: `steps` must be a mapping"),
    "number": ("steps:\n  - bash: 3\n", "script.yml:2: `bash` must be a text"),
    "truth value": ("steps:\n  - done: yes\n", "script.yml:2: `done` must be a text"),
    "date": ("steps:\n  - done: 2026-01-02\n", "script.yml:2: `done` must be a text"),
    "nested": ("steps:\n  - bash: {a: b}\n", "script.yml:2: `bash` must be a text"),
    "two actions": ("steps:\n  - {bash: ls, done: x}\n", "script.yml:2 is one step with several actions"),
    "signal and say": ("steps:\n  - {signal: a, say: b}\n", "script.yml:2 is one step with several"),
    "note alone": ("steps:\n  - note: x\n", "script.yml:2 is a step that does nothing"),
    "args alone": ("steps:\n  - bash: ls\n    args: {}\n", "script.yml:3 gives `args` without `tool`"),
    "args as list": ("steps:\n  - {tool: grep, args: [1]}\n", "script.yml:2: `args` must be a mapping"),
    "no calls": ("steps:\n  - calls: []\n", "script.yml:2: `calls` must be a list of calls"),
    "call unnamed": ("steps:\n  - calls: [{args: {}}]\n", "script.yml:2: `calls` lacks `tool`"),
    "call odd key": ("steps:\n  - calls: [{tool: a, arg: {}}]\n", "script.yml:2 has the key `arg`"),
    "edit lacks": ("steps:\n  - edit: {path: a, old: b}\n", "script.yml:2: `edit` lacks `new`"),
    "write extra": ("steps:\n  - write: {path: a, content: b, x: c}\n", "script.yml:2 has the key `x`"),
    "plan extra": ("steps:\n  - plan: {goals: []}\n", "script.yml:2 has the key `goals`"),
    "after_last": ("steps: [{bash: ls}]\nafter_last: again\n", "script.yml:2: `after_last` is `again`"),
    "stop_text": ("steps: [{bash: ls}]\nstop_text: [a]\n", "script.yml:2: `stop_text` must be a text"),
    "key twice": ("steps: [{bash: ls}]\nsteps: [{bash: ls}]\n", "script.yml:2"),
    "tag": ("steps: [{bash: !!python/name:os.system ls}]\n", "script.yml:1"),
    "broken": ("steps: [\n", "script.yml:2"),
    "two documents": ("steps: [{bash: ls}]\n---\nsteps: []\n", "script.yml:2"),
}


@table_test("name", WRONG)
def test_what_is_wrong_is_told_with_its_line(name: str):
    source, said = WRONG[name]
    with pytest.raises(UserError) as caught:
        read_script(source, "script.yml")
    assert said in caught.value.say("en")
    assert ";" in caught.value.say("en")
    assert "script.yml" in caught.value.say("zh")


def refused(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        load_script(path, "script.yml")
    return caught.value.say("en")


def test_files_that_are_no_scripts(tmp_path: Path):
    path = tmp_path / "script.yml"
    assert refused(path).startswith("there is no script script.yml")
    assert refused(tmp_path).startswith("the script script.yml is not a regular file")
    path.write_bytes(b"steps:\n  - bash: caf\xe9\n")
    assert refused(path).startswith("the script script.yml:2 is not UTF-8")
    path.write_text("steps:\n  - bash: '" + "x" * 1024 * 1024 + "'\n")
    assert refused(path).startswith("the script script.yml is larger than 1024 KiB")
    path.unlink()
    os.mkfifo(path)
    assert "not a regular file" in refused(path)


def test_aliases_that_would_explode_are_refused():
    lines = ["files: &a0 [x, x, x, x, x, x, x, x, x]"]
    keys = ["goal", "truth", "why", "title", "id", "class"]
    lines += [f"{key}: &a{n + 1} [{', '.join([f'*a{n}'] * 9)}]" for n, key in enumerate(keys)]
    with pytest.raises(UserError, match="script.yml:"):
        read_script("\n".join([*lines, "steps: [{bash: ls}]"]), "script.yml")


def test_depth_is_bounded():
    with pytest.raises(UserError, match="nested"):
        read_script("steps: [{tool: a, args: {x: " + "[" * 5000 + "]" * 5000 + "}}]")


def test_names_of_files_are_shown_harmless(tmp_path: Path):
    with pytest.raises(UserError) as caught:
        load_script(tmp_path / "a\n\x1b[31m.yml")
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_odd_values_in_arguments_are_what_was_written():
    script = read_script("steps: [{tool: a, args: {day: 2026-01-02, n: 1, big: 1e9, none: null}}]")
    (call,) = script.turns[0].step.calls
    assert dict(call.args) == {"day": "2026-01-02", "n": 1, "big": "1e9", "none": None}


@given(st.text(max_size=200))
def test_any_text_is_a_script_or_refused(source: str):
    try:
        script = read_script(source)
    except UserError as error:
        assert error.say("en")
    else:
        assert script.turns


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_a_command_reaches_the_tool_as_it_was_written(text: str):
    import json

    quoted = json.dumps(text, ensure_ascii=False)
    if not re.fullmatch(r"[^\x00-\x1f\x7f-\x9f\ufffe\uffff\ufeff\u2028\u2029]*", text):
        quoted = json.dumps(text.encode("ascii", "ignore").decode())
        text = text.encode("ascii", "ignore").decode()
    script = read_script(f"steps: [{{bash: {quoted}}}]")
    assert script.turns[0].step.calls[0].args["command"] == text


def test_every_text_of_the_room_names_a_next_step_in_both_languages():
    for name, (english, chinese) in agents.TEXTS.items():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", chinese)), name
        assert name.startswith("a_") or ";" in english, name
