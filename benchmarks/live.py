"""The live view: how much of a core it takes while a command runs, and what a long ledger costs to fold."""

import os
import pty
import termios
import threading
import time
from collections.abc import Callable, Iterator

from benchmarks.measure import Figure, at_most, interleaved
from donewhen.core.events import Body, facts, run
from donewhen.core.texts import Phrase
from donewhen.run.panel import PanelFold
from donewhen.ui.live import LiveView
from donewhen.ui.live_frame import frame

HOW = (
    "CPU time of the whole process (view, drawing thread and the reader at the other end of the pseudo-terminal) "
    "over 6 s of wall time each, 12 proofs and 8 todos; folds are medians of 5 rounds"
)
_SECONDS = 6.0
_EVENTS = 10_000
_PROMISE = run.PromiseSet(
    "cp-1760000000000-0000",
    {
        "objective": "measure it",
        "acceptance": [{"id": "c1", "description": "all pass"}],
        "accept": ["pytest", *(f"make check{number}" for number in range(11))],
    },
)


def figures() -> list[Figure]:
    """The view while nothing is heard, while a lot is, and the fold of a long run."""
    silent = _share(lambda view: time.sleep(_SECONDS))
    busy = _share(_busily)
    events = list(_story(_EVENTS))
    folded = _folded(events)
    times = interleaved(
        {
            "fold": lambda: _folded(events),
            "frame": lambda: frame(folded.panel, 1e6, 100, 30),
        },
        5,
    )
    return [
        at_most("one command runs, nothing else is heard", silent, "% of a core", 3),
        at_most("20 events and 10 lines of progress a second", busy, "% of a core", 3),
        at_most(f"folding {_EVENTS:,} events into a panel", times["fold"] * 1000, "ms", 1000),
        Figure("one picture of 100 × 30", times["frame"] * 1000, "ms"),
    ]


def _share(work: Callable[[LiveView], object]) -> float:
    """Percent of a core that is used while `work` waits."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (30, 100))
    reader = threading.Thread(target=_drain, args=[ours], daemon=True)
    reader.start()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream, LiveView(stream) as view:
        for body in _story(40):
            view.saw(body)
        view.saw(facts.ToolCalled("long", "run_command", {"command": "make everything"}))
        wall, used = time.perf_counter(), time.process_time()
        work(view)
        used, wall = time.process_time() - used, time.perf_counter() - wall
    reader.join(5)
    os.close(ours)
    return 100 * used / wall


def _drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 65536):
            pass
    except OSError:  # the view's end is closed
        return


def _busily(view: LiveView) -> None:
    story = _turns(10**6)
    end = time.perf_counter() + _SECONDS
    while time.perf_counter() < end:
        view.saw(next(story))
        view.saw(next(story))
        view.progress(Phrase("verify.comparing"), 1.0, "collected 1200 items")
        time.sleep(0.1)


def _folded(events: list[Body]) -> PanelFold:
    fold = PanelFold()
    for seq, body in enumerate(events, 1):
        fold.take(body, seq, float(seq))
    assert len(fold.panel.proofs) >= 12
    return fold


def _story(count: int) -> Iterator[Body]:
    yield run.RunStarted("measure it", budget_micros=10_000_000)
    yield _PROMISE
    yield run.StateChanged("idle", "executing")
    for number in range(8):
        yield run.TodoChanged(f"t{number}", {"content": f"step {number}", "status": "pending"})
    turns = _turns(count)
    for _ in range(count - 11):
        yield next(turns)


def _turns(most: int) -> Iterator[Body]:
    for turn in range(1, most):
        key, tree = f"c{turn}", f"{turn:040x}"
        command = "pytest" if turn % 3 else "pytest | tail -3"
        yield run.TurnStarted(turn)
        yield facts.ToolCalled(key, "run_command", {"command": command})
        yield facts.CommandStarted(key, command, before=tree)
        yield facts.CommandEnded(key, command, exit=0, tail="3 passed in 0.1s\n", before=tree, after=tree)
        yield facts.ToolReturned(key, "run_command", True, "3 passed", duration_ms=300)
        yield facts.FileChanged(f"src/m{turn % 50}.py", "edit")
        yield run.CostBooked(key, "llm", 100)
