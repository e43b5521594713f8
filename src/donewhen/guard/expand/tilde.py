"""Tildes: `~`, `~/x`, `~user`, `~+`, `~-`, at the start of a word and, in assignments, after `=` and `:`.

What a tilde becomes is never split or globbed. Accounts are not looked up: another user's folder is taken to
be where such folders are.
"""

import re
from collections.abc import Sequence

from donewhen.core.tree import Part, Text
from donewhen.guard.marks import HOLE
from donewhen.guard.state import State

_LOGIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NAMED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


def tilde(parts: Sequence[Part], state: State, assigned: bool = False) -> Sequence[Part]:
    """The parts with tildes replaced; `assigned`: the word is the value of a variable."""
    first = parts[0] if parts else None
    if not isinstance(first, Text) or not any(
        isinstance(part, Text) and not part.quoted and "~" in part.text for part in parts
    ):
        return parts
    found: list[Part] = []
    lead = None if assigned or first.quoted else _NAMED.match(first.text)
    for number, part in enumerate(parts):
        if not isinstance(part, Text) or part.quoted or "~" not in part.text:
            found.append(part)
            continue
        last = number == len(parts) - 1
        if assigned or lead:
            skip = lead.end() if lead and number == 0 else 0
            found += _everywhere(part.text, skip, number == 0, last, state)
        elif number == 0:
            found += _at_start(part.text, last, state)
        else:
            found.append(part)
    return found


def _at_start(text: str, last: bool, state: State, ends: str = "/") -> list[Part]:
    if not text.startswith("~"):
        return [Text(text)]
    stop = min((at for at in map(text.find, ends) if at >= 0), default=-1)
    if stop < 0 and not last:
        return [Text(text)]  # `~$x`, `~"x"`
    name = text[1:] if stop < 0 else text[1:stop]
    folder = home_of(name, state)
    rest = "" if stop < 0 else text[stop:]
    if folder is None:
        return [Text(text)]
    if folder.endswith("/") and rest.startswith("/"):
        folder = folder[:-1]
    return [Text(folder, True), *([Text(rest)] if rest else [])]


def _everywhere(text: str, skip: int, first: bool, last: bool, state: State) -> list[Part]:
    found: list[Part] = [Text(text[:skip])] if skip else []
    pieces = text[skip:].split(":")
    for number, piece in enumerate(pieces):
        final = number == len(pieces) - 1
        if number:
            found.append(Text(":"))
        if number or first:
            found += _at_start(piece, last or not final, state)
        elif piece:
            found.append(Text(piece))
    return found


def home_of(name: str, state: State) -> str | None:
    """The folder that `~name` means; None when it stays as written."""
    if not name:
        return state.one("HOME") if state.values("HOME") != (None,) else state.home
    if name == "+":
        return state.one("PWD")
    if name == "-":
        return state.one("OLDPWD")
    if name.lstrip("+-").isdigit():
        return HOLE  # of the stack that pushd keeps
    if name == state.user:
        return state.home
    if name == "root":
        return "/root"
    return f"/home/{name}" if _LOGIN.match(name) else None
