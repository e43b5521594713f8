"""The state driver: each state has one handler, which names the state that follows; the table is the law.

Whatever happens inside, a run ends with one stop reason in the ledger, or it is left as it is for a resume
when the process itself is told to stop.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from donewhen.core.errors import (
    AgentError,
    DonewhenError,
    HumanNeeded,
    LimitReached,
    SetupError,
    UserError,
)
from donewhen.core.events import run
from donewhen.core.events.run import State
from donewhen.core.profiles import UnknownProfile
from donewhen.core.reasons import StopReason
from donewhen.core.summary import ENDED
from donewhen.run.engine.controls import settle_requests
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import PutAside, Stopped
from donewhen.run.engine.opening import open_run
from donewhen.run.engine.passing import of_the_disk, passes

Handler = Callable[[Run], Awaitable[State]]


async def _plan(live: Run) -> State:
    from donewhen.run.engine.planning import plan_work  # loaded while the workspace is filled (`ahead`)

    return await plan_work(live)


async def _work(live: Run) -> State:
    from donewhen.run.engine.turns import work

    return await work(live)


async def _validate(live: Run) -> State:
    from donewhen.run.engine.validating import validate  # all that judges loads when a claim is judged

    return await validate(live)


async def _merge(live: Run) -> State:
    from donewhen.run.engine.merging import merge

    return await merge(live)


HANDLERS: Mapping[State, Handler] = {
    "parsing": open_run,
    "planning": _plan,
    "executing": _work,
    "validating": _validate,
    "merging": _merge,
}


async def begin(live: Run) -> State:
    await enter(live, "parsing")
    return "parsing"


async def drive(live: Run, take_up: Handler = begin) -> None:
    """From a state, which `take_up` enters, to an end."""
    try:
        await _from_state_to_state(live, take_up)
    except (Stopped, LimitReached) as reached:
        await _end(live, _stopped(reached, live))
    except (AgentError, SetupError, UserError) as error:
        live.error = error
        if not _passes(live, error):
            await _end(live, _fatal(error, live))
    except OSError as error:
        known = of_the_disk(error, live.terms.places.home)
        if known is None or not _passes(live, known):
            raise
        live.error = known
    except HumanNeeded as error:
        live.error = error
        live.move("paused", error.key)
    except PutAside:
        live.put_aside = True
        interrupted(live)
    except asyncio.CancelledError:
        await _cut(live)
    except BaseException:  # a signal, or a bug of ours: where the run stands is told, then it goes on its way
        with suppress(DonewhenError):
            interrupted(live)
        raise
    finally:
        await close(live)


async def _from_state_to_state(live: Run, take_up: Handler) -> None:
    state = await take_up(live)
    while state in HANDLERS:
        state = await HANDLERS[state](live)
        await enter(live, state)
    if state == "done" and not live.closed:
        await _announce(live)


async def _announce(live: Run) -> None:
    from donewhen.run.engine.ending import announce  # the end needs it, the start not
    from donewhen.run.engine.ticking import propose_archive, tell_undone

    tell_undone(live)
    propose_archive(live)
    await announce(live)


def _passes(live: Run, error: DonewhenError) -> bool:
    """Trouble of the machine that may pass (no space, a read-only disk): the run waits for a resume.

    So does one that could not be taken up: nothing of it is given up because a folder is not there now.
    """
    if live.state.position.state == "paused":
        return True
    if not passes(error):
        return False
    with suppress(DonewhenError):
        interrupted(live)
    return True


async def _cut(live: Run) -> None:
    """The work was cancelled: by an abort, which is an end, or because the process is told to go."""
    task = asyncio.current_task()
    if live.aborted_by is None or task is None:
        with suppress(DonewhenError):
            interrupted(live)
        raise asyncio.CancelledError
    task.uncancel()
    await _end(live, Stopped("user_interrupt", cause="abort", detail=live.aborted_by))


async def _end(live: Run, stopped: Stopped) -> None:
    from donewhen.run.engine.ending import end

    await end(live, stopped)


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


def _stopped(error: Stopped | LimitReached, live: Run) -> Stopped:
    """An agent may run into a limit while it works."""
    if isinstance(error, Stopped):
        return error
    kind = str(error.values.get("kind", "context"))
    reason: StopReason = "time_exceeded" if kind == "time" else "budget_exceeded"
    return Stopped(reason, cause=kind, detail=error.say(live.language))


async def close(live: Run) -> None:
    """What lives goes, whatever became of the run."""
    await live.agent.close()
    settle_requests(live)
    if live.has_room:
        await live.room.background.close()
    if live.state.position.state == "done" and not live.closed:
        _keep(live)
    if not live.closed:
        await live.hook_once("run_end", state=live.state.position.state)
        live.ledger.post(run.Closed(live.state.position.state))
    live.ledger.settle()


def _keep(live: Run) -> None:
    """The record of a run that is done, before its workspace goes."""
    from donewhen.run.engine.ending import changed_paths, leave_shipped
    from donewhen.run.engine.recording import keep_record

    live.changed_paths = changed_paths(live)
    live.record = keep_record(live)
    if not live.terms.wish.keep:
        leave_shipped(live)
