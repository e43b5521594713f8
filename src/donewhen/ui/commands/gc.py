"""`donewhen gc`: give space back. Without a limit it removes only what no run refers to and nobody uses."""

import os
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from donewhen.config.paths import state_folder
from donewhen.core.ids import seconds
from donewhen.run.verifying.quality.keeping import Kept
from donewhen.store.cases import CaseStore
from donewhen.store.results import Results
from donewhen.store.retention import Done, Plan, carry_out, plan, preview
from donewhen.store.sqlite import SqliteStore
from donewhen.ui.app import App, command
from donewhen.ui.moments import count_bytes, moment
from donewhen.ui.output import complain, one_line, print_json, print_line
from donewhen.ui.runs_text import size
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.workspace.rooms.caching import Cleaned


@command("gc", "help.gc")
@click.option("--older-than", default="", metavar="WHEN", help=t("help.gc_older"))
@click.option("--max-size", default="", metavar="SIZE", help=t("help.gc_size"))
@click.option("--cache", is_flag=True, help=t("help.gc_cache"))
@click.option("--dry-run", is_flag=True, help=t("help.dry_run"))
def gc(app: App, older_than: str, max_size: str, cache: bool, dry_run: bool) -> None:
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
            _forget_records(done.runs)
            Results(state_folder(os.environ) / "results").sweep()
            CaseStore(state_folder(os.environ) / "results").sweep()
            Kept(state_folder(os.environ) / "quality").sweep()
            if isinstance(opened.store, SqliteStore):
                opened.store.compact()
    caches = _caches(before, everything=cache, dry_run=dry_run)
    freed = sum(sizes.get(run_id, 0) for run_id in done.runs)
    freed += sum(file.size for file in chosen.artifacts if file.digest in done.artifacts)
    freed += sum(each.bytes for each in caches.freed)
    if app.as_json:
        print_json(
            {
                "dry_run": dry_run,
                **done._asdict(),
                "broken": chosen.broken,
                "bytes": freed,
                "cache": [each._asdict() for each in caches.freed],
                "cache_kept": [
                    {"repository": each.repository, "why": t(each.why.key, **each.why.values)}
                    for each in caches.kept
                ],
            }
        )
        return
    _print(app, done, chosen, caches, freed, dry_run=dry_run)


def _forget_records(runs: Iterable[str]) -> None:
    """The record of a run goes with its ledger; whoever wants to keep one has a copy by `verify --record`."""
    folder = state_folder(os.environ) / "records"
    for run_id in runs:
        for path in folder.glob(f"{run_id}.json*"):
            path.unlink(missing_ok=True)


def _caches(before: str, *, everything: bool, dry_run: bool) -> "Cleaned":
    from donewhen.workspace.rooms.caching import KEPT_SECONDS, clean

    oldest = seconds(before) if before else time.time() - KEPT_SECONDS
    return clean(os.environ, oldest, everything=everything, dry_run=dry_run)


def _print(app: App, done: Done, chosen: Plan, caches: "Cleaned", freed: int, *, dry_run: bool) -> None:
    if app.verbose or dry_run:
        for name in (*done.runs, *done.artifacts):
            print_line(name)
        for each in caches.freed:
            print_line(t("cli.gc_cache", repository=one_line(each.repository), size=size(each.bytes)))
    for key, names in (("cli.gc_broken", chosen.broken), ("cli.gc_kept", done.kept)):
        if names:
            complain(t(key, runs=", ".join(names)))
    for kept in caches.kept:
        why = t(kept.why.key, **kept.why.values)
        complain(one_line(t("cli.gc_cache_kept", repository=kept.repository, why=why)))
    if not app.quiet:
        key = "cli.gc_would" if dry_run else "cli.gc_did"
        counts = {"runs": len(done.runs), "artifacts": len(done.artifacts), "caches": len(caches.freed)}
        print_line(t(key, **counts, size=size(freed)))
