"""What a report of a run is made of: one frozen value that pages, comments and JSON show alike.

Nothing here is decided or worded; texts that others wrote stand in it as they were, and are made harmless by
whoever shows them. Everything is bounded: `left_out` says what was not taken in.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.codec import EMPTY, Json
from donewhen.core.texts import Phrase

Verdict = Literal["accepted", "not_accepted", "waiting", "running"]
Caught = Literal["denied", "blocked", "integrity", "masked", "rolled_back", "human", "secret"]


class Evidence(NamedTuple):
    """One event that speaks for or against a proof."""

    seq: int
    at: str
    type: str  # of the event
    what: str  # the command, the verifier, the file
    by: str = ""
    status: str = ""  # completed, failed, running; a verifier's verdict
    exit: int | None = None
    counts: Mapping[str, int] = EMPTY
    duration_ms: int = 0
    before: str = ""  # fingerprint of the tree that it began on
    after: str = ""
    environment: str = ""
    reason: str = ""
    digest: str = ""  # of the whole output, an artifact
    output: str = ""  # the whole up to a bound, else its end
    size: int = 0  # bytes of the whole
    note: Phrase | None = None  # why the output is not all of it


class Proven(NamedTuple):
    """A line of the proof board."""

    id: str
    kind: str
    target: str
    label: str
    source: str
    status: str  # passed, pending, failed, stale, masked
    reason: str
    evidence: tuple[Evidence, ...] = ()


class Attempt(NamedTuple):
    """A claim and what became of it."""

    number: int
    seq: int
    at: str
    status: str
    claim: str = ""
    summary: str = ""
    why: tuple[str, ...] = ()  # what was missing; for an accepted one, what proved it
    turns: int = 0  # since the attempt before
    calls: int = 0
    files: tuple[str, ...] = ()  # changed since the attempt before
    tree: str = ""


class Catch(NamedTuple):
    """Something that was tried, or found, and did not count."""

    seq: int
    at: str
    kind: Caught
    what: str
    why: str = ""
    rule: str = ""


class File(NamedTuple):
    path: str
    change: str  # added, modified, deleted, renamed
    added: int | None = None  # lines; None for what is no text
    removed: int | None = None


class Change(NamedTuple):
    """What the run changed; `where` says where its result was read from."""

    where: Literal["branch", "work", "workspace", "judged", ""] = ""
    base: str = ""
    result: str = ""  # a commit or a tree
    files: tuple[File, ...] = ()
    diff: str = ""
    cut: bool = False
    note: Phrase | None = None  # why there is no diff


class Spent(NamedTuple):
    kind: str
    model: str
    micros: int
    tokens_in: int
    tokens_out: int
    calls: int


class Hooked(NamedTuple):
    hook: str
    point: str
    outcome: str
    reason: str = ""
    times: int = 1
    duration_ms: int = 0


class Question(NamedTuple):
    ask: str
    at: str
    question: str
    tool: str = ""
    rule: str = ""
    answer: Literal["allowed", "denied", ""] = ""
    by: str = ""
    text: str = ""
    answered: str = ""  # when


class Moment(NamedTuple):
    seq: int
    at: str
    what: str  # state, decided, resumed, amended, asked, answered, effect, mode, interrupted, undone…
    text: str = ""


class Note(NamedTuple):
    at: str
    level: str
    text: str


class Record(NamedTuple):
    """The acceptance record and the head of the ledger behind it."""

    path: str = ""
    seq: int = 0
    hash: str = ""
    tree: str = ""
    accepted_at: str = ""
    tools: Mapping[str, Json] = EMPTY


class Dossier(NamedTuple):
    """All of a report."""

    run: str
    kind: Literal["run", "verify"]
    state: str
    verdict: Verdict
    executed: bool  # somebody executes the run now
    exit_code: int | None
    decision: Mapping[str, Json]
    goal: str
    promise: Mapping[str, Json]
    amended: int
    created: str
    updated: str
    duration: float
    turns: int
    tool_calls: int
    budget_micros: int | None
    budget_used: float | None
    total_micros: int
    held_micros: int = 0  # set aside for calls whose end nobody heard
    proofs: tuple[Proven, ...] = ()
    optional: tuple[Evidence, ...] = ()  # what verifiers said that nothing requires
    attempts: tuple[Attempt, ...] = ()
    caught: tuple[Catch, ...] = ()
    todos: tuple[Mapping[str, Json], ...] = ()
    change: Change = Change()
    spent: tuple[Spent, ...] = ()
    timeline: tuple[Moment, ...] = ()
    hooks: tuple[Hooked, ...] = ()
    questions: tuple[Question, ...] = ()
    notes: tuple[Note, ...] = ()
    resumed: tuple[Moment, ...] = ()
    by_hand: tuple[str, ...] = ()  # commands that bring the work to its place, where it could not go there
    about: Mapping[str, str] = EMPTY  # repo, base, branch, workspace, agent, profile, donewhen, sandbox …
    record: Record | None = None
    events: int = 0
    head: str = ""
    altered: tuple[str, ...] = ()  # digests of kept outputs that are not what was kept
    left_out: tuple[Phrase, ...] = ()
