"""How runs, money and moments are shown, as text and as JSON."""

from collections.abc import Mapping
from typing import Any, get_args

from donewhen.core.events.run import State
from donewhen.core.ids import seconds
from donewhen.core.session import metrics
from donewhen.core.summary import Summary
from donewhen.ui.output import one_line, paint
from donewhen.ui.words import language, t

_MILLION = 1_000_000
_CENT = 10_000
_STATES = frozenset(get_args(State))
_TODOS = frozenset({"pending", "in_progress", "blocked", "completed", "failed", "canceled"})
_STYLES = {"done": ("green",), "fail": ("red",), "paused": ("yellow",)}


def money(micros: int | None) -> str:
    """Two decimals; below a dollar as many as it takes to tell a small amount from nothing."""
    if micros is None:
        return "–"
    if not 0 < micros < _MILLION or micros % _CENT == 0:
        return f"${micros / _MILLION:.2f}"
    places = min(6, max(3, 8 - len(str(micros))))  # two digits that say something
    return f"${micros / _MILLION:.{places}f}"


def held(micros: int) -> str:
    """What follows the money of a run whose calls did not all come to an end that somebody heard."""
    return t("cli.held", money=money(micros)) if micros else ""


def size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def lasted(count: float) -> str:
    minutes, rest = divmod(round(count), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes:02}m"
    return f"{minutes}m{rest:02}s" if minutes else f"{count:.1f}s"


def ago(moment: str, now: float) -> str:
    try:
        passed = max(0.0, now - seconds(moment))
    except ValueError:  # an altered row; `audit` tells
        return one_line(moment)
    for unit, seconds_each in (("d", 86400), ("h", 3600), ("m", 60)):
        if passed >= seconds_each:
            return t(f"cli.ago_{unit}", count=int(passed // seconds_each))
    return t("cli.ago_s", count=int(passed))


def state_word(name: str) -> str:
    """A state in the reader's language; in English by its own name, which options take as well."""
    return t(f"run.state_{name}") if language() != "en" and name in _STATES else name


def todo_word(todo: Mapping[str, Any]) -> str:
    status = str(todo.get("status") or "pending")
    return t(f"cli.todo_{status}") if status in _TODOS else one_line(status)


def state(row: Summary, left: str = "") -> str:
    """The state with its reason; `left`: what is to be said of one that no process of ours executes."""
    shown = row.stop_reason if row.ended or row.state == "paused" else left
    text = f"{state_word(row.state)} ({shown})" if shown else state_word(row.state)
    return paint(one_line(text), *(("yellow",) if left else _STYLES.get(row.state, ())))


def as_data(row: Summary, lived: float | None = None) -> dict[str, Any]:
    """A run in `--json`: the fields of a session that need no events, but for how long it lived."""
    figures = metrics(row, lived)
    return {
        "run": row.run_id,
        "state": row.state,
        "status": row.status,
        "stop_reason": row.stop_reason,
        "created": row.created,
        "updated": row.updated,
        "task": row.goal,
        "repo": row.repo,
        "worktree": row.workspace,
        "branch": row.branch,
        "base": row.base,
        "agent": row.agent,
        "promise": row.promise,
        "profile": row.profile,
        "parent": row.parent,
        "cost": dict(figures.cost),
        "budget": figures.budget,
        "attempts": row.attempts,
        "metrics": figures._asdict(),
        "events": row.events,
    }
