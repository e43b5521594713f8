"""A run is taken up by another process: the ledger is its state, and one process at a time owns it.

Nothing acknowledged is lost, what was half done is undone and told, and the run goes on in the state in which
it was. A run that has ended only has put away what was left of it.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, cast

from donewhen.agents.scripted import Script, Scripted
from donewhen.commands import parse
from donewhen.core.agent import Agent, Step
from donewhen.core.codec import thaw
from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Event, facts, run
from donewhen.core.events.run import State
from donewhen.core.left import INTERRUPTED, Left
from donewhen.core.promise import Promise
from donewhen.core.promise_data import read_promise, with_sources
from donewhen.core.protocols import Lease
from donewhen.core.reasons import StopReason
from donewhen.core.summary import ENDED
from donewhen.core.texts import say
from donewhen.run.engine.again import Makes, terms_again
from donewhen.run.engine.beating import TTL, beating
from donewhen.run.engine.driver import drive, enter
from donewhen.run.engine.ending import conclude, fail_hook, leave_shipped
from donewhen.run.engine.environment import without_own_environment
from donewhen.run.engine.furnishing import furnish
from donewhen.run.engine.heeding import heeding
from donewhen.run.engine.ledger import Ledger
from donewhen.run.engine.live import Run
from donewhen.run.engine.memory import checkpointed, recall
from donewhen.run.engine.model import OnAsk, Outcome, People, Stopped, Terms
from donewhen.run.engine.outcome import outcome_of
from donewhen.run.engine.recording import kept_record
from donewhen.run.engine.refusing import tell_again
from donewhen.run.engine.starting import approvals_of, transcript_for
from donewhen.run.engine.state import RunState
from donewhen.run.engine.undoing import hear_again, undo
from donewhen.run.shipping.commit import Shipped
from donewhen.run.shipping.leaving import put_away
from donewhen.run.shipping.site import reopen_site
from donewhen.store import Opened
from donewhen.store.crashing import crash_point
from donewhen.store.owner import this_process
from donewhen.verify.change import Means
from donewhen.workspace.rooms.caching import using

_VERIFICATION = "verify"
_LAST = "run_end"  # the point of the hooks that are called last
_SHOWN = 20
_PROMISES = (run.PromiseSet, run.PromiseAmended)


class Again(NamedTuple):
    """How a run is taken up."""

    means: Means
    makes: Makes
    people: People
    on_ask: OnAsk | None = None
    abort: str = ""  # who wants it ended instead
    past: tuple[Event, ...] = ()  # what was read of the run already
    model: Callable[[], str] = str  # that the agent works with, once it is made


async def resume_run(opened: Opened, run_id: str, again: Again) -> Outcome:
    """Go on with a run to its end; UserError when it is none that could be gone on with."""
    store = opened.store
    lease = store.lease(run_id, this_process(), ttl=TTL)  # refused while another process lives
    try:
        known = again.past[-1].seq if again.past else 0
        events = (*again.past, *store.read(run_id, known))
        left = Left().take(events)
        if left.begun.agent == _VERIFICATION:
            raise UserError("resume.verification", run=run_id)
        live = _live(opened, lease, events, left, again)
        with using(live.terms.places):
            async with beating(live.ledger), heeding(live):
                await drive(live, lambda run: take_up(run, left, again))
            return outcome_of(live)
    finally:
        store.release(lease)


def _live(opened: Opened, lease: Lease, events: Sequence[Event], left: Left, again: Again) -> Run:
    means = again.means._replace(env=without_own_environment(again.means.env))
    terms = terms_again(lease.run_id, left, _promise(events), means, again.makes, again.on_ask)
    agent = _agent(terms, left, again)
    state = RunState(terms.config, parse, transcript_for(agent, means.language))
    for event in events:
        state.take(event.body)
    ledger = Ledger(opened, lease.run_id, state, again.people.watch, again.people.heard)
    ledger.lease = lease
    ledger.recall_effects(() if left.handed_over else left.effects.values())
    live = Run(terms, ledger, agent, approvals_of(terms, ledger, again.people))
    live.stop = again.people.stop
    kept = left.checkpoint or run.Checkpointed(0)
    recall(live, kept.memory, afresh=left.afresh)
    agent.recall(kept.agent, left.steps)
    live.resumed = live.taken_up = True
    live.closed = left.closed and left.state in ENDED
    return live


def _agent(terms: Terms, left: Left, again: Again) -> Agent:
    """Who goes on with the work; a run that is only ended needs nobody, also where a key is gone."""
    if again.abort:
        return Scripted(Script((), "stop", Step()), left.begun.agent)
    return terms.wish.agent(terms.config)


def _promise(events: Sequence[Event]) -> Promise:
    set_by = (event.body for event in reversed(events) if isinstance(event.body, _PROMISES))
    body = next(set_by, None)
    if body is None:
        raise SetupError("resume.no_start")
    return with_sources(read_promise(thaw(body.promise), parse, stored=True), body.sources)


async def take_up(live: Run, left: Left, again: Again) -> State:
    """The state in which the run goes on; it is entered already."""
    state = left.to_go_on
    if live.closed:
        _shipped(live, left)
        live.record = kept_record(live)
        return state
    if state not in (*ENDED, "idle"):
        _taken(live, left, again.model())
    await _move_in(live, left, bare=bool(again.abort) or state in ENDED)
    if state in ENDED:
        return await _tidy(live, left, state)
    if state == "idle":
        await enter(live, "parsing")
        return "parsing"
    if again.abort:
        live.move(state, "resumed")
        return await _abort(live, left, again.abort)
    _put_right(live, left, state)
    return await _go_on(live, left, state)


async def _abort(live: Run, left: Left, who: str) -> State:
    """End it; what a process that is gone had decided already is not decided twice."""
    decided = left.decided
    if decided is None or decided.stop_reason != "user_interrupt":
        raise Stopped("user_interrupt", cause="abort", detail=who)
    await conclude(live, "user_interrupt", decided.cause)
    return live.state.position.state


def _put_right(live: Run, left: Left, state: State) -> None:
    """What was half done is undone; in a workspace that was harmed nothing is touched any more."""
    harmed = live.state.evidence.harms
    if live.has_room and not harmed:
        undo(live, left)
        _note_others(live, left)
        hear_again(live, left)
        crash_point("undone")
    live.move(state, "resumed")
    if harmed:
        raise Stopped("unsafe", detail=", ".join(harmed[:5]))
    cut = bool(left.interrupted or left.unmade)
    if cut and left.ending is None:  # the agent will be asked anew, from here on
        live.ledger.append(checkpointed(live))


async def _go_on(live: Run, left: Left, state: State) -> State:
    """Where the run stands by what was decided before it was interrupted."""
    if live.refused:  # the attempt was judged and counted; only the way back to work is missing
        tell_again(live)
        await enter(live, "executing")
        return "executing"
    if left.supplied:  # only the agent can say that its todos are done
        _tell_supplied(live)
        await enter(live, "executing")
        return "executing"
    decided = left.ending
    if decided is None:
        return state
    if decided.status == "accepted":
        _shipped(live, left)
        return state
    _shipped(live, left)
    await conclude(live, cast(StopReason, decided.stop_reason), decided.cause)
    return live.state.position.state


def _tell_supplied(live: Run) -> None:
    text = say("resume.supplied", live.language)
    if all(message.text != text for message in live.messages):  # else a process that is gone has told it
        live.tell("note", text)


def _note_others(live: Run, left: Left) -> None:
    """What somebody changed in the workspace while the run waited is theirs, and everybody is told."""
    decided = live.state.decided
    seen = decided.fingerprint if left.handed_over and decided is not None else live.known_tree
    if not seen or left.state != "paused" or left.interrupted or left.rolled_back:
        return
    changed = live.room.tree.changed(seen, live.room.tree.now().tree)
    if changed:
        names = ", ".join(sorted(changed)[:_SHOWN])
        live.ledger.post(
            *(
                facts.FileChanged(path, "delete" if kind == "deleted" else "write", by="human")
                for path, kind in sorted(changed.items())
            ),
            run.Noted(say("resume.others_changed", live.language, files=names), "warning"),
        )
        live.tell_phrase("note", "resume.others_changed", files=names)


def _taken(live: Run, left: Left, model: str) -> None:
    """From here on the ledger says that the run was interrupted, and by whom it is gone on with."""
    if left.state != "paused":
        live.move("paused", INTERRUPTED)
    over = (left.checkpoint.turn if left.checkpoint else 0) + left.turn_over
    calls = live.state.tool_calls - left.not_to_count
    other = model if model != left.model else ""
    live.ledger.append(run.Resumed(over, left.to_go_on, this_process(), calls, other))
    if other:
        live.ledger.post(run.Noted(say("resume.goes_on_with", live.language, model=other)))


async def _move_in(live: Run, left: Left, *, bare: bool) -> None:
    """The workspace as the ledger has it; a run that has ended may have left none."""
    if left.opened is None:
        return
    terms = live.terms
    try:
        site = reopen_site(terms.user, terms.run_id, terms.places, terms.config, left.opened)
    except SetupError:
        if left.state in ENDED or bare:
            return
        raise
    crash_point("workspace reopened")
    live.move_in(await furnish(live, site, bare=bare))
    if live.pins:
        live.room.hooks.pin(live.pins)
    crash_point("furnished again")


async def _tidy(live: Run, left: Left, state: State) -> State:
    """What a run that has ended still owes: its record, its workspace, the word to whoever wants to hear."""
    _shipped(live, left)
    if live.shipped is not None and not live.has_room:
        terms = live.terms  # its workspace went, and nobody came to drop what had kept its work until then
        put_away(terms.user, terms.run_id, live.shipped.branch, terms.places.scratch / terms.run_id)
        _tell_unheard(live, left)
    if state == "fail" and live.has_room:
        await fail_hook(live)
        if not live.terms.wish.keep:
            leave_shipped(live)
    return state


def _tell_unheard(live: Run, left: Left) -> None:
    """Hooks come with the workspace: without it those of the end are not called, and the ledger says so."""
    had = {effect.target for effect in left.effects.values()}
    wanted = any(each.point == _LAST for each in live.terms.config.hooks.commands)
    if wanted and _LAST not in had and not live.closed:
        text = say("resume.effect", live.language, effect="hook", target=_LAST)
        live.ledger.post(run.Noted(text, "warning"))


def _shipped(live: Run, left: Left) -> None:
    """What is on the run's branch, also of a run that could not be merged after that."""
    decided = live.state.decided
    if left.branch and left.opened and decided is not None:
        live.shipped = Shipped(left.opened.branch, left.branch, decided.fingerprint, *left.merged)
