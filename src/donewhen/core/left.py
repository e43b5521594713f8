"""What a process that is gone left of its run, read from the ledger alone.

Where to go on, what was said and not yet heard, which calls nobody saw the end of, which outside effects
were begun. A pure projection: nothing is undone, repeated or even looked at here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from donewhen.core.agent import Message, Returned, Step, Stepped, ToolRequest
from donewhen.core.codec import thaw
from donewhen.core.errors import SetupError
from donewhen.core.events import Event, facts, run
from donewhen.core.events.run import State
from donewhen.core.reasons import STOP_REASONS

INTERRUPTED = "interrupted"  # the class of a result that never came
_OUTSIDE = "todo_waiting_external"
_WAITS = frozenset(  # that leave a run to a human
    {"escalated", "budget_exceeded", "fatal_error", "verification_execution_error", _OUTSIDE}
)


class Made(NamedTuple):
    """A call of the agent's last step, as far as it came."""

    key: str
    request: ToolRequest
    begun: facts.CallBegun | None = None  # it may have written from here on
    ended: facts.CommandEnded | None = None
    changed: tuple[facts.FileChanged, ...] = ()
    returned: facts.ToolReturned | None = None

    @property
    def over(self) -> bool:
        """Whether its result is known; a command that ended before its result was told has one too."""
        return self.returned is not None or self.ended is not None

    @property
    def told(self) -> Returned:
        """Its result as the agent heard it, or would have."""
        ended = self.ended
        if self.returned is not None:
            ok, output, error = self.returned.ok, self.returned.output, self.returned.error_class
        elif ended is not None:
            ok, output, error = ended.exit == 0, ended.tail, "" if ended.exit == 0 else "exit"
        else:
            ok, output, error = False, "", INTERRUPTED
        return Returned(self.request.id, self.request.tool, ok, output, error)


