"""Our entries in arbitrary settings: in and out again, nothing of anybody else's touched."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.integrations.install.clients import CLIENTS, group
from donewhen.integrations.install.editing import put
from donewhen.integrations.install.jsonc import read
from donewhen.integrations.install.lines import call_of, command_of, is_ours, program_of
from donewhen.integrations.install.settings import ours_in, with_entries, without_entries
from tests.integrations.install.test_editing import texts

PROGRAM = "/opt/some where/it's/bin/donewhen"
PLUGIN = "file:///home/me/.local/state/donewhen/opencode/donewhen.js"
HOOKED = [name for name in CLIENTS if name != "opencode"]
HOOK = {"type": "command", "command": "say done"}
FOREIGN = {
    "hooks": st.dictionaries(
        st.sampled_from(["Stop", "AfterAgent", "PreToolUse", "Notification"]),
        st.lists(
            st.sampled_from([{"hooks": []}, {"hooks": [HOOK]}, {"matcher": "x", "hooks": [HOOK, HOOK]}]),
            max_size=2,
        ),
    ),
    "plugin": st.lists(st.sampled_from(["a", "b"]), max_size=2),
    "env": st.dictionaries(st.sampled_from(["A", "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"]), st.just("1")),
    "hooksConfig": st.sampled_from([{}, {"enabled": True}, {"notifications": False}]),
}


@pytest.mark.parametrize("name", CLIENTS)
@given(st.data())
def test_in_and_out_again_leaves_every_byte(name, data):
    client = CLIENTS[name]
    text = data.draw(texts(depth=2, loose=client.loose))
    for key, value in data.draw(st.fixed_dictionaries({}, optional=FOREIGN)).items():
        if key not in read(text, loose=client.loose).value():
            text = put(text, (key,), value, loose=client.loose)
    called = PLUGIN if name == "opencode" else PROGRAM
    try:
        changed = with_entries(text, client, called, "f")
    except UserError as error:
        assert error.key in ("install.wrong_shape", "install.switched_off")
        return
    before, after = (read(each, loose=client.loose).value() for each in (text, changed.text))
    assert {key: after[key] for key in before if key not in ("hooks", "plugin", "env", "hooksConfig")} == {
        key: value for key, value in before.items() if key not in ("hooks", "plugin", "env", "hooksConfig")
    }
    assert len(ours_in(changed.text, client, "f")) == max(len(client.events), 1)
    assert without_entries(changed.text, client, changed.made, "f") == text


@pytest.mark.parametrize("program", ["donewhen", "/usr/bin/donewhen", PROGRAM, "/a b/donewhen"])
@pytest.mark.parametrize("name", HOOKED)
def test_our_commands_are_known_again(name, program):
    for event in CLIENTS[name].events:
        command = command_of(name, event, program)
        assert is_ours(name, command)
        assert not is_ours("other", command)
        assert program_of(command) == program
        assert group(CLIENTS[name], event, program)["hooks"][0]["command"] == command


def test_lines_that_were_written_before_are_known_again():
    """Those of an older version, which took modules from wherever the environment said."""
    for name in HOOKED:
        for event in CLIENTS[name].events:
            older = command_of(name, event, PROGRAM).partition("SAFEPATH=1 ")[2]
            assert is_ours(name, older)
            call = call_of(older)
            assert call
            assert (call.program, call.apart) == (PROGRAM, False)


@pytest.mark.parametrize(
    "command",
    [
        None,
        1,
        "",
        "donewhen",
        "echo donewhen hook claude Stop",
        "/bin/notdonewhen hook claude Stop",
        "donewhen verify",
        "donewhen-x hook claude Stop",
        "sh -c 'donewhen hook claude Stop'",
        "donewhen hook claudette Stop",
        "donewhen hook claude Stop",
        "donewhen hook claude PreToolUse || exit 2; rm x",
        "rm x; donewhen hook claude PreToolUse || exit 2",
        "/opt/x/donewhen hook claude Stop; rm x",
        command_of("claude", "Stop", "/opt/x/donewhen") + " ",
        command_of("claude", "Stop", "/opt/x/donewhen").replace("exit 1;;", "exit 0;;"),
        command_of("claude", "PreToolUse", "/opt/$(rm x)/donewhen").replace("'", ""),
        command_of("claude", "PreToolUse", "/opt/x/donewhen").replace("/opt/x/", "/opt/x/../$HOME/"),
        "LD_PRELOAD=/x " + command_of("claude", "PreToolUse", "donewhen"),
    ],
)
def test_commands_of_others_are_not_ours(command):
    assert not is_ours("claude", command)


@pytest.mark.parametrize(
    ("hook", "exits"),
    [
        ("exit 0", (0, 0)),
        ("exit 2", (2, 2)),
        ("exit 1", (2, 1)),
        ("exit 127", (2, 1)),
        ("kill -9 $$", (2, 2)),
    ],
)
def test_a_hook_that_breaks_never_reads_as_an_answer(tmp_path, hook, exits):
    """Before a tool everything but success refuses; a stop goes only when we could not even start."""
    import subprocess

    program = tmp_path / "donewhen"
    program.write_text(f"#!/bin/sh\n{hook}\n")
    program.chmod(0o755)
    commands = [command_of("claude", event, str(program)) for event in ("PreToolUse", "Stop")]
    done = [subprocess.run(["sh", "-c", command], capture_output=True, check=False) for command in commands]
    assert tuple(each.returncode for each in done) == exits
    assert (b"NOT checked" in done[1].stderr) == (exits[1] == 1)


def test_entries_of_two_installations_all_go():
    client = CLIENTS["claude"]
    once = with_entries("{}", client, "/a/donewhen", "f").text
    twice = with_entries(once, client, "/b/donewhen", "f").text
    assert len(ours_in(twice, client, "f")) == 2 * len(client.events)
    assert json.loads(without_entries(twice, client, None, "f")) == {}
