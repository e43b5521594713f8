"""`donewhen hook` as a person meets it: in the help, and typed without what an agent would send."""

import os
import pty
import subprocess
import sys

import pytest

from tests.helpers import Cli

GATES = False


def test_it_is_among_the_commands(cli: Cli):
    assert "\n  hook " in cli("--help").out


@pytest.mark.parametrize("words", [("hook",), ("-q", "hook")])
def test_without_arguments_it_says_what_it_is_for(cli: Cli, words: tuple[str, ...]):
    done = cli.cold(*words)
    assert (done.exit, done.out) == (2, "")
    assert "donewhen install CLIENT" in done.err


def test_at_a_terminal_it_waits_for_nothing(cli: Cli):
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "donewhen", "hook", "claude", "Stop"]
    try:
        done = subprocess.run(
            words, stdin=theirs, cwd=cli.folder, env=cli.env, capture_output=True, check=False
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"donewhen install CLIENT" in done.stderr


def test_by_the_long_way_it_answers_the_same(cli: Cli):
    done = cli.cold("-q", "hook", "claude", "PreToolUse", stdin=b"{}")
    assert done == cli.cold("hook", "claude", "PreToolUse", stdin=b"{}")
