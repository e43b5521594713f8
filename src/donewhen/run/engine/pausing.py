"""While somebody is asked the run is paused: everybody can see it, and whoever wants to hear is told."""

import asyncio
from contextlib import suppress

from donewhen.core.errors import DonewhenError, HumanNeeded
from donewhen.core.events import run
from donewhen.run.approvals_askers import Reply, Shown
from donewhen.run.engine.ledger import Ledger
from donewhen.run.engine.model import People, Stop, Terms


class Pausing:
    """An asker round another one."""

    def __init__(self, people: People, terms: Terms, ledger: Ledger) -> None:
        self._asker = people.asker
        self._stop = people.stop or Stop()
        self._terms = terms
        self._ledger = ledger

    async def ask(self, shown: Shown) -> Reply | None:
        was = self._ledger.state.position.state
        self._ledger.append(run.StateChanged(was, "paused", f"asked: {shown.ask}"))
        self._stop.waits = True
        telling = asyncio.create_task(self._tell(shown))
        try:
            return await self._asker.ask(shown)
        except HumanNeeded:
            await telling  # nobody is here to answer: that is when somebody has to hear of it
            raise
        finally:
            self._stop.waits = False
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling
            self._ledger.append(run.StateChanged("paused", was, "answered"))

    def tell(self, text: str) -> None:
        self._asker.tell(text)

    async def _tell(self, shown: Shown) -> None:
        from donewhen.run.engine.announcing import tell_people

        about = {"ask": shown.ask, "action": shown.action, "answer": f"donewhen approve {shown.ask}"}
        with suppress(DonewhenError):  # that nobody could be told changes nothing about the question
            await tell_people(self._terms, self._ledger, "pause", shown.reason, about)
