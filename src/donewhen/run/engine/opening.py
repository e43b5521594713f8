"""Parsing: the promise is set, the base is fixed, and the workspace opens."""

from donewhen.core.codec import freeze
from donewhen.core.events import facts, run
from donewhen.core.events.run import State
from donewhen.core.promise_data import write_promise
from donewhen.core.texts import say
from donewhen.core.todos import to_data
from donewhen.run.engine.furnishing import furnish
from donewhen.run.engine.live import Run
from donewhen.run.engine.model import Stopped
from donewhen.run.shipping.site import open_site


async def open_run(live: Run) -> State:
    """From the plan to a workspace in which the agent can begin."""
    _promise(live)
    terms, wish = live.terms, live.terms.wish
    site = open_site(
        terms.user,
        terms.run_id,
        terms.places,
        terms.config,
        in_place=wish.in_place,
        with_changes=wish.with_changes,
        branch=wish.branch,
    )
    live.ledger.append(run.WorkspaceOpened(str(site.folder), site.branch, site.base, site.kind))
    for note in site.notes:
        live.ledger.post(run.Noted(say(note.key, live.language, **note.values), "warning"))
    live.move_in(await furnish(live, site))
    objective = live.state.promise.objective
    started = await live.hook("run_start", goal=objective, branch=site.branch)
    if started.blocked:
        raise Stopped("fatal_error", cause="hook", detail=f"{started.by}: {started.blocked}")
    live.tell("goal", objective)
    return "planning"


def _promise(live: Run) -> None:
    plan = live.terms.planned.plan
    issues = [f"{each.severity}: {say(each.phrase.key, 'en', **each.phrase.values)}" for each in plan.issues]
    live.ledger.append(
        run.PromiseSet(plan.promise.id, freeze(write_promise(plan.promise))),
        facts.CheckpointJudged("pre-plan", True, live.ledger.trace(), tuple(issues)),
    )
    live.ledger.post(*(run.TodoChanged(todo.id, freeze(to_data(todo))) for todo in plan.todos))
