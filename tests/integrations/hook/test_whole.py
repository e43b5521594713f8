"""The whole way of a session with the real worker: told, guarded, refused, accepted."""

import pytest

from tests.integrations.hook.samples import after, before, event
from tests.projects import git

PROJECT = {
    ".donewhen/config.yml": "verification:\n  quality:\n    enabled: false\n",
    "Makefile": "test:\n\tsh check.sh\n",
    "check.sh": "grep -q yes answer.txt\n",
    "answer.txt": "yes\n",
}
WAITS = ("--deadline", "60")  # the first session of a folder else begins while its client goes on


@pytest.mark.runs
def test_a_session_from_its_start_to_an_accepted_stop(place):
    del place.env["PYTHONPATH"]
    for name, text in PROJECT.items():
        (place.repo / name).parent.mkdir(exist_ok=True)
        (place.repo / name).write_text(text)
    git(place.repo, "add", "-A")
    git(place.repo, "commit", "-q", "-m", "one")
    told = place.hook("claude", event("claude", "start", place.repo, source="startup"), *WAITS).answer
    assert "make test" in told["hookSpecificOutput"]["additionalContext"]
    assert place.hook("claude", event("claude", "stop", place.repo)).answer == {}  # nothing changed
    assert place.hook("claude", before("claude", place.repo, "echo no > answer.txt")).answer == {}
    (place.repo / "answer.txt").write_text("no\n")
    assert place.hook("claude", after("claude", place.repo, "echo no > answer.txt")).answer == {}
    refused = place.hook("claude", event("claude", "stop", place.repo)).answer
    assert refused["decision"] == "block"
    assert "make test" in refused["reason"]
    assert "own-state" in place.hook("claude", before("claude", place.repo, "rm -r .donewhen")).out
    (place.repo / "answer.txt").write_text("yes, now\n")
    accepted = place.hook("claude", event("claude", "stop", place.repo, stop_hook_active=True)).answer
    assert list(accepted) == ["systemMessage"]
    assert accepted["systemMessage"].startswith("✓ donewhen: accepted — ")
    typed = place.hook("claude", event("claude", "prompt", place.repo, prompt="/donewhen off")).answer
    assert (typed["decision"], "are not gated until" in typed["reason"]) == ("block", True)
    assert place.hook("claude", before("claude", place.repo, "rm -r .donewhen")).answer == {}
    typed = place.hook("claude", event("claude", "prompt", place.repo, prompt="donewhen on")).answer
    assert "gated again" in typed["reason"]
    assert "own-state" in place.hook("claude", before("claude", place.repo, "rm -r .donewhen")).out
    assert '"deny"' in place.hook("claude", before("claude", place.repo, "donewhen off")).out
    assert place.hook("claude", event("claude", "end", place.repo, reason="other")) == (0, "", "")
    assert (place.state / "sessions").stat().st_mode & 0o077 == 0


def _text(result):
    return result.answer.get("hookSpecificOutput", {}).get("additionalContext", "")


@pytest.mark.runs
def test_a_later_session_is_told_the_promise_of_the_last_one_at_once(place):
    del place.env["PYTHONPATH"]
    for name, text in PROJECT.items():
        (place.repo / name).parent.mkdir(exist_ok=True)
        (place.repo / name).write_text(text)
    git(place.repo, "add", "-A")
    git(place.repo, "commit", "-q", "-m", "one")

    def told(kind, session, **more):
        return _text(place.hook("claude", event("claude", kind, place.repo, session, **more)))

    # the first one does not wait long: what it was not told at its start, its first prompt tells
    at_once = told("start", "s-1", source="startup")
    first = told("prompt", "s-1", prompt="/clear") + told("prompt", "s-1", prompt="Hello.") or at_once
    assert "make test" in first
    assert told("start", "s-2", source="startup") == first
    assert told("prompt", "s-2", prompt="Where is the price?") == ""
    (place.repo / "Makefile").unlink()
    (place.repo / "test_it.py").write_text("def test_it(): pass\n")
    assert told("start", "s-3", source="startup") == first
    now = told("prompt", "s-3", prompt="Where is the price?")
    assert "pytest" in now
    assert "make test" not in now
    assert told("prompt", "s-3", prompt="Where is the price?") == ""
    assert told("start", "s-4", source="startup") == now


@pytest.mark.runs
@pytest.mark.parametrize("client", ["claude", "codex", "gemini", "opencode"])
def test_a_question_and_a_slash_command_print_nothing(place, client):
    del place.env["PYTHONPATH"]
    for name, text in PROJECT.items():
        (place.repo / name).parent.mkdir(exist_ok=True)
        (place.repo / name).write_text(text)
    git(place.repo, "add", "-A")
    git(place.repo, "commit", "-q", "-m", "one")
    place.hook(client, event(client, "start", place.repo, source="startup"), *WAITS)
    replies = {
        "What is the difference between a list and a tuple?": "A tuple can't be changed.",
        "Where is the answer?": "In `answer.txt`. Shall I change it?",
        "/cost": "",
        "/clear": "",
    }
    for prompt, reply in replies.items():
        assert place.hook(client, event(client, "prompt", place.repo, prompt=prompt)) == (0, "", ""), prompt
        told = event(client, "stop", place.repo, last_assistant_message=reply, prompt_response=reply)
        assert place.hook(client, told) == (0, "", ""), prompt
    assert place.hook(client, event(client, "end", place.repo, reason="other")) == (0, "", "")
