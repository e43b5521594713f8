"""The log of a run: whole lines, no secrets, bounded, and never a reason to stop."""

import json
import shutil
import stat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.codec import dumps
from donewhen.core.hooking import PASSED
from donewhen.hooks.built_in.log_operations import LARGEST, bounded
from donewhen.secrets.redact import Redactor
from tests.hooks.ground import RUN, Ground


@pytest.fixture
def logging(ground: Ground) -> Ground:
    ground.user(enabled=["log-operations"])
    return ground


def lines(ground: Ground) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ground.state / f"logs/{RUN}.jsonl").read_text().splitlines()]


def test_each_operation_is_one_line_for_the_user_alone(logging: Ground):
    hooks = logging.hooks()
    logging.call("after_tool", hooks, tool="read_file", args={"path": "a\nb"}, ok=True)
    logging.call("on_tool_fail", hooks, tool="grep", error="x")
    logging.call("state_change", hooks, was="idle", state="parsing")
    found = lines(logging)
    assert [(line["point"], line["run"]) for line in found] == [
        ("after_tool", RUN),
        ("on_tool_fail", RUN),
        ("state_change", RUN),
    ]
    assert found[0]["data"] == {"tool": "read_file", "args": {"path": "a\nb"}, "ok": True}
    facts = (logging.state / f"logs/{RUN}.jsonl").stat()
    assert stat.S_IMODE(facts.st_mode) == 0o600


def test_that_it_passed_is_no_event(logging: Ground):
    logging.call("after_tool", logging.hooks(), tool="read_file")
    assert len(lines(logging)) == 1 and not logging.recorded


def test_a_folder_that_was_taken_away_is_made_again(logging: Ground):
    hooks = logging.hooks()
    logging.call("after_tool", hooks, tool="read_file")
    shutil.rmtree(logging.state / "logs")
    logging.call("after_tool", hooks, tool="grep")
    assert [line["data"]["tool"] for line in lines(logging)] == ["grep"]


def test_secrets_are_taken_out(logging: Ground):
    hooks = logging.hooks(redactor=Redactor(["hunter2-hunter2"]))
    logging.call("after_tool", hooks, output="hunter2-hunter2", args={"password": "tr0ub4dor&3xyz"})
    text = (logging.state / f"logs/{RUN}.jsonl").read_text()
    assert "hunter2" not in text and "tr0ub4dor" not in text and "redacted" in text


def test_large_and_deep_data_become_a_short_line(logging: Ground):
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    data: dict[str, Any] = {
        "output": "x" * 5_000_000,
        "deep": deep,
        "many": list(range(10_000)),
        "n": float("nan"),
        "b": b"\xff",
    }
    assert logging.call("after_tool", **data) == PASSED
    [line] = lines(logging)
    assert len(json.dumps(line)) < 5000 and line["data"]["output"].endswith("…")


def test_names_that_are_no_utf_8_are_logged(logging: Ground):
    assert logging.call("after_tool", files=["a\udcff"]) == PASSED
    assert lines(logging)[0]["data"] == {"files": ["a\udcff"]}


def test_a_full_log_grows_no_more(logging: Ground):
    file = logging.state / f"logs/{RUN}.jsonl"
    file.parent.mkdir(parents=True)
    with file.open("wb") as opened:
        opened.truncate(LARGEST)
    assert logging.call("after_tool", tool="x") == PASSED
    assert file.stat().st_size == LARGEST


@pytest.mark.parametrize("what", ["folder", "link", "file above"])
def test_a_log_that_cannot_be_written_stops_nothing_and_is_told_once(logging: Ground, what):
    file = logging.state / f"logs/{RUN}.jsonl"
    outside = logging.home / "precious"
    if what == "folder":
        file.mkdir(parents=True)
    elif what == "link":
        file.parent.mkdir(parents=True)
        file.symlink_to(outside)
    else:
        logging.state.mkdir()
        file.parent.write_text("")
    hooks = logging.hooks()
    first, second = (logging.call("after_tool", hooks, tool="x") for _ in range(2))
    assert not first.blocked and "can't be written" in first.notes[0]
    assert second == PASSED and not outside.exists()
    assert [event.outcome for event in logging.recorded] == ["failed", "failed"]


def test_a_run_whose_id_is_no_file_name_leaves_its_folder_alone(logging: Ground):
    verdict = logging.call("after_tool", logging.hooks(run_id="../../escaped"), tool="x")
    assert not verdict.blocked and verdict.notes
    assert not list(logging.state.parent.rglob("*escaped*"))


data = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
    ),
    max_leaves=80,
)


@given(data)
def test_whatever_is_logged_is_json_and_bounded_twice_is_bounded_once(value):
    once = bounded(value, 20)
    assert bounded(once, 20) == once
    assert json.loads(dumps(once)) == once
