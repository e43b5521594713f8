"""A proof on one line, in the words of the live view, wherever a summary or a list shows one.

Pure: takes names and reasons as they stand in a decision or on the board, and prints nothing.
"""

from collections.abc import Mapping
from typing import Any

from donewhen.ui.live_frame import MARKS
from donewhen.ui.output import fit, one_line, paint, room, width
from donewhen.ui.words import t

_NAMELESS = ("output_only", "workspace_change")  # kinds without a target
_COLOURS = {"passed": "green", "failed": "red", "masked": "yellow", "stale": "yellow"}


def proof_name(kind: str, target: str, name: str) -> str:
    """What people call it: the command, the file, the gate; else the kind in words."""
    if kind in _NAMELESS:
        return t(f"live.kind_{kind}")
    return one_line(target) or one_line(name).rstrip(":") or one_line(kind)


def proof_line(status: str, name: str, reason: str) -> str:
    """Mark, word where it is more than passed or failed, name and reason."""
    colour = _COLOURS.get(status)
    mark = paint(MARKS[status], colour) if colour else MARKS[status]
    told = f"{t(f'live.status_{status}')}: " if status in ("stale", "masked") else ""
    label = _short(name, 4)
    return f"  {mark} {label}  {_short(told + reason, width(label) + 6)}".rstrip()


def result_line(result: Mapping[str, Any]) -> str:
    """A result as a decision has it."""
    kind, target, name = (str(result.get(key) or "") for key in ("kind", "target", "id"))
    status = "passed" if result.get("passed") else "failed"
    return proof_line(status, proof_name(kind, target, name), str(result.get("reason") or ""))


def _short(text: str, taken: int) -> str:
    return fit(one_line(text), room(taken, 8) or 200)
