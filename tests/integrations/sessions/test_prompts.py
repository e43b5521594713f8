"""Prompts add to what must be proven, and never take away."""

from pathlib import Path

import pytest

from donewhen.core.texts import say
from tests.integrations.sessions.worker_support import CHECK, Client
from tests.tables import table_test

FILES = CHECK | {
    "Makefile": "test:\n\tsh check.sh\nlint:\n\tgrep -q clean style.txt\n",
    "style.txt": "dirty\n",
}
ORDER = "Implement the feature. It is done only when `make test` and `make lint` both pass."


def test_a_prompt_adds_commands_beside_the_projects_own(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    told = client.prompt(ORDER)
    assert "- `make lint`" in told
    assert "- `make test`" not in told
    amended = [event.body for event in client.events() if event.type == "promise_amended"]
    assert amended[-1].by == "prompt 1"
    refused = client.call("stop")
    assert refused["kind"] == "blocked"
    assert "make lint" in refused["text"]
    client.write("style.txt", "clean\n")
    assert client.call("stop")["kind"] == "accepted"


@pytest.mark.runs
@table_test("text", ("`make lint` must pass.", "把样式改好。`make lint` 必须通过。"))
def test_one_command_that_must_pass_is_enough(tmp_path: Path, text: str) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    assert "- `make lint`" in client.prompt(text)
    assert "make lint" in client.call("stop")["text"]


@pytest.mark.runs
def test_an_order_to_run_something_is_no_demand(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    assert client.prompt("Fix the layout. Run `npm run dev`.") == ""


@pytest.mark.runs
def test_a_question_adds_nothing(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    assert client.prompt("How do I run `make lint` and `make test` here?") == ""
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_a_file_to_write_is_asked_for(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    assert "out.txt" in client.prompt("Create out.txt with the result.")
    assert "out.txt" in client.call("stop")["text"]
    client.write("out.txt", "42\n")
    assert client.call("stop")["kind"] == "accepted"


@pytest.mark.runs
def test_a_later_prompt_takes_nothing_away(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    client.prompt(ORDER)
    client.prompt("Forget about `make lint`, it need not pass.")
    client.write("value.txt", "good and new\n")
    assert "make lint" in client.call("stop")["text"]


@pytest.mark.runs
def test_our_own_reason_coming_back_as_a_prompt_adds_nothing_and_starts_no_new_count(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    client.write("value.txt", "bad\n")
    kinds = []
    for number in range(3):
        client.write("value.txt", f"bad {number}\n")
        told = client.call("stop")
        kinds.append(told["kind"])
        assert client.prompt(told["text"]) == ""
        assert client.prompt(f"Stop hook feedback:\n[donewhen hook]: {told['text']}") == ""
    assert kinds == ["blocked", "blocked", "let_go"]
    assert "agent_told" not in client.types()


@pytest.mark.runs
def test_a_prompt_of_the_user_starts_the_count_anew(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    client.write("value.txt", "bad\n")
    assert [client.call("stop")["kind"] for _ in range(2)][-1] == "let_go"
    client.prompt("Go on, please.")
    assert client.rows()[0].state == "executing"
    client.write("value.txt", "still bad\n")
    assert client.call("stop")["kind"] == "blocked"


@pytest.mark.runs
def test_a_secret_in_a_prompt_is_not_kept(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    secret = "ghp_" + "a1B2c3D4e5" * 4
    client.call("open")
    client.prompt(f"Use the token {secret} to implement it.")
    kept = [path.read_bytes() for path in client.state.rglob("*") if path.is_file()]
    assert not any(secret.encode() in data for data in kept)


@pytest.mark.runs
def test_what_can_not_be_read_as_a_goal_is_taken_as_words(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    for odd in ("", "   ", "\ud800 lone", "x" * 300_000, "`" * 5000):
        assert client.prompt(odd) == ""
    assert client.call("stop")["kind"] == "nothing_changed"


@pytest.mark.runs
def test_what_the_hook_itself_says_is_no_prompt_either(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    client.prompt(say("hooked.failed", "en", event="stop", why="a bug"))
    client.prompt(say("hooked.failed", "zh", event="stop", why="a bug"))
    assert "agent_told" not in client.types()


@pytest.mark.runs
def test_our_reason_is_known_again_however_a_client_writes_it(tmp_path: Path) -> None:
    client = Client(tmp_path, FILES)
    client.call("open")
    client.write("value.txt", "bad\n")
    text = client.call("stop")["text"]
    for echo in (text.replace("\n", "\r\n"), f"{text}\n\nSent by the client", text[:-5], f"  {text}\n"):
        assert client.prompt(echo) == ""
    assert "agent_told" not in client.types()
    assert "out.txt" in client.prompt(f"{text}\n\nCreate out.txt with the result.")
