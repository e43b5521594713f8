"""`donewhen run`: drive an agent to acceptance, in a workspace of its own.

Exit 0 only when every required proof stands on the very tree that is on the branch; all other ends have a
stop reason with its own exit code.
"""

import os
import sys
from typing import TYPE_CHECKING

import click

from donewhen.core.errors import UserError
from donewhen.core.profiles import PROFILES
from donewhen.ui.app import App, command, here
from donewhen.ui.commands.plan import goal_text
from donewhen.ui.commands.verify import given
from donewhen.ui.output import print_json
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from collections.abc import Callable

    from donewhen.config import Config
    from donewhen.core.agent import Agent
    from donewhen.run.approvals_askers import Asker
    from donewhen.run.engine.model import OnAsk, Outcome, Wish


@command("run", "help.run")
@click.argument("goal", required=False, default=None)
@click.option("--goal-file", metavar="FILE", help=t("help.plan_goal_file"))
@click.option("--spec", default=None, callback=given, metavar="SPEC", help=t("help.plan_spec"))
@click.option("--promise", default=None, callback=given, metavar="FILE", help=t("help.plan_promise"))
@click.option("--accept", multiple=True, metavar="CMD", help=t("help.plan_accept"))
@click.option("--answer-only", is_flag=True, help=t("help.plan_answer_only"))
@click.option("--agent", default=None, callback=given, metavar="NAME", help=t("help.run_agent"))
@click.option("--script", default=None, callback=given, metavar="FILE", help=t("help.run_script"))
@click.option("--budget", type=float, default=None, metavar="USD", help=t("help.run_budget"))
@click.option("--profile", type=click.Choice(tuple(PROFILES)), default=None, help=t("help.verify_profile"))
@click.option("--permit", multiple=True, metavar="[RULE=]GLOB", help=t("help.verify_permit"))
@click.option("--in-place/--worktree", default=False, help=t("help.run_in_place"))
@click.option("--with-changes", is_flag=True, help=t("help.run_with_changes"))
@click.option("--branch", default=None, callback=given, metavar="NAME", help=t("help.run_branch"))
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
    if budget is not None:
        app = app._replace(settings=(*app.settings, f"budget.total={budget}"))
    return _run(app, wanted.wish(request), events=wanted.flag("events"))


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

    def wish(self, request: object) -> "Wish":
        from donewhen.intake.request import Request
        from donewhen.run.engine.model import Wish

        assert isinstance(request, Request)
        on_ask: OnAsk = {"deny": "deny", "pause": "pause"}.get(self.text("on_ask"), "wait")  # type: ignore[assignment]
        return Wish(
            request,
            agent_maker(self.text("agent"), self.text("script")),
            self.text("profile"),
            in_place=self.flag("in_place"),
            with_changes=self.flag("with_changes"),
            branch=self.text("branch"),
            everything=self.flag("everything"),
            yes=self.flag("yes"),
            approve_plan=self.flag("approve_plan"),
            on_ask=on_ask,
            keep=self.flag("keep"),
            record=self.text("record"),
            script=str(here() / self.text("script")) if self.text("script") else "",
        )


def agent_maker(name: str, script: str) -> "Callable[[Config], Agent]":
    """Who does the work: a script, or an agent that the configuration names."""

    def make(config: "Config") -> "Agent":
        from donewhen.agents.scripted import Scripted, load_script

        if script:
            return Scripted(load_script(here() / script), name or "scripted")
        known = config.agents
        wanted = name or next(iter(known), "")
        if not wanted:
            raise UserError("engine.no_agent")
        found = known.get(wanted)
        if found is None or found.kind != "scripted" or not found.script:
            playable = [each for each, agent in known.items() if agent.kind == "scripted"]
            raise UserError("engine.unknown_agent", name=wanted, known=", ".join(playable) or "-")
        return Scripted(load_script(here() / found.script), wanted)

    return make


def _run(app: App, wish: "Wish", *, events: bool) -> int:
    from donewhen.run.engine.model import People
    from donewhen.run.engine.starting import run_goal
    from donewhen.run.verifying.looking import Means
    from donewhen.ui.run_text import RunView, outcome_data, print_outcome
    from donewhen.ui.stopping import run_stoppable

    machine = app.as_json or events
    with RunView(quiet=app.quiet or machine, verbose=app.verbose, events=events) as view:
        means = Means(here(), os.environ, app.settings, language(), view.progress)
        outcome: Outcome = run_stoppable(run_goal(wish, means, People(_asker(wish.on_ask), view.saw)))
    if app.as_json:
        print_json(outcome_data(outcome))
    elif not events:
        print_outcome(outcome, verbose=app.verbose, quiet=app.quiet)
    return outcome.exit_code


def _asker(on_ask: "OnAsk") -> "Asker":
    from donewhen.run.approvals_askers import Nobody, Stored, Waiting
    from donewhen.run.approvals_terminal import Terminal

    if on_ask == "deny":
        return Nobody()
    if on_ask == "pause":
        return Waiting()
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        return Terminal(sys.stdin, sys.stderr, language())
    return Stored(lambda shown: print(t("run.asked", ask=shown.ask, action=shown.action), file=sys.stderr))  # noqa: T201
