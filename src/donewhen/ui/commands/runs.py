"""`donewhen list`: the runs in the store, newest first, and the filters that all lists of runs share."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import SetupError
from donewhen.core.protocols import Query
from donewhen.core.reasons import REASONS
from donewhen.core.session import client_in, rests, unchanged
from donewhen.core.summary import ENDED, Summary, Wanted, is_verification, storable
from donewhen.integrations.hook.places import CLIENTS
from donewhen.store import repository_here
from donewhen.ui.app import App, command
from donewhen.ui.moments import moment
from donewhen.ui.output import fit, one_line, print_json, print_line, room, table, width
from donewhen.ui.runs_text import ago, as_data, money, state
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.core.protocols import EventStore

_LEAST_GOAL = 8
_LAST_WORDS = 3  # events at the end of a session that may say that nothing was changed
STATES = ["idle", "parsing", "planning", "executing", "validating", "merging", "done", "fail", "paused"]
_FILTERS = (
    click.option("--failed", is_flag=True, help=t("seeing.help_failed")),
    click.option("--waiting", is_flag=True, help=t("seeing.help_waiting")),
    click.option("--goal", default="", metavar="TEXT", help=t("seeing.help_goal")),
    click.option(
        "--reason",
        type=click.Choice(list(REASONS)),
        metavar="STOP_REASON",
        help=t("seeing.help_reason"),
    ),
    click.option("--agent", default="", metavar="KIND", help=t("seeing.help_agent")),
    click.option("--until", default="", metavar="WHEN", help=t("help.list_until")),
    click.option("--since", default="", metavar="WHEN", help=t("help.list_since")),
    click.option("--repo", default="", metavar="PATH", help=t("help.list_repo")),
    click.option("--state", "states", multiple=True, type=click.Choice(STATES), help=t("help.list_state")),
)


class Selection(NamedTuple):
    """Which runs a person wants: what the store selects by, and what is looked at row by row."""

    query: Query
    wanted: Wanted
    waiting: bool
    plain: bool = False  # no verifies, and no sessions that only asked something

    def rows(self, store: "EventStore", limit: int = 0) -> list[Summary]:
        """Newest first; no more than `limit` unless that is 0."""
        by_row = self.plain or self.waiting or self.wanted != Wanted()
        found = store.runs(self.query._replace(limit=0 if by_row else limit))
        if by_row:
            found = [row for row in found if self.wanted.takes(row)]
        if self.waiting:
            found = [row for row in found if is_waiting(row, store)]
        if self.plain:
            shown = (row for row in found if not is_verification(row) and not _only_asked(row, store))
            return list(islice(shown, limit or None))
        return found[:limit] if limit else found


def filtered(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `selection`."""
    for option in _FILTERS:
        function = option(function)
    return function


def selection(asked: dict[str, Any]) -> Selection:
    query = Query(
        states=asked["states"] or _states(asked),
        repo=storable(os.path.realpath(asked["repo"])) if asked["repo"] else "",
        since=moment(asked["since"], "--since") if asked["since"] else "",
        until=moment(asked["until"], "--until") if asked["until"] else "",
    )
    wanted = Wanted(asked["agent"], asked["reason"] or "", asked["goal"], asked["failed"])
    return Selection(query, wanted, asked["waiting"])


def _states(asked: dict[str, Any]) -> tuple[str, ...]:
    """The states that what is asked for implies: the store finds those without looking at every row."""
    if asked["waiting"]:
        return tuple(state for state in STATES if state not in ENDED)
    if asked["failed"]:
        return ("fail",)
    return {None: (), "accepted": ("done",)}.get(asked["reason"], ("fail", "paused"))


def is_waiting(row: Summary, store: "EventStore") -> bool:
    """Whether a human has to act before the run goes on: it is paused, or nobody executes it."""
    return row.state == "paused" or (is_left(row, store) and not _rests(row, store))


def _only_asked(row: Summary, store: "EventStore") -> bool:
    """Whether it is a session of a client in which nothing was changed, judged or refused."""
    if row.status or row.ended or row.attempts or row.agent not in CLIENTS:
        return False
    with suppress(SetupError):
        return any(map(unchanged, store.read(row.run_id, max(row.events - _LAST_WORDS, 0))))
    return False


