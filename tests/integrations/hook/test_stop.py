"""Events that the worker decides: its answers in the client's words, and what happens when it fails."""

import json
import os
import shlex
import subprocess
import sys
from typing import Any

import pytest

from donewhen.core.events import facts
from tests.integrations.hook.samples import after, before, event, name_of

CLIENTS = ("claude", "codex", "gemini", "opencode")
BLOCK = {"say": {"answer": "block", "text": "make test fails", "kind": "blocked"}}
ALLOW = {"say": {"answer": "allow", "text": "", "kind": "accepted"}}


def _stop(place, client="claude", *words, **more):
    told: dict[str, Any] = {"stop_hook_active": False, "last_assistant_message": "All done."} | more
    return place.hook(client, event(client, "stop", place.repo, **told), *words)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_refused_stop_and_an_accepted_one(place, client):
    place.session(client)
    place.tell({"stop": BLOCK})
    assert _stop(place, client) == (0, '{"decision": "block", "reason": "make test fails"}\n', "")
    place.tell({"stop": ALLOW})
    assert _stop(place, client) == (0, "", "")
    verb, asked = place.asked()[0]
    assert verb == "stop"
    assert (asked["client"], asked["session_id"], asked["folder"]) == (client, "s-1", str(place.repo))
    assert asked["event"] == name_of(client, "stop")
    assert asked["payload"]["last_assistant_message"] == "All done."


