"""`donewhen diff RUN`: what a run changed, from its base to where its result lies.

Nothing of the repository is run, no pager either, and nothing is written to it. A result that is no longer
there is one sentence and exit 5.
"""

import os
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from donewhen.core.errors import SetupError, UserError
from donewhen.core.events import Event
from donewhen.core.summary import Summary
from donewhen.core.texts import Phrase
from donewhen.store import resolve
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.diff_text import change_data, diff_lines, stat_lines, totals
from donewhen.ui.output import one_line, print_json, print_line
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.run.reporting_change import Told
    from donewhen.run.reporting_model import Change

_SAID = {"branch": "shipped", "work": "work", "workspace": "workspace", "judged": "verified"}


@command("diff", "seeing.diff")
@click.argument("run", shell_complete=complete_run)
@click.option("--stat", is_flag=True, help=t("seeing.help_stat"))
@click.option("--name-only", is_flag=True, help=t("seeing.help_name_only"))
def diff(app: App, run: str, stat: bool, name_only: bool) -> None:
    with app.open() as opened:
        run_id = resolve(opened, run)
        told = _told(opened.store.summary(run_id), opened.store.read(run_id))
    change = _change(told)
    if app.as_json:
        print_json(change_data(run_id, change))
        return
    if not change.files:
        app.note(t("seeing.diff_nothing", run=run_id))
        return
    key = f"seeing.diff_of_{_SAID[change.where]}"
    app.note(t(key, run=run_id, base=change.base[:12], to=change.result[:12]))
    _print(change, stat=stat, name_only=name_only)
    if stat and not app.quiet:
        print_line(t("seeing.diff_summary", **totals(change.files)))
    if change.cut:
        app.note(t("seeing.diff_cut", command=_whole(told, change)))


def _print(change: "Change", *, stat: bool, name_only: bool) -> None:
    if name_only:
        lines: Iterable[str] = (one_line(file.path) for file in change.files)
    else:
        lines = stat_lines(change.files) if stat else diff_lines(change.diff)
    for line in lines:
        print_line(line)


def _told(row: Summary, events: Iterable[Event]) -> "Told":
    """Where the result lies, as the ledger has it."""
    from donewhen.run.reporting_change import Told

    path = kind = shipped = judged = ""
    branches: set[str] = set()
    for event in events:
        body = event.body
        match event.type:
            case "workspace_opened":
                path, kind = body.path, body.kind
            case "effect_intended" if body.effect == "branch":
                branches.add(body.key)
            case "effect_done" if body.ok and body.key in branches:
                shipped = body.reference
            case "decided":
                judged = body.fingerprint or judged
    if not path:
        raise UserError("seeing.diff_no_start", run=row.run_id)
    return Told(row.run_id, row.repo, row.base, path, kind == "in_place", row.ended, shipped, judged)


def _change(told: "Told") -> "Change":
    """Of a run that goes on, its workspace before work that was kept at an earlier pause."""
    from donewhen.run.reporting_change import look

    runs = [told] if told.ended else [told._replace(run_id=""), told]
    for each in runs:
        change = look(each, os.environ, str)
        if change.note is None:
            return change
    if _is_unchanged(told):
        return change._replace(note=None)
    why = change.note or Phrase("seeing.diff_not_kept", {"folder": told.repo})
    raise SetupError("seeing.diff_gone", run=told.run_id, why=why)


def _is_unchanged(told: "Told") -> bool:
    """Whether the tree that was judged last is that of the base: such a run leaves nothing to look at."""
    from donewhen.workspace.git.repository import repository_at

    user = repository_at(Path(told.repo), os.environ) if told.repo and told.judged else None
    if user is None or not user.commit(told.base):
        return False
    return user.git().line("rev-parse", "--verify", f"{told.base}^{{tree}}") == told.judged


def _whole(told: "Told", change: "Change") -> str:
    """The command of git that shows all of it, programs that the repository names switched off."""
    in_workspace = change.where in ("workspace", "judged")
    folder = told.workspace if in_workspace else told.repo
    ends = [change.base] if in_workspace else [change.base, change.result]
    return shlex.join(["git", "-C", folder, "diff", "--no-ext-diff", "--no-textconv", *ends])
