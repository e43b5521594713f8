"""`donewhen run`: drive an agent to acceptance, in a workspace of its own.

Exit 0 only when every required proof stands on the very tree that is on the branch; all other ends have a
stop reason with its own exit code.
"""

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from donewhen.core.errors import UserError
from donewhen.core.profiles import PROFILES
from donewhen.ui.app import App, command, here
from donewhen.ui.commands.plan import goal_text
from donewhen.ui.commands.verify import given
from donewhen.ui.output import print_json
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from donewhen.core.events import Event
    from donewhen.run.approvals_askers import Asker, Shown
    from donewhen.run.engine.model import OnAsk, Outcome, People, Wish
    from donewhen.ui.live import RunView
    from donewhen.ui.making import AgentMaker
    from donewhen.verify.change import Progress

    class Telling(Protocol):
        """Somebody who says something while the agent is made."""

        tell: Callable[[str], None]
        names: bool

    Work = Callable[[People, Progress], Coroutine[Any, Any, Outcome]]

_LONGEST = 1000  # characters of a question


@command("run", "help.run")
@click.argument("goal", required=False, default=None)
@click.option("--goal-file", metavar="FILE", help=t("help.plan_goal_file"))
@click.option("--spec", default=None, callback=given, metavar="SPEC", help=t("help.plan_spec"))
@click.option("--promise", default=None, callback=given, metavar="FILE", help=t("help.plan_promise"))
@click.option("--accept", multiple=True, metavar="CMD", help=t("help.plan_accept"))
@click.option("--answer-only", is_flag=True, help=t("help.plan_answer_only"))
@click.option("--agent", default=None, callback=given, metavar="NAME", help=t("help.run_agent"))
@click.option(
    "--model", default=None, callback=given, metavar="PROVIDER:MODEL", help=t("models_found.opt_model")
)
@click.option("--script", default=None, callback=given, metavar="FILE", help=t("help.run_script"))
@click.option("--budget", type=float, default=None, metavar="USD", help=t("help.run_budget"))
@click.option("--profile", type=click.Choice(tuple(PROFILES)), default=None, help=t("help.verify_profile"))
@click.option("--gate", multiple=True, metavar="NAME", help=t("help.verify_gate"))
@click.option("--permit", multiple=True, metavar="GLOB|TEST", help=t("help.verify_permit"))
@click.option("--in-place/--worktree", default=False, help=t("help.run_in_place"))
@click.option("--with-changes", is_flag=True, help=t("help.run_with_changes"))
@click.option("--branch", default=None, callback=given, metavar="NAME", help=t("help.run_branch"))
@click.option(
    "--ship",
    type=click.Choice(("branch", "merge", "pr")),
    default=None,
    help=t("shipping_target.ship_option"),
)
@click.option(
    "--on-ask", type=click.Choice(("wait", "deny", "pause")), default="wait", help=t("help.run_on_ask")
)
@click.option("--approve-plan", is_flag=True, help=t("help.run_approve_plan"))
@click.option("--yes", is_flag=True, help=t("help.run_yes"))
@click.option("--all", "everything", is_flag=True, help=t("help.verify_all"))
@click.option("--keep", is_flag=True, help=t("help.run_keep"))
@click.option("--record", default=None, callback=given, metavar="FILE", help=t("help.verify_record"))
@click.option("--events", is_flag=True, help=t("help.run_events"))
def run(app: App, goal: str | None, goal_file: str | None, budget: float | None, **options: object) -> int:
    from donewhen.intake.request import Request

    app.config()  # its language is spoken from here on
    _settle()
    text, name = goal_text(goal, goal_file)
    wanted = _Options(options)
    request = Request(
        text,
        name,
        wanted.text("promise"),
        wanted.text("spec"),
        wanted.texts("accept"),
        wanted.flag("answer_only"),
        wanted.texts("permit"),
    )
    shipping = (f"ship.mode={wanted.text('ship')}",) if wanted.text("ship") else ()
    app = app._replace(settings=(*app.settings, *budget_setting(budget), *shipping))
    app = app.with_profile(wanted.text("profile"))
    app = app.requiring(wanted.texts("gate"))
    maker = wanted.maker()
    return _run(app, wanted.wish(request, maker), maker, events=wanted.flag("events"))


def _settle() -> None:
    """What is loaded by now stays: looking through it for cycles would be a twentieth of the start."""
    gc.freeze()


def budget_setting(budget: float | None) -> tuple[str, ...]:
    """What `--budget` means; UserError for what is no amount of money."""
    if budget is None:
        return ()
    if not 0 <= budget < float("inf"):
        raise UserError("run.bad_budget")
    return (f"budget.total={budget}",)