@pytest.mark.parametrize("client", CLIENTS)
def test_the_promise_is_told_at_the_start_and_with_a_prompt(place, client):
    place.arm()
    place.session(client)
    place.tell({"open": {"say": {"context": "C1"}}, "prompt": {"say": {"context": "C2"}}})
    for kind, text in (("start", "C1"), ("prompt", "C2")):
        answer = place.hook(
            client, event(client, kind, place.repo, prompt="Fix it.", source="startup"), "--deadline", "20"
        ).answer
        name = name_of(client, kind)
        assert answer == {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    place.tell({"prompt": {"say": {"context": ""}}})
    assert place.hook(client, event(client, "prompt", place.repo, prompt="x")).answer == {}


def test_a_changed_setting_is_for_the_worker_to_judge(place):
    place.session()
    place.tell({"config": {"say": {"answer": "block", "text": "hooks"}}})
    told = {"source": "project_settings", "file_path": f"{place.repo}/.claude/settings.json"}
    result = place.hook("claude", event("claude", "config", place.repo, **told))
    assert result.answer == {"decision": "block", "reason": "hooks"}
    place.tell({"config": {"exit": 1}})
    assert place.hook("claude", event("claude", "config", place.repo, **told)).exit == 2


def test_the_end_of_a_session_never_blocks(place):
    place.session()
    place.tell({"end": {}})
    assert place.hook("claude", event("claude", "end", place.repo, reason="other")) == (0, "", "")
    place.tell({"end": {"exit": 1}})
    result = place.hook("claude", event("claude", "end", place.repo, reason="other"))
    assert (result.exit, result.out, "failed at end" in result.err) == (0, "", True)


def test_a_sub_agents_stop_names_it_and_a_failure_there_is_no_refusal(place):
    place.session()
    place.tell({"stop": BLOCK})
    told: dict[str, Any] = {"agent_id": "aa22", "agent_type": "general-purpose", "stop_hook_active": False}
    assert place.hook("claude", event("claude", "substop", place.repo, **told)).answer["decision"] == "block"
    assert place.asked()[-1][1]["subagent"] == "aa22"
    place.tell({"stop": {"exit": 1}})
    assert place.hook("claude", event("claude", "substop", place.repo, **told)).exit == 0


def test_a_session_that_never_said_it_starts_is_opened(place):
    place.arm()
    place.tell({"open": {"say": {"session": "x", "context": ""}}, "stop": ALLOW})
    assert _stop(place) == (0, "", "")
    assert [verb for verb, _ in place.asked()] == ["open", "stop"]


@pytest.mark.runs
@pytest.mark.parametrize(
    "said",
    (
        {"exit": 1},
        {"out": ""},
        {"out": "no json"},
        {"out": "[]"},
        {"say": {}},
        {"say": {"answer": "yes", "text": ""}},
        {"say": {"answer": "block", "text": ""}},
        {"say": {"answer": "block", "text": 5}},
    ),
)
def test_a_failure_of_ours_refuses_twice_then_lets_go_loudly(place, said):
    place.session()
    place.tell({"stop": said})
    for _ in range(2):
        result = _stop(place)
        assert (result.exit, result.out) == (2, "")
        assert "nothing was checked" in result.err
        assert "worker.log" in result.err
    result = _stop(place)
    assert (result.exit, result.out) == (0, "")
    assert "unchecked" in result.err
    called, noted = place.bodies()
    assert called == facts.HookCalled("donewhen", "stop", "failed", "hook_failed")
    assert noted.level == "error"
    assert _stop(place).exit == 2  # and a new row begins
    assert "seen by the log" in (place.folder() / "worker.log").read_text()


def test_what_the_worker_says_of_its_failure_is_told(place):
    place.session()
    place.tell({"stop": {"exit": 3, "say": {"error": "config.yml:2: a list is not closed"}}})
    result = _stop(place)
    assert result.exit == 2
    assert "the step “stop” failed: config.yml:2: a list is not closed" in result.err


def test_a_link_in_the_place_of_the_log_is_not_followed_and_refuses_nothing(place, tmp_path):
    place.session()
    (place.folder() / "worker.log").symlink_to(tmp_path / "elsewhere")
    place.tell({"stop": ALLOW})
    assert _stop(place) == (0, "", "")
    assert not (tmp_path / "elsewhere").exists()


def test_a_stop_that_was_checked_ends_the_row(place):
    place.session()
    for told, expected in ((None, 2), (None, 2), (BLOCK, 0), (None, 2), (None, 2), (None, 0)):
        place.tell({"stop": told} if told else {})
        assert _stop(place).exit == expected


def test_failures_that_nobody_can_count_are_let_go_once_the_client_says_it_was_refused(place):
    place.arm()
    env = {"DONEWHEN_STATE_DIR": "/proc/nowhere"}
    payload = event("claude", "stop", place.repo, stop_hook_active=False)
    assert place.hook("claude", payload, **env).exit == 2
    assert place.hook("claude", {**payload, "stop_hook_active": True}, **env).exit == 0


def test_a_long_exam_goes_on_alone_and_the_stop_is_allowed(place, tmp_path):
    place.session(stop_limit=1)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    place.tell({"stop": {"wait": str(gate), **ALLOW}})
    result = _stop(place)
    line = "… donewhen: still examining after 1 s — the verdict comes with your next prompt"
    assert (result.exit, result.answer) == (0, {"systemMessage": line})
    with gate.open("w"):  # somebody still reads: the exam lives
        pass
    assert (place.folder() / "failures").read_text() == "0"


@pytest.mark.runs
def test_other_events_that_take_too_long_are_failures(place, tmp_path):
    place.session()
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    place.tell({"prompt": {"wait": str(gate)}})
    result = place.hook("claude", event("claude", "prompt", place.repo, prompt="x"), "--deadline", "0.5")
    assert (result.exit, result.out) == (2, "")
    assert "took longer" in result.err
    with gate.open("w"):
        pass


def test_the_worker_is_not_led_astray_by_the_repository(place):
    """Modules of the folder that the agent works in are never loaded."""
    place.session()
    place.tell({"stop": ALLOW})
    for name in ("json", "subprocess", "donewhen"):
        (place.repo / f"{name}.py").write_text("raise SystemExit(0)")
    child = place.start("claude", "Stop", PYTHONSAFEPATH="1")
    out, _ = child.communicate(json.dumps(event("claude", "stop", place.repo)).encode())
    assert (child.returncode, out) == (0, b"")
    assert [verb for verb, _ in place.asked()] == ["stop"]


def test_the_first_session_of_a_folder_does_not_wait_for_its_promise(place, tmp_path):
    place.arm()
    os.mkfifo(tmp_path / "slow")
    place.tell({"open": {"say": {"context": "C1"}, "wait": str(tmp_path / "slow")}})
    start = event("claude", "start", place.repo, source="startup")
    assert place.hook("claude", start) == (0, "", "")
    assert (place.folder() / "told-start").read_text() == "-"  # so its first prompt tells it
    (tmp_path / "slow").write_text("go on")
    assert [verb for verb, _ in place.asked()] == ["open"]


FULL = "ulimit -f 0; exec "  # no file takes a byte more


def test_on_a_full_disk_calls_are_judged_and_a_stop_is_refused_before_it_is_allowed(place):
    place.session()
    place.tell({"stop": ALLOW})

    def on_full_disk(payload):
        words = shlex.join([sys.executable, "-m", "donewhen", "hook", "claude"])
        done = subprocess.run(
            ["sh", "-c", FULL + words],
            input=json.dumps(payload).encode(),
            cwd=place.repo,
            env=place.env,
            capture_output=True,
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    assert on_full_disk(before("claude", place.repo, "ls"))[:2] == (0, "")
    denied = on_full_disk(before("claude", place.repo, "git push --force origin main"))
    assert (denied[0], '"deny"' in denied[1]) == (0, True)
    assert on_full_disk(after("claude", place.repo, "ls"))[:2] == (0, "")
    stop = event("claude", "stop", place.repo, stop_hook_active=False)
    assert on_full_disk(stop)[0] == 2
    assert on_full_disk(stop | {"stop_hook_active": True})[0] == 0
    assert _stop(place) == (0, "", "")


def test_an_upgrade_between_two_events_changes_nothing_for_the_session(place):
    folder = place.session()
    file = folder / "config.json"
    fresh = file.read_text()
    file.write_text(json.dumps(json.loads(fresh) | {"donewhen": "0.0.9"}))
    place.tell({"compile": {"file": {str(file): fresh}}, "stop": BLOCK})
    assert place.hook("claude", before("claude", place.repo, "ls")) == (0, "", "")
    assert '"deny"' in place.hook("claude", before("claude", place.repo, "git push --force origin main")).out
    assert _stop(place).answer["decision"] == "block"
    assert [verb for verb, _ in place.asked()] == ["compile", "stop"]
