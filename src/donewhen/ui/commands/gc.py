"""`donewhen gc`: give space back. Without a limit it removes only what no run refers to and nobody uses."""

import os
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from donewhen.config.paths import state_folder
from donewhen.core.ids import seconds, stamp
from donewhen.core.summary import Summary
from donewhen.store.artifacts import GRACE_SECONDS
from donewhen.store.cases import CaseStore
from donewhen.store.results import Results
from donewhen.store.retention import Done, Plan, carry_out, plan, preview, runs_elsewhere
from donewhen.store.sqlite import SqliteStore
from donewhen.ui.app import App, command
from donewhen.ui.moments import count_bytes, moment
from donewhen.ui.output import complain, one_line, print_json, print_line
from donewhen.ui.runs_text import size
from donewhen.ui.words import t
from donewhen.verify.quality.kept import Kept

if TYPE_CHECKING:
    from donewhen.run.shipping.clearing import Cleared, Fate, Left, Stays
    from donewhen.store import Opened
    from donewhen.workspace.rooms.caching import Cleaned


_IDLE_SECONDS = 7 * 86_400.0  # after which a session of a client counts as left
_FOLDERS = ("workspace", "home", "scratch")  # left-overs that take space of their own; the rest is in git


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
            spare = _unshipped() if limit is not None else frozenset[str]()
            live, over = _sessions(opened)
            chosen = plan(
                opened.store,
                opened.artifacts,
                before=before,
                max_bytes=limit,
                spare=spare,
                live=live,
                over=over,
            )
        else:  # a database that was moved away must not cost it its artifacts
            app.note(t("cli.no_store", path=opened.path))
            chosen = Plan((), ())
        sizes, rows = opened.store.sizes(), opened.store.runs()
        done = preview(chosen) if dry_run else carry_out(chosen, opened.store, opened.artifacts)
        left = _leftovers(opened, rows, done.runs, before, dry_run) if opened.exists else None
        if not dry_run:
            _forget_records(done.runs)
            _forget_sessions(done.runs)
            Results(state_folder(os.environ) / "results").sweep()
            CaseStore(state_folder(os.environ) / "results").sweep()
            Kept(state_folder(os.environ) / "quality").sweep()
            if isinstance(opened.store, SqliteStore):
                opened.store.compact()
    caches = _caches(before, everything=cache, dry_run=dry_run)
    freed = sum(sizes.get(run_id, 0) for run_id in done.runs)
    freed += sum(file.size for file in chosen.artifacts if file.digest in done.artifacts)
    gone, kept = left or ((), ())
    freed += sum(each.bytes for each in caches.freed) + sum(each.bytes for each in gone)
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
                "leftovers": [{"run": each.run_id, **_plain(each)} for each in gone],
                "leftovers_kept": [
                    {"run": each.run_id, "folder": each.folder, "why": t(each.why.key, **each.why.values)}
                    for each in kept
                ],
            }
        )
        return
    _print_left(app, gone, kept, dry_run=dry_run)
    _print(app, done, chosen, caches, freed, dry_run=dry_run)


def _plain(left: "Left") -> dict[str, object]:
    return {"what": left.what, "place": left.place, "bytes": left.bytes}


def _sessions(opened: "Opened") -> tuple[frozenset[str], frozenset[str]]:
    """Sessions of clients that may go on at any moment, and those that are over; a client need not say so."""
    from donewhen.integrations.sessions.listing import listed

    recent = stamp(time.time() - _IDLE_SECONDS)
    active = {row.run_id for row in opened.store.runs() if row.updated >= recent}
    known = listed(os.environ)
    live = frozenset(each.run for each in known if each.busy or (not each.ended and each.run in active))
    return live, frozenset(each.run for each in known) - live


def _forget_sessions(runs: Iterable[str]) -> None:
    from donewhen.integrations.sessions.listing import forget

    forget(os.environ, runs)


def _unshipped() -> frozenset[str]:
    from donewhen.run.shipping.clearing import unshipped

    return unshipped(os.environ)


def _leftovers(
    opened: "Opened", rows: Iterable[Summary], going: Iterable[str], before: str, dry_run: bool
) -> "Cleared":
    """What runs left beside the store; of runs that nobody knows only when they are old."""
    from donewhen.run.shipping.clearing import clear
    from donewhen.workspace.rooms.caching import KEPT_SECONDS

    now = time.time()
    oldest = min(before or stamp(now - KEPT_SECONDS), stamp(now - GRACE_SECONDS))  # one may begin right now
    known = {row.run_id: row for row in rows}
    removed = frozenset(going)
    others = runs_elsewhere(state_folder(os.environ), opened.path)
    traces = frozenset(opened.store.run_ids())  # of a run whose row is gone there may still be events

    def fate(run_id: str) -> "Fate":
        if run_id in removed:
            return "going"
        row = known.get(run_id)
        if row is not None:
            return "ended" if row.ended and not opened.store.holder(run_id) else "lives"
        if others is None or run_id in others or run_id in traces or began(run_id) >= oldest:
            return "lives"
        return "unknown"

    workspaces = {run_id: known[run_id].workspace for run_id in removed if run_id in known}
    return clear(os.environ, fate, workspaces, dry_run=dry_run)


def began(run_id: str) -> str:
    """When a run began, by its id, as the ledger writes moments."""
    at = run_id.split("-")[1]
    return f"{at[:4]}-{at[4:6]}-{at[6:8]}T{at[8:10]}:{at[10:12]}:{at[12:14]}.000Z"


def _print_left(app: App, gone: Sequence["Left"], stays: Sequence["Stays"], *, dry_run: bool) -> None:
    if app.verbose or dry_run:
        for each in gone:
            values = {"run": each.run_id, "what": t(f"seeing.gc_{each.what}"), "place": one_line(each.place)}
            taken = f" ({size(each.bytes)})" if each.what in _FOLDERS else ""
            print_line(t("seeing.gc_left", **values) + taken)
    for kept in stays:
        why = t(kept.why.key, **kept.why.values)
        complain(one_line(t("seeing.gc_left_kept", run=kept.run_id, folder=kept.folder, why=why)))
    if gone and not app.quiet:
        key = "seeing.gc_left_would" if dry_run else "seeing.gc_left_count"
        print_line(t(key, count=len(gone)))


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
