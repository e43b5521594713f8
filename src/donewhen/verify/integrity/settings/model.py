"""What is compared: files as they were and are, and the values that stand in them, each with its line."""

from collections.abc import Sequence
from typing import NamedTuple

Scalar = str | int | float | bool | None


class ChangedFile(NamedTuple):
    """A file at the base and now; None where it is not there. Equal bytes: it is only read along."""

    path: str
    base: bytes | None
    now: bytes | None


def nearby(files: Sequence[ChangedFile]) -> list[ChangedFile]:
    """The files that changed, and those that did not in the folders of these or above them."""
    changed = [each for each in files if each.base != each.now]
    folders = {""}
    for each in changed:
        parts = each.path.split("/")[:-1]
        folders.update("/".join(parts[:size]) for size in range(1, min(len(parts), 40) + 1))
    return [each for each in files if each.base != each.now or each.path.rpartition("/")[0] in folders]


class Code(NamedTuple):
    """A value that only running it would tell."""

    text: str


Value = Scalar | Code | tuple[Scalar | Code, ...]


class Leaf(NamedTuple):
    """One setting: its key as a path, and what it is set to; a list of plain values is one setting."""

    key: tuple[str, ...]
    value: Value
    line: int

    @property
    def name(self) -> str:
        return ".".join(self.key)


class Unread(NamedTuple):
    """A file that could not be read: the line, 0 where there is none, and a key of the catalogue."""

    line: int
    why: str


def items(value: Value, lines: bool = False) -> tuple[str, ...]:
    """A list setting as its entries, however the format writes lists."""
    if value is None:
        return ()
    if isinstance(value, tuple) and not isinstance(value, Code):
        return tuple(spelt(each) for each in value)
    text = spelt(value)
    parts = text.splitlines() if lines else text.replace(",", " ").split()
    return tuple(part.strip() for part in parts if part.strip())


def spelt(value: Value) -> str:
    """As people would write it."""
    if isinstance(value, Code):
        return value.text
    if isinstance(value, tuple):
        return ", ".join(map(spelt, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def is_on(value: Value) -> bool:
    """Whether a switch is on; every format has its own words for it."""
    return (
        spelt(value).strip().lower() in ("true", "1", "yes", "on")
        if not isinstance(value, tuple)
        else bool(value)
    )


def number(value: Value) -> float | None:
    """A limit as a number: 80, "80%", 0.8."""
    if value is None or isinstance(value, bool | tuple):
        return None
    try:
        found = float(spelt(value).strip().rstrip("%"))
    except ValueError:
        return None
    return found if found == found else None
