"""A terminal as SVG: rows of coloured pieces, each at its column; no fonts are loaded and nothing is run."""

from collections.abc import Sequence
from html import escape

from donewhen.ui.live_frame import Row
from donewhen.ui.output import width

NBSP = "\u00a0"  # viewers of SVG collapse other blanks
_CELL = (8.4, 19.0)  # of a character
_EDGE = 18.0
_COLOURS = {"red": "#ff8a80", "green": "#6fd39a", "yellow": "#f2b544", "cyan": "#6cc7e6", "dim": "#8b96a3"}


def svg(rows: Sequence[Row], title: str, columns: int) -> str:
    wide = columns * _CELL[0] + 2 * _EDGE
    high = len(rows) * _CELL[1] + 2 * _EDGE + 22
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="0 0 {wide:.0f} {high:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{wide:.0f}" height="{high:.0f}" rx="8" fill="#14181d"/>',
        *(
            f'<circle cx="{_EDGE + 4 + number * 18:.0f}" cy="18" r="5" fill="#333c47"/>'
            for number in range(3)
        ),
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        'font-size="14" fill="#e7ebf0">',
    ]
    for number, row in enumerate(rows):
        lines += _spans(row, _EDGE + 36 + number * _CELL[1])
    return "\n".join([*lines, "</g>", "</svg>"]) + "\n"


def _spans(row: Row, y: float) -> list[str]:
    """Each piece of a row at its column, as wide as a terminal would make it."""
    found, column = [], 0
    for span in row:
        columns = width(span.text)
        if span.text.strip():
            styles = span.style.split()
            colour = next((f' fill="{_COLOURS[style]}"' for style in styles if style in _COLOURS), "")
            bold = ' font-weight="bold"' if "bold" in styles else ""
            x, length = _EDGE + column * _CELL[0], columns * _CELL[0]
            found.append(
                f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
                f"{colour}{bold}>{escape(span.text).replace(' ', NBSP)}</text>"
            )
        column += columns
    return found
