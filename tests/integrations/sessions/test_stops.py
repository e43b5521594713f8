"""The gate at a stop: only an exam counts, refusals are bounded, and what was cut short decides nothing."""

import os
import signal
from pathlib import Path

import pytest

from donewhen.core.events import facts, run
from donewhen.core.stopping import MOST
from tests.integrations.sessions.worker_support import CHECK, Client, answer
from tests.projects import BUG, UNITTEST, git

QUIET = {".donewhen/config.yml": CHECK[".donewhen/config.yml"]}
WAITS = CHECK | {
    # the first exam waits until somebody writes to the pipe; each later one does not
    "check.sh": "grep -q good value.txt || exit 1\nif mkdir started 2>/dev/null; then read line < pipe; fi\n",
    ".gitignore": "started\npipe\n",
}


@pytest.fixture
def client(tmp_path: Path) -> Client:
    client = Client(tmp_path)
    client.call("open")
    return client


def released(client: Client) -> None:
    """Returns once an exam waits at the pipe, and lets it go on."""
    with (client.root / "pipe").open("w") as pipe:
        pipe.write("go\n")


def reached(client: Client) -> int:
    """A handle of the pipe, once an exam waits at it."""
    return os.open(client.root / "pipe", os.O_WRONLY)


def test_nothing_changed_is_let_go_and_never_called_accepted(client: Client) -> None:
    assert client.call("stop") == {
        "answer": "allow",
        "kind": "nothing_changed",
        "text": "the agent changed nothing for this prompt: allowed to stop without an exam",
        "human": "",
    }
    assert client.types()[-1] == "noted"
    assert client.decided() == []


@pytest.mark.runs
def test_a_red_exam_refuses_with_the_end_of_its_output(client: Client) -> None:
    client.write("value.txt", "bad\n")
    told = client.call("stop", payload={"last_assistant_message": "All tests pass!"})
    assert (told["answer"], told["kind"]) == ("block", "blocked")
    assert "- make test: " in told["text"]
    assert "| value.txt is not good" in told["text"]
    assert len(told["text"]) < 8000
    (decided,) = client.decided()
    assert (decided.status, decided.cause) == ("continue", "verification_failed")
    assert client.rows()[0].state == "executing"


@pytest.mark.runs
def test_a_green_exam_lets_through_and_is_not_made_again_on_the_same_tree(client: Client) -> None:
    client.write("value.txt", "good and new\n")
    assert client.call("stop")["kind"] == "accepted"
    assert client.rows()[0].state == "done"
    ran = client.types().count("command_started")
    assert client.call("stop")["kind"] == "accepted"
    assert client.types().count("command_started") == ran
    assert len(client.decided()) == 1
    client.write("value.txt", "bad\n")
    assert client.call("stop")["kind"] == "blocked"


@pytest.mark.runs
def test_the_refused_and_the_accepted_stop_count_as_two_attempts(client: Client) -> None:
    client.write("value.txt", "bad\n")
    client.call("stop")
    client.write("value.txt", "good again\n")
    client.call("stop")
    row = client.rows()[0]
    assert (row.attempts, row.stop_reason) == (2, "accepted")


@pytest.mark.runs
def test_a_commit_of_the_agent_is_judged_against_where_the_session_began(client: Client) -> None:
    client.write("value.txt", "bad\n")
    git(client.root, "commit", "-qam", "all done")
    assert client.call("stop")["kind"] == "blocked"
    (client.root / "value.txt").write_text("still bad\n")
    git(client.root, "commit", "-qa", "--amend", "-m", "really done")
    assert client.call("stop")["kind"] == "blocked"


@pytest.mark.runs
def test_a_deleted_test_is_found(tmp_path: Path) -> None:
    client = Client(tmp_path, UNITTEST | QUIET | {"test_other.py": UNITTEST["test_cart.py"]})
    client.call("open")
    client.write("cart.py", BUG)
    (client.root / "test_cart.py").unlink()
    client.write("test_other.py", UNITTEST["test_cart.py"].replace("3)", "4)"))
    told = client.call("stop")  # a question is a human's: no agent is held up for it
    assert (told["kind"], told["answer"]) == ("let_go", "allow")
    assert "donewhen confirm" in told["human"]
    assert (client.decided()[-1].stop_reason, client.decided()[-1].cause) == ("escalated", "escalated")
    assert any("test_cart.py" in detail for detail in client.decided()[-1].details)


