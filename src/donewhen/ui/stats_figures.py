"""The key figures against their targets, as people read them and as `--json` tells them."""

from collections.abc import Iterator, Sequence
from typing import Any

from donewhen.core.budget import MILLION
from donewhen.core.targets import Figure, Verdict
from donewhen.ui.output import paint, room, table, width
from donewhen.ui.runs_text import lasted, money
from donewhen.ui.words import t

_MARKS: dict[Verdict, tuple[str, str]] = {
    "met": ("✓", "green"),
    "missed": ("✗", "red"),
    "few": ("~", "yellow"),
    "unknown": ("·", "dim"),
}
_COLUMNS = ("figure", "value", "target", "runs", "verdict")
_MOST_DIGITS = 4


def figure_lines(figures: Sequence[Figure]) -> Iterator[str]:
    """A table; where that is wider than the terminal, each figure below the other."""
    yield f"\n{t('stats.figures')}"
    head = [t(f"stats.col_{name}") for name in _COLUMNS]
    rows = [
        (t(f"stats.{one.name}"), value_of(one), target_of(one), str(one.runs), _verdict(one))
        for one in figures
    ]
    lines = table(head, rows)
    left = room(2)
    if left is None or max(map(width, lines)) <= left:
        yield from (f"  {line}" for line in lines)
        return
    for name, value, target, runs, verdict in rows:
        yield f"  {name}: {verdict}"
        yield f"    {value} ({head[2]} {target}, {head[3]} {runs})"


def _verdict(figure: Figure) -> str:
    mark, colour = _MARKS[figure.verdict]
    return paint(f"{mark} {t(f'stats.{figure.verdict}')}", colour)


def names_of(figures: Sequence[Figure], verdict: Verdict) -> str:
    return ", ".join(t(f"stats.{one.name}") for one in figures if one.verdict == verdict)


def value_of(figure: Figure) -> str:
    """With as many digits as it takes to tell it from its target."""
    if figure.value is None:
        return "–"
    for digits in range(_MOST_DIGITS):
        said = _said(figure, figure.value, digits)
        if figure.value == figure.limit or said != _said(figure, figure.limit, digits):
            break
    return said


def target_of(figure: Figure) -> str:
    """As it was set, whatever number of digits that has."""
    limit = figure.limit
    said = {
        "share": f"{100 * limit:g}%",
        "seconds": lasted(limit),
        "dollars": f"${limit:.2f}" if round(limit, 2) == limit else f"${limit:g}",
        "ratio": f"{limit:g}:1",
        "number": f"{limit:g}",
    }
    return f"{'>' if figure.above else '<'} {said[figure.unit]}"


def _said(figure: Figure, value: float, digits: int) -> str:
    match figure.unit:
        case "share":
            return f"{100 * value:.{digits}f}%"
        case "seconds":
            return lasted(value) if digits == 0 else f"{value:.{digits}f}s"
        case "dollars":
            return money(round(value * MILLION)) if digits == 0 else f"${value:.{digits + 2}f}"
        case "ratio":
            return f"{value:.{digits + 1}f}:1"
        case "number":
            return f"{value:.{digits + 1}f}"


def check_line(figures: Sequence[Figure], least: int) -> str:
    """What `--check` comes to, in a sentence."""
    if missed := names_of(figures, "missed"):
        return t("stats.check_missed", names=missed)
    if few := names_of(figures, "few"):
        return t("stats.check_few", names=few, least=least)
    if all(one.verdict == "unknown" for one in figures):
        return t("stats.check_no_data")
    unknown = names_of(figures, "unknown")
    return t("stats.check_met", unknown=unknown) if unknown else t("stats.check_all_met")


def figures_data(figures: Sequence[Figure]) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "value": one.value,
            "unit": one.unit,
            "target": one.limit,
            "above": one.above,
            "runs": one.runs,
            "verdict": one.verdict,
            "met": one.met,
        }
        for one in figures
    ]
