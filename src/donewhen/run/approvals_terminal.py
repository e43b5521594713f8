"""A question on a terminal: what would happen, why it is asked, and a letter as the answer.

Everything shown was written by an agent and is made harmless first. Only a line that was typed after the
question counts; whatever is no clear answer allows nothing, and neither do an end of input or Ctrl-C.
"""

import asyncio
import os
import signal
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TextIO
from unicodedata import east_asian_width

from donewhen.config.places import harmless
from donewhen.core.texts import Language, say
from donewhen.run.approvals_askers import Reply, Scope, Shown

MOST_LINE = 4096
MOST_TRIES = 3
MOST_SHOWN = 4000  # characters of an action; of a longer one the beginning and the end
PLAN = "plan_update"  # the tool whose questions are plans
MOST_OF_PLAN = 64_000  # whoever says yes to a plan reads all of it
_LETTERS: dict[str, Scope] = {"o": "once", "once": "once", "r": "run", "run": "run"}
_LASTING: dict[str, Scope] = {"a": "always", "always": "always"}
_NO = ("n", "no")
_ACTION, _MARGIN = "  | ", "    "


class HasDescriptor(Protocol):
    def fileno(self) -> int: ...


class Terminal:
    """Asks on the streams that it is given; they stay open."""

    def __init__(self, reading: HasDescriptor, writing: TextIO, language: Language = "en") -> None:
        self._descriptor = reading.fileno()
        self._writing = writing
        self._language = language
        self._typed = b""

    async def ask(self, shown: Shown) -> Reply | None:
        try:
            self._forget_what_was_typed_before()
            columns = self._columns()
            rows = (row for line in self._page(shown) for row in wrapped(line, columns))
            self._write("\n" + "\n".join(rows) + "\n")
            with _interrupted() as stopped:
                return await self._answer(shown, stopped)
        except (OSError, ValueError):  # the terminal is gone
            return None

    def tell(self, text: str) -> None:
        with suppress(OSError, ValueError):
            self._write(harmless(text, MOST_SHOWN) + "\n")

    async def _answer(self, shown: Shown, stopped: asyncio.Event) -> Reply | None:
        for _ in range(MOST_TRIES):
            self._write(self._say("choices_always" if shown.lasting else "choices"))
            line = await self._line(stopped)
            if line is None:
                self._write("\n")
                return None
            reply = read_reply(line, lasting=bool(shown.lasting))
            if reply is not None:
                return reply
            self._write(self._say("not_a_choice") + "\n")
        return None

    def _page(self, shown: Shown) -> Iterator[str]:
        ask = harmless(shown.ask)
        yield self._say("head", ask=ask, tool=harmless(shown.tool))
        most = MOST_OF_PLAN if shown.tool == PLAN else MOST_SHOWN
        for line in self._action(shown.action, most):
            yield _ACTION + line
        yield "  " + self._say("reason", reason=harmless(shown.reason, MOST_SHOWN))
        yield "  " + self._say("rule", rule=harmless(shown.rule))
        if shown.instead:
            yield "  " + self._say("instead", instead=harmless(shown.instead, MOST_SHOWN))
        if shown.lasting:
            yield "  " + self._say("lasting", text=harmless(shown.lasting, MOST_SHOWN))
        yield "  " + self._say("elsewhere", ask=ask)

    def _action(self, action: str, most: int) -> Iterator[str]:
        left_out = len(action) - most
        if left_out <= 0:
            yield from _lines(action)
            return
        half = most // 2
        yield from _lines(action[:half])
        yield self._say("cut", count=left_out)
        yield from _lines(action[-half:])

    async def _line(self, stopped: asyncio.Event) -> str | None:
        """The next line; None at the end of input or when stopped. No thread: a wait can be given up."""
        while b"\n" not in self._typed and len(self._typed) < MOST_LINE:
            if not await self._readable(stopped):
                return None
            part = os.read(self._descriptor, MOST_LINE)
            if not part:
                return None
            self._typed += part
        if b"\n" not in self._typed:  # its end must not pass for the next line
            return await self._rest_of_line(stopped)
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")

    async def _rest_of_line(self, stopped: asyncio.Event) -> str | None:
        """A line that is too long to be an answer, read away to its end."""
        while b"\n" not in self._typed:
            if not await self._readable(stopped):
                return None
            self._typed = os.read(self._descriptor, MOST_LINE)
            if not self._typed:
                return None
        self._typed = self._typed.partition(b"\n")[2]
        return ""

    async def _readable(self, stopped: asyncio.Event) -> bool:
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        try:
            loop.add_reader(self._descriptor, ready.set)
        except PermissionError:  # a plain file can always be read
            return not stopped.is_set()
        waits = [asyncio.ensure_future(event.wait()) for event in (ready, stopped)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            loop.remove_reader(self._descriptor)
            for wait in waits:
                wait.cancel()
        return not stopped.is_set()

    def _forget_what_was_typed_before(self) -> None:
        """A key pressed before the question was shown is no answer to it."""
        if os.isatty(self._descriptor):
            self._typed = b""
            with suppress(termios.error):
                termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def _columns(self) -> int:
        """How wide the terminal is; 0 where there is none."""
        try:
            return os.get_terminal_size(self._writing.fileno()).columns
        except (OSError, ValueError):
            return 0

    def _write(self, text: str) -> None:
        self._writing.write(text)
        self._writing.flush()

    def _say(self, name: str, **values: object) -> str:
        return say(f"approvals.{name}", self._language, **values)


def read_reply(line: str, *, lasting: bool) -> Reply | None:
    """What a typed line says; None when it is no clear answer."""
    words = line.strip().split(maxsplit=1)
    word = words[0].lower() if words else ""
    rest = words[1] if len(words) > 1 else ""
    if word in _NO:
        return Reply(False, text=rest)
    letters = _LETTERS | _LASTING if lasting else _LETTERS
    return Reply(True, letters[word]) if word in letters and not rest else None


def wrapped(line: str, columns: int) -> Iterator[str]:
    """A line in rows that fit, each with its margin: a long one must not begin a row of the page's own."""
    margin = _ACTION if line.startswith(_ACTION) else _MARGIN
    if columns < 2 * len(margin):
        yield line
        return
    row, taken = "", 0
    for char in line:
        width = 2 if east_asian_width(char) in "WF" else 1
        if taken + width >= columns:  # a full row would move the cursor on some terminals
            yield row
            row, taken = margin, len(margin)
        row, taken = row + char, taken + width
    yield row


def _lines(text: str) -> list[str]:
    return [harmless(line, MOST_SHOWN) for line in text.split("\n")]


@contextmanager
def _interrupted() -> Iterator[asyncio.Event]:
    """An event that Ctrl-C sets instead of ending the run, while the question is open."""
    stopped = asyncio.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, stopped.set)
    try:
        yield stopped
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        if before is not None:
            signal.signal(signal.SIGINT, before)
