"""How runs, money and moments are shown, as text and as JSON."""

from typing import Any

from donewhen.core.ids import seconds
from donewhen.core.session import metrics
from donewhen.core.summary import Summary
from donewhen.ui.output import one_line, paint
from donewhen.ui.words import t

_STYLES = {"done": ("green",), "fail": ("red",), "paused": ("yellow",)}


def money(micros: int | None) -> str:
    return "–" if micros is None else f"${micros / 1_000_000:.2f}"


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


def state(row: Summary) -> str:
    text = f"{row.state} ({row.stop_reason})" if row.stop_reason and row.ended else row.state
    return paint(one_line(text), *_STYLES.get(row.state, ()))


def as_data(row: Summary) -> dict[str, Any]:
    """A run in `--json`: the fields of a session (7.1) that need no events."""
    figures = metrics(row)
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
