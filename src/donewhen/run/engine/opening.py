"""Parsing: the promise stands, the base is fixed, and the workspace opens."""

from donewhen.core.events import run
from donewhen.core.events.run import State
from donewhen.core.texts import say
from donewhen.run.engine.ahead import load_ahead
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped
from donewhen.run.shipping.site import Site, open_site
from donewhen.run.shipping.starting import TAKEN_ALONG


async def open_run(live: Run) -> State:
    """From the plan to a workspace in which the agent can begin."""
    if not live.has_room:  # a resumed run may have found its own
        site = _opened(live)
        from donewhen.run.engine.furnishing import furnish  # loaded while the workspace was filled

        live.move_in(await furnish(live, site))
    site = live.room.site
    objective = live.state.promise.objective
    started = await live.hook("run_start", goal=objective, branch=site.branch)
    if started.blocked:
        raise Stopped("fatal_error", cause="hook", detail=f"{started.by}: {started.blocked}")
    live.tell("goal", _goal(live))
    return "planning"


def _goal(live: Run) -> str:
    """All of the user's words, and where the rest of them is."""
    request = live.terms.wish.request
    goal = (request.goal or "").strip() or live.state.promise.objective
    return f"{goal}\n\n{say('engine.spec_at', live.language, path=request.spec)}" if request.spec else goal


def _opened(live: Run) -> Site:
    terms, wish = live.terms, live.terms.wish
    site = open_site(
        terms.user,
        terms.run_id,
        terms.places,
        terms.config,
        in_place=wish.in_place,
        with_changes=wish.with_changes,
        branch=wish.branch,
        meanwhile=lambda: load_ahead(talks=live.agent.talks),
    )
    live.ledger.append(run.WorkspaceOpened(str(site.folder), site.branch, site.base, site.kind))
    for note in site.notes:
        if note.key == TAKEN_ALONG:
            live.warn(note)
            continue
        live.ledger.post(run.Noted(say(note.key, live.language, **note.values), "warning"))
    return site
