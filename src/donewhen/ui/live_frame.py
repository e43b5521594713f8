"""The live part of a run as rows of styled text, for a given width and height. Pure: no terminal, no clock.

What matters most comes first and what does not fit is left out, counted; no row is ever wider than it may be.
Everything that an agent wrote is made harmless here.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from donewhen.run.board import Proof
from donewhen.run.panel import Doing, Panel
from donewhen.ui.output import one_line, width
from donewhen.ui.runs_text import lasted, money
from donewhen.ui.words import t


class Span(NamedTuple):
    text: str
    style: str = ""  # words of ui.output: bold, dim, red, green, yellow, cyan


Row = tuple[Span, ...]

MARKS = {"failed": "✗", "masked": "◐", "stale": "↻", "pending": "·", "passed": "✓"}  # what needs a look first
_STYLES = {"failed": "red", "masked": "yellow", "stale": "yellow", "pending": "", "passed": "green"}
_STATES = {"done": "bold green", "fail": "bold red", "paused": "bold yellow"}
_LEVELS = {"warning": ("!", "yellow"), "error": ("✗", "red"), "said": ("“", "dim")}
_LONGEST = 400  # characters of one text that are looked at
_LABEL = 0.45  # of a row, for the name of a proof
_DOING = 2


class Extra(NamedTuple):
    """What no event tells: a step inside of a verification, for how long, and the last line it printed."""

    text: str = ""
    seconds: float = 0.0
    last: str = ""


def frame(panel: Panel, now: float, columns: int, lines: int, extra: Extra = Extra()) -> tuple[Row, ...]:  # noqa: B008
    """The rows to draw at `now`, by the clock that the panel was folded with."""
    wide = max(10, columns - 1)
    most = max(1, min(lines - 1, max(3, lines * 2 // 3)))
    rows = [_head(panel, now, wide)]
    rows += _asked(panel, wide) + _doing(panel, now, wide, extra)
    rows = rows[:most]
    todos, notes = _todos(panel, wide), _notes(panel, wide)
    left = most - len(rows)
    kept = min(left // 3, len(todos) + len(notes))  # what the proofs leave to others even when they are many
    proofs = _proofs(panel.proofs, wide, left - kept)
    left -= len(proofs)
    shown_notes = notes[-1:] if left > 1 or not todos else []
    shown_todos = todos[: left - len(shown_notes)]
    more = max(0, left - len(shown_todos) - 1)
    return tuple(rows + proofs + shown_todos + (notes[-(1 + more) :] if shown_notes else []))[:most]


def _head(panel: Panel, now: float, wide: int) -> Row:
    passed = panel.count("passed")
    spent = f"{money(panel.spent_micros)}/{money(panel.budget_micros)}"
    parts = [  # in the order of the row, each with how soon it may be left out
        (0, t(f"run.state_{panel.state}")),
        (1, t("live.turn", turn=panel.turn) if panel.turn else ""),
        (2, t("live.proven", passed=passed, total=len(panel.proofs)) if panel.proofs else ""),
        (4, t("live.attempt", attempt=panel.attempts) if panel.attempts else ""),
        (5, t("live.changed", count=panel.changed) if panel.changed else ""),
        (3, spent if panel.budget_micros is not None else money(panel.spent_micros)),
        (1, _clock(now - panel.began if panel.began else 0.0)),
    ]
    kept = [(rank, text) for rank, text in parts if text]
    while len(kept) > 1 and width("▸ " + " · ".join(text for _, text in kept)) > wide:
        kept.remove(max(kept, key=lambda part: part[0]))
    (_, state), *rest = kept
    tail = "".join(f" · {text}" for _, text in rest)
    return row(wide, Span(f"▸ {state}", _STATES.get(panel.state, "bold cyan")), Span(tail))


def _clock(seconds: float) -> str:
    return lasted(float(int(max(0.0, seconds)))).removesuffix(".0s") + ("s" if seconds < 60 else "")


def _asked(panel: Panel, wide: int) -> list[Row]:
    return [row(wide, Span(f"? {t('live.waits')} ", "bold yellow"), Span(one(q))) for q in panel.asked[-1:]]


def _doing(panel: Panel, now: float, wide: int, extra: Extra) -> list[Row]:
    told = (each for each in panel.doing if not (each.by == "harness" and each.text in extra.text))
    rows = [_one_doing(each, now, wide) for each in tuple(told)[-_DOING:]]
    if extra.text:
        time = f" {extra.seconds:.0f}s" if extra.seconds >= 1 else ""
        last = Span(f"  {one(extra.last)}", "dim")
        rows.append(row(wide, Span("  ⚖", "cyan"), Span(f"{time} {one(extra.text)}"), last))
    return rows


def _one_doing(doing: Doing, now: float, wide: int) -> Row:
    mark = "$" if doing.tool == "run_command" else one(doing.tool) or "…"
    spans = [Span(f"  {mark}", "bold cyan"), Span(f" {_clock(now - doing.since)}", "dim")]
    if doing.by == "model":
        return row(wide, *spans, Span(f" {t('live.asking', model=one(doing.text))}"))
    if doing.by == "harness":
        spans.insert(1, Span(f" {t('live.harness')}", "cyan"))
    return row(wide, *spans, Span(f" {one(doing.text)}"))


def _proofs(proofs: Sequence[Proof], wide: int, most: int) -> list[Row]:
    if most < 1 or not proofs:
        return []
    ranks = {status: rank for rank, status in enumerate(MARKS)}
    ordered = sorted(proofs, key=lambda proof: ranks[proof.status])
    kept = ordered if len(ordered) <= most else ordered[: most - 1]
    rows = [_proof(proof, wide) for proof in kept]
    rest = ordered[len(kept) :]
    return [*rows, _counted(rest, wide)] if rest else rows


def _proof(proof: Proof, wide: int) -> Row:
    words = max(width(t(f"live.status_{status}")) for status in MARKS)
    word = t(f"live.status_{proof.status}")
    head = f"  {MARKS[proof.status]} {word}{' ' * (words - width(word))} "
    reason = "" if proof.status == "passed" else one(proof.reason)
    free = wide - width(head)
    label = cut(one(proof.label or proof.id), free if not reason else max(8, int(free * _LABEL)))
    return row(wide, Span(head, _STYLES[proof.status]), Span(label), Span(f"  {reason}", "dim"))


def _counted(rest: Iterable[Proof], wide: int) -> Row:
    counts: dict[str, int] = {}
    for proof in rest:
        counts[proof.status] = counts.get(proof.status, 0) + 1
    told = ", ".join(f"{count} {t(f'live.status_{status}')}" for status, count in counts.items())
    return row(wide, Span(f"  … {t('live.more', told=told)}", "dim"))


def _todos(panel: Panel, wide: int) -> list[Row]:
    if not panel.todos:
        return []
    done = sum(todo.status == "completed" for todo in panel.todos)
    going = [todo for todo in panel.todos if todo.status == "in_progress"]
    open_ = [todo for todo in panel.todos if todo.status in ("blocked", "pending")]
    now = one(going[0].content) if going else ""
    head = t("live.todos", done=done, total=len(panel.todos))
    first = row(wide, Span(f"  ☐ {head}", "bold"), Span(f" · {now}" if now else ""))
    rest = [row(wide, Span(f"    {one(each.content)}", "dim")) for each in (*going[1:], *open_)[:4]]
    return [first, *rest]


def _notes(panel: Panel, wide: int) -> list[Row]:
    found = []
    for note in panel.notes:
        mark, style = _LEVELS[note.level]
        found.append(row(wide, Span(f"  {mark} {one(note.text)}", style)))
    return found


def one(text: str) -> str:
    """A text of somebody else's on one line, without anything that moves a cursor."""
    return one_line(text[:_LONGEST])


def row(wide: int, *spans: Span) -> Row:
    """Spans that fit into `wide` columns together."""
    kept: list[Span] = []
    for span in spans:
        room = wide - sum(width(each.text) for each in kept)
        if room <= 0:
            break
        if span.text:
            kept.append(span._replace(text=cut(span.text, room)))
    return tuple(kept)


def cut(text: str, columns: int) -> str:
    """`text`, at most so wide; an ellipsis where something is missing."""
    if width(text) <= columns:
        return text
    taken, end = 0, 0
    for end, char in enumerate(text):  # noqa: B007
        taken += 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if taken > columns - 1:
            break
    return text[:end].rstrip() + "…" if columns > 0 else ""


def plain(rows: Iterable[Row]) -> list[str]:
    return ["".join(span.text for span in each).rstrip() for each in rows]


def painted(rows: Iterable[Row], paint: Callable[..., str]) -> list[str]:
    """Rows as text for a terminal; `paint(text, *styles)` colours, or leaves it."""
    return ["".join(paint(span.text, *span.style.split()) for span in each) for each in rows]
