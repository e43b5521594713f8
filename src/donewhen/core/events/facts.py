"""What was seen to happen: commands, files, refusals, verdicts, answers. Evidence is folded from these."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.core.codec import EMPTY, Json

By = Literal["agent", "harness", "hook", "human"]


class CommandStarted(NamedTuple):
    """Written before the command runs, so that a killed process leaves a trace of what it was doing."""

    key: str
    command: str
    argv: tuple[str, ...] = ()
    cwd: str = ""
    by: By = "agent"
    before: str = ""
    background: bool = False


class CommandEnded(NamedTuple):
    key: str
    command: str
    argv: tuple[str, ...] = ()
    cwd: str = ""
    by: By = "agent"
    exit: int | None = None
    state: Literal["completed", "failed", "running"] = "completed"
    duration_ms: int = 0
    output: str = ""  # digest of the whole output, an artifact
    tail: str = ""
    counts: Mapping[str, int] = EMPTY
    before: str = ""
    after: str = ""
    environment: str = ""
    on: tuple[str, ...] = ()  # trees that this run speaks for; empty: the one before it
    of_run: str = ""  # whose result this is, where one of an earlier run is used again


class FileChanged(NamedTuple):
    path: str
    change: Literal["write", "edit", "delete", "move", "copy"]
    digest: str = ""
    version: int = 1
    origin: str = ""  # the path that was moved or copied
    by: By = "agent"


class FileConfirmed(NamedTuple):
    path: str
    version: int
    by: By = "agent"


class ContentMatched(NamedTuple):
    path: str
    pattern: str
    fingerprint: str = ""


class ToolCalled(NamedTuple):
    key: str
    tool: str
    args: Mapping[str, Json] = EMPTY  # long texts are cut: the step has them whole
    id: str = ""  # by which the agent knows it


class CallBegun(NamedTuple):
    """A call that may write begins now: what the workspace was, to come back to when it is interrupted."""

    key: str
    tree: str
    head: str = ""  # `ref: refs/heads/NAME`, or a commit
    commit: str = ""


class CallInterrupted(NamedTuple):
    """A call of which nobody heard the end; its processes are gone."""

    key: str
    tool: str
    undone: bool = False  # the workspace is what it was before; False: the call had not begun
    outside: bool = False  # it may have had effects that nobody can undo


class ToolReturned(NamedTuple):
    key: str
    tool: str
    ok: bool
    output: str = ""
    error_class: str = ""
    duration_ms: int = 0


class Denied(NamedTuple):
    tool: str
    rule: str
    reason: str = ""
    command: str = ""
    target: str = ""
    approval: Literal["auto", "user", "never"] = "user"


class Verified(NamedTuple):
    verifier: str
    scope: str
    verdict: Literal["passed", "failed", "warning", "skipped", "could_not_run"]
    fingerprint: str = ""
    details: Mapping[str, Json] = EMPTY
    promise_id: str = ""


class Reviewed(NamedTuple):
    """One review of the change: what it came to, and what the next one goes on from."""

    judge: str
    overall: Literal["pass", "fail", "could_not_run", "skipped"]
    round: int = 0
    model: str = ""
    fingerprint: str = ""
    verdicts: Mapping[str, str] = EMPTY  # met, unmet or unclear, by criterion
    why: str = ""
    micros: int = 0  # of the calls, which are booked one by one
    duration_ms: int = 0
    rounds: Mapping[str, Json] = EMPTY  # see verify.review_protocol
    promise_id: str = ""


class CheckpointJudged(NamedTuple):
    """One evaluation of a checkpoint, allowed or not."""

    checkpoint: str
    allowed: bool
    trace_id: str = ""
    issues: tuple[str, ...] = ()
    promise_id: str = ""


class Asked(NamedTuple):
    ask: str
    question: str
    tool: str = ""
    rule: str = ""


class Answered(NamedTuple):
    ask: str
    allowed: bool
    by: By = "human"
    text: str = ""
    scope: Literal["once", "run", "always"] = "once"
    who: str = ""  # the user who answered a question about a change
    given: str = ""  # and when, where that was before the event


class EffectIntended(NamedTuple):
    """Before something outside the workspace is touched (push, PR, notification): its idempotency key."""

    key: str
    effect: str
    target: str = ""
    promise_id: str = ""


class EffectDone(NamedTuple):
    key: str
    ok: bool
    reference: str = ""
    promise_id: str = ""


class CandidateKept(NamedTuple):
    """An answer that was not accepted as the end of the run; kept, but not part of the transcript."""

    text: str
    signal: bool = False


class AgentStepped(NamedTuple):
    """What an agent answered at a turn, beside its tool calls."""

    turn: int
    text: str = ""
    thinking: str = ""
    calls: int = 0
    finish: Literal["stop", "length", "refusal"] = "stop"
    requests: tuple[Mapping[str, Json], ...] = ()  # the calls as they were asked for: id, tool, args
    opaque: Mapping[str, Json] = EMPTY  # what a provider wants back with the next call
    model: str = ""


class AgentTold(NamedTuple):
    """What the harness said to the agent."""

    kind: Literal["goal", "feedback", "reminder", "note"]
    text: str


class HookCalled(NamedTuple):
    hook: str
    point: str
    outcome: Literal["passed", "blocked", "failed", "noted", "changed"]
    reason: str = ""
    duration_ms: int = 0


class RolledBack(NamedTuple):
    """The workspace was made what it had been at an earlier tree."""

    tree: str
    reason: str = ""
    paths: tuple[str, ...] = ()
