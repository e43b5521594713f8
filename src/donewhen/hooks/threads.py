"""Python hooks are called in a thread of their own, for so long as they may take.

A thread can't be killed: one that hangs is left alone (it never keeps the process from ending), and its hook
is not called again until it has come back. Whatever the code raises is its failure, never ours.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from donewhen.config.places import harmless
from donewhen.core.codec import freeze, thaw
from donewhen.core.hooking import Occasion, Verdict
from donewhen.core.texts import Phrase
from donewhen.hooks.answers import arguments_of
from donewhen.hooks.model import PASS, Answer

Code = Callable[[Occasion], Any]


class Threaded:
    """A hook that is a plain function of the occasion."""

    def __init__(self, name: str, code: Code, timeout: float) -> None:
        self._name = name
        self._code = code
        self._timeout = timeout
        self._hung: threading.Thread | None = None

    async def ask(self, occasion: Occasion) -> Answer:
        if self._hung is not None and self._hung.is_alive():
            return Answer(failed=Phrase("hooks.still_busy"))
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Answer] = loop.create_future()

        def deliver(answer: Answer) -> None:
            if not answered.done():
                answered.set_result(answer)

        def work() -> None:
            answer = called(self._code, occasion)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(deliver, answer)

        thread = threading.Thread(target=work, name=f"hook {self._name}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # no more threads
            return Answer(failed=Phrase("hooks.not_run", {"why": str(error)}))
        try:
            return await asyncio.wait_for(answered, self._timeout)
        except TimeoutError:
            self._hung = thread
            return Answer(failed=Phrase("hooks.timed_out", {"seconds": f"{self._timeout:g}"}))


def called(code: Code, occasion: Occasion) -> Answer:
    """What foreign code answers, checked; it gets data that it can't change."""
    try:
        return _checked(code(occasion._replace(data=freeze(thaw(occasion.data)))))
    except BaseException as error:  # foreign code may raise anything, also SystemExit
        why = harmless(f"{type(error).__name__}: {error}", 400)
        return Answer(failed=Phrase("hooks.raised", {"why": why}))


def _checked(said: Any) -> Answer:
    if said is None:
        return PASS
    if isinstance(said, Answer):
        return said
    if not isinstance(said, Verdict) or not _is_whole(said):
        return Answer(failed=Phrase("hooks.no_verdict", {"kind": harmless(type(said).__name__)}))
    args = None if said.args is None else arguments_of(thaw(said.args))
    if isinstance(args, Phrase):
        return Answer(failed=args)
    return Answer(said.blocked, "\n".join(said.notes), args)


def _is_whole(said: Verdict) -> bool:
    notes = isinstance(said.notes, tuple | list) and all(isinstance(note, str) for note in said.notes)
    return notes and isinstance(said.blocked, str)
