"""A change as people read it: the diff in colour, or files with how many lines came and went.

A file name or a line may hold anything; nothing of it reaches the terminal as more than text. Content that is
no text is not shown, whatever the repository says that it is.
"""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import TYPE_CHECKING, Any

from donewhen.core.quality.lines import diff_files
from donewhen.ui.output import clean, fit, one_line, pad, paint, width
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.run.reporting_model import Change, File

_SIGNS = {"added": "+", "deleted": "-", "renamed": "→"}
_BAR = 30
_WIDEST = 60
_COLOURS = (("+++", "bold"), ("---", "bold"), ("@@", "cyan"), ("+", "green"), ("-", "red"))
_HEADS = ("diff ", "index ", "new file", "deleted file", "old mode", "new mode", "similarity", "rename ")


def diff_lines(diff: str) -> Iterator[str]:
    """The diff line by line; of a file that is no text its head alone."""
    for part in diff_files(diff):
        body = next((at for at, line in enumerate(part.lines) if line.startswith("@@")), len(part.lines))
        yield from (paint(_harmless(line), "bold") for line in part.lines[:body])
        if any("\0" in line for line in part.lines[body:]):
            yield paint(t("seeing.diff_binary"), "dim")
        else:
            yield from map(_painted, part.lines[body:])


def _painted(line: str) -> str:
    text = _harmless(line)
    colour = next((colour for start, colour in _COLOURS[2:] if text.startswith(start)), "")
    return paint(text, colour) if colour else text


def _harmless(line: str) -> str:
    return clean(line.replace("\r", "")).replace("\n", "")


def stat_lines(files: Iterable["File"]) -> Iterator[str]:
    """One line a file, as `git diff --stat` has it."""
    listed = list(files)
    names = [fit(one_line(file.path), _WIDEST) for file in listed]
    columns = max(map(width, names), default=0)
    most = max((_count(file) for file in listed), default=0)
    for name, file in zip(names, listed, strict=True):
        sign = _SIGNS.get(file.change, "~")
        yield f"{sign} {pad(name, columns)}  {_bar(file, most)}".rstrip()


def _bar(file: "File", most: int) -> str:
    if file.added is None or file.removed is None:
        return paint("bin", "dim")
    scale = min(1.0, _BAR / most) if most else 0.0
    plus, minus = (min(_BAR, ceil(count * scale)) for count in (file.added, file.removed))
    bar = f"{paint('+' * plus, 'green')}{paint('-' * minus, 'red')}"
    return f"{_count(file):>4} {bar}  (+{file.added} −{file.removed})"


def _count(file: "File") -> int:
    return (file.added or 0) + (file.removed or 0)


def totals(files: Iterable["File"]) -> dict[str, int]:
    listed = list(files)
    return {
        "files": len(listed),
        "added": sum(file.added or 0 for file in listed),
        "removed": sum(file.removed or 0 for file in listed),
    }


def change_data(run_id: str, change: "Change") -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "run": run_id,
        "where": change.where or None,
        "base": change.base,
        "result": change.result or None,
        "files": [
            {"path": file.path, "kind": file.change, "added": file.added, "removed": file.removed}
            for file in change.files
        ],
        **{name: count for name, count in totals(change.files).items() if name != "files"},
        "diff": change.diff,
        "cut": change.cut,
    }