@pytest.mark.runs
def test_ignored_files_that_came_since_and_that_the_exam_needs_are_asked_about(tmp_path: Path) -> None:
    client = Client(tmp_path, UNITTEST | QUIET | {".gitignore": "local.py\nmine.py\n"})
    client.write("mine.py", "RATE = 1\n")
    client.call("open")
    client.write("cart.py", "from mine import RATE\n\ndef total(prices):\n    return RATE * sum(prices)\n")
    assert client.call("stop")["kind"] == "accepted"
    client.write("local.py", "RATE = 1\n")
    client.write("cart.py", "from local import RATE\n\ndef total(prices):\n    return RATE * sum(prices)\n")
    assert client.call("stop")["kind"] == "let_go"
    assert any("local.py" in detail for detail in client.decided()[-1].details)


@pytest.mark.runs
def test_two_trees_in_a_row_without_progress_and_the_third_stop_is_allowed_and_recorded(
    client: Client,
) -> None:
    told = []
    for number in range(3):
        client.write("value.txt", f"bad {number}\n")
        told.append(client.call("stop"))
    assert [each["kind"] for each in told] == ["blocked", "blocked", "let_go"]
    assert told[0]["human"].startswith("✗ donewhen: not accepted — make test")
    assert told[2]["human"].startswith("✗ donewhen: not accepted after 2 tries — make test")
    decided = client.decided()[-1]
    assert (decided.status, decided.stop_reason) == ("stopped", "accept_continue_exhausted")
    assert client.rows()[0].state == "fail"
    client.write("value.txt", "good at last\n")
    assert client.call("stop")["kind"] == "accepted"
    assert client.rows()[0].state == "done"


@pytest.mark.runs
def test_there_is_an_absolute_bound_whatever_progress_there_seems_to_be(client: Client) -> None:
    for owed in range(MOST + 5, 5, -1):
        client.append(run.Decided("continue", pending=tuple(map(str, range(owed)))))
    client.write("value.txt", "bad\n")
    assert client.call("stop")["kind"] == "let_go"


@pytest.mark.runs
def test_a_killed_worker_leaves_nothing_behind_that_counts(tmp_path: Path) -> None:
    client = Client(tmp_path, WAITS)
    os.mkfifo(client.root / "pipe")
    client.call("open")
    client.write("value.txt", "good and new\n")
    worker = client.start("stop")
    os.close(reached(client))
    (client.root / "started").rmdir()
    again = client.start("stop")  # waits for the lock that only the kernel can free
    worker.kill()
    worker.communicate()
    released(client)
    assert answer(again)["kind"] == "accepted"
    assert [each.status for each in client.decided()] == ["accepted"]


@pytest.mark.runs
def test_being_asked_to_end_ends_the_exam_and_its_processes(tmp_path: Path) -> None:
    client = Client(tmp_path, WAITS)
    os.mkfifo(client.root / "pipe")
    client.call("open")
    client.write("value.txt", "good and new\n")
    worker = client.start("stop")
    handle = reached(client)
    worker.send_signal(signal.SIGTERM)
    out, _ = worker.communicate()
    assert (worker.returncode, out) == (130, b"")
    with pytest.raises(BrokenPipeError):  # nobody reads any more
        os.write(handle, b"x")
    os.close(handle)
    assert client.decided() == []
    assert client.rows()[0].state == "executing"
    assert client.call("stop")["kind"] == "accepted"


@pytest.mark.runs
def test_a_tree_that_changes_during_the_exam_is_not_taken_for_the_proven_one(tmp_path: Path) -> None:
    client = Client(tmp_path, WAITS)
    os.mkfifo(client.root / "pipe")
    client.call("open")
    client.write("value.txt", "good and new\n")
    worker = client.start("stop")
    handle = reached(client)
    client.write("value.txt", "bad\n")
    os.write(handle, b"go\n")
    os.close(handle)
    assert answer(worker)["kind"] == "blocked"
    assert all(each.status != "accepted" for each in client.decided())


