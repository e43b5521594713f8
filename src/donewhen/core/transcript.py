"""What was said in a run, folded from its events one by one.

A run that goes on in another process has the same transcript as one that never stopped: nothing of it is
kept anywhere else. A call without a result was interrupted; it gets an answer all the same, for no protocol
takes a call without one. An answer that was meant as the last one and was not taken is not said again: the
ledger has it, and what the agent hears is why it goes on.
"""

from collections.abc import Callable, Mapping
from typing import Any

from donewhen.core.agent import ToolRequest
from donewhen.core.chat import AgentSaid, Piece, ToolSaid, UserSaid
from donewhen.core.events import Body, facts


class Exchange:
    """What the agent was told, what it did then, and what became of its calls."""

    __slots__ = ("asked", "pieces", "results", "said", "told")

    def __init__(self) -> None:
        self.told: list[facts.AgentTold] = []
        self.said: AgentSaid | None = None  # None while its step is still to come
        self.asked: dict[str, str] = {}  # key of a call: its id
        self.results: dict[str, ToolSaid] = {}  # by id
        self.pieces: tuple[Piece, ...] | None = None  # made once, when a model hears of it


class Transcript:
    """The exchanges so far; the last one is open."""

    def __init__(self, undone: str = "") -> None:
        self._undone = undone  # what an interrupted call is answered with
        self.exchanges: list[Exchange] = [Exchange()]

    def take(self, body: Body) -> None:
        fold = _FOLDS.get(type(body))
        if fold is not None:
            fold(self, body)

    @property
    def steps(self) -> int:
        return len(self.exchanges) - 1

    def pieces(self, exchange: Exchange) -> tuple[Piece, ...]:
        """In the order in which a model hears them. Asked for when a step is due: all results are there."""
        if exchange is self.exchanges[-1]:
            return tuple(map(Piece, self._said(exchange)))
        if exchange.pieces is None:
            exchange.pieces = tuple(map(Piece, self._said(exchange)))
        return exchange.pieces

    def _said(self, exchange: Exchange) -> list[UserSaid | AgentSaid | ToolSaid]:
        found: list[UserSaid | AgentSaid | ToolSaid] = []
        if exchange.told:
            found.append(UserSaid("\n\n".join(each.text for each in exchange.told)))
        if exchange.said is not None:
            found.append(exchange.said)
            for call in exchange.said.calls:
                nothing = ToolSaid(call.id, call.tool, False, self._undone)
                result = exchange.results.get(call.id, nothing)
                found.append(result._replace(tool=call.tool))  # as it was asked for, in whatever spelling
        return found

    # -- one fold for each kind of event -----------------------------------------------------------

    def _told(self, body: facts.AgentTold) -> None:
        self.exchanges[-1].told.append(body)

    def _stepped(self, body: facts.AgentStepped) -> None:
        calls = tuple(
            ToolRequest(str(each["id"]), str(each["tool"]), each.get("args", {}), str(each.get("broken", "")))
            for each in body.requests
        )
        self.exchanges[-1].said = AgentSaid(body.text, calls, body.thinking, body.opaque)
        self.exchanges.append(Exchange())

    def _kept(self, body: facts.CandidateKept) -> None:
        if self.steps and (said := self.exchanges[-2].said) is not None and not said.calls:
            self.exchanges[-2].said = None

    def _called(self, body: facts.ToolCalled) -> None:
        if self.steps:
            self.exchanges[-2].asked[body.key] = body.id

    def _returned(self, body: facts.ToolReturned) -> None:
        if self.steps:
            last = self.exchanges[-2]
            asked = last.asked.get(body.key, "")
            last.results[asked] = ToolSaid(asked, body.tool, body.ok, body.output)


_FOLDS: Mapping[type, Callable[[Transcript, Any], None]] = {
    facts.AgentTold: Transcript._told,
    facts.AgentStepped: Transcript._stepped,
    facts.CandidateKept: Transcript._kept,
    facts.ToolCalled: Transcript._called,
    facts.ToolReturned: Transcript._returned,
}
