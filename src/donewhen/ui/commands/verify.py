"""`donewhen verify`: is this change really done? Runs the exam on the very tree that is there, no model.

Exit 0 only when everything that was asked is proven on this tree; 1 when it is not, 2 when nothing could be
asked or proven (0 with --allow-unproven, and it says so), 3 when only the budget of its reviewer did not
suffice, 4 when only a human's word is missing, 5 when the exam could not be run.
"""

import contextlib
import io
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import SetupError, UserError
from donewhen.core.profiles import PROFILES
from donewhen.ui.app import App, command, here
from donewhen.ui.output import complain, json_text, paint, print_json, print_line
from donewhen.ui.reports.formats import FORMATS, Output, output_of, render
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.verify.change import Wanted
    from donewhen.verify.pipeline import Verification
    from donewhen.verify.recall import KeptVerdict

_QUESTION = re.compile(r"q-[0-9a-f]{10}")
_BUDGET = 1.0  # dollars for a reviewer, unless told


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
@click.option("--gate", multiple=True, metavar="NAME", help=t("help.verify_gate"))
@click.option("--permit", multiple=True, metavar="GLOB|TEST", help=t("help.verify_permit"))
@click.option("--confirmed", multiple=True, metavar="q-…", help=t("help.verify_confirmed"))
@click.option("--record", default=None, callback=given, metavar="FILE", help=t("help.verify_record"))
@click.option("--review", default=None, callback=given, metavar="FILE", help=t("help.verify_review"))
@click.option("--reviewer", default=None, callback=given, metavar="MODEL", help=t("help.verify_reviewer"))
@click.option(
    "--budget", type=click.FloatRange(min=0.0), default=None, metavar="USD", help=t("help.verify_budget")
)
@click.option("--allow-unproven", is_flag=True, help=t("help.verify_allow_unproven"))
@click.option("--clean-room", is_flag=True, help=t("help.verify_clean_room"))
@click.option("--all", "everything", is_flag=True, help=t("help.verify_all"))
@click.option("--no-cache", is_flag=True, help=t("help.verify_no_cache"))
@click.option("--format", "form", type=click.Choice(FORMATS), default=None, help=t("help.verify_format"))
@click.option("--output", multiple=True, metavar="[FORMAT=]FILE", help=t("help.verify_output"))
def verify(
    app: App,
    accept: tuple[str, ...],
    promise: str,
    goal: str | None,
    spec: str,
    base: str,
    profile: str | None,
    gate: tuple[str, ...],
    permit: tuple[str, ...],
    confirmed: tuple[str, ...],
    record: str,
    review: str,
    reviewer: str,
    budget: float | None,
    allow_unproven: bool,
    clean_room: bool,
    everything: bool,
    no_cache: bool,
    form: str | None,
    output: tuple[str, ...],
) -> int:
    from donewhen.intake.request import Request
    from donewhen.verify.change import Wanted

    if app.as_json and form not in (None, "json"):
        raise UserError("verify.two_formats", form=form)
    form = "json" if app.as_json else form or "text"
    outputs = tuple(_output(each, form) for each in output)
    asked = Request(goal, "--goal", promise, spec, accept, permits=permit)
    if review and reviewer:
        raise UserError("semantic.two_reviewers")
    wanted = Wanted(
        asked,
        base,
        clean_room,
        everything,
        not no_cache,
        record,
        review,
        reviewer=_reviewer(reviewer),
        budget=_BUDGET if budget is None else budget,
        confirmed=tuple(map(question_id, confirmed)),
        hollow=True,
        allow_unproven=allow_unproven,
    )
    return _verify(app.with_profile(profile).requiring(gate), wanted, form, outputs)


def question_id(text: str) -> str:
    """The id of a question as it is printed."""
    if not _QUESTION.fullmatch(text.strip()):
        raise UserError("questions.bad_id", id=text.strip()[:80])
    return text.strip()


def _output(given: str, form: str) -> Output:
    """Where a report goes; told before anything is run when it can't go there."""
    wanted = output_of(given)
    wanted = wanted._replace(form=wanted.form or form)
    if not wanted.path.strip():
        raise UserError("verify.empty_option", option="--output")
    folder = Path(wanted.path).absolute().parent
    if not folder.is_dir() or Path(wanted.path).is_dir():
        raise UserError("verify.no_output", path=wanted.path)
    return wanted


def _reviewer(given: str) -> str:
    """A provider alone stands for its usual model, as with `--model`."""
    from donewhen.ui.finding_names import usual_name

    return (usual_name(given) or given) if given else given


def _verify(app: App, wanted: "Wanted", form: str, outputs: tuple[Output, ...]) -> int:
    from donewhen.ui.progress import Progress
    from donewhen.ui.stopping import run_stoppable
    from donewhen.verify.change import Means, look_round
    from donewhen.verify.recall import keep_verdict, may_stand, recall_verdict

    may_recall = form in ("text", "json") and not outputs and not app.verbose and may_stand(wanted)
    with Progress(quiet=app.quiet or form != "text") as progress:
        means = Means(here(), os.environ, app.settings, language(), progress)
        looked = look_round(wanted, means)
        kept = recall_verdict(looked, wanted, means) if may_recall else None
        if kept is None:
            from donewhen.verify.pipeline import verify_change

            done = run_stoppable(verify_change(wanted, means, looked=looked))
    if kept is not None:
        _print_kept(app, kept, form)
        return kept.exit_code
    _print(app, done, form)
    for output in outputs:
        _write(done, output)
    if may_recall:
        keep_verdict(looked, wanted, means, done, *_as_printed(done))
    return done.judgement.exit_code


def _print_kept(app: App, kept: "KeptVerdict", form: str) -> None:
    """An earlier verdict, as it was printed, and that it is one."""
    if form == "json":
        print_json(kept.data)
        return
    first, *rest = kept.text.splitlines()
    print_line(paint(first, "yellow" if kept.exit_code else "green", "bold"))
    if not app.quiet or kept.exit_code:
        for line in rest:
            print_line(line)
    if not app.quiet:
        print_line(paint(t("verify.still_stands", run=kept.run_id), "dim"))


def _as_printed(done: "Verification") -> tuple[str, Mapping[str, Any]]:
    from donewhen.ui.verify_text import print_verification, verification_data

    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        print_verification(done, language(), verbose=False, quiet=False)
    return written.getvalue(), verification_data(done, language())


def _print(app: App, done: "Verification", form: str) -> None:
    from donewhen.ui.verify_text import print_verification, report_of, verification_data

    if form == "json":
        print_json(verification_data(done, language()))
        return
    if form == "text":
        print_verification(done, language(), verbose=app.verbose, quiet=app.quiet)
        return
    report = report_of(done, language())
    print_line(render(form, report).removesuffix("\n"))
    if form == "github":
        from donewhen.ui.reports.github import add_summary

        try:
            add_summary(report, os.environ)
        except SetupError as error:  # the verdict stands without it
            complain(error.say(language()))


def _write(done: "Verification", output: Output) -> None:
    from donewhen.config.files import write_whole
    from donewhen.ui.verify_text import print_verification, report_of, verification_data

    if output.form == "json":
        text = json_text(verification_data(done, language()))
    elif output.form == "text":
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            print_verification(done, language(), verbose=True, quiet=False)
        text = written.getvalue()
    else:
        text = render(output.form, report_of(done, language()))
    try:
        write_whole(Path(output.path).absolute(), text.encode(errors="backslashreplace"), 0o644)
    except OSError as error:
        raise SetupError("verify.output_failed", path=output.path, why=error.strerror or error) from None
