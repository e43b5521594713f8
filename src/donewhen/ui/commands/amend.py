"""`donewhen amend RUN`: a human changes what a run has to prove.

The change is shown as a diff, with what it asks less strictly; nothing happens before a clear yes. It is
validated like a new promise. A run that has ended keeps the promise that it ended with.
"""

import sys
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import UserError
from donewhen.core.promise_data import write_promise
from donewhen.core.promise_diff import line_text
from donewhen.core.shown import one_name
from donewhen.core.texts import Phrase
from donewhen.store import resolve
from donewhen.ui.app import App, command, here
from donewhen.ui.completing import complete_run
from donewhen.ui.output import complain, one_line, print_json, print_line
from donewhen.ui.who import who
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.run.amending import Preview

_YES = ("y", "yes", "是")
_MOST_TYPED = 100


@command("amend", "amend.help")
@click.argument("run", shell_complete=complete_run)
@click.option("--promise", default="", metavar="FILE", help=t("amend.help_promise"))
@click.option("--accept", multiple=True, metavar="CMD", help=t("amend.help_accept"))
@click.option("--drop", multiple=True, metavar="ID", help=t("amend.help_drop"))
@click.option("--optional", multiple=True, metavar="TODO", help=t("amend.help_optional"))
@click.option("--permit", multiple=True, metavar="GLOB", help=t("amend.help_permit"))
@click.option("--scope", multiple=True, metavar="GLOB", help=t("amend.help_scope"))
@click.option("--reason", default="", metavar="TEXT", help=t("amend.help_reason"))
@click.option("--yes", is_flag=True, help=t("amend.help_yes"))
def amend(app: App, run: str, promise: str, reason: str, yes: bool, **lists: tuple[str, ...]) -> int:
    from donewhen.run.amending import amend_run, file_changes, preview
    from donewhen.run.amending_changes import Changes
    from donewhen.verify.change import refuse_unknown

    given = file_changes(here() / promise, promise).given if promise else Changes().given
    changes = Changes(given, permits=lists.pop("permit"), **lists)
    if changes == Changes():
        raise UserError("amend.nothing")
    with app.open() as opened:
        run_id = resolve(opened, run)
        found = preview(opened, run_id, changes)
        refuse_unknown(found.after, app.config().config)
        _show(app, run_id, found)
        agreed = yes or _agreed()
        way = amend_run(opened, run_id, changes, who(), reason) if agreed else "not_changed"
    if app.as_json:
        print_json(_data(run_id, found, way))
    elif not app.quiet:
        print_line(one_line(t(f"amend.{way}", run=run_id)))
    return 0 if agreed else 1


def _show(app: App, run_id: str, found: "Preview") -> None:
    """The diff, on stdout unless that is kept for JSON."""
    if app.quiet:
        return
    say_it = complain if app.as_json else print_line
    say_it(one_line(t("amend.head", run=run_id)))
    for line in _diff(found):
        say_it(f"  {one_line(line)}")
    if found.weaker:
        say_it(one_line(t("amend.weaker_head")))
        for phrase in found.weaker:
            say_it(f"  {one_line(t('amend.weaker_line', what=phrase))}")
    for phrase in found.notes:
        app.note(one_line(_said(phrase)))


def _diff(found: "Preview") -> list[str]:
    lines = [line_text(line, language()) for line in found.lines]
    return lines + [t("amend.todo_line", todo=one_name(todo)) for todo in found.optional]


def _said(phrase: Phrase) -> str:
    return t(phrase.key, **phrase.values)


def _data(run_id: str, found: "Preview", way: str) -> dict[str, Any]:
    return {
        "run": run_id,
        "executed": way == "asked",
        "written": way == "done",
        "promise": write_promise(found.after),
        "diff": [line._asdict() for line in found.lines],
        "optional": list(found.optional),
        "weaker": [_said(phrase) for phrase in found.weaker],
        "notes": [_said(phrase) for phrase in found.notes],
    }


def _agreed() -> bool:
    """Whether somebody at a terminal says yes now; what was typed before the question does not count."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise UserError("amend.needs_yes")
    import termios

    sys.stdout.flush()
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    sys.stderr.write(t("amend.question"))
    sys.stderr.flush()
    return sys.stdin.readline(_MOST_TYPED).strip().lower() in _YES
