"""`donewhen confirm`: a human's word. Without arguments it lists the questions that wait in this repository.

`confirm q-…` answers yes to a question about a change; `confirm RUN TEXT` confirms a text that the promise of
a run wants from a human, letter by letter. `deny q-…` answers no, with the reason for the agent.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import UserError
from donewhen.store import resolve
from donewhen.ui.app import App, command, here
from donewhen.ui.completing import complete_run
from donewhen.ui.output import one_line, paint, print_json, print_line
from donewhen.ui.who import who
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.store.questions import QuestionStore

_PREFIX = "q-"
_SHOWN = 5
_LONGEST = 2000
_KEYS = {
    "done": "confirmed",
    "asked": "confirm_asked",
    "waits": "confirm_waits",
    "before": "confirmed_before",
}


@command("confirm", "amend.help_confirm")
@click.argument("words", nargs=-1, metavar="[q-… | RUN TEXT]", shell_complete=complete_run)
@click.option("--all", "everything", is_flag=True, help=t("amend.help_confirm_all"))
@click.option("--because", default="", metavar="TEXT", help=t("amend.help_because"))
def confirm(app: App, words: tuple[str, ...], everything: bool, because: str) -> None:
    if words and not all(word.startswith(_PREFIX) for word in words):
        if everything or because or len(words) != 2:
            raise UserError("amend.confirm_usage")
        _confirm_text(app, *words)
        return
    store = questions_here()
    waiting = store.waiting()
    if everything and words:
        raise UserError("questions.all_or_some")
    if everything:
        words = tuple(row["id"] for row in waiting)
    if words:
        _answer(app, store, waiting, words, allowed=True, because=because)
    elif waiting and not app.as_json and sys.stdin.isatty():
        _ask(app, store, waiting)
    else:
        _list(app, waiting)


def deny_question(app: App, id: str, because: str) -> None:
    """`donewhen deny q-…`."""
    if not because.strip():
        raise UserError("questions.because_missing")
    store = questions_here()
    _answer(app, store, store.waiting(), (id,), allowed=False, because=because)


def questions_here() -> "QuestionStore":
    """The questions of the repository around the working folder."""
    import os

    from donewhen.config.paths import state_folder
    from donewhen.store.questions import QuestionStore
    from donewhen.workspace.git.repository import find_repository
    from donewhen.workspace.rooms.places import places

    repository = find_repository(here(), os.environ)
    return QuestionStore(state_folder(os.environ), places(repository, os.environ).repo_id)


def _answer(
    app: App,
    store: "QuestionStore",
    waiting: Sequence[Mapping[str, Any]],
    words: Sequence[str],
    *,
    allowed: bool,
    because: str,
) -> None:
    if len(because) > _LONGEST:
        raise UserError("approvals.long_note", most=_LONGEST)
    meant = [_meant(word, waiting) for word in dict.fromkeys(words)]
    given = [store.answer(row["id"], allowed, who(), because.strip()) for row in meant]
    if app.as_json:
        print_json({"answers": [answer._asdict() for answer in given]})
    elif not app.quiet:
        for answer in given:
            print_line(t("questions.confirmed" if allowed else "questions.denied", id=answer.id))
        app.note(t("questions.again"))


def _meant(word: str, waiting: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The one question whose id begins so."""
    found = [row for row in waiting if row["id"].startswith(word)]
    if not found or word == _PREFIX:
        raise UserError("questions.unknown", id=word[:80])
    if len(found) > 1:
        some = ", ".join(row["id"] for row in found[:_SHOWN])
        raise UserError("questions.ambiguous", id=word[:80], some=some)
    return found[0]


def _list(app: App, waiting: Sequence[Mapping[str, Any]]) -> None:
    if app.as_json:
        print_json({"questions": list(waiting)})
        return
    if not waiting:
        print_line(t("questions.none_wait"))
    for row in waiting:
        _show(row)
    if waiting and not app.quiet:
        app.note(t("questions.next"))


def _show(row: Mapping[str, Any]) -> None:
    place = f"{row['file']}:{row['line']}" if row["line"] else row["file"] or row["kind"]
    print_line(f"{paint(one_line(row['id']), 'bold')}  {one_line(place)}  {one_line(row['message'])}")


def _ask(app: App, store: "QuestionStore", waiting: Sequence[Mapping[str, Any]]) -> None:
    """One by one, on a terminal; whatever is not a yes leaves the question open."""
    for row in waiting:
        _show(row)
        if click.confirm(t("questions.prompt", id=row["id"]), default=False):
            _answer(app, store, waiting, (row["id"],), allowed=True, because="")


def _confirm_text(app: App, run: str, text: str) -> None:
    from donewhen.run.amending import confirm_run

    with app.open() as opened:
        run_id = resolve(opened, run)
        way = confirm_run(opened, run_id, text, who())
    if app.as_json:
        data = {"executed": way == "asked", "written": way == "done", "before": way == "before"}
        print_json({"run": run_id, "text": text.strip(), **data})
    elif not app.quiet:
        print_line(one_line(t(f"amend.{_KEYS[way]}", run=run_id, text=text.strip())))
