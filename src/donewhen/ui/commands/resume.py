"""`donewhen resume RUN`: go on with a run that was interrupted, killed, or waits for a human."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import SetupError
from donewhen.store import resolve
from donewhen.store.owner import described
from donewhen.ui.app import App, command, here
from donewhen.ui.commands.run import agent_maker, budget_setting, shown
from donewhen.ui.completing import complete_run
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from donewhen.config import Config
    from donewhen.core.agent import Agent
    from donewhen.core.events import Event
    from donewhen.run.engine.model import OnAsk, Outcome, People
    from donewhen.run.verifying.looking import Progress


@command("resume", "resume.help")
@click.argument("run", shell_complete=complete_run)
@click.option("--on-ask", type=click.Choice(("wait", "deny", "pause")), help=t("resume.help_on_ask"))
@click.option("--budget", type=float, default=None, metavar="USD", help=t("resume.help_budget"))
@click.option("--events", is_flag=True, help=t("help.run_events"))
def resume(app: App, run: str, on_ask: "OnAsk | None", budget: float | None, events: bool) -> int:
    from donewhen.run.engine.resuming import Again, resume_run
    from donewhen.run.verifying.looking import Means

    settings = (*app.settings, *budget_setting(budget))
    with app.open() as opened:
        run_id = resolve(opened, run)
        holder = opened.store.holder(run_id)
        if holder:
            raise SetupError("resume.live", run=run_id, holder=described(holder))

        past = tuple(opened.store.read(run_id))

        def work(people: "People", progress: "Progress") -> "Coroutine[Any, Any, Outcome]":
            means = Means(here(), os.environ, settings, language(), progress)
            return resume_run(opened, run_id, Again(means, makes, people, on_ask, past=past))

        return shown(app, work, on_ask or _as_begun(past), events=events, past=past)


def _as_begun(past: "tuple[Event, ...]") -> "OnAsk":
    """What the run was begun with."""
    begun = past[0].body.metadata.get("on_ask") if past and past[0].type == "run_started" else ""
    known: dict[str, OnAsk] = {"deny": "deny", "pause": "pause"}
    return known.get(begun, "wait")


def makes(name: str, script: str, folder: Path, model: str) -> "Callable[[Config], Agent]":
    """The agent of a run, by the name, script and model that its ledger has."""
    return agent_maker(name, script, folder, model)
