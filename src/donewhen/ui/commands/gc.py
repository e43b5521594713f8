"""`donewhen gc`: give space back. Without a limit it removes only what no run refers to."""

import click

from donewhen.store.retention import carry_out, plan
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
        chosen = plan(opened.store, opened.artifacts, opened.heads, before=before, max_bytes=limit)
        if not dry_run:
            carry_out(chosen, opened.store, opened.artifacts)
            if isinstance(opened.store, SqliteStore):
                opened.store.compact()
    if app.as_json:
        files = [file.digest for file in chosen.artifacts]
        shown = {"runs": chosen.runs, "artifacts": files, "broken": chosen.broken}
        print_json({"dry_run": dry_run, **shown, "bytes": chosen.size})
        return
    if app.verbose or dry_run:
        for name in (*chosen.runs, *(file.digest for file in chosen.artifacts)):
            print_line(name)
    if chosen.broken:
        complain(t("cli.gc_broken", runs=", ".join(chosen.broken)))
    if not app.quiet:
        key = "cli.gc_would" if dry_run else "cli.gc_did"
        print_line(t(key, runs=len(chosen.runs), artifacts=len(chosen.artifacts), size=size(chosen.size)))
