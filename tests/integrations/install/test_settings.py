"""Our entries in arbitrary settings: in and out again, nothing of anybody else's touched."""

import json

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import UserError
from donewhen.integrations.install.clients import CLIENTS, group
from donewhen.integrations.install.editing import put
from donewhen.integrations.install.jsonc import read
from donewhen.integrations.install.lines import command_of, is_ours, program_of
from donewhen.integrations.install.settings import ours_in, standing_in, wanted, with_entries, without_entries
from tests.integrations.install.test_editing import texts
from tests.tables import table_test

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


@table_test("name", CLIENTS)
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


@table_test("program", ["donewhen", "/usr/bin/donewhen", PROGRAM, "/a b/donewhen"])
@table_test("name", HOOKED)
def test_our_commands_are_known_again(name, program):
    for event in CLIENTS[name].events:
        command = command_of(name, event, program)
        assert is_ours(name, command)
        assert not is_ours("other", command)
        assert program_of(command) == program
        assert group(CLIENTS[name], event, program)["hooks"][0]["command"] == command


OLD_STOP = (
    "; c=$?; case $c in 0|2) exit $c;; 1|126|127) echo 'donewhen could not start, so this stop was NOT checked; "
    "run: donewhen doctor' >&2; exit 1;; *) exit 2;; esac"
)


def test_lines_of_version_0_1_are_known_and_replaced():
    client = CLIENTS["claude"]
    old = [
        f"{before}/a/donewhen hook claude {event}{after}"
        for before in ("", "PYTHONPATH= PYTHONHOME= PYTHONSAFEPATH=1 ")
        for event, after in (("PreToolUse", " || exit 2"), ("Stop", OLD_STOP))
    ]
    assert [program_of(line) for line in old] == ["/a/donewhen"] * 4
    hooks = [{"type": "command", "command": line} for line in old]
    text = json.dumps({"hooks": {"Stop": [{"hooks": hooks}]}})
    assert ours_in(text, client, "f") == old
    assert standing_in(text, client, "f") != wanted(client, "/a/donewhen")
    assert json.loads(without_entries(text, client, None, "f")) == {}


@table_test(
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
        command_of("claude", "Stop", "/opt/x/donewhen").replace("0|2", "0|1|2"),
        command_of("claude", "PreToolUse", "/opt/$(rm x)/donewhen").replace("'", ""),
        command_of("claude", "PreToolUse", "/opt/x/donewhen").replace("/opt/x/", "/opt/x/../$HOME/"),
        "LD_PRELOAD=/x " + command_of("claude", "PreToolUse", "donewhen"),
    ],
)
def test_commands_of_others_are_not_ours(command):
    assert not is_ours("claude", command)


def test_entries_of_two_installations_all_go():
    client = CLIENTS["claude"]
    once = with_entries("{}", client, "/a/donewhen", "f").text
    twice = with_entries(once, client, "/b/donewhen", "f").text
    assert len(ours_in(twice, client, "f")) == 2 * len(client.events)
    assert json.loads(without_entries(twice, client, None, "f")) == {}