@pytest.mark.runs
def test_a_refusal_that_nobody_heard_is_told_once_and_counts_once(tmp_path: Path) -> None:
    client = Client(
        tmp_path,
        WAITS | {"check.sh": WAITS["check.sh"] + "grep -q old value.txt\n", "value.txt": "good and old\n"},
    )
    os.mkfifo(client.root / "pipe")
    client.call("open")
    client.write("value.txt", "good and new\n")
    worker = client.start("stop")
    handle = reached(client)
    assert worker.stdout is not None
    worker.stdout.close()  # the hook was at its deadline
    os.write(handle, b"go\n")
    os.close(handle)
    worker.wait()
    assert len(client.decided()) == 1
    ran = client.types().count("command_started")
    assert client.call("stop")["kind"] == "blocked"
    assert client.types().count("command_started") == ran
    assert len(client.decided()) == 1
    assert client.call("stop")["kind"] == "let_go"  # no tree is blocked twice


@pytest.mark.runs
def test_the_verdict_of_a_long_exam_comes_with_the_next_prompt(tmp_path: Path) -> None:
    client = Client(
        tmp_path,
        WAITS | {"check.sh": WAITS["check.sh"] + "grep -q old value.txt\n", "value.txt": "good and old\n"},
    )
    os.mkfifo(client.root / "pipe")
    client.call("open")
    client.write("value.txt", "good and new\n")
    worker = client.start("stop")
    handle = reached(client)
    assert worker.stdout is not None
    worker.stdout.close()  # the hook allowed the stop and went away
    os.write(handle, b"go\n")
    os.close(handle)
    worker.wait()
    told = client.call("prompt", payload={"prompt": "What else?"})
    assert told["human"].startswith("✗ donewhen: not accepted — make test")
    assert "- make test: it ended with exit 2" in told["context"]
    assert client.call("prompt", payload={"prompt": "And now?"}) == {"context": "", "human": ""}
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_a_project_file_removed_in_the_session_still_holds(tmp_path: Path) -> None:
    limits = "runtime:\n  max_accept_continues: 1\n"
    client = Client(tmp_path, CHECK | {".donewhen/config.yml": limits})
    client.call("open")
    (client.root / ".donewhen" / "config.yml").unlink()
    client.write("value.txt", "bad\n")
    assert [client.call("stop")["kind"] for _ in range(2)] == ["blocked", "let_go"]


@pytest.mark.runs
def test_a_sub_agent_is_told_once_when_it_wrote(client: Client) -> None:
    client.write("value.txt", "bad\n")
    assert client.call("stop", subagent="a1")["kind"] == "subagent"
    client.append(facts.ToolCalled("a1/t1", "Read", {}, "t1"))
    assert client.call("stop", subagent="a1")["kind"] == "subagent"
    client.append(facts.ToolCalled("a1/t2", "Write", {}, "t2"), facts.ToolCalled("a2/t3", "Write", {}, "t3"))
    assert client.call("stop", subagent="a1")["kind"] == "blocked"
    assert client.call("stop", subagent="a1")["kind"] == "subagent"
    assert client.call("stop", subagent="a2")["kind"] == "subagent"  # the tree was judged already
    client.write("value.txt", "still bad\n")
    assert client.call("stop", subagent="a2")["kind"] == "blocked"
    assert [client.call("stop")["kind"] for _ in range(2)] == ["blocked", "let_go"]


@pytest.mark.runs
def test_the_end_of_a_session_is_noted(client: Client) -> None:
    assert client.call("end", payload={"reason": "other"}) == {}
    assert client.types()[-2:] == ["noted", "closed"]


