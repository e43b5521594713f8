"""`donewhen abort RUN`: end a run, whoever executes it; what it made is kept as a commit.

A live run is asked by a row of the control table and answers within a second; one that nobody executes is
ended here. A session of a client has nobody to ask and nothing to put away: only its ledger is closed.
"""

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import cast

import click

from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.events import run as run_events
from donewhen.core.events.run import State
from donewhen.core.protocols import Control
from donewhen.core.reasons import StopReason, status
from donewhen.core.session import client_in
from donewhen.core.summary import Summary, is_verification
from donewhen.store import Opened, resolve
from donewhen.ui.app import App, command, here
from donewhen.ui.commands.resume import Remade
from donewhen.ui.completing import complete_run
from donewhen.ui.output import print_json, print_line
from donewhen.ui.runs_text import as_data, state
from donewhen.ui.who import who
from donewhen.ui.words import language, t

_NOT_YET = 4


@command("abort", "resume.help_abort")
@click.argument("run", shell_complete=complete_run)
@click.option("--wait", default=30.0, metavar="SECONDS", help=t("resume.help_wait"))
def abort(app: App, run: str, wait: float) -> int:
    with app.open() as opened:
        run_id = resolve(opened, run)
        row = opened.store.summary(run_id)
        over = row.ended
        client = client_in(opened.store.read(run_id))
        live = bool(opened.store.holder(run_id))
        if client:
            row = row if over else _close(opened, row)
        elif not over:
            row = _ask(opened, run_id, wait) if live else _end(app, opened, run_id)
        elif not live and _owes(opened, row):
            row = _end(app, opened, run_id)
        work = "" if client else kept_work(row.repo, run_id)
    if app.as_json:
        print_json({**as_data(row), "work": work or None})
    elif not app.quiet:
        ended = "session_closed" if client else "aborted" if work else "aborted_bare"
        key = "over" if over else ended if row.ended else "still_running"
        values = {"state": state(row), "seconds": f"{wait:g}", "commit": work[:12], "client": client}
        print_line(t(f"resume.{key}", run=run_id, **values))
    return 0 if row.ended else _NOT_YET


def _close(opened: Opened, row: Summary) -> Summary:
    """The ledger of a client's session ends; its work stays where it is, and the next prompt goes on."""
    from donewhen.integrations.sessions.listing import listed

    if any(each.busy for each in listed(os.environ) if each.run == row.run_id):
        raise SetupError("resume.exam_runs", run=row.run_id)
    reason: StopReason = "user_interrupt"
    decided = run_events.Decided(status(reason), reason, "abort", summary=t("resume.closed_by", who=who()))
    opened.store.append(row.run_id, decided, run_events.StateChanged(cast("State", row.state), "fail"))
    return opened.store.summary(row.run_id)


def _owes(opened: Opened, row: Summary) -> bool:
    """Whether the process that ended the run died before it had put everything away."""
    last = opened.store.read(row.run_id, row.events - 1)
    return not is_verification(row) and all(event.type != "closed" for event in last)


def kept_work(repo: str, run_id: str) -> str:
    """The commit that keeps what was not accepted; empty when there is none, or nobody can tell."""
    from donewhen.workspace.git.repository import find_repository

    with suppress(DonewhenError):
        return find_repository(Path(repo), os.environ).commit(f"refs/donewhen/{run_id}/work") or ""
    return ""


def _ask(opened: Opened, run_id: str, wait: float) -> Summary:
    store = opened.store
    store.request(run_id, Control("abort", who=who()))
    until = time.monotonic() + wait
    while True:
        since = store.changes()
        row = store.summary(run_id)
        left = until - time.monotonic()
        if row.ended or left <= 0 or not store.holder(run_id):
            return row
        store.wait_for_change(since, min(left, 0.5))


def _end(app: App, opened: Opened, run_id: str) -> Summary:
    from donewhen.run.approvals_askers import Nobody
    from donewhen.run.engine.model import People
    from donewhen.run.engine.resuming import Again, resume_run
    from donewhen.verify.change import Means

    means = Means(here(), os.environ, app.settings, language(), lambda _: None)
    asyncio.run(resume_run(opened, run_id, Again(means, Remade(), People(Nobody()), abort=who())))
    return opened.store.summary(run_id)
