"""`donewhen gc`: give space back. Without a limit it removes only what no run refers to."""

import os

import click

from donewhen.config.paths import state_folder
from donewhen.store.results import Results
from donewhen.store.retention import Done, Plan, carry_out, plan, preview
from donewhen.store.sqlite import SqliteStore
from donewhen.ui.app import App, command
from donewhen.ui.moments import count_bytes, moment
from donewhen.ui.output import complain, print_json, print_line
from donewhen.ui.runs_text import size
from donewhen.ui.words import t


@command("gc", "help.gc")
@click.option("--older-than", default="", metavar="WHEN", help=t("help.gc_older"))
@click.option("--max-size", default="", metavar="SIZE", help=t("help.gc_size"))
@click.option("--dry-run", is_flag=True, help=t("help.dry_run"))
def gc(app: App, older_than: str, max_size: str, dry_run: bool) -> None:
    before = moment(older_than, "--older-than") if older_than else ""
    limit = count_bytes(max_size, "--max-size") if max_size else None
    with app.open() as opened:
        if opened.exists:
            chosen = plan(opened.store, opened.artifacts, before=before, max_bytes=limit)
        else:  # a database that was moved away must not cost it its artifacts
            app.note(t("cli.no_store", path=opened.path))
            chosen = Plan((), ())
        sizes = opened.store.sizes()
        done = preview(chosen) if dry_run else carry_out(chosen, opened.store, opened.artifacts)
        if not dry_run:
            Results(state_folder(os.environ) / "results").sweep()
            if isinstance(opened.store, SqliteStore):
                opened.store.compact()
    freed = sum(sizes.get(run_id, 0) for run_id in done.runs)
    freed += sum(file.size for file in chosen.artifacts if file.digest in done.artifacts)
    if app.as_json:
        print_json({"dry_run": dry_run, **done._asdict(), "broken": chosen.broken, "bytes": freed})
        return
    _print(app, done, chosen, freed, dry_run=dry_run)


def _print(app: App, done: Done, chosen: Plan, freed: int, *, dry_run: bool) -> None:
    if app.verbose or dry_run:
        for name in (*done.runs, *done.artifacts):
            print_line(name)
    for key, names in (("cli.gc_broken", chosen.broken), ("cli.gc_kept", done.kept)):
        if names:
            complain(t(key, runs=", ".join(names)))
    if not app.quiet:
        key = "cli.gc_would" if dry_run else "cli.gc_did"
        print_line(t(key, runs=len(done.runs), artifacts=len(done.artifacts), size=size(freed)))