class Left:
    """Folded from the events of one run."""

    def __init__(self) -> None:
        self.started: run.RunStarted | None = None
        self.opened: run.WorkspaceOpened | None = None
        self.state: State = "idle"
        self.held: State | None = None  # while it is paused
        self.paused_for = ""
        self.closed = False
        self.checkpoint: run.Checkpointed | None = None
        self.steps: tuple[Stepped, ...] = ()  # that the agent made since the checkpoint
        self.last: Step | None = None
        self.calls: dict[str, Made] = {}  # of the last step, by key, in the order in which they began
        self.messages: tuple[Message, ...] = ()  # that the agent may not have heard
        self.running: dict[str, facts.CommandStarted] = {}  # commands of the agent without an end
        self.effects: dict[str, facts.EffectIntended] = {}  # since the checkpoint
        self.aside: dict[str, facts.EffectIntended] = {}  # the same, of the pause that it is in
        self.done: dict[str, facts.EffectDone] = {}
        self.branch = ""  # the commit that was put on the run's branch
        self.merged = ("", "")  # the branch that it was merged into, and the commit there
        self.decided: run.Decided | None = None  # since the checkpoint
        self.rolled_back: facts.RolledBack | None = None  # since the checkpoint
        self.answered = ""  # since the checkpoint: the reason of a hand-over after which a human let it go on
        self.discounted: frozenset[str] = frozenset()  # interrupted calls that an earlier resume took off
        self.state_of_step: State = "idle"  # in which the last step was made
        self._model = ""

    def take(self, events: Iterable[Event]) -> "Left":
        for event in events:
            fold = _FOLDS.get(type(event.body))
            if fold is not None:
                fold(self, event.body)
        return self

    @property
    def begun(self) -> run.RunStarted:
        if self.started is None:
            raise SetupError("resume.no_start")
        return self.started

    @property
    def metadata(self) -> Mapping[str, str]:
        return self.begun.metadata

    @property
    def model(self) -> str:
        """That was named or chosen last; empty where the configuration decides."""
        return self._model or self.metadata.get("model", "")

    @property
    def to_go_on(self) -> State:
        """The state that the run is in, or was in before it was put aside."""
        return self.held or self.state

    @property
    def _waits_for(self) -> str:
        return self.paused_for.partition(":")[0] if self.state == "paused" else ""

    @property
    def handed_over(self) -> bool:
        """Whether it waits for a human by its own decision: who resumes it answers that."""
        return self._waits_for in _WAITS

    @property
    def afresh(self) -> bool:
        """Whether the run gets new tries, because a human looked at it."""
        return self.handed_over or bool(self.answered)

    @property
    def supplied(self) -> bool:
        """Whether a human says that what the agent's todos waited for is there now."""
        return _OUTSIDE in (self._waits_for, self.answered) and self.to_go_on == "validating"

    @property
    def ending(self) -> run.Decided | None:
        """The decision that ends the run, where it was made and not yet carried out."""
        decided = None if self.handed_over else self.decided
        return decided if decided is not None and decided.stop_reason in STOP_REASONS else None

    @property
    def unheard(self) -> bool:
        """Whether the agent made a step whose meaning nobody has drawn yet."""
        return bool(self.steps)

    @property
    def turn_over(self) -> bool:
        """Whether all calls of that step are over: the turn counts, and only its meaning is open."""
        return self.unheard and self.state_of_step == "executing" and not (self.interrupted or self.unmade)

    @property
    def interrupted(self) -> tuple[Made, ...]:
        return tuple(made for made in self.calls.values() if not made.over) if self.unheard else ()

    @property
    def not_to_count(self) -> int:
        """Calls that count as made and were interrupted; whoever resumes takes them off once."""
        return sum(made.key not in self.discounted for made in self.interrupted)

    @property
    def unmade(self) -> tuple[ToolRequest, ...]:
        """Calls of the last step that were not even begun."""
        made = {made.request.id for made in self.calls.values()}
        wished = self.last.calls if self.last and self.unheard else ()
        return tuple(request for request in wished if request.id not in made)

    @property
    def results(self) -> tuple[Returned, ...]:
        """Of the last step, in the order in which its calls were asked for."""
        known = {made.request.id: made.told for made in self.calls.values()}
        wished = self.last.calls if self.last else ()
        nothing = (Returned(each.id, each.tool, False, "", INTERRUPTED) for each in wished)
        return tuple(known.get(each.id, each) for each in nothing)

    # -- one fold for each kind of event -----------------------------------------------------------

    def _started(self, body: run.RunStarted) -> None:
        self.started = body

    def _opened(self, body: run.WorkspaceOpened) -> None:
        self.opened = body

    def _moved(self, body: run.StateChanged) -> None:
        self.held = body.was if body.state == "paused" else None
        self.paused_for = body.reason if body.state == "paused" else ""
        self.state = body.state

    def _checkpointed(self, body: run.Checkpointed) -> None:
        self.checkpoint = body
        self.steps = ()
        self.effects, self.aside, self.done = {}, {}, {}
        self.decided = self.rolled_back = None
        self.answered = ""

    def _resumed(self, body: run.Resumed) -> None:
        self.closed = False
        self._model = body.model or self._model
        self.aside = {}
        self.discounted |= {made.key for made in self.interrupted}
        if self.handed_over:
            self.effects, self.done, self.decided = {}, {}, None
            self.answered = self._waits_for

    def _closed(self, body: run.Closed) -> None:
        self.closed = True

    def _stepped(self, body: facts.AgentStepped) -> None:
        calls = tuple(
            ToolRequest(str(each["id"]), str(each["tool"]), each.get("args", {}), str(each.get("broken", "")))
            for each in body.requests
        )
        again = any(each.error_class == INTERRUPTED for each in self.results)
        self.last = Step(body.text, calls, body.thinking, body.finish)
        self.steps += (Stepped(self.last, again),)
        self.calls = {}
        self.state_of_step = self.state
        if self.state == "executing":
            self.messages = ()

    def _told(self, body: facts.AgentTold) -> None:
        self.messages += (Message(body.kind, body.text),)

    def _called(self, body: facts.ToolCalled) -> None:
        wished = self.last.calls if self.last else ()
        plain = ToolRequest(body.id, body.tool, body.args)
        request = next((each for each in wished if each.id == body.id), plain)
        self.calls[body.key] = Made(body.key, request)

    def _begun(self, body: facts.CallBegun) -> None:
        self.rolled_back = None  # what was taken back is back, or no call could begin
        self._with(body.key, begun=body)

    def _interrupted(self, body: facts.CallInterrupted) -> None:
        self.calls.pop(body.key, None)
        self.running.pop(body.key, None)

    def _returned(self, body: facts.ToolReturned) -> None:
        self._with(body.key, returned=body)

    def _command(self, body: facts.CommandStarted) -> None:
        if body.by == "agent":
            self.running[body.key] = body

    def _ended(self, body: facts.CommandEnded) -> None:
        if self.running.pop(body.key, None) is not None:
            self._with(body.key, ended=body)

    def _changed(self, body: facts.FileChanged) -> None:
        open_calls = [made for made in self.calls.values() if made.returned is None]
        if body.by == "agent" and open_calls:
            made = open_calls[-1]  # calls that write are made one by one
            self._with(made.key, changed=(*made.changed, body))

    def _with(self, key: str, **fields: Any) -> None:
        if key in self.calls:
            self.calls[key] = self.calls[key]._replace(**fields)

    def _intended(self, body: facts.EffectIntended) -> None:
        where = self.aside if self.state == "paused" else self.effects
        where[body.key] = body

    def _did(self, body: facts.EffectDone) -> None:
        self.done[body.key] = body
        intended = self.effects.get(body.key)
        if intended is not None and intended.effect == "branch" and body.ok:
            self.branch = body.reference
        if intended is not None and intended.effect == "merge" and body.ok:
            self.merged = (intended.target, body.reference)

    def _decided(self, body: run.Decided) -> None:
        self.decided = body

    def _rolled_back(self, body: facts.RolledBack) -> None:
        self.rolled_back = body


_FOLDS: Mapping[type, Callable[[Left, Any], None]] = {
    run.RunStarted: Left._started,
    run.WorkspaceOpened: Left._opened,
    run.StateChanged: Left._moved,
    run.Checkpointed: Left._checkpointed,
    run.Resumed: Left._resumed,
    run.Closed: Left._closed,
    run.Decided: Left._decided,
    facts.AgentStepped: Left._stepped,
    facts.AgentTold: Left._told,
    facts.ToolCalled: Left._called,
    facts.CallBegun: Left._begun,
    facts.CallInterrupted: Left._interrupted,
    facts.ToolReturned: Left._returned,
    facts.CommandStarted: Left._command,
    facts.CommandEnded: Left._ended,
    facts.FileChanged: Left._changed,
    facts.EffectIntended: Left._intended,
    facts.EffectDone: Left._did,
    facts.RolledBack: Left._rolled_back,
}


def request_data(request: ToolRequest) -> dict[str, Any]:
    """A call as a step in the ledger holds it."""
    data = {"id": request.id, "tool": request.tool, "args": thaw(request.args), "broken": request.broken}
    return {name: value for name, value in data.items() if value}
