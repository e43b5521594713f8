"""The state driver: each state has one handler, which names the state that follows; the table is the law.

Whatever happens inside, a run ends with one stop reason in the ledger, or it is left as it is for a resume
when the process itself is told to stop.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from donewhen.core.errors import AgentError, DonewhenError, HumanNeeded, SetupError, UserError
from donewhen.core.events import run
from donewhen.core.events.run import State
from donewhen.core.profiles import UnknownProfile
from donewhen.core.summary import ENDED
from donewhen.run.engine.ending import announce, changed_paths, end, leave_shipped
from donewhen.run.engine.live import Run
from donewhen.run.engine.merging import merge
from donewhen.run.engine.model import Stopped
from donewhen.run.engine.opening import open_run
from donewhen.run.engine.planning import plan_work
from donewhen.run.engine.recording import keep_record
from donewhen.run.engine.turns import work
from donewhen.run.engine.validating import validate

Handler = Callable[[Run], Awaitable[State]]
HANDLERS: Mapping[State, Handler] = {
    "parsing": open_run,
    "planning": plan_work,
    "executing": work,
    "validating": validate,
    "merging": merge,
}


async def drive(live: Run, state: State = "parsing") -> None:
    """From a state to an end."""
    try:
        while state not in ENDED:
            await enter(live, state)
            state = await HANDLERS[state](live)
        await enter(live, state)
        await announce(live)
    except Stopped as stopped:
        await end(live, stopped)
    except (AgentError, SetupError, UserError) as error:
        live.error = error
        await end(live, _fatal(error, live))
    except HumanNeeded as error:
        live.error = error
        live.move("paused", error.key)
    except BaseException:  # a signal, or a bug of ours: where the run stands is told, then it goes on its way
        with suppress(DonewhenError):
            interrupted(live)
        raise
    finally:
        await close(live)


def interrupted(live: Run) -> None:
    """Somebody ends the process: the run stays as it is, and can be gone on with."""
    if live.state.position.state not in (*ENDED, "paused"):
        live.move("paused", "interrupted")


async def enter(live: Run, state: State) -> None:
    was = live.state.position.state
    live.move(state)
    await live.hook("state_change", was=was, state=state)


def _fatal(error: AgentError | SetupError | UserError, live: Run) -> Stopped:
    if isinstance(error, UnknownProfile):
        return Stopped(error.reason, detail=error.say(live.language))
    return Stopped("fatal_error", cause=error.key, detail=error.say(live.language))


async def close(live: Run) -> None:
    """What lives goes, whatever became of the run."""
    await live.agent.close()
    if live.has_room:
        await live.room.background.close()
    if live.state.position.state == "done":
        live.changed_paths = changed_paths(live)
        live.record = keep_record(live)
        if not live.terms.wish.keep:
            leave_shipped(live)
    await live.hook("run_end", state=live.state.position.state)
    live.ledger.post(run.Noted(f"ended in state {live.state.position.state}", "debug"))
    live.ledger.settle()
