"""A transcript made from events, and a counter whose figures can be checked in one's head."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from donewhen.context.conversation import Conversation, conversation
from donewhen.context.facts import Facts
from donewhen.context.history import Squeezed
from donewhen.context.settings import Settings
from donewhen.core.agent import AgentView, Phase, ToolSpec
from donewhen.core.chat import AgentSaid, Prompt, ToolSaid, UserSaid
from donewhen.core.codec import EMPTY
from donewhen.core.events import facts
from donewhen.core.promise import Criterion, Promise
from donewhen.core.transcript import Transcript

OBJECTIVE = "Mend the cart: a sum of 0.1 and 0.2 is 0.3.\n  Keep   the odd spaces. 购物车"
PROMISE = Promise("cp-1700000000000-ab12", OBJECTIVE, (Criterion("c1", "the sum is right"),))
STANDING = "open: `npm test` is red\nbudget: 3 of 10 dollars\n  两个待办"
TOOLS = (ToolSpec("run_command", "Run it.", {"type": "object"}), ToolSpec("complete", "Done."))
DEFAULT = Settings()
NO_FACTS = Facts()
DENIED = "denied by the guard: it would push to main (rule push)"


class Quarters:
    """A token is four bytes."""

    def __init__(self) -> None:
        self.counted = 0  # characters

    def bound(self, text: str) -> int:
        return len(text.encode("utf-8", "surrogatepass"))

    def count(self, text: str) -> int:
        self.counted += len(text)
        return (self.bound(text) + 3) // 4


class Call(NamedTuple):
    tool: str
    args: dict[str, Any]
    output: str | None = ""  # None: it was interrupted
    ok: bool = True


class Turn(NamedTuple):
    told: tuple[tuple[Any, str], ...] = ()
    text: str = ""
    calls: tuple[Call, ...] = ()
    opaque: Mapping[str, Any] = EMPTY


def play(transcript: Transcript, turns: Iterable[Turn]) -> None:
    for turn in turns:
        tell(transcript, *turn.told)
        act(transcript, turn)


def tell(transcript: Transcript, *told: tuple[Any, str]) -> None:
    for kind, text in told:
        transcript.take(facts.AgentTold(kind, text))


def act(transcript: Transcript, turn: Turn) -> None:
    """The step of a turn and the results of its calls."""
    number = transcript.steps + 1
    requests = tuple({"id": f"t{at}", "tool": c.tool, "args": c.args} for at, c in enumerate(turn.calls))
    transcript.take(
        facts.AgentStepped(number, turn.text, calls=len(requests), requests=requests, opaque=turn.opaque)
    )
    for at, call in enumerate(turn.calls):
        key = f"c{number}.{at}"
        transcript.take(facts.ToolCalled(key, call.tool, call.args, f"t{at}"))
        if call.output is not None:
            transcript.take(facts.ToolReturned(key, call.tool, call.ok, call.output))


def transcript_of(turns: Iterable[Turn] = ()) -> Transcript:
    transcript = Transcript("interrupted and undone; repeat it if still wanted")
    play(transcript, turns)
    return transcript


def talk(
    transcript: Transcript,
    settings: Settings = DEFAULT,
    standing: Callable[[], str] = lambda: STANDING,
    known: Facts = NO_FACTS,
    redact: Callable[[str], str] = str,
    counter: Any = None,
    squeezed: Callable[[Squeezed], None] = lambda _: None,
) -> Conversation:
    return conversation(transcript, settings, standing, known, redact, counter or Quarters(), squeezed)


def view(phase: Phase = "execute", promise: Promise = PROMISE) -> AgentView:
    return AgentView(1, phase, promise, tools=TOOLS)


def words(prompt: Prompt) -> str:
    """All that a model is sent, but for the arguments of calls."""
    said = []
    for piece in prompt.pieces:
        if isinstance(piece.said, UserSaid | AgentSaid):
            said.append(piece.said.text)
        else:
            said.append(piece.said.output)
    return "\n".join((*prompt.system, *said, prompt.standing))


def paired(prompt: Prompt) -> bool:
    """Whether every call is followed by its result, and no result stands alone."""
    waiting: list[str] = []
    for piece in prompt.pieces:
        said = piece.said
        if isinstance(said, ToolSaid):
            if not waiting or waiting.pop(0) != said.id:
                return False
            continue
        if waiting:
            return False
        if isinstance(said, AgentSaid):
            waiting = [call.id for call in said.calls]
    return not waiting
