"""`donewhen stats`: figures over runs against their targets, and the groups of why runs failed.

The index answers what it can for all runs; ledgers are read for the rest, newest first and up to a bound that
is said. One that can't be read is named and left out.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from donewhen.core.errors import DonewhenError
from donewhen.core.stats import LedgerFold
from donewhen.core.stats_rows import of_rows, within
from donewhen.core.summary import Summary, is_verification
from donewhen.core.targets import Figure, key_figures
from donewhen.ui.app import App, command
from donewhen.ui.commands.runs import filtered, selection
from donewhen.ui.output import complain, print_json, print_line
from donewhen.ui.stats_figures import check_line, figure_lines, figures_data
from donewhen.ui.stats_later import later_data, later_lines, shipped
from donewhen.ui.stats_text import failure_lines, groups_data, stats_data, stats_lines
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.config.sections_guard import Notify
    from donewhen.core.protocols import EventStore
    from donewhen.ui.stats_looking import Fate

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
@click.option("--check", is_flag=True, help=t("stats.help_check"))
@click.option("--audit", is_flag=True, help=t("stats.help_audit"))
@most_events
@filtered
def stats(app: App, failures: bool, check: bool, audit: bool, most_events: int, **asked: Any) -> int:
    chosen = selection(asked)
    config = app.config().config
    with app.open() as opened:
        every = chosen.rows(opened.store)
        runs = [row for row in every if not is_verification(row) and row.state != "damaged"]
        ledgers, broken = read_ledgers(opened.store, within(runs, most_events))
    rows = of_rows(every)
    least = config.stats.least_runs
    figures = key_figures(rows, ledgers, config.stats.targets.model_dump(), least)
    fates = _look(ledgers, config.project.target_branch) if audit else None
    missed = [one.name for one in figures if one.verdict == "missed"] if check else []
    if app.as_json:
        data = {"groups": groups_data(ledgers)} if failures else {}
        bounded = {
            "read": ledgers.runs,
            "bounded": ledgers.runs + len(broken) < len(runs),
            "unreadable": broken,
        }
        told = {"figures": figures_data(figures), "audit": later_data(ledgers.later, fates)}
        print_json({**stats_data(rows, ledgers), **told, **data, **bounded, "missed": missed})
    elif failures:
        _print_failures(app, ledgers)
        _print(later_lines(ledgers.later, fates) if audit else ())
    else:
        _print(chain(stats_lines(rows, ledgers), figure_lines(figures), later_lines(ledgers.later, fates)))
    if not app.as_json:
        say_bounds(app, "seeing.bounded", ledgers, broken, len(runs))
        _say_looked(app, ledgers, fates)
    if check:
        _conclude(app, figures, least, config.notify)
    return 1 if missed else 0


def _look(ledgers: LedgerFold, target: str) -> "list[Fate]":
    from donewhen.ui.stats_looking import look

    return look(shipped(ledgers.later), target)


def _conclude(app: App, figures: Sequence[Figure], least: int, section: "Notify") -> None:
    """The sentence of `--check`, and the message to people when something is missed."""
    if not app.as_json:
        app.note(check_line(figures, least))
    if any(one.verdict == "missed" for one in figures):
        from donewhen.ui.stats_telling import tell_missed

        tell_missed(section, figures)


def _say_looked(app: App, ledgers: LedgerFold, fates: "Sequence[Fate] | None") -> None:
    accepted = len(shipped(ledgers.later))
    if fates is not None and len(fates) < accepted:
        app.note(t("stats.audits_bounded", looked=len(fates), accepted=accepted))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print_line(line)


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
