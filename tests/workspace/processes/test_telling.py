"""What a supervisor says is read bit by bit, and what it does not say is not guessed."""

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from donewhen.workspace.processes.command import Command, Output
from donewhen.workspace.processes.telling import Told, read_told, result
from tests.tables import table_test

COMMAND = Command(Path("/"), Path("/"), ("make",))
OUTPUT = Output("", "", 0, 0, Path("/nowhere"))
STATUS = st.one_of(st.integers(-64, 255).map(str), st.just("lost"))
COUNT = st.integers(0, 5000)
PID = st.integers(1, 4_000_000)


@given(PID, PID, STATUS, COUNT, COUNT)
def test_any_beginning_of_a_story_is_understood_and_nothing_is_taken_back(one, two, status, left, killed):
    said = f"here {one}\nstarted {two}\nleft {status} {left}\nended {status} {killed}\n".encode()
    seen = [read_told(said[:cut]) for cut in range(len(said) + 1)]
    known = None if status == "lost" else int(status)
    assert seen[0] == Told() and seen[-1] == Told(one, two, left, True, known, killed)
    for earlier, later in pairwise(seen):
        assert all(before in (after, 0, False, None) for before, after in zip(earlier, later, strict=True))


@table_test(
    ("said", "exit_code", "key"),
    [
        (b"here 1\nstarted 2\nended 0 0\n", 0, ""),
        (b"here 1\nstarted 2\nended 7 0\n", 7, ""),
        (b"here 1\nstarted 2\nended -9 0\n", 137, ""),
        (b"here 1\nstarted 2\nleft 3 2\n", 3, ""),
        (b"here 1\nstarted 2\nended lost 0\n", None, ""),
        (b"here 1\nstarted 2\nended 0 ", None, "process.lost"),
        (b"here 1\nstarted 2\n", None, "process.lost"),
        (b"here 1\nstarted 2\nfailed 2 program No such file or directory", 127, "process.no_program"),
        (b"here 1\nfailed 13 program Permission denied", 126, "process.no_program"),
        (b"here 1\nfailed 2 folder No such file or directory", None, "process.no_folder"),
        (b"here 1\nfailed 1 sandbox no", None, "process.no_sandbox"),
        (b"here 1\n", None, "process.not_started"),
        (b"", None, "process.not_started"),
    ],
)
def test_a_result_is_only_what_was_said(said, exit_code, key):
    done = result(COMMAND, read_told(said), OUTPUT, 5, "", None)
    assert (done.exit, done.failure.key if done.failure else "") == (exit_code, key)


@table_test(
    ("said", "untouched", "lost"),
    [
        (b"", True, False),
        (b"here 1", True, False),
        (b"here 1\nstarted 2\nfailed 0 ahead killed", True, False),
        (b"here 1\nstarted 2\nfailed 2 folder gone", False, False),
        (b"here 1\n", False, False),
        (b"here 1\nstarted 2\n", False, True),
        (b"here 1\nstarted 2\nleft 0 1\n", False, True),
        (b"here 1\nstarted 2\nended 0 0\n", False, False),
    ],
)
def test_a_command_is_begun_again_only_when_nothing_of_it_can_have_happened(said, untouched, lost):
    told = read_told(said)
    assert (told.untouched, told.lost) == (untouched, lost)


@table_test("asked", ["timed_out", "killed"])
def test_who_was_asked_to_end_has_no_exit_code_of_its_own(asked):
    done = result(COMMAND, read_told(b"here 1\nstarted 2\nleft 0 2\nended 0 2\n"), OUTPUT, 5, asked, None)
    assert (done.exit, done.timed_out, done.killed) == (None, asked == "timed_out", asked == "killed")
    assert (done.left_running, done.left_behind) == (0, 2)
