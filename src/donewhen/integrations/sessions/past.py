"""What the ledger of a session says so far: prompts, refused stops, who wrote, where it stands. Pure."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from donewhen.core.codec import EMPTY, Json
from donewhen.core.events import Event
from donewhen.core.events.run import Decided, State
from donewhen.core.stopping import Stops, counted

SUBAGENT = "subagent "  # before the id of one, in the cause of a decision
_READS = frozenset(
    """Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite TodoRead read_file read_many_files
    list_directory glob search_file_content grep_search web_fetch google_web_search read grep list webfetch
    todowrite todoread""".split()
)


class Past(NamedTuple):
    prompts: tuple[str, ...] = ()
    refused: tuple[int, ...] = ()  # open proofs of each stop not accepted since the last prompt
    told_agents: frozenset[str] = frozenset()  # sub-agents that were refused a stop of their own
    writers: frozenset[str] = frozenset()  # agents that called something that may write
    state: State = "idle"
    promise_id: str = ""
    promise: Mapping[str, Json] = EMPTY
    judged_tree: str = ""  # of the last decision
    accepted: bool = False

    @property
    def stops(self) -> Stops:
        return counted(self.refused)


def past_of(events: Iterable[Event]) -> Past:
    folding = _Fold()
    for event in events:
        folding.take(event)
    return folding.past()


class _Fold:
    def __init__(self) -> None:
        self._prompts: list[str] = []
        self._refused: list[int] = []
        self._told: set[str] = set()
        self._writers: set[str] = set()
        self._past = Past()

    def take(self, event: Event) -> None:
        body = event.body
        match event.type:
            case "agent_told" if body.kind == "goal":
                self._prompts.append(body.text)
                self._refused.clear()
            case "state_changed":
                self._past = self._past._replace(state=body.state)
            case "promise_set" | "promise_amended":
                self._past = self._past._replace(promise_id=body.id, promise=body.promise)
            case "tool_called":
                if body.tool not in _READS:
                    self._writers.add(body.key.partition("/")[0])
            case "decided":
                self._decided(body)

    def _decided(self, body: Decided) -> None:
        accepted = body.status == "accepted"
        if body.cause.startswith(SUBAGENT):
            self._told.add(body.cause.removeprefix(SUBAGENT))
        if not accepted:
            self._refused.append(len(body.pending))
        self._past = self._past._replace(judged_tree=body.fingerprint, accepted=accepted)

    def past(self) -> Past:
        return self._past._replace(
            prompts=tuple(self._prompts),
            refused=tuple(self._refused),
            told_agents=frozenset(self._told),
            writers=frozenset(self._writers),
        )


def known_as(agent_id: str) -> str:
    """A sub-agent as the hook writes it before the key of each of its calls."""
    return agent_id[:100].replace("/", "_")
