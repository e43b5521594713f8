"""The live view: a consumer of events that draws on a real terminal, and gives way to people."""

import asyncio
import os
import pty
import termios
from collections.abc import Iterator

import pytest

from donewhen.core.events import Event, facts, run
from donewhen.core.texts import Phrase
from donewhen.run.approvals_askers import Reply, Shown
from donewhen.ui.live import Courteous, EventsView, LiveView, RunView, drawable, run_view
from donewhen.ui.live_lines import Steps
from tests.run.test_board import PROMISE, ended
from tests.ui.emulator import Emulator

CALL = facts.ToolCalled("c1", "run_command", {"command": "make all"})
DONE = facts.ToolReturned("c1", "run_command", True, duration_ms=1200)
SHOWN = Shown("a-1", "git_push", "git push", "it publishes", "publish")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Watched:
    """A view on a pseudo-terminal, and what that terminal shows."""

    def __init__(self, columns: int = 60, lines: int = 20) -> None:
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (lines, columns))
        self.stream = os.fdopen(theirs, "w", encoding="utf-8")
        self.terminal = Emulator(columns, lines)
        self.clock = Clock()
        self.view = LiveView(self.stream, self.clock)

    def saw(self, *bodies: object) -> None:
        for body in bodies:
            self.view.saw(body)

    def draw(self) -> list[str]:
        self.view.draw()
        return self.look()

    def look(self) -> list[str]:
        self.stream.write("\0")  # what was written before has come out when this has
        self.stream.flush()
        data = b""
        while not data.endswith(b"\0"):
            data += os.read(self._ours, 65536)
        self.terminal.feed(data[:-1].decode())
        return self.terminal.screen

    def close(self) -> None:
        self.stream.close()
        os.close(self._ours)


@pytest.fixture
def watched() -> Iterator[Watched]:
    made = Watched()
    yield made
    made.close()


def begin(watched: Watched) -> None:
    watched.saw(
        run.RunStarted("fix it", budget_micros=2_000_000),
        PROMISE,
        run.StateChanged("idle", "executing"),
        run.TurnStarted(1),
    )


def test_what_goes_on_is_below_and_what_is_over_scrolls_above(watched):
    begin(watched)
    watched.saw(CALL)
    watched.clock.now += 7
    assert watched.draw()[:3] == [
        "▸ working",
        "▸ working · turn 1 · 0/3 proven · $0.00/$2.00 · 7s",
        "  $ 7s make all",
    ]
    watched.saw(DONE)
    assert watched.draw()[:4] == [
        "▸ working",
        "  ✓ $ make all  1.2s",
        "▸ working · turn 1 · 0/3 proven · $0.00/$2.00 · 7s",
        "  · pending pytest  it was not run",
    ]


def test_a_picture_is_drawn_only_when_it_differs(watched):
    begin(watched)
    assert watched.view.draw() is True
    watched.clock.now += 0.4
    assert watched.view.draw() is False
    watched.clock.now += 1
    assert watched.view.draw() is True
    watched.look()


def test_a_masked_command_does_not_look_like_a_proof(watched):
    begin(watched)
    watched.saw(
        facts.ToolCalled("k", "run_command", {"command": "pytest || true"}),
        ended("pytest || true", "agent"),
        facts.ToolReturned("k", "run_command", True),
    )
    screen = "\n".join(watched.draw())
    assert "◐ $ pytest || true" in screen
    assert "✓" not in screen


def test_the_view_gives_way_while_somebody_is_asked(watched):
    begin(watched)
    watched.draw()

    class Asker:
        async def ask(self, shown: Shown) -> Reply:
            watched.stream.write("may it? ")
            watched.saw(run.Noted("meanwhile", "warning"))
            assert watched.view.draw() is False
            return Reply(True)

        def tell(self, text: str) -> None:
            watched.stream.write(f"{text}\r\n")

    reply = asyncio.run(Courteous(Asker(), watched.view).ask(SHOWN))
    assert reply == Reply(True)
    assert watched.look() == ["▸ working", "may it?"]
    watched.stream.write("\r\n")
    assert [row for row in watched.draw() if "meanwhile" in row] == ["  ! meanwhile", "  ! meanwhile"]
    Courteous(Asker(), watched.view).tell("nobody heard")
    assert "nobody heard" in watched.look()


