"""`donewhen stats`: figures over runs, and the groups of why they failed.

The index answers what it can for all runs; ledgers are read for the rest, newest first and up to a bound that
is said. One that can't be read is named and left out.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import DonewhenError
from donewhen.core.stats import LedgerFold, of_rows, within
from donewhen.core.summary import Summary, is_verification
from donewhen.ui.app import App, command
from donewhen.ui.commands.runs import filtered, selection
from donewhen.ui.output import complain, print_json, print_line
from donewhen.ui.stats_text import failure_lines, groups_data, missed, stats_data, stats_lines
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.core.protocols import EventStore

MOST_EVENTS = 30_000  # about a second of reading


most_events = click.option(
    "--most-events",
    default=MOST_EVENTS,
    metavar="N",
    type=click.IntRange(0, 10**9),
    help=t("seeing.help_most_events"),
)


@command("stats", "seeing.stats")
@click.option("--failures", is_flag=True, help=t("seeing.help_failures"))
@click.option("--check", is_flag=True, help=t("seeing.help_check"))
@most_events
@filtered
def stats(app: App, failures: bool, check: bool, most_events: int, **asked: Any) -> int:
    chosen = selection(asked)
    with app.open() as opened:
        every = chosen.rows(opened.store)
        runs = [row for row in every if not is_verification(row) and row.state != "damaged"]
        ledgers, broken = read_ledgers(opened.store, within(runs, most_events))
    rows = of_rows(every)
    missing = missed(rows, ledgers) if check else []
    if app.as_json:
        data = {"groups": groups_data(ledgers)} if failures else {}
        bounded = {
            "read": ledgers.runs,
            "bounded": ledgers.runs + len(broken) < len(runs),
            "unreadable": broken,
        }
        print_json({**stats_data(rows, ledgers), **data, **bounded, "missed": missing})
    elif failures:
        _print_failures(app, ledgers)
    else:
        for line in stats_lines(rows, ledgers):
            print_line(line)
    if not app.as_json:
        say_bounds(app, "seeing.bounded", ledgers, broken, len(runs))
    return 1 if missing else 0


def read_ledgers(store: "EventStore", rows: Iterable[Summary]) -> tuple[LedgerFold, list[str]]:
    """The fold over these runs, and those that could not be read; each counts whole or not at all."""
    folded = LedgerFold()
    broken: list[str] = []
    for row in rows:
        try:
            events = list(store.read(row.run_id))
        except DonewhenError:
            broken.append(row.run_id)
            continue
        folded.take(row, events)
    return folded, broken


def say_bounds(app: App, key: str, ledgers: LedgerFold, broken: list[str], runs: int) -> None:
    if ledgers.runs + len(broken) < runs:
        app.note(t(key, read=ledgers.runs, runs=runs))
    if broken:
        complain(t("seeing.unreadable", runs=", ".join(broken)))


def _print_failures(app: App, ledgers: LedgerFold) -> None:
    lines = list(failure_lines(ledgers, whole=app.verbose))
    if not lines:
        app.note(t("seeing.no_failures"))
    for number, line in enumerate(lines):
        print_line(line.removeprefix("\n") if number == 0 else line)