@pytest.mark.runs
def test_the_same_tree_is_examined_again_only_after_the_agent_did_something(client: Client) -> None:
    client.append(facts.ToolCalled("/t1", "Write", {}, "t1"))
    client.write("value.txt", "bad\n")
    assert client.call("stop")["kind"] == "blocked"
    ran = client.types().count("command_started")
    assert client.call("stop")["kind"] == "let_go"
    assert client.decided()[-1].stop_reason == "accept_continue_exhausted"
    client.prompt("What does value.txt say?")
    assert client.call("stop")["kind"] == "nothing_changed"
    assert client.types().count("command_started") == ran


@pytest.mark.runs
@pytest.mark.parametrize(
    ("prompt", "reply", "mode", "kind"),
    [
        ("Add a value.", "There are two ways to do it.\n\nWhich one do you want?", "", "not_finished"),
        ("Add a value.", "All tests pass. Anything else?", "", "blocked"),
        ("Write a failing test, don't implement it yet.", "The test is in place.", "", "not_finished"),
        ("Write a failing test, don't implement it yet.", "I fixed it.", "", "blocked"),
        ("Add a value.", "Here is my plan.", "plan", "not_finished"),
        ("Add a value.", "The value is there.", "", "blocked"),
    ],
)
def test_who_waits_for_the_user_may_stop_unless_he_claims(
    client: Client, prompt: str, reply: str, mode: str, kind: str
) -> None:
    client.prompt(prompt)
    client.write("value.txt", "bad\n")
    told = client.call("stop", payload={"last_assistant_message": reply, "permission_mode": mode})
    assert told["kind"] == kind
    if kind == "not_finished":
        assert told["human"].startswith("… donewhen: not finished — make test")
        assert client.decided()[-1].status != "accepted"


@pytest.mark.runs
def test_the_user_can_pause_switch_off_and_on_in_a_live_session(tmp_path: Path) -> None:
    from donewhen.integrations.hook.places import is_armed

    client = Client(tmp_path)
    client.call("open")
    session = str(client.folder())

    def gated() -> bool:
        return is_armed(str(client.state), session, str(client.root))

    assert gated()
    for words in (["off"], ["pause"], ["pause", "--for", "session"], ["disarm"]):
        assert client.cli(*words).returncode == 0
        assert not gated(), words
        assert client.cli("on").returncode == 0
        assert gated(), words
    bad = client.cli("pause", "--for", "soon")
    assert (bad.returncode, "soon is no length of time" in bad.stderr) == (2, True)
    notes = [event.body.text for event in client.events() if event.type == "noted"]
    assert sum("paused the gate" in note for note in notes) == 4
    assert sum("switched the gate on" in note for note in notes) == 4


@pytest.mark.runs
def test_documents_that_nothing_names_need_no_exam(tmp_path: Path) -> None:
    client = Client(
        tmp_path, CHECK | {"README.md": "old\n", "GUIDE.md": "old\n", "check.sh": "test -f GUIDE.md\n"}
    )
    client.call("open")
    client.write("README.md", "new\n")
    assert client.call("stop")["kind"] == "documents"
    assert "command_started" not in client.types()
    client.write("GUIDE.md", "new\n")
    assert client.call("stop")["kind"] == "accepted"
    assert "command_started" in client.types()


def test_what_the_agent_said_stands_beside_what_is(client: Client) -> None:
    said = {"last_assistant_message": "All tests pass. I created `value.txt` and `NOTES.md`."}
    client.write("value.txt", "bad\n")
    told = client.call("stop", payload=said)
    assert told["human"].endswith(" · said, but not so: tests pass, NOTES.md was made")
    assert "said, but not so" not in told["text"]  # the user's line, not the agent's
    client.write("value.txt", "good again\n")
    client.write("NOTES.md", "Notes\n")
    told = client.call("stop", payload=said)
    assert told["kind"] == "accepted" and "not so" not in told["human"]
    pages = [event.body.text for event in client.events() if event.type == "noted"]
    assert [page.partition(": ")[2] for page in pages if page.startswith("what the agent said")] == [
        "✗ tests pass (make test: exit 2); ✓ value.txt was made (it is there);"
        " ✗ NOTES.md was made (there is no NOTES.md)",
        "✓ tests pass (make test: exit 0); ✓ value.txt was made (it is there);"
        " ✓ NOTES.md was made (it is there)",
    ]
