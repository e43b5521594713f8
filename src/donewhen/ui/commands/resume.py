"""`donewhen resume RUN`: go on with a run that was interrupted, killed, or waits for a human."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import SetupError, UserError
from donewhen.store import resolve
from donewhen.store.owner import described
from donewhen.ui.app import App, command, here
from donewhen.ui.commands.run import agent_maker, budget_setting, shown
from donewhen.ui.commands.verify import given
from donewhen.ui.completing import complete_run
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from donewhen.config import Config
    from donewhen.core.agent import Agent
    from donewhen.core.events import Event
    from donewhen.core.summary import Summary
    from donewhen.run.engine.model import OnAsk, Outcome, People
    from donewhen.ui.making import AgentMaker
    from donewhen.verify.change import Progress

_MODEL_SETTINGS = ("tools.llm.model", "tools.llm.provider", "tools.llm.roles")


@command("resume", "resume.help")
@click.argument("run", shell_complete=complete_run)
@click.option("--on-ask", type=click.Choice(("wait", "deny", "pause")), help=t("resume.help_on_ask"))
@click.option("--budget", type=float, default=None, metavar="USD", help=t("resume.help_budget"))
@click.option("--model", default=None, callback=given, metavar="PROVIDER:MODEL", help=t("resume.help_model"))
@click.option("--events", is_flag=True, help=t("help.run_events"))
def resume(app: App, run: str, on_ask: "OnAsk | None", budget: float | None, model: str, events: bool) -> int:
    from donewhen.run.engine.resuming import Again, resume_run
    from donewhen.verify.change import Means

    settings = (*app.settings, *budget_setting(budget))
    with app.open() as opened:
        run_id = resolve(opened, run)
        holder = opened.store.holder(run_id)
        if holder:
            raise SetupError("resume.live", run=run_id, holder=described(holder))

        past = tuple(opened.store.read(run_id))
        refuse_client(past, run_id)
        _say_useless(app, opened.store.summary(run_id), {"--budget": budget, "--model": model})
        made = Remade(model, configured=_names_model(app.settings))

        def work(people: "People", progress: "Progress") -> "Coroutine[Any, Any, Outcome]":
            means = Means(here(), os.environ, settings, language(), progress)
            return resume_run(opened, run_id, Again(means, made, people, on_ask, past=past, model=made.model))

        return shown(app, work, on_ask or _as_begun(past), made, events=events, past=past)


def refuse_client(past: "tuple[Event, ...]", run_id: str) -> None:
    """A session of a client is executed by nobody here."""
    from donewhen.core.session import client_of

    client = client_of(past[0].body.metadata) if past and past[0].type == "run_started" else ""
    if client:
        raise UserError("sessions.goes_on_in_client", run=run_id, client=client)


def _say_useless(app: App, row: "Summary", given: "Mapping[str, object]") -> None:
    """Options that change how a run goes on do nothing to one that has ended."""
    named = [option for option, value in given.items() if value not in (None, "")]
    if row.ended and named:
        app.note(t("resume.no_effect", option=", ".join(named), run=row.run_id))


def _as_begun(past: "tuple[Event, ...]") -> "OnAsk":
    """What the run was begun with."""
    begun = past[0].body.metadata.get("on_ask") if past and past[0].type == "run_started" else ""
    known: dict[str, OnAsk] = {"deny": "deny", "pause": "pause"}
    return known.get(begun, "wait")


def _names_model(settings: tuple[str, ...]) -> bool:
    """Whether a setting of this call says which model works."""
    return any(each.partition("=")[0].strip().startswith(_MODEL_SETTINGS) for each in settings)


class Remade:
    """Makes the agent of a run as its ledger has it, with another model where this call names one."""

    def __init__(self, model: str = "", *, configured: bool = False) -> None:
        self._given = model
        self._configured = configured  # the settings decide, not what the run began with
        self._maker: AgentMaker | None = None
        self.tell: Callable[[str], None] = lambda _: None
        self.names = False

    def __call__(self, name: str, script: str, folder: Path, model: str) -> "Callable[[Config], Agent]":
        known = self._given or ("" if self._configured else model)
        self._maker = agent_maker(name, script, folder, known)
        self._maker.tell, self._maker.names = self.tell, self.names
        return self._maker

    def model(self) -> str:
        return self._maker.model if self._maker is not None else ""
