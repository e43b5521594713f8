"""The seam to whoever does the work: what an agent sees at a turn, and what it does with it.

A view holds what is new since the last step; an agent that needs the whole history keeps it itself. A step
is only a wish: nothing in it has happened yet, and no word in it proves anything.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from donewhen.core.codec import EMPTY, Json
from donewhen.core.promise import Promise

if TYPE_CHECKING:
    from donewhen.core.chat import Desk

Finish = Literal["stop", "length", "refusal"]  # how the reply came to its end
MessageKind = Literal["goal", "feedback", "reminder", "note"]
Phase = Literal["plan", "execute", "fix"]


class ToolRequest(NamedTuple):
    """A call that the agent asks for, as it was sent: nothing of it is validated yet."""

    id: str  # unique in its turn
    tool: str
    args: Mapping[str, Json] = EMPTY
    broken: str = ""  # why the arguments could not even be read


class Step(NamedTuple):
    """What an agent does with its turn."""

    text: str = ""
    calls: tuple[ToolRequest, ...] = ()
    thinking: str = ""
    finish: Finish = "stop"
    opaque: Mapping[str, Json] = EMPTY  # what a provider wants back with the next call
    model: str = ""  # that made the step, where one did


class Returned(NamedTuple):
    """What became of a call, as the agent is told."""

    id: str
    tool: str
    ok: bool
    output: str
    error_class: str = ""


class Message(NamedTuple):
    """Something that the harness says to the agent."""

    kind: MessageKind
    text: str


class ToolSpec(NamedTuple):
    """A tool as it is described to an agent."""

    name: str
    description: str
    schema: Mapping[str, Json] = EMPTY  # of its arguments, JSON Schema


class AgentView(NamedTuple):
    turn: int  # 1, 2, 3 … of the run
    phase: Phase
    promise: Promise
    results: tuple[Returned, ...] = ()  # of the calls of its last step, in their order
    messages: tuple[Message, ...] = ()  # since its last step
    tools: tuple[ToolSpec, ...] = ()


class Stepped(NamedTuple):
    """A step from before a resume; `again`: it answered to calls that had been interrupted."""

    step: Step
    again: bool = False


class Agent(Protocol):
    @property
    def name(self) -> str:
        """As people and the ledger call it."""

    @property
    def follows_mode(self) -> bool:
        """Whether forced mode binds it; to all others it is advice."""

    @property
    def talks(self) -> bool:
        """Whether it works at a desk, where it finds the whole conversation and an account to pay from."""

    def join(self, desk: "Desk") -> None:
        """The workspace is open; only for an agent that talks."""

    async def step(self, view: AgentView) -> Step:
        """The next step; AgentError or SetupError when there is none to be had."""

    def memory(self) -> Mapping[str, Json]:
        """What it needs to go on later in another process; small, for it is written at every turn."""

    def recall(self, memory: Mapping[str, Json], since: Sequence[Stepped]) -> None:
        """Go on from there; `since` are steps that it made after that, of which the last may lack results.

        A call whose result is of the class `interrupted` was undone: it may be asked for again.
        """

    async def close(self) -> None:
        """The run is over."""
