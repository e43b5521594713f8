"""`donewhen list`: the runs in the store, newest first."""

import time
from pathlib import Path

import click

from donewhen.core.protocols import Query
from donewhen.ui.app import App, command
from donewhen.ui.moments import moment
from donewhen.ui.output import fit, one_line, print_json, print_line, table
from donewhen.ui.runs_text import ago, as_data, money, state
from donewhen.ui.words import t

STATES = ["idle", "parsing", "planning", "executing", "validating", "merging", "done", "fail", "paused"]


@command("list", "help.list")
@click.option("--state", "states", multiple=True, type=click.Choice(STATES), help=t("help.list_state"))
@click.option("--repo", default="", metavar="PATH", help=t("help.list_repo"))
@click.option("--since", default="", metavar="WHEN", help=t("help.list_since"))
@click.option("--until", default="", metavar="WHEN", help=t("help.list_until"))
@click.option(
    "--limit", "-n", default=50, type=click.IntRange(min=0), show_default=True, help=t("help.list_limit")
)
def list_runs(app: App, states: tuple[str, ...], repo: str, since: str, until: str, limit: int) -> None:
    query = Query(
        states=states,
        repo=str(Path(repo).resolve()) if repo else "",
        since=moment(since) if since else "",
        until=moment(until) if until else "",
        limit=limit,
    )
    with app.open() as opened:
        rows = opened.store.runs(query)
    if app.as_json:
        print_json({"runs": [as_data(row) for row in rows]})
    elif app.quiet:
        for row in rows:
            print_line(row.run_id)
    elif not rows:
        app.note(t("cli.no_runs"))
    else:
        now = time.time()
        head = [t(f"cli.col_{name}") for name in ("run", "state", "updated", "cost", "budget", "goal")]
        cells = [
            (
                row.run_id,
                state(row),
                ago(row.updated, now),
                money(row.total_micros),
                "–" if row.budget_used is None else f"{row.budget_used:g}%",
                fit(one_line(row.goal), 60),
            )
            for row in rows
        ]
        for line in table(head, cells):
            print_line(line)