class _Options:
    """What was given on the command line, read with its types."""

    def __init__(self, given: dict[str, object]) -> None:
        self._given = given

    def text(self, name: str) -> str:
        return str(self._given[name] or "")

    def texts(self, name: str) -> tuple[str, ...]:
        found = self._given[name]
        return tuple(map(str, found)) if isinstance(found, tuple) else ()

    def flag(self, name: str) -> bool:
        return bool(self._given[name])

    def maker(self) -> "AgentMaker":
        return agent_maker(self.text("agent"), self.text("script"), model=self.text("model"))

    def wish(self, request: object, maker: "AgentMaker") -> "Wish":
        from donewhen.intake.request import Request
        from donewhen.run.engine.model import Wish

        assert isinstance(request, Request)
        on_ask: OnAsk = {"deny": "deny", "pause": "pause"}.get(self.text("on_ask"), "wait")  # type: ignore[assignment]
        return Wish(
            request,
            maker,
            in_place=self.flag("in_place"),
            with_changes=self.flag("with_changes"),
            branch=self.text("branch"),
            everything=self.flag("everything"),
            yes=self.flag("yes"),
            approve_plan=self.flag("approve_plan"),
            on_ask=on_ask,
            keep=self.flag("keep"),
            record=self.text("record"),
            script=os.path.realpath(here() / self.text("script")) if self.text("script") else "",
            model=lambda: maker.model,
        )


def agent_maker(name: str, script: str, folder: "Path | None" = None, model: str = "") -> "AgentMaker":
    """Who does the work: a script, an agent that the configuration names, or a model."""
    from donewhen.ui.making import AgentMaker

    return AgentMaker(name, script, folder or here(), model)


def _run(app: App, wish: "Wish", maker: "AgentMaker", *, events: bool) -> int:
    from donewhen.run.engine.starting import run_goal
    from donewhen.verify.change import Means

    def work(people: "People", progress: "Progress") -> "Coroutine[Any, Any, Outcome]":
        return run_goal(wish, Means(here(), os.environ, app.settings, language(), progress), people)

    return shown(app, work, wish.on_ask, maker, events=events)


def shown(
    app: App,
    work: "Work",
    on_ask: "OnAsk",
    maker: "Telling | None" = None,
    *,
    events: bool,
    past: "Iterable[Event]" = (),
) -> int:
    """Do the work of a run where people can follow it; its exit code. `past`: what happened before."""
    from donewhen.ui.finding import NothingUsable
    from donewhen.ui.live import run_view

    _settle()
    with run_view(quiet=app.quiet, machine=app.as_json, events=events) as view:
        view.recall(past)
        if maker is not None:
            maker.tell = (lambda _: None) if app.quiet else view.say
            maker.names = not (app.as_json or events)  # what machines read names it at the end
        try:
            outcome = _done(work, on_ask, view)
        except NothingUsable as error:
            from donewhen.ui.finding_text import refuse

            return refuse(error.found, as_json=app.as_json)
    from donewhen.ui.run_text import outcome_data, print_outcome

    if app.as_json:
        print_json(outcome_data(outcome, view.ending), one_line=events)
    elif not events:
        print_outcome(outcome, view.ending, verbose=app.verbose, quiet=app.quiet)
    return outcome.exit_code


def _done(work: "Work", on_ask: "OnAsk", view: "RunView") -> "Outcome":
    from donewhen.run.engine.model import People, Stop
    from donewhen.ui.stopping import run_stoppable

    stop = Stop(lambda: view.say(_stopping(view.ending.asked.asked)))
    people = People(_asker(on_ask, view), view.saw, stop, view.heard)
    try:
        return run_stoppable(work(people, view.progress), stop)
    except KeyboardInterrupt:
        if view.ending.run_id:
            view.say(t("run.cut", run=view.ending.run_id, spent=_spent(view)))
        raise


def _spent(view: "RunView") -> str:
    from donewhen.ui.runs_text import held, money

    asked = view.ending.asked
    return money(asked.spent_micros) + held(asked.held_micros)


def _stopping(model: str) -> str:
    """What a first Ctrl-C waits for."""
    return t("resume.stopping_model", model=model) if model else t("resume.stopping")


def _asker(on_ask: "OnAsk", view: "RunView") -> "Asker":
    from donewhen.core.shown import one_name
    from donewhen.run.approvals_askers import Nobody, Stored, Waiting
    from donewhen.run.approvals_terminal import Terminal
    from donewhen.ui.live import Courteous
    from donewhen.ui.question_text import PLAN, plan_rows, rows

    if on_ask == "deny":
        return Nobody()
    if on_ask == "pause":
        return Waiting()
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        return Courteous(Terminal(sys.stdin, sys.stderr, language()), view)

    def tell(shown: "Shown") -> None:  # an agent's words must not begin a line of ours
        if shown.tool == PLAN:
            head = t("run.asked_plan", ask=shown.ask)
            view.say("\n".join((head, *plan_rows(shown.action), *rows(shown.reason))))
            return
        view.say(t("run.asked", ask=shown.ask, action=one_name(shown.action, _LONGEST)))

    return Stored(tell)
