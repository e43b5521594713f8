"""Whatever comes in: the hook ends with 0 or 2, and says one JSON object or nothing."""

import json
import signal
from pathlib import Path

import pytest

from donewhen.integrations.hook.places import armed_file
from tests.integrations.hook.samples import before, event
from tests.tables import table_test

CLOSED = ("", "PreToolUse", "before-tool", "Stop", "ConfigChange", "UserPromptSubmit")
OPEN = ("PostToolUse", "SessionStart", "SessionEnd", "SubagentStop")
GARBLED = {
    "empty": b"",
    "truncated": b'{"session_id": "s-1", "cw',
    "array": b"[1, 2]",
    "text": b'"hello"',
    "number": b"NaN",
    "latin": b'{"session_id": "\xe9"}',
    "deep": b"[" * 100_000,
    "nested": b'{"session_id":"s","cwd":"/","a":' + b"[" * 80 + b"]" * 80 + b"}",
    "digits": b'{"session_id":"s","cwd":"/","a":' + b"9" * 5000 + b"}",
    "no session": b'{"cwd": "/"}',
    "session is a number": b'{"session_id": 1, "cwd": "/"}',
    "session with NUL": b'{"session_id": "a\\u0000b", "cwd": "/"}',
    "session too long": json.dumps({"session_id": "x" * 600, "cwd": "/"}).encode(),
    "relative folder": b'{"session_id": "s", "cwd": "repo"}',
    "folder is a list": b'{"session_id": "s", "cwd": []}',
    "event is a number": b'{"session_id": "s", "cwd": "/", "hook_event_name": 5}',
}


@table_test("name", GARBLED)
def test_what_can_not_be_read_is_refused_where_a_yes_would_matter(place, name):
    place.arm()
    result = place.hook("claude", GARBLED[name], "PreToolUse")
    assert (result.exit, result.out) == (2, "")
    assert "stdin" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("word", CLOSED)
def test_events_that_are_closed(place, word):
    place.arm()
    assert place.hook("claude", b"{", *([word] if word else [])).exit == 2


@pytest.mark.parametrize("word", OPEN)
def test_events_that_never_block(place, word):
    place.arm()
    result = place.hook("claude", b"{", word)
    assert (result.exit, result.out) == (0, "")
    assert result.err


def test_input_without_end_is_cut_off(place):
    place.arm()
    result = place.hook("claude", b'{"x": "' + b"y" * (9 << 20), "PreToolUse")
    assert (result.exit, result.out, "larger than 8 MB" in result.err) == (2, "", True)


def test_a_client_that_never_closes_its_end_meets_the_deadline(place):
    child = place.start("claude", "PreToolUse", "--deadline", "0.4")
    child.stdin.write(b"{")
    child.stdin.flush()
    assert child.wait() == 2
    assert b"took longer" in child.stderr.read()
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()


def test_who_ends_the_hook_gets_no_yes(place):
    child = place.start("claude", "PreToolUse", "--deadline", "60")
    child.stdin.write(b"{" + b" " * 200_000)  # more than a pipe holds: it is being read
    child.stdin.flush()
    child.send_signal(signal.SIGTERM)
    assert child.wait() in (2, -signal.SIGTERM)
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()


def test_broken_stops_end_as_well(place):
    place.arm()
    assert [place.hook("claude", b"{", "Stop").exit for _ in range(3)] == [2, 2, 0]


def test_events_that_nobody_knows_are_none_of_our_business(place):
    place.arm()
    payload = event("claude", "stop", place.repo) | {"hook_event_name": "MoonPhaseChanged"}
    for words in ((), ("PreToolUse",), ("Stop",)):
        assert place.hook("claude", payload, *words) == (0, "", "")


def test_the_clients_own_word_for_the_event_counts(place):
    place.session()
    result = place.hook("claude", before("claude", place.repo, "rm -rf ~"), "PostToolUse")
    assert "delete-workspace" in result.out


def test_without_it_the_argument_counts(place):
    place.session()
    payload = before("claude", place.repo, "rm -rf ~")
    del payload["hook_event_name"]
    assert "delete-workspace" in place.hook("claude", payload, "before-tool").out
    assert place.hook("claude", payload).exit == 2


