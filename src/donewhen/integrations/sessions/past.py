"""What the ledger of a session says so far: prompts, refused stops, who wrote, where it stands. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from donewhen.core.codec import EMPTY, Json
from donewhen.core.events import Event
from donewhen.core.events.facts import Verified
from donewhen.core.events.run import Decided, PromiseAmended, PromiseSet, State
from donewhen.core.questions import VERIFIER as QUESTIONS
from donewhen.core.questions import rows_of
from donewhen.core.stopping import Stops, counted
from donewhen.integrations.hook.places import ONLY_READS

_OWN = re.compile(r"project|prompt \d+")  # who amends a promise without a human
GAP = "hook_gap"
SUBAGENT = "subagent "  # before the id of one, in the cause of a decision
_MOST_BLOCKS = 2  # by what a prompt demands, its own and later ones together


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
    edited: frozenset[str] = frozenset()  # paths that the agent changed since a tree was accepted
    edited_now: frozenset[str] = frozenset()  # and since the user spoke last
    base: str = ""  # the tree that was accepted last; empty: none yet
    waiting: tuple[tuple[str, tuple[str, ...]], ...] = ()  # trees since then that only questions held up
    over: frozenset[int] = frozenset()  # prompts whose demands count no more
    called_now: bool = False  # something that may write was called since the user spoke
    examined: bool = False  # something was decided since the user spoke last

    @property
    def may_have_acted(self) -> bool:
        """Whether anything was done since the last decision; a client may tell of no calls at all."""
        return self.acted or not self.writers

    @property
    def prompt(self) -> str:
        """What the user said last."""
        return self.prompts[-1] if self.prompts else ""

    @property
    def demanding(self) -> tuple[tuple[str, str], ...]:
        """The prompts whose demands count, with their names."""
        numbered = enumerate(self.prompts, 1)
        return tuple((f"prompt {number}", text) for number, text in numbered if number not in self.over)

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
        self._edited: set[str] = set()
        self._edited_now: set[str] = set()
        self._over: set[int] = set()
        self._blocked: dict[int, int] = {}  # by the number of the prompt whose demands were among it
        self._questions: tuple[str, ...] = ()
        self._past = Past()

    def take(self, event: Event) -> None:
        body = event.body
        match event.type:
            case "agent_told" if body.kind == "goal":
                self._spoken(body.text)
            case "state_changed":
                self._past = self._past._replace(state=body.state)
            case "promise_set" | "promise_amended":
                self._promised(body, "" if event.type == "promise_set" else body.by)
            case "tool_called":
                if body.tool not in ONLY_READS:
                    self._writers.add(body.key.partition("/")[0])
                    self._past = self._past._replace(acted=True, called_now=True)
            case "file_changed" if body.by == "agent":
                self._edited.add(body.path)
                self._edited_now.add(body.path)
            case "verified" if body.verifier == QUESTIONS:
                self._questions = _ids(body)
            case "decided":
                self._decided(body)
            case "hook_called" if body.reason == GAP:
                self._past = self._past._replace(gap=True)

    def _spoken(self, text: str) -> None:
        self._prompts.append(text)
        self._refused.clear()
        self._edited_now.clear()
        self._over.update(n for n, times in self._blocked.items() if times >= _MOST_BLOCKS)
        self._past = self._past._replace(examined=False, called_now=False)

    def _promised(self, body: PromiseSet | PromiseAmended, by: str) -> None:
        amended = self._past.amended
        if by and not _OWN.fullmatch(by):
            amended = amended_by(amended, self._past.promise, body.promise)
        self._past = self._past._replace(amended=amended, promise_id=body.id, promise=body.promise)

    def _decided(self, body: Decided) -> None:
        """What is let go was refused in the event before it; a sub-agent's stop counts for nobody else."""
        if body.cause.startswith(SUBAGENT):
            self._told.add(body.cause.removeprefix(SUBAGENT))
        elif body.status == "continue":
            self._refused.append(len(body.pending))
            self._count_demands()
        accepted = body.status == "accepted"
        if accepted:
            self._edited.clear()
            self._edited_now.clear()
            self._over.update(range(1, len(self._prompts) + 1))
        known = self._past
        self._past = known._replace(
            judged_tree=body.fingerprint,
            accepted=accepted,
            proven=known.proven | {body.fingerprint} if accepted else known.proven,
            base=body.fingerprint if accepted else known.base,
            waiting=() if accepted else (*known.waiting, *self._waiting(body)),
            acted=False,
            examined=True,
        )

    def _waiting(self, body: Decided) -> Iterator[tuple[str, tuple[str, ...]]]:
        if body.stop_reason == "escalated" and self._questions:
            yield body.fingerprint, self._questions

    def _count_demands(self) -> None:
        """What an earlier prompt demanded is shown once more, and never blocks a third time."""
        last = len(self._prompts)
        for number in range(1, last + 1):
            if number < last and number not in self._over:
                self._over.add(number)
            self._blocked[number] = self._blocked.get(number, 0) + 1

    def past(self) -> Past:
        return self._past._replace(
            prompts=tuple(self._prompts),
            refused=tuple(self._refused),
            told_agents=frozenset(self._told),
            writers=frozenset(self._writers),
            edited=frozenset(self._edited),
            edited_now=frozenset(self._edited_now),
            over=frozenset(self._over),
        )


def _ids(fact: Verified) -> tuple[str, ...]:
    return tuple(str(row["id"]) for row in rows_of(fact))


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
