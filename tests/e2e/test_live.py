"""`donewhen run` on a real terminal: the live view, a question, Ctrl-C, and what stays on the screen."""

import codecs
import json
import os
import pty
import shlex
import subprocess
import sys
import termios

import pytest

from donewhen.run.board import Board
from tests.helpers import Cli
from tests.projects import TESTS
from tests.runs import CLAIM, FIX, QUICK, bodies, broken_cart, play, script
from tests.ui.emulator import Emulator


class Terminal:
    """A run with a terminal of its own; everything that it writes is shown on an emulated one."""

    def __init__(self, cli: Cli, steps, *more: str, columns=100, lines=30, **env: str) -> None:
        words = ["run", "Fix the cart", "--accept", TESTS, "--script", script(cli, steps), *QUICK, *more]
        folder, given = cli.folder, cli.env | {"TERM": "xterm-256color"} | env
        self.pid, self._ours = pty.fork()
        if self.pid == 0:
            termios.tcsetwinsize(1, (lines, columns))
            os.chdir(folder)
            os.execve(sys.executable, [sys.executable, "-m", "donewhen", *words], given)
        self.shown = Emulator(columns, lines)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.raw = ""

    def until(self, text: str) -> None:
        """Read until this was on the screen."""
        while text not in self.shown.text:
            assert self._read(), f"it ended without {text!r}:\n{self.shown.text}"

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        while self._read():
            pass
        os.close(self._ours)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self) -> bool:
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # the other end is closed
            return False
        text = self._decoder.decode(data)
        self.raw += text
        self.shown.feed(text)
        return bool(data)


@pytest.fixture
def cart(tmp_path) -> Cli:
    made = Cli(tmp_path, gates=False)
    broken_cart(made)
    return made


def test_a_run_is_followed_in_place_and_summed_up(cart):
    terminal = Terminal(cart, [{"bash": f"{TESTS} | tail -1"}, FIX, CLAIM])
    assert terminal.end() == 0
    lines = terminal.shown.text.splitlines()
    assert terminal.shown.pictures > 1
    assert terminal.shown.cursor_shown
    assert not any("proven ·" in line for line in lines), "a live row was left behind"
    assert sum(line == "▸ working" for line in lines) == 1
    assert any(line.strip().startswith("◐ $") for line in lines)
    assert any(line.startswith("  ~ cart.py") and "+1 −1" in line for line in lines)
    assert sum(line.startswith("Next: git merge donewhen/fix-cart-") for line in lines) == 1
    run_id = cart("show", "last", "--json").json["run"]
    board = Board()
    for seq, body in enumerate(bodies(cart, run_id), 1):
        board.take(body, seq)
    assert {proof.status for proof in board.proofs()} == {"passed"}


@pytest.mark.runs
def test_without_colour_nothing_is_coloured(cart):
    terminal = Terminal(cart, [FIX, CLAIM], columns=40, lines=10, NO_COLOR="1")
    assert terminal.end() == 0
    assert "m" not in terminal.shown.sequences
    assert terminal.shown.pictures > 1


@pytest.mark.runs
def test_a_dumb_terminal_gets_plain_lines(cart):
    terminal = Terminal(cart, [FIX, CLAIM], TERM="dumb")
    assert terminal.end() == 0
    assert terminal.shown.sequences == set()
    assert "▸ done" in terminal.shown.text


@pytest.mark.runs
def test_a_question_is_not_drawn_over(cart):
    terminal = Terminal(cart, [{"bash": "sudo -n true"}, FIX, CLAIM])
    terminal.until("[n]o")
    asked = [line for line in terminal.shown.screen if line]
    assert "[n]o" in asked[-1], "the question is the last thing on the screen"
    assert not any("proven ·" in line for line in asked)
    terminal.type("n\n")
    assert terminal.end() == 0
    assert "may this happen?" in terminal.shown.text


@pytest.mark.runs
def test_ctrl_c_leaves_a_clean_terminal(cart):
    terminal = Terminal(cart, [{"bash": "echo ready && sleep 100"}, FIX, CLAIM])
    terminal.until("echo ready")
    terminal.type("\x03")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert terminal.shown.cursor_shown and terminal.shown.wraps
    assert not any("proven ·" in line for line in terminal.shown.screen)


@pytest.mark.runs
def test_events_are_those_of_the_ledger(cart):
    told = [json.loads(line) for line in play(cart, FIX, CLAIM, form="--events", more=QUICK).out.splitlines()]
    kept = [json.loads(line) for line in cart("show", "last", "--events").out.splitlines()]
    assert [(each["seq"], each["type"], each["body"]) for each in told] == [
        (each["seq"], each["type"], each["body"]) for each in kept[: len(told)]
    ]
    assert all(each["at"].endswith("Z") for each in told)
    assert {each["type"] for each in kept[len(told) :]} <= {"noted", "closed"}


@pytest.mark.runs
def test_a_reader_that_goes_away_ends_no_run(cart):
    words = ("run", "Fix it", "--accept", TESTS, "--script", script(cart, [FIX, CLAIM]), *QUICK)
    shell = f"{shlex.join([sys.executable, '-m', 'donewhen', *words])} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", shell], cwd=cart.folder, env=cart.env, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1), done.stderr
    assert "the run goes on" in done.stderr
    assert cart("show", "last", "--json").json["stop_reason"] == "accepted"
