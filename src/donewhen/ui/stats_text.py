"""Figures over runs, as people read them and as `--json` tells them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from donewhen.core.reasons import REASONS, next_step
from donewhen.core.stats import Group, LedgerFold, Spent
from donewhen.core.stats_rows import RowStats, Spread
from donewhen.ui.output import one_line, pad, paint, table, width
from donewhen.ui.runs_text import lasted, money
from donewhen.ui.words import language, t

_SHOWN = 8  # entries of one list


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}%"


def stats_lines(rows: RowStats, ledgers: LedgerFold) -> Iterator[str]:
    said = _sentences(rows, ledgers)
    columns = max(width(t(f"seeing.{name}")) for name in said)
    for name, values in said.items():
        yield f"{pad(t(f'seeing.{name}'), columns)}  {t(f'seeing.{name}_line', **values)}"
    yield from _counted("seeing.states", rows.states)
    yield from _counted("seeing.reasons", rows.reasons)
    yield from _counted("seeing.refusals", ledgers.rules)
    yield from _counted("seeing.people", ledgers.people)
    yield from _slowest(ledgers)


def _sentences(rows: RowStats, ledgers: LedgerFold) -> dict[str, dict[str, object]]:
    """What stands first, a line each; a spread of nothing has none."""
    tokens_in, tokens_out = ledgers.tokens
    spreads = {
        "attempts": (rows.attempts, lambda number: f"{number:g}"),
        "duration": (ledgers.duration, lasted),
    }
    return {
        "runs": {"runs": rows.runs, "ended": rows.ended, "verifications": rows.verifications},
        "accepted": {"accepted": rows.accepted, "ended": rows.ended, "rate": percent(rows.rate)},
        **{name: {**_spread(found, show)} for name, (found, show) in spreads.items() if found},
        "money": {"total": money(rows.micros["total"]), "each": money(_each(rows))},
        "tokens": {"tokens_in": tokens_in, "tokens_out": tokens_out},
        "claims": {"claims": ledgers.claims_refused, "runs": ledgers.runs_refused},
        **({"early": {"claims": ledgers.claims_early}} if ledgers.claims_early else {}),
        **({"unjudged": {"claims": ledgers.claims_unjudged}} if ledgers.claims_unjudged else {}),
    }


def _spread(found: Spread, show: Callable[[float], str]) -> dict[str, str]:
    return {name: show(getattr(found, name)) for name in ("median", "p90", "most")}


def _each(rows: RowStats) -> int | None:
    return round(rows.accepted_micros / rows.accepted) if rows.accepted else None


def _counted(key: str, counts: Mapping[str, int]) -> Iterator[str]:
    listed = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    if listed:
        yield f"\n{t(key)}"
    digits = max((len(str(count)) for _, count in listed), default=0)
    for name, count in listed[:_SHOWN]:
        yield f"  {count:>{digits}}  {one_line(name)}"
    if len(listed) > _SHOWN:
        yield f"  … ({len(listed) - _SHOWN})"


def _slowest(ledgers: LedgerFold) -> Iterator[str]:
    slow = ledgers.slowest(_SHOWN)
    if slow:
        yield f"\n{t('seeing.slowest')}"
    for name, spent in slow:
        values = {"times": spent.times, "failed": spent.failed, "command": one_line(name)}
        yield "  " + t("seeing.slow_line", total=lasted(spent.duration_ms / 1000), **values)


def failure_lines(ledgers: LedgerFold, *, whole: bool) -> Iterator[str]:
    """Groups of one kind below each other, each with what to do about it."""
    kind = ""
    shown = 0
    for group in ledgers.groups():
        if group.kind != kind:
            kind, shown = group.kind, 0
            yield f"\n{paint(t(f'seeing.group_{kind}'), 'bold')}"
        shown += 1
        if shown > _SHOWN and not whole:
            continue
        values = {"runs": group.runs, "times": group.times, "last": group.last, "name": one_line(group.name)}
        yield "  " + t("seeing.group_line", **values)
        yield paint(f"    → {one_line(next_for(group))}", "dim")


def next_for(group: Group) -> str:
    if group.kind != "reason":
        return t(f"seeing.next_{group.kind}", run=group.last, name=group.name)
    known = next((reason for reason in REASONS if reason == group.reason), None)
    return next_step(known, language()) if known else t("seeing.next_check", run=group.last)


def stats_data(rows: RowStats, ledgers: LedgerFold) -> dict[str, Any]:
    tokens_in, tokens_out = ledgers.tokens
    each = _each(rows)
    return {
        "runs": rows.runs,
        "verifications": rows.verifications,
        "states": dict(rows.states),
        "stop_reasons": dict(rows.reasons),
        "ended": rows.ended,
        "accepted": rows.accepted,
        "acceptance_rate": rows.rate,
        "attempts_to_acceptance": rows.attempts._asdict() if rows.attempts else None,
        "duration": ledgers.duration._asdict() if ledgers.duration else None,
        "cost": {kind: micros / 1_000_000 for kind, micros in rows.micros.items()},
        "cost_per_accepted": None if each is None else each / 1_000_000,
        "ledgers": {
            "runs": ledgers.runs,
            "events": ledgers.events,
            "tokens_in": tokens_in,
            "tokens_out": tokens_out,
            "handed_over": ledgers.handed_over,
            "refusals": dict(ledgers.rules),
            "refused_by_humans": dict(ledgers.people),
            "claims_refused": ledgers.claims_refused,
            "claims_refused_for_todos": ledgers.claims_early,
            "claims_not_judged": ledgers.claims_unjudged,
            "runs_with_refused_claims": ledgers.runs_refused,
            "verdicts": dict(ledgers.verdicts),
            "exam": dict(ledgers.exam),
            "compression": {"runs": ledgers.compressed, "raw": ledgers.raw, "sent": ledgers.sent},
            "commands": [
                {
                    "command": name,
                    "times": spent.times,
                    "failed": spent.failed,
                    "seconds": spent.duration_ms / 1000,
                }
                for name, spent in ledgers.slowest(_SHOWN)
            ],
        },
    }


def groups_data(ledgers: LedgerFold) -> list[dict[str, Any]]:
    return [{**group._asdict(), "next": next_for(group)} for group in ledgers.groups()]


def spent_lines(spent: Mapping[tuple[str, str], Spent]) -> list[str]:
    """What was spent for what; the dearest first."""
    columns = ("kind", "model", "calls", "cost", "tokens_in", "tokens_out")
    listed = sorted(spent.items(), key=lambda each: -each[1].micros)
    cells = [
        (kind, model or "–", str(own.calls), money(own.micros), str(own.tokens_in), str(own.tokens_out))
        for (kind, model), own in listed
    ]
    return table([t(f"seeing.col_{name}") for name in columns], cells)


def spent_data(spent: Mapping[tuple[str, str], Spent]) -> list[dict[str, Any]]:
    listed = sorted(spent.items(), key=lambda each: -each[1].micros)
    return [
        {
            "kind": kind,
            "model": model,
            "calls": own.calls,
            "cost": own.micros / 1_000_000,
            "tokens_in": own.tokens_in,
            "tokens_out": own.tokens_out,
        }
        for (kind, model), own in listed
    ]
