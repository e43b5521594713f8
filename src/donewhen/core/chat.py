"""What is said between a harness and a model, whatever protocol carries it.

A conversation only grows at its end. So a thing that was said becomes a `Piece`, which remembers what was
computed of it once, its size and its words on the wire: a turn costs what is new, not the whole history.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, get_args

from donewhen.core.agent import AgentView, Finish, ToolRequest, ToolSpec
from donewhen.core.budget import Call, Exhausted, Granted, Price, Usage
from donewhen.core.codec import EMPTY, Json
from donewhen.core.texts import Phrase

Role = Literal["plan", "execute", "review", "fix"]
Failure = Literal[
    "key",  # the endpoint does not take our key
    "quota",  # the account has no credit left
    "model",  # there is no such model
    "tools",  # the model takes no tools
    "request",  # the endpoint does not take the request for another reason
    "too_long",  # the prompt is longer than the model takes
    "unreachable",  # no connection
    "busy",  # asked to come again later
    "timeout",
    "server",  # the endpoint has trouble
    "cut",  # the answer broke off
    "answer",  # the answer can't be read
    "huge",  # the answer is larger than any we take
]
FAILURES: tuple[Failure, ...] = get_args(Failure)


class UserSaid(NamedTuple):
    text: str


class AgentSaid(NamedTuple):
    text: str
    calls: tuple[ToolRequest, ...] = ()
    thinking: str = ""
    opaque: Mapping[str, Json] = EMPTY  # what a provider wants back unchanged, by protocol


class ToolSaid(NamedTuple):
    """The result of a call of the AgentSaid before it."""

    id: str
    tool: str
    ok: bool
    output: str


Said = UserSaid | AgentSaid | ToolSaid


class Piece:
    """A thing that was said, with what was computed of it once."""

    __slots__ = ("said", "tokens", "wire")

    def __init__(self, said: Said) -> None:
        self.said = said
        self.tokens = -1  # as counted; -1 before
        self.wire: tuple[str, bytes] | None = None  # a protocol, and the words in it


class Prompt(NamedTuple):
    """All that a model sees, in this order; what changes least comes first, for the providers' caches."""

    system: tuple[str, ...]  # instructions, promise, facts, files
    tools: tuple[ToolSpec, ...]
    pieces: Sequence[Piece]  # calls and their results stand together
    standing: str = ""  # how things stand now: said last, and never again
    max_output: int = 8192
    temperature: float | None = None


class Used(NamedTuple):
    """Tokens, as an endpoint reports them; the four parts don't overlap."""

    input: int = 0  # neither read from a cache nor written to one
    output: int = 0  # reasoning included
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0  # of the output


class Reply(NamedTuple):
    text: str = ""
    calls: tuple[ToolRequest, ...] = ()
    thinking: str = ""
    finish: Finish = "stop"
    used: Used | None = None  # None: nothing was reported
    opaque: Mapping[str, Json] = EMPTY
    model: str = ""  # as the endpoint calls it


class ModelFailed(Exception):
    """A call that brought no reply. `free`: it can't have cost anything, for no work was begun."""

    def __init__(
        self,
        kind: Failure,
        detail: str = "",
        *,
        status: int = 0,
        retry_after: float | None = None,
        free: bool = False,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.detail = detail  # a bounded line of what the endpoint said; no secret is in it
        self.status = status
        self.retry_after = retry_after  # seconds, as the endpoint asks
        self.free = free


class Model(Protocol):
    """One model at one endpoint."""

    @property
    def name(self) -> str:
        """`provider:model`, as people and the ledger call it."""

    @property
    def input_percent(self) -> int:
        """How much of our count of the input its provider may count."""

    async def ask(self, prompt: Prompt) -> Reply:
        """One call, no retry; ModelFailed when there is no reply to be had. May be cancelled."""

    async def close(self) -> None: ...


class Fitted(NamedTuple):
    """A prompt that a model can take, and how large it is.

    `tokens(exact)`: of all that is said, and of the tools. Not exact is a bound that is never too low
    and costs nothing; the count itself is asked for only where the bound does not settle the matter.
    """

    prompt: Prompt
    tokens: Callable[[bool], tuple[int, int]]


class Talk(Protocol):
    """The conversation of a run as its model sees it: read from the ledger, made to fit."""

    def fit(self, view: AgentView, *, tighter: int = 0) -> Fitted:
        """The prompt for the next step; `tighter`: how often an endpoint said that it was too long.

        LimitReached when it can't be made to fit: the promise and what is open are never cut.
        """


class CallAccount(Protocol):
    """Pays for calls of models."""

    def reserve(
        self, call: Call, price: Price, *, whole: bool = False, model: str = ""
    ) -> Granted | Exhausted:
        """Set the worst case of a call aside; when this returns, the ledger has it.

        `whole`: only with all of the output that is asked for, not with less.
        """

    def book(self, key: str, used: Usage | None, *, model: str, cut: bool = False) -> None:
        """What a call cost; None: nobody knows, so all that was set aside is spent."""

    def count(self, text: str) -> int:
        """Its tokens."""

    @property
    def left(self) -> int | None:
        """Micro-dollars that nobody has spent or set aside; None where nothing limits."""

    @property
    def seconds_left(self) -> float:
        """That the run may still take."""

    def note(self, phrase: Phrase, *, warning: bool = False) -> None:
        """Something that people should read."""


class Desk(CallAccount, Protocol):
    """What a run lends to its agent."""

    @property
    def talk(self) -> Talk: ...

    def alone(self, instructions: str, request: str) -> Fitted:
        """A prompt apart from the conversation, without tools."""

    @property
    def plans(self) -> bool:
        """Whether somebody wants a plan before the work."""
