"""`donewhen cost`: what runs cost, by kind and model, by day and by run. Nothing is estimated.

What was set aside for a call whose cost nobody reported is told apart; models without a price are named.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import click

from donewhen.core.stats import LedgerFold
from donewhen.core.stats_rows import within
from donewhen.core.summary import Summary
from donewhen.store import resolve
from donewhen.ui.app import App, command
from donewhen.ui.commands.runs import filtered, selection
from donewhen.ui.commands.stats import most_events, read_ledgers, say_bounds
from donewhen.ui.completing import complete_run
from donewhen.ui.output import complain, print_json, print_line, table
from donewhen.ui.runs_text import money
from donewhen.ui.stats_text import spent_data, spent_lines
from donewhen.ui.words import t

_KINDS = ("total", "llm", "api", "other")
_SHOWN = 10  # days and runs


@command("cost", "seeing.cost")
@click.argument("run", default="", shell_complete=complete_run)
@most_events
@filtered
def cost(app: App, run: str, most_events: int, **asked: Any) -> None:
    chosen = selection(asked)
    with app.open() as opened:
        if run:
            rows = [opened.store.summary(resolve(opened, run))]
            ledgers = LedgerFold()
            ledgers.take(
                rows[0], list(opened.store.read(rows[0].run_id))
            )  # one that is asked for must be whole
            broken: list[str] = []
        else:
            rows = chosen.rows(opened.store)
            ledgers, broken = read_ledgers(opened.store, within(_paid(rows), most_events))
    guessed = _of_unknown_price(app, ledgers)
    if app.as_json:
        print_json(_data(rows, ledgers, broken, guessed))
        return
    _print(rows, ledgers, one=bool(run))
    if guessed:
        complain(t("models_found.cost_guessed", models=", ".join(guessed)))
    say_bounds(
        app, "seeing.cost_bounded", ledgers, broken, max(1, len(_paid(rows))) if run else len(_paid(rows))
    )


def _of_unknown_price(app: App, ledgers: LedgerFold) -> list[str]:
    """Models whose costs were counted at the price that is assumed where no table knows one."""
    named = sorted({model for kind, model in ledgers.spent if kind == "llm" and ":" in model})
    if not named:
        return []
    from donewhen.ui.models_priced import facts_of

    return [name for name, facts in facts_of(named, app.config().config).items() if not facts.known]


def _paid(rows: Iterable[Summary]) -> list[Summary]:
    """A ledger of a run that cost nothing says nothing here, but for the tokens of free models."""
    return [row for row in rows if row.total_micros or row.turns]


def _totals(rows: Iterable[Summary]) -> dict[str, int]:
    listed = list(rows)
    return {kind: sum(getattr(row, f"{kind}_micros") for row in listed) for kind in _KINDS}


def _days(rows: Iterable[Summary]) -> dict[str, list[Summary]]:
    """By the day on which runs began, newest first."""
    days: dict[str, list[Summary]] = defaultdict(list)
    for row in rows:
        days[row.created[:10]].append(row)
    return dict(sorted(days.items(), reverse=True))


def _dearest(rows: Iterable[Summary]) -> list[Summary]:
    return sorted((row for row in rows if row.total_micros), key=lambda row: -row.total_micros)[:_SHOWN]


def _print(rows: list[Summary], ledgers: LedgerFold, *, one: bool) -> None:
    totals = _totals(rows)
    if not totals["total"] and not ledgers.spent and not ledgers.held:
        print_line(t("seeing.cost_none"))
        return
    print_line(t("seeing.cost_total", **{kind: money(micros) for kind, micros in totals.items()}))
    if ledgers.held:
        print_line(t("models_found.cost_held", held=money(ledgers.held)))
    if ledgers.spent:
        _print_table(spent_lines(ledgers.spent))
    if one:
        return
    head = [t(f"seeing.col_{name}") for name in ("day", "runs", "cost")]
    days = [(day, str(len(of)), money(_totals(of)["total"])) for day, of in _days(rows).items()]
    _print_table(table(head, days[:_SHOWN]))
    dear = [(money(row.total_micros), row.run_id, row.goal[:80]) for row in _dearest(rows)]
    if dear:
        _print_table(table([t("seeing.col_cost"), t("cli.col_run"), t("cli.col_goal")], dear))


def _print_table(lines: Iterable[str]) -> None:
    print_line()
    for line in lines:
        print_line(line)


def _data(rows: list[Summary], ledgers: LedgerFold, broken: list[str], guessed: list[str]) -> dict[str, Any]:
    return {
        "cost": {kind: micros / 1_000_000 for kind, micros in _totals(rows).items()},
        "held": ledgers.held / 1_000_000,
        "models": spent_data(ledgers.spent),
        "unknown_price": guessed,
        "days": [
            {"day": day, "runs": len(of), "cost": _totals(of)["total"] / 1_000_000}
            for day, of in _days(rows).items()
        ],
        "runs": [{"run": row.run_id, "cost": row.total_micros / 1_000_000} for row in _dearest(rows)],
        "read": ledgers.runs,
        "bounded": ledgers.runs + len(broken) < len(_paid(rows)),
        "unreadable": broken,
    }