def test_unknown_fields_and_a_folder_left_out_are_fine(place):
    place.session()
    payload = before("claude", place.repo, "ls", new_field={"a": [1, 2]})
    del payload["cwd"]
    assert place.hook("claude", payload) == (0, "", "")


@pytest.mark.parametrize("words", (("nobody",), ("claude", "Stop", "more"), ("claude", "--deadline"), ()))
def test_wrong_words_are_refused(place, words):
    result = place.hook(*(words[:1] or ("",)), b"{}", *words[1:])
    assert (result.exit, result.out) == (2, "")
    assert "install" in result.err


def test_help(place):
    result = place.hook("--help", b"")
    assert result.exit == 0
    assert "donewhen hook" in result.out


# -- arming ----------------------------------------------------------------------------------------


def test_a_folder_that_nobody_armed_is_left_alone(place):
    for kind in ("start", "prompt", "before", "after", "stop", "config", "end"):
        payload = event("claude", kind, place.repo, tool_name="Bash", tool_input={"command": "rm -rf ~"})
        assert place.hook("claude", payload) == (0, "", "")
    assert place.asked() == []
    assert not place.state.exists()


LARGE = b"y" * (9 << 20)


@table_test("name", GARBLED)
def test_what_can_not_be_read_is_left_alone_as_well_where_nobody_armed(place, name):
    for word in ("PreToolUse", "Stop"):
        assert place.hook("claude", GARBLED[name], word) == (0, "", "")
    assert not place.state.exists()


def test_a_large_file_is_written_where_nobody_armed_and_only_there(place, tmp_path):
    start = json.dumps({"session_id": "s-1", "hook_event_name": "PreToolUse"}).encode()[:-1]
    unarmed = b', "content": "%s", "cwd": %s}' % (LARGE, json.dumps(str(tmp_path)).encode())
    assert place.hook("claude", start + unarmed, "PreToolUse") == (0, "", "")
    below = tmp_path / "below"
    (below / ".donewhen").mkdir(parents=True)
    (below / ".donewhen" / "config.yml").write_text("")
    armed = b', "content": "%s", "cwd": %s}' % (LARGE, json.dumps(str(below)).encode())
    assert place.hook("claude", start + armed, "PreToolUse").exit == 2
    place.session()
    assert place.hook("claude", start + unarmed, "PreToolUse").exit == 2  # of a session that is armed


@pytest.mark.parametrize("name", (".donewhen/config.yml", ".gsd/config.yml"))
def test_a_configuration_upward_arms(place, name):
    (place.repo / name).parent.mkdir()
    (place.repo / name).write_text("")
    deep = place.repo / "a" / "b"
    deep.mkdir(parents=True)
    assert place.hook("claude", before("claude", deep, "ls")).exit == 2  # the worker refuses to open
    assert [verb for verb, _ in place.asked()] == ["open"]


def test_the_user_arms_a_folder_and_what_is_below_also_through_a_link(place, tmp_path):
    file = armed_file(str(place.state), str(place.repo.resolve()))
    (place.state / "armed").mkdir(parents=True)
    Path(file).write_text(str(place.repo))
    link = tmp_path / "link"
    link.symlink_to(place.repo)
    (place.repo / "sub").mkdir()
    for folder in (place.repo, place.repo / "sub", link, link / "sub"):
        assert place.hook("claude", before("claude", folder, "ls")).exit == 2
    assert place.hook("claude", before("claude", tmp_path, "ls")).exit == 0


def test_a_session_stays_armed_when_the_agent_leaves_or_unmakes_the_folder(place, tmp_path):
    place.session()
    assert "delete-outside" in place.hook("claude", before("claude", tmp_path, "rm -rf /usr/x")).out


def test_threads_of_the_clients_own_pass(place):
    place.session("codex")
    payload = before("codex", place.repo, "rm -rf ~") | {"transcript_path": None}
    assert place.hook("codex", payload) == (0, "", "")


def test_without_a_home_nothing_is_known_and_nothing_passes(place):
    result = place.hook("claude", before("claude", place.repo, "ls"), DONEWHEN_STATE_DIR="", HOME="")
    assert (result.exit, "HOME" in result.err) == (2, True)
