"""The plugin for OpenCode, played by a small host under Node: what it asks, obeys and refuses."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from donewhen.integrations.install import plugin

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no node on PATH")

HOST = """
import { readFileSync } from "node:fs"
import { Donewhen } from "./donewhen.mjs"
const told = []
const client = { session: { promptAsync: async (call) => told.push(call) } }
const hooks = await Donewhen({ client, directory: process.cwd() })
const results = []
for (const [name, ...args] of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    await hooks[name](...args)
    results.push({ ok: true, args })
  } catch (error) {
    results.push({ ok: false, message: error.message })
  }
}
console.log(JSON.stringify({ results, told }))
"""

# Answers for an event lie in the file of its name; what was asked is added to `asked`.
FAKE = """#!/bin/sh
[ "$1 $2" = "hook opencode" ] || exit 9
cat >> asked; echo >> asked
echo "$PYTHONPATH|$PYTHONHOME|$PYTHONSAFEPATH" > python
[ -f "$3.code" ] && { echo "no: $3" >&2; exit $(cat "$3.code"); }
[ -f "$3" ] && cat "$3"
exit 0
"""


class Host:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        fake = folder / "donewhen"
        fake.write_text(FAKE)
        fake.chmod(0o755)
        plugin.place(folder / "state", str(fake))
        shutil.copy(plugin.file_of(folder / "state"), folder / "donewhen.mjs")
        (folder / "host.mjs").write_text(HOST)

    def play(self, *calls: list[Any]) -> Any:
        assert NODE
        done = subprocess.run(
            [NODE, "host.mjs"],
            cwd=self.folder,
            input=json.dumps(calls),
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "PYTHONPATH": ".",
                "PYTHONHOME": "/x",
                "DONEWHEN_STATE_DIR": str(self.folder / "gaps"),
            },
        )
        return json.loads(done.stdout)

    def asked(self) -> list[dict[str, Any]]:
        file = self.folder / "asked"
        return [json.loads(line) for line in file.read_text().splitlines() if line] if file.exists() else []


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


BEFORE = [
    "tool.execute.before",
    {"tool": "bash", "sessionID": "s1", "callID": "c1"},
    {"args": {"command": "ls"}},
]
CREATED = ["event", {"event": {"type": "session.created", "properties": {"info": {"id": "s1"}}}}]
CHILD = [
    "event",
    {"event": {"type": "session.created", "properties": {"info": {"id": "s2", "parentID": "s1"}}}},
]


def part(**fields: str) -> list[Any]:
    return [
        "event",
        {"event": {"type": "message.part.updated", "properties": {"part": {"sessionID": "s1", **fields}}}},
    ]


STOP = part(type="step-finish", id="p1", reason="stop")
PROMPT = ["chat.message", {"sessionID": "s1"}, {"message": {}, "parts": [{"type": "text", "text": "fix it"}]}]


def test_the_program_takes_no_module_from_the_environment(host: Host):
    host.play(BEFORE)
    assert (host.folder / "python").read_text() == "||1\n"


def test_the_program_in_a_plugin_of_this_version_is_known(host: Host):
    state = host.folder / "state"
    assert plugin.program_of(state) == str(host.folder / "donewhen")
    file = plugin.file_of(state)
    file.write_text(file.read_text().replace("...APART", ""))
    assert plugin.program_of(state) == ""


def test_a_tool_is_told_and_allowed(host: Host):
    after = [
        "tool.execute.after",
        {"tool": "bash", "sessionID": "s1", "callID": "c1", "args": {}},
        {"output": "x", "metadata": {"exit": 0}},
    ]
    assert [each["ok"] for each in host.play(BEFORE, after)["results"]] == [True, True]
    before, later = host.asked()
    assert before == {
        "session_id": "s1",
        "cwd": str(host.folder),
        "hook_event_name": "PreToolUse",
        "tool_name": "bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "c1",
    }
    assert later["tool_response"] == {"output": "x", "metadata": {"exit": 0}}


@pytest.mark.parametrize("decision", ["deny", "ask"])
def test_what_is_not_allowed_throws(host: Host, decision: str):
    said = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": "not that",
    }
    (host.folder / "PreToolUse").write_text(json.dumps({"hookSpecificOutput": said}))
    assert host.play(BEFORE)["results"] == [{"ok": False, "message": "not that"}]


def test_a_refusal_and_a_garbled_answer_refuse_the_tool(host: Host):
    (host.folder / "PreToolUse").write_text("{")
    assert host.play(BEFORE)["results"][0]["ok"] is False
    (host.folder / "PreToolUse.code").write_text("2")
    assert host.play(BEFORE)["results"] == [{"ok": False, "message": "donewhen: no: PreToolUse"}]


@pytest.mark.parametrize("code", ["1", "3", "127", "gone"])
def test_a_program_that_is_gone_or_broken_stops_nothing_and_leaves_one_note(host: Host, code: str):
    if code == "gone":
        (host.folder / "donewhen").unlink()
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"):
        (host.folder / f"{event}.code").write_text(code)
    played = host.play(CREATED, PROMPT, BEFORE, STOP)
    assert [each["ok"] for each in played["results"]] == [True] * 4
    assert played["told"] == []
    assert len(list((host.folder / "gaps/hook-gaps").iterdir())) == 1


def test_a_refused_stop_goes_on_with_the_reason(host: Host):
    (host.folder / "Stop").write_text(json.dumps({"decision": "block", "reason": "pytest was not run"}))
    calling = part(type="step-finish", id="p0", reason="tool-calls")
    played = host.play(part(type="text", id="t", text="All done."), calling, STOP, STOP)
    assert played["told"] == [
        {"path": {"id": "s1"}, "body": {"parts": [{"type": "text", "text": "pytest was not run"}]}}
    ]
    (asked,) = host.asked()
    assert (asked["hook_event_name"], asked["last_assistant_message"]) == ("Stop", "All done.")


def test_an_allowed_stop_ends(host: Host):
    assert host.play(STOP)["told"] == []


def test_a_stop_whose_hook_failed_is_refused(host: Host):
    (host.folder / "Stop.code").write_text("2")
    assert host.play(STOP)["told"][0]["body"]["parts"][0]["text"] == "donewhen: no: Stop"


def test_a_prompt_is_told_after_its_session_began_and_the_agent_gets_the_context(host: Host):
    for event, text in (("SessionStart", "the promise"), ("UserPromptSubmit", "one check more")):
        answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
        (host.folder / event).write_text(json.dumps(answer))
    system = ["experimental.chat.system.transform", {"sessionID": "s1"}, {"system": []}]
    results = host.play(PROMPT, CREATED, system)["results"]
    assert results[2]["args"][1] == {"system": ["the promise", "one check more"]}
    assert [asked["hook_event_name"] for asked in host.asked()] == ["SessionStart", "UserPromptSubmit"]
    assert host.asked()[1]["prompt"] == "fix it"


def test_a_sub_agent_belongs_to_its_session(host: Host):
    host.play(CREATED, CHILD, part(type="step-finish", id="p2", reason="stop", sessionID="s2"))
    start, stop = host.asked()
    assert start["hook_event_name"] == "SessionStart"
    assert (stop["hook_event_name"], stop["session_id"], stop["agent_id"]) == ("SubagentStop", "s1", "s2")