def _rests(row: Summary, store: "EventStore") -> bool:
    """Whether it is a session of a client that is over or changed nothing; a damaged one does not say."""
    with suppress(SetupError):
        if client_in(store.read(row.run_id)):
            return any(map(rests, store.read(row.run_id, row.events - 1)))
    return False


def _left(row: Summary, store: "EventStore") -> str:
    """What is to be said of a run that looks alive and that nobody executes here; empty for any other."""
    if not is_left(row, store):
        return ""
    with suppress(SetupError):
        client = client_in(store.read(row.run_id))
        if client:
            return t("cli.over_in" if _rests(row, store) else "cli.open_in", client=client)
    return t("cli.nobody")


def is_left(row: Summary, store: "EventStore") -> bool:
    """Whether its process went away in the middle of it: it looks alive, and nobody executes it."""
    rests = row.ended or row.state in ("paused", "damaged")
    return not rests and not store.holder(row.run_id)


@command("list", "help.list")
@click.option(
    "--limit", "-n", default=50, metavar="N", type=click.IntRange(0, 10**9), help=t("help.list_limit")
)
@click.option("--all-kinds", is_flag=True, help=t("help.list_all_kinds"))
@click.option("--all", "everywhere", is_flag=True, help=t("help.list_all"))
@filtered
def list_runs(app: App, limit: int, everywhere: bool, all_kinds: bool, **asked: Any) -> None:
    chosen = selection(asked)._replace(plain=not (all_kinds or asked["agent"]))
    place = "" if everywhere or asked["repo"] else repository_here()
    if place:
        chosen = chosen._replace(query=chosen.query._replace(repo=place))
    with app.open() as opened:
        found = chosen.rows(opened.store, limit + 1 if limit else 0)
        left = {row.run_id: _left(row, opened.store) for row in found[: limit or None]}
        empty = not found and not opened.store.runs(Query(limit=1))
    rows = found[:limit] if limit else found
    if app.as_json:
        print_json({"runs": [as_data(row) for row in rows], "more": len(found) > len(rows)})
        return
    if app.quiet:
        for row in rows:
            print_line(one_line(row.run_id))
    elif rows:
        _print(rows, left, wide=app.verbose, everywhere=everywhere)
    elif empty:
        app.note(t("cli.no_runs_yet"))
    else:
        app.note(t("cli.no_runs_here" if place and not all_kinds else "cli.no_runs"))
    if len(found) > len(rows):
        app.note(t("cli.more_runs", limit=limit))


def _print(rows: list[Summary], left: dict[str, str], *, wide: bool, everywhere: bool = False) -> None:
    now = time.time()
    extra = ("repo", "branch") if wide else ("repo",) if everywhere else ()
    columns = ("run", "state", "created", "updated", "cost", "budget", *extra, "goal")
    cells = [
        (
            row.run_id,
            state(row, left.get(row.run_id, "")),
            ago(row.created, now),
            ago(row.updated, now),
            money(row.total_micros),
            "–" if row.budget_used is None else f"{row.budget_used:g}%",
            *(_named(row, name, wide) for name in extra),
            one_line(row.goal),
        )
        for row in rows
    ]
    head = [t(f"cli.col_{name}") for name in columns]
    if not wide:
        head, cells = _narrowed(head, cells)
    before_goal = max(map(width, table(head[:-1], [cell[:-1] for cell in cells])))
    columns_left = None if wide else room(before_goal + 2, _LEAST_GOAL)
    for line in table(head, [(*cell[:-1], fit(cell[-1], columns_left)) for cell in cells]):
        print_line(line)


def _named(row: Summary, name: str, wide: bool) -> str:
    """A cell; of a repository its folder's own name, the whole path only where there is room for all."""
    text = one_line(getattr(row, name))
    return (text if wide or name != "repo" else text.rpartition("/")[2]) or "–"


def _narrowed(head: list[str], cells: list[tuple[str, ...]]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Without columns that a narrow terminal has no room for: what matters least goes first."""
    all_columns = room(0)
    for name in ("created", "budget", "updated", "cost"):
        taken = max(map(width, table(head[:-1], [cell[:-1] for cell in cells])))
        if all_columns is None or taken + 2 + _LEAST_GOAL <= all_columns:
            break
        at = head.index(t(f"cli.col_{name}"))
        head = [*head[:at], *head[at + 1 :]]
        cells = [(*cell[:at], *cell[at + 1 :]) for cell in cells]
    return head, cells
