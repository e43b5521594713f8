"""How things are printed: tables, colours, JSON. Whatever an agent or a repository wrote is made harmless."""

import json
import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from donewhen.core.codec import thaw
from donewhen.core.lazy import lazy

# Terminal control sequences, other controls but tab and newline, and marks that reorder text.
_CONTROL = lazy(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b."
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_UNSAFE_IN_JSON = lazy("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def clean(text: object) -> str:
    return _CONTROL.sub("", str(text))


def one_line(text: object) -> str:
    return " ".join(clean(text).split())


def room(taken: int, least: int = 24) -> int | None:
    """Columns left on this line of a terminal; None where the output is no terminal and may be long."""
    if not sys.stdout.isatty():
        return None
    import shutil

    return max(least, shutil.get_terminal_size().columns - taken)


def paint(text: str, *styles: str) -> str:
    """`text` in colour on a terminal that wants it."""
    if not styles or "NO_COLOR" in os.environ or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{';'.join(_COLOURS[style] for style in styles)}m{text}\x1b[0m"


def print_line(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def complain(text: str) -> None:
    with suppress(OSError):  # that nobody hears it changes nothing about the outcome
        sys.stderr.write(clean(text) + "\n")
        sys.stderr.flush()


def print_json(data: dict[str, Any], *, one_line: bool = False) -> None:
    """The one object that `--json` promises, with the version of its form."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print_line(json_text(data, utf8=utf8, indent=None if one_line else 2))


def json_text(data: dict[str, Any], *, utf8: bool = True, indent: int | None = 2) -> str:
    text = json.dumps(thaw({"version": 1, **data}), ensure_ascii=not utf8, indent=indent)
    text = _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.encode(errors="backslashreplace").decode() if utf8 else text


def width(text: str) -> int:
    """Columns on a terminal; East Asian characters take two, colours none."""
    text = _CONTROL.sub("", text) if "\x1b" in text else text
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def fit(text: str, columns: int | None) -> str:
    """`text`, cut to `columns` with an ellipsis where it is longer; None leaves it whole."""
    if columns is None or width(text) <= columns:
        return text
    kept = ""
    for char in text:
        if width(kept + char) > columns - 1:
            break
        kept += char
    return kept + "…"


def fit_end(text: str, columns: int | None) -> str:
    """`text`, cut at its beginning where it is longer: of a path the end says most."""
    if columns is None or width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[1:]
    return "…" + text


def wrap(text: str, indent: str = "") -> list[str]:
    """Lines that break at spaces on a terminal; what follows the first one is indented."""
    columns = room(0)
    if columns is None or width(text) <= columns:
        return [text]
    first, *words = text.lstrip(" ").split(" ")
    lines, now = [], text[: len(text) - len(text.lstrip(" "))] + first
    for word in words:
        if width(f"{now} {word}") > columns:
            lines.append(now)
            now = indent + word
        else:
            now = f"{now} {word}"
    return [*lines, now]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Aligned columns; the last one is as long as it is."""
    lines = [tuple(head), *(tuple(map(_cell, row)) for row in rows)]
    sizes = [max(width(line[i]) for line in lines) for i in range(len(head))]
    return [
        "  ".join(pad(cell, size) for cell, size in zip(line, sizes, strict=True)).rstrip() for line in lines
    ]


def _cell(text: str) -> str:
    """What stands in a table is one line; only our own colours stay."""
    return text if text.startswith("\x1b[") and text.endswith("\x1b[0m") else one_line(text)


def pad(text: str, columns: int) -> str:
    return text + " " * (columns - width(text))
