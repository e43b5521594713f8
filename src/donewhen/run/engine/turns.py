"""The turn loop. What it does is named here and done elsewhere; what ends the run is raised by the parts."""

from collections.abc import Sequence

from donewhen.core.agent import Step
from donewhen.core.codec import freeze
from donewhen.core.events import facts
from donewhen.core.events.run import State
from donewhen.core.left import request_data
from donewhen.run.engine.announcing import tell_low
from donewhen.run.engine.controls import between_turns
from donewhen.run.engine.executor import Done
from donewhen.run.engine.hearing import heard, out_of_step, tell_acceptance
from donewhen.run.engine.limits import check_limits
from donewhen.run.engine.live import Run
from donewhen.run.engine.memory import checkpointed
from donewhen.run.engine.model import Stopped


async def work(live: Run) -> State:
    """Turns until the agent says that it is done: only then is anything validated."""
    while True:
        between_turns(live)
        check_limits(live)
        tell_acceptance(live)
        step, done = live.take_unheard() or await turn(live)
        claim = heard(live, step, done)
        if claim is not None:
            live.ledger.post(facts.CandidateKept(claim, signal=True))
            return "validating"
        live.ledger.post(checkpointed(live))


async def turn(live: Run) -> tuple[Step, Sequence[Done]]:
    step = await next_step(live)
    return step, await live.room.executor.turn(step.calls, only=lambda call: out_of_step(live, call))


async def next_step(live: Run, *, keep: bool = False) -> Step:
    """One answer of the agent, between the hooks that may look at it; `keep`: it hears all of it again."""
    live.begin_turn()
    before = await live.hook("before_model", turn=live.state.turns, phase=live.phase)
    if before.blocked:
        raise Stopped("fatal_error", cause="hook", detail=f"{before.by}: {before.blocked}")
    for note in before.notes:
        live.tell("note", note)
    step = await live.agent.step(live.view(keep=keep))
    live.ledger.post(stepped(live, step))
    if live.state.low:
        await tell_low(live)
    after = await live.hook("after_model", turn=live.state.turns, text=step.text, calls=len(step.calls))
    for note in after.notes:
        live.tell("note", note)
    return step


def stepped(live: Run, step: Step) -> facts.AgentStepped:
    requests = freeze([request_data(each) for each in step.calls])
    return facts.AgentStepped(
        live.state.turns,
        step.text,
        step.thinking,
        len(step.calls),
        step.finish,
        requests,
        step.opaque,
        step.model,
    )
