"""`donewhen list`: the runs in the store, newest first."""

import os
import time

import click

from donewhen.core.protocols import Query
from donewhen.core.summary import Summary, storable
from donewhen.ui.app import App, command
from donewhen.ui.moments import moment
from donewhen.ui.output import fit, one_line, print_json, print_line, room, table, width
from donewhen.ui.runs_text import ago, as_data, money, state
from donewhen.ui.words import t

STATES = ["idle", "parsing", "planning", "executing", "validating", "merging", "done", "fail", "paused"]


@command("list", "help.list")
@click.option("--state", "states", multiple=True, type=click.Choice(STATES), help=t("help.list_state"))
@click.option("--repo", default="", metavar="PATH", help=t("help.list_repo"))
@click.option("--since", default="", metavar="WHEN", help=t("help.list_since"))
@click.option("--until", default="", metavar="WHEN", help=t("help.list_until"))
@click.option(
    "--limit", "-n", default=50, metavar="N", type=click.IntRange(0, 10**9), help=t("help.list_limit")
)
def list_runs(app: App, states: tuple[str, ...], repo: str, since: str, until: str, limit: int) -> None:
    query = Query(
        states=states,
        repo=storable(os.path.realpath(repo)) if repo else "",
        since=moment(since, "--since") if since else "",
        until=moment(until, "--until") if until else "",
        limit=limit + 1 if limit else 0,
    )
    with app.open() as opened:
        found = opened.store.runs(query)
        empty = not found and not opened.store.runs(Query(limit=1))
    rows = found[:limit] if limit else found
    if app.as_json:
        print_json({"runs": [as_data(row) for row in rows], "more": len(found) > len(rows)})
        return
    if app.quiet:
        for row in rows:
            print_line(one_line(row.run_id))
    elif rows:
        _print(rows, wide=app.verbose)
    else:
        app.note(t("cli.no_runs_yet" if empty else "cli.no_runs"))
    if len(found) > len(rows):
        app.note(t("cli.more_runs", limit=limit))


def _print(rows: list[Summary], *, wide: bool) -> None:
    now = time.time()
    extra = ("repo", "branch") if wide else ()
    columns = ("run", "state", "updated", "cost", "budget", *extra, "goal")
    cells = [
        (
            row.run_id,
            state(row),
            ago(row.updated, now),
            money(row.total_micros),
            "–" if row.budget_used is None else f"{row.budget_used:g}%",
            *(one_line(getattr(row, name)) or "–" for name in extra),
            one_line(row.goal),
        )
        for row in rows
    ]
    head = [t(f"cli.col_{name}") for name in columns]
    before_goal = max(map(width, table(head[:-1], [cell[:-1] for cell in cells])))
    left = None if wide else room(before_goal + 2)
    for line in table(head, [(*cell[:-1], fit(cell[-1], left)) for cell in cells]):
        print_line(line)
