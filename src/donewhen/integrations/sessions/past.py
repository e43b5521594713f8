"""What the ledger of a session says so far: prompts, refused stops, who wrote, where it stands. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.core.codec import EMPTY, Json
from donewhen.core.events import Event
from donewhen.core.events.run import Decided, State
from donewhen.core.stopping import Stops, counted

_OWN = re.compile(r"project|prompt \d+")  # who amends a promise without a human
GAP = "hook_gap"
SUBAGENT = "subagent "  # before the id of one, in the cause of a decision
_READS = frozenset(
    """Read Grep Glob LS NotebookRead WebFetch WebSearch TodoWrite TodoRead read_file read_many_files
    list_directory glob search_file_content grep_search web_fetch google_web_search read grep list webfetch
    todowrite todoread""".split()
)


class Amended(NamedTuple):
    """What a human changed with `amend`: it outlives every promise that is composed anew."""

    dropped: frozenset[str] = frozenset()  # commands, and `KIND TARGET` of checks
    accept: tuple[str, ...] = ()
    permits: tuple[str, ...] = ()


class Past(NamedTuple):
    prompts: tuple[str, ...] = ()
    refused: tuple[int, ...] = ()  # open proofs of each stop not accepted since the last prompt
    told_agents: frozenset[str] = frozenset()  # sub-agents that were refused a stop of their own
    writers: frozenset[str] = frozenset()  # agents that called something that may write
    state: State = "idle"
    promise_id: str = ""
    promise: Mapping[str, Json] = EMPTY
    amended: Amended = Amended()
    judged_tree: str = ""  # of the last decision
    accepted: bool = False
    proven: frozenset[str] = frozenset()  # trees that were accepted
    acted: bool = False  # something that may write was called since the last decision
    gap: bool = False  # events were missed while donewhen could not start

    @property
    def may_have_acted(self) -> bool:
        """Whether anything was done since the last decision; a client may tell of no calls at all."""
        return self.acted or not self.writers

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
                if event.type == "promise_amended" and not _OWN.fullmatch(body.by):
                    amended = amended_by(self._past.amended, self._past.promise, body.promise)
                    self._past = self._past._replace(amended=amended)
                self._past = self._past._replace(promise_id=body.id, promise=body.promise)
            case "tool_called":
                if body.tool not in _READS:
                    self._writers.add(body.key.partition("/")[0])
                    self._past = self._past._replace(acted=True)
            case "decided":
                self._decided(body)
            case "hook_called" if body.reason == GAP:
                self._past = self._past._replace(gap=True)

    def _decided(self, body: Decided) -> None:
        """What is let go was refused in the event before it; a sub-agent's stop counts for nobody else."""
        if body.cause.startswith(SUBAGENT):
            self._told.add(body.cause.removeprefix(SUBAGENT))
        elif body.status == "continue":
            self._refused.append(len(body.pending))
        accepted = body.status == "accepted"
        proven = self._past.proven | {body.fingerprint} if accepted else self._past.proven
        self._past = self._past._replace(
            judged_tree=body.fingerprint, accepted=accepted, proven=proven, acted=False
        )

    def past(self) -> Past:
        return self._past._replace(
            prompts=tuple(self._prompts),
            refused=tuple(self._refused),
            told_agents=frozenset(self._told),
            writers=frozenset(self._writers),
        )


def amended_by(known: Amended, before: Mapping[str, Any], after: Mapping[str, Any]) -> Amended:
    """With one more change by a human; what he puts back is no longer dropped."""
    was, now = set(_entries(before)), set(_entries(after))
    accept = [line for line in (*known.accept, *after.get("accept", ())) if line in now]
    fresh = tuple(dict.fromkeys(line for line in accept if line in known.accept or line not in was))
    permits = tuple(after.get("permits", ()))
    return Amended((known.dropped | (was - now)) - now, fresh, permits)


def _entries(promise: Mapping[str, Any]) -> Iterator[str]:
    yield from promise.get("accept", ())
    for check in promise.get("checks", ()):
        yield f"{check.get('kind', '')} {check.get('target', '')}"


def known_as(agent_id: str) -> str:
    """A sub-agent as the hook writes it before the key of each of its calls."""
    return agent_id[:100].replace("/", "_")
