"""Following a run: events as they come, shown on a terminal that is drawn in place, as lines, or as JSON.

A view hears bodies of events and nothing else of the engine, so what it shows is what the ledger says. It
never stops a run: a terminal that is gone is not drawn on any more. While a human is asked it gives way.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Self, TextIO

from donewhen.core.codec import from_json, to_json
from donewhen.core.events import Body, Event, run
from donewhen.core.ids import seconds
from donewhen.core.texts import Phrase, say
from donewhen.ui.hiding import redactor
from donewhen.ui.live_ending import Ending
from donewhen.ui.live_lines import Lines, Steps, note_masked
from donewhen.ui.output import clean, complain, one_line, paint, print_line
from donewhen.ui.progress import Progress
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.run.approvals_askers import Asker, Reply, Shown

_SHORTEST = 0.125  # seconds between two pictures
_LAST = 400  # characters of a line that a program printed
_TICK = 1.0  # seconds after which the clocks of a picture are wrong


class RunView:
    """Lines: one a step, or none at all where it is quiet."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._progress = Progress(quiet=quiet)
        self._ending = Ending()
        self._lines = Lines()
        self._redactor = redactor()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.wipe()

    def progress(self, what: Phrase, seconds: float = 0.0, last: str = "") -> None:
        """A step that no event tells."""
        self._progress(what, seconds, self._redactor.text(last[-_LAST:]))

    def recall(self, events: Iterable[Event]) -> None:
        """What happened before this process took the run up: known, but not told again."""
        for event in events:
            self._hear(event)
            self._ending.take(event.body)

    def saw(self, body: Body) -> None:
        """An event as it was just written: shown as the ledger has it, without secrets."""
        data = to_json(body)
        kept = self._redactor.data(data)
        self._show(body if kept is data else from_json(type(body), kept))

    def _show(self, body: Body) -> None:
        self._ending.take(body)
        line = "" if self._quiet else self._lines.line(body)
        if line:
            self._progress.wipe()
            self._print(line)

    def _print(self, line: str) -> None:
        """A reader that is gone (`| head`) ends no run: the rest is printed for nobody, and that is said."""
        try:
            print_line(line)
            sys.stdout.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            complain(t("run.nobody_reads", run=self._ending.run_id or "last"))

    def _hear(self, event: Event) -> None:
        self._ending.run_id = event.run_id

    def say(self, text: str) -> None:
        """Something for people that is no part of the output."""
        self._progress.wipe()
        complain(text)

    def aside(self) -> AbstractContextManager[None]:
        """While somebody else uses the terminal."""
        self._progress.wipe()
        return nullcontext()

    @property
    def heard(self) -> Callable[[Event], None] | None:
        """Who wants events as they are committed."""
        return self._hear

    @property
    def ending(self) -> Ending:
        """What was heard that the summary needs."""
        return self._ending


class EventsView(RunView):
    """`--events`: JSON lines of `show --events`, as they are written."""

    def __init__(self) -> None:
        super().__init__(quiet=True)

    def _show(self, body: Body) -> None:
        self._ending.take(body)

    def _hear(self, event: Event) -> None:
        from donewhen.ui.logs_text import event_json

        super()._hear(event)
        self._print(event_json(event))

    def recall(self, events: Iterable[Event]) -> None:
        for event in events:
            super()._hear(event)
            self._ending.take(event.body)


class LiveView(RunView):
    """A log that scrolls, and below it the state of the run, drawn again when something changed."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        from donewhen.run.panel import PanelFold
        from donewhen.ui.live_frame import Extra
        from donewhen.ui.live_screen import Screen

        super().__init__()
        self._clock = clock
        self._fold = PanelFold(language=language())
        self._screen = Screen(stream)
        self._steps = Steps()
        self._above: list[str] = []
        self._extra: Extra = Extra()
        self._held = 0
        self._lock = threading.RLock()
        self._news = threading.Event()
        self._over = threading.Event()
        self._drawer = threading.Thread(target=self._keep_drawing, name="live view", daemon=True)

    def __enter__(self) -> Self:
        self._drawer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._news.set()
        try:
            self._drawer.join(_TICK)
        finally:  # also when somebody presses Ctrl-C once more: the terminal is left as it was found
            with self._lock:
                self._screen.erase()
                self._screen.draw(self._above, ())
                self._above = []

    def progress(self, what: Phrase, seconds: float = 0.0, last: str = "") -> None:
        text = one_line(say(what.key, language(), **what.values))
        last = self._redactor.text(last[-_LAST:])
        with self._lock:
            self._extra = self._extra._replace(text=text, seconds=float(int(seconds)), last=last)
        self._news.set()

    def recall(self, events: Iterable[Event]) -> None:
        """The moments of the ledger, on the clock of this process."""
        shift = self._clock() - time.time()
        with self._lock:
            for event in events:
                self._hear(event)
                self._ending.take(event.body)
                self._fold.take(event.body, event.seq, seconds(event.at) + shift)
                self._steps.line(event.body)

    def _show(self, body: Body) -> None:
        with self._lock:
            self._ending.take(body)
            self._fold.take(body, self._fold.seq + 1, self._clock())
            note_masked(self._steps, self._fold, body)
            line = self._steps.line(body)
            self._above += line.split("\n") if line else []
            if isinstance(body, run.StateChanged | run.Decided):
                self._extra = self._extra._replace(text="")
        self._news.set()

    def say(self, text: str) -> None:
        """With the next picture: nobody is woken, because a handler of a signal may say something too."""
        with self._lock:
            self._above += clean(text).split("\n")

    @contextmanager
    def aside(self) -> Iterator[None]:
        with self._lock:
            self._screen.erase()
            self._screen.draw(self._above, ())
            self._above = []
            self._held += 1
        try:
            yield
        finally:
            with self._lock:
                self._held -= 1
            self._news.set()

    @property
    def ending(self) -> Ending:
        with self._lock:
            self._ending.proofs = self._fold.panel.proofs
            return self._ending

    def draw(self) -> bool:
        """One picture, unless the terminal is somebody else's now; False when nothing was written."""
        from donewhen.ui.live_frame import frame, painted

        with self._lock:
            if self._held or not self._screen.alive:
                return False
            columns, lines = self._screen.size()
            rows = painted(frame(self._fold.panel, self._clock(), columns, lines, self._extra), paint)
            above, self._above = self._above, []
            return self._screen.draw(above, rows)

    def _keep_drawing(self) -> None:
        while not self._over.is_set() and self._screen.alive:
            self._news.wait(None if self._held else _TICK)
            self._news.clear()
            if self._over.is_set():
                return
            self.draw()
            self._over.wait(_SHORTEST)


class Courteous:
    """An asker round another one: the view gives way while a human reads and types."""

    def __init__(self, asker: "Asker", view: RunView) -> None:
        self._asker = asker
        self._view = view

    async def ask(self, shown: "Shown") -> "Reply | None":
        with self._view.aside():
            return await self._asker.ask(shown)

    def tell(self, text: str) -> None:
        with self._view.aside():
            self._asker.tell(text)


def run_view(*, quiet: bool, machine: bool, events: bool) -> RunView:
    """The view that this output can have."""
    if events:
        return EventsView()
    if quiet or machine or not drawable(sys.stdout):
        return RunView(quiet=quiet or machine)
    return LiveView(sys.stdout)


def drawable(stream: TextIO) -> bool:
    """Whether rows can be drawn again in place there."""
    return stream.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")