def test_at_the_end_nothing_of_the_live_part_is_left(watched):
    with watched.view:
        begin(watched)
        watched.saw(CALL, DONE)
    assert watched.look() == ["▸ working", "  ✓ $ make all  1.2s", ""]
    assert watched.terminal.cursor_shown and watched.terminal.wraps


def test_an_interrupt_leaves_a_clean_terminal(watched):
    with pytest.raises(KeyboardInterrupt), watched.view:
        begin(watched)
        watched.view.draw()
        raise KeyboardInterrupt
    assert watched.look() == ["▸ working", ""]
    assert watched.terminal.cursor_shown


def test_a_terminal_of_another_size_is_drawn_anew(watched):
    begin(watched)
    watched.saw(facts.ToolCalled("c", "run_command", {"command": "x" * 200}))
    assert max(map(len, watched.draw())) <= 60
    termios.tcsetwinsize(watched.stream.fileno(), (10, 40))
    watched.terminal = Emulator(40, 10)
    rows = watched.draw()
    assert len(rows) <= 10 and max(map(len, rows)) <= 40


def test_a_terminal_that_hangs_up_stops_nothing():
    watched = Watched()
    begin(watched)
    os.close(watched._ours)
    watched.view.draw()
    watched.saw(CALL, DONE)
    assert watched.view.draw() is False


def test_a_run_that_is_taken_up_again_is_known_but_not_told_again(watched):
    started = "2026-11-16T02:20:17.387Z"
    past = [run.RunStarted("fix it"), PROMISE, run.StateChanged("idle", "executing"), CALL, DONE]
    watched.view.recall(Event(seq, "r", started, "", body, "") for seq, body in enumerate(past, 1))
    watched.saw(run.Resumed(1, "executing"))
    rows = watched.draw()
    assert rows[0] == "▸ resumed after turn 1"
    assert not any("make all" in row for row in rows)


def test_progress_is_part_of_the_picture_until_the_state_changes(watched):
    begin(watched)
    watched.view.progress(Phrase("verify.comparing"), 3.0, "line\x1b[2J")
    assert any(row.startswith("  ⚖ 3s comparing") for row in watched.draw())
    watched.saw(run.StateChanged("executing", "validating"))
    assert not any("⚖" in row for row in watched.draw())


def test_calls_that_failed_say_why_above():
    steps = Steps()
    steps.line(CALL)
    steps.line(ended("make all", "agent", exit=2)._replace(key="c1"))
    assert steps.line(DONE) == "  ✗ $ make all  1.2s  exit 2"
    steps.line(CALL)
    denied = DONE._replace(ok=False, error_class="denied", output="no push\nmore", duration_ms=0)
    assert steps.line(denied) == "  ✗ $ make all\n    ✗ no push"


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_secrets_are_shown_no_more_than_the_ledger_keeps_them(watched, capsys):
    call = facts.ToolCalled("c", "run_command", {"command": f"curl -H 'Authorization: Bearer {SECRET}' x"})
    begin(watched)
    watched.saw(call)
    watched.view.progress(Phrase("verify.comparing"), 3.0, SECRET)
    assert SECRET not in "\n".join(watched.draw())
    for view in (RunView(), EventsView()):
        view.saw(call)
    out = capsys.readouterr().out
    assert SECRET not in out
    assert out.count("[redacted:") == 1


def test_where_nothing_can_be_drawn_there_are_lines(monkeypatch, capsys):
    view = run_view(quiet=False, machine=False, events=False)
    assert type(view) is RunView
    with view:
        view.saw(CALL)
    assert capsys.readouterr().out == "  $ make all\n"
    assert isinstance(run_view(quiet=False, machine=True, events=True), EventsView)


@pytest.mark.parametrize(("term", "expected"), [("xterm", True), ("dumb", False), ("", False)])
def test_a_dumb_terminal_is_not_drawn_on(watched, monkeypatch, term, expected):
    monkeypatch.setenv("TERM", term)
    assert drawable(watched.stream) is expected
