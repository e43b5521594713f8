"""Who is asked: the seam, and the askers that need no terminal.

An asker shows a question and brings a reply, or None when none will come from there. It decides nothing and
writes nothing; it is cancelled when the answer came from elsewhere or the time is up.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, Protocol

from donewhen.core.errors import HumanNeeded

Scope = Literal["once", "run", "always"]
SCOPES: tuple[Scope, ...] = ("once", "run", "always")


class Shown(NamedTuple):
    """A question as it is put to a person."""

    ask: str
    tool: str
    action: str
    reason: str
    rule: str
    instead: str = ""  # what would be allowed without asking
    lasting: str = ""  # what `always` would allow; empty where it can't be chosen


class Reply(NamedTuple):
    allowed: bool
    scope: Scope = "once"
    text: str = ""
    who: str = ""


class Asker(Protocol):
    async def ask(self, shown: Shown) -> Reply | None: ...
    def tell(self, text: str) -> None:
        """Something that whoever was asked may want to know."""
        ...


class Stored:
    """Nobody is here: the answer comes by `donewhen approve` or `deny`. `on_ask` may call somebody."""

    def __init__(self, on_ask: Callable[[Shown], None] | None = None) -> None:
        self._on_ask = on_ask

    async def ask(self, shown: Shown) -> Reply | None:
        if self._on_ask:
            self._on_ask(shown)
        await asyncio.Event().wait()
        return None

    def tell(self, text: str) -> None:
        """Nobody is here."""


class Nobody:
    """Nobody is there and nobody will be: every question is a refusal."""

    async def ask(self, shown: Shown) -> Reply | None:
        return None

    def tell(self, text: str) -> None:
        """Nobody is here."""


class Waiting:
    """Nobody is asked: the run is put aside until somebody answers."""

    async def ask(self, shown: Shown) -> Reply | None:
        raise HumanNeeded("approvals.waiting", ask=shown.ask)

    def tell(self, text: str) -> None:
        """Nobody is here."""


class Scripted:
    """Answers from a list, for tests and demos; when they are used up, nobody answers."""

    def __init__(self, replies: Iterable[Reply | None] = ()) -> None:
        self._replies = list(replies)
        self.asked: list[Shown] = []
        self.told: list[str] = []

    async def ask(self, shown: Shown) -> Reply | None:
        self.asked.append(shown)
        await asyncio.sleep(0)  # others get their turn, as with a person
        return self._replies.pop(0) if self._replies else None

    def tell(self, text: str) -> None:
        self.told.append(text)
