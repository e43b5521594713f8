"""How large the things are that are said, counted once each and only where it matters.

Each thing has a bound that costs nothing and is never too low. The count itself is made when the bounds
together exceed a limit, so a short run never loads a tokenizer, and a long one counts only what is new.
"""

from collections.abc import Iterable
from typing import Protocol

from donewhen.core.agent import ToolRequest
from donewhen.core.chat import AgentSaid, Piece, Said, ToolSaid, UserSaid
from donewhen.core.codec import dumps

OVERHEAD = 4  # tokens round a message, and round a call


class Counter(Protocol):
    def bound(self, text: str) -> int:
        """Tokens, never too low."""

    def count(self, text: str) -> int:
        """Tokens."""


def spoken(said: Said) -> str:
    """All words of it that travel; thinking goes back only as part of what a provider wants unchanged."""
    if isinstance(said, UserSaid):
        return said.text
    if isinstance(said, ToolSaid):
        return said.output
    words = [said.text, *map(_asked, said.calls)]
    if said.opaque:
        words.append(json_text(said.opaque))
    return "\n".join(words)


def overhead(said: Said) -> int:
    return OVERHEAD * (1 + len(said.calls)) if isinstance(said, AgentSaid) else OVERHEAD


def json_text(data: object) -> str:
    try:
        return dumps(data)
    except (TypeError, ValueError):  # a number that JSON has no word for
        return str(data)


def _asked(call: ToolRequest) -> str:
    return f"{call.id} {call.tool} {json_text(call.args)} {call.broken}"


def tokens(piece: Piece, counter: Counter) -> int:
    """The exact size, overhead included; the words are counted once."""
    if piece.tokens < 0:
        piece.tokens = counter.count(spoken(piece.said))
    return piece.tokens + overhead(piece.said)


class Line:
    """Pieces in a row with a running size: exact for the first ones, a bound for those behind."""

    def __init__(self, counter: Counter, pieces: Iterable[Piece] = ()) -> None:
        self._counter = counter
        self.pieces: list[Piece] = []
        self._sizes: list[int] = []
        self._exact = 0  # how many of them are counted
        self.size = 0  # never too low
        self.extend(pieces)

    def extend(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            bound = piece.tokens if piece.tokens >= 0 else self._counter.bound(spoken(piece.said))
            self.pieces.append(piece)
            self._sizes.append(bound + overhead(piece.said))
            self.size += self._sizes[-1]

    def exceeds(self, limit: int) -> bool:
        """Whether the exact size does; no more is counted than is needed to tell."""
        while self.size > limit and self._exact < len(self.pieces):
            self._settle()
        return self.size > limit

    def exact(self) -> int:
        while self._exact < len(self.pieces):
            self._settle()
        return self.size

    def _settle(self) -> None:
        size = tokens(self.pieces[self._exact], self._counter)
        self.size += size - self._sizes[self._exact]
        self._sizes[self._exact] = size
        self._exact += 1


class Sized:
    """A text that stands for itself, such as a part of the system prompt."""

    __slots__ = ("_count", "_counter", "bound", "text")

    def __init__(self, text: str, counter: Counter) -> None:
        self.text = text
        self.bound = counter.bound(text) + OVERHEAD if text else 0
        self._counter = counter
        self._count = -1

    def size(self, exact: bool) -> int:
        if not self.text:
            return 0
        if self._count < 0 and exact:
            self._count = self._counter.count(self.text) + OVERHEAD
        return self._count if self._count >= 0 else self.bound
