"""`donewhen verify`: is this change really done? Runs the exam on the very tree that is there, no model.

Exit 0 only when everything that was asked is proven on this tree; 1 when it is not, 2 when nothing could be
asked, 5 when the exam could not be run.
"""

import os
from typing import TYPE_CHECKING

import click

from donewhen.core.errors import UserError
from donewhen.core.profiles import PROFILES
from donewhen.ui.app import App, command, here
from donewhen.ui.output import print_json
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.run.verifying.looking import Wanted

FORMATS = ("text", "json")


def given(_: click.Context, option: click.Parameter, value: str | None) -> str:
    """What was given; an empty value is a mistake (an unset variable), not the same as nothing."""
    if value is not None and not value.strip():
        raise UserError("verify.empty_option", option=f"--{option.name}")
    return value or ""


@command("verify", "help.verify")
@click.option("--accept", multiple=True, metavar="CMD", help=t("help.verify_accept"))
@click.option("--promise", default=None, callback=given, metavar="FILE", help=t("help.plan_promise"))
@click.option("--goal", default=None, metavar="TEXT", help=t("help.verify_goal"))
@click.option("--spec", default=None, callback=given, metavar="SPEC", help=t("help.plan_spec"))
@click.option("--base", default=None, callback=given, metavar="REF", help=t("help.verify_base"))
@click.option("--profile", type=click.Choice(tuple(PROFILES)), default=None, help=t("help.verify_profile"))
@click.option("--permit", multiple=True, metavar="[RULE=]GLOB", help=t("help.verify_permit"))
@click.option("--record", default=None, callback=given, metavar="FILE", help=t("help.verify_record"))
@click.option("--clean-room", is_flag=True, help=t("help.verify_clean_room"))
@click.option("--all", "everything", is_flag=True, help=t("help.verify_all"))
@click.option("--no-cache", is_flag=True, help=t("help.verify_no_cache"))
@click.option("--format", "form", type=click.Choice(FORMATS), default=None, help=t("help.verify_format"))
def verify(
    app: App,
    accept: tuple[str, ...],
    promise: str,
    goal: str | None,
    spec: str,
    base: str,
    profile: str | None,
    permit: tuple[str, ...],
    record: str,
    clean_room: bool,
    everything: bool,
    no_cache: bool,
    form: str | None,
) -> int:
    from donewhen.intake.request import Request
    from donewhen.run.verifying.looking import Wanted

    if app.as_json and form == "text":
        raise UserError("verify.two_formats")
    asked = Request(goal, "--goal", promise, spec, accept, permits=permit)
    wanted = Wanted(asked, base, profile or "", clean_room, everything, not no_cache, record)
    return _verify(app, wanted, as_json=app.as_json or form == "json")


def _verify(app: App, wanted: "Wanted", *, as_json: bool) -> int:
    from donewhen.run.verifying.looking import Means
    from donewhen.run.verifying.verifying import verify_change
    from donewhen.ui.progress import Progress
    from donewhen.ui.stopping import run_stoppable
    from donewhen.ui.verify_text import print_verification, verification_data

    with Progress(quiet=app.quiet or as_json) as progress:
        means = Means(here(), os.environ, app.settings, language(), progress)
        done = run_stoppable(verify_change(wanted, means))
    if as_json:
        print_json(verification_data(done, language()))
    else:
        print_verification(done, language(), verbose=app.verbose, quiet=app.quiet)
    return done.judgement.exit_code
