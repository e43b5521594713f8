"""Questions that are asked once in a session: whether an environment file may be loaded for commands.

The client asks its user; that the call then ran is his yes, and holds for that file until the session ends.
"""

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from donewhen.integrations.hook.places import private_folder, short

if TYPE_CHECKING:
    from donewhen.guard.decision import Decision

RULES = ("use-secret",)
_ASKED, _ANSWERED = "asked", "used.json"
_LARGEST = 64 * 1024


def is_answered(session: str, decision: "Decision") -> bool:
    """Has the user said yes to all that is asked here?"""
    paths = _paths(decision)
    return bool(paths) and paths <= set(_read(f"{session}/{_ANSWERED}"))


def note_question(session: str, call: str, decision: "Decision") -> None:
    paths = _paths(decision)
    if paths and call:
        private_folder(f"{session}/{_ASKED}")
        _write(f"{session}/{_ASKED}/{short(call)}", sorted(paths))


def note_ran(session: str, call: str) -> None:
    """The call ran: if its user was asked before, he said yes."""
    note = f"{session}/{_ASKED}/{short(call)}"
    if call and os.path.lexists(note):
        _write(f"{session}/{_ANSWERED}", sorted({*_read(f"{session}/{_ANSWERED}"), *_read(note)}))
        with suppress(OSError):
            os.unlink(note)  # noqa: PTH108 - no path objects on this way


def _paths(decision: "Decision") -> set[str]:
    """The files, where nothing else is asked."""
    from donewhen.guard.effects import Reads

    asked = [one for one in decision.findings if one.action == "ask" and not one.allowed_by]
    if decision.action != "ask" or any(one.rule not in RULES for one in asked):
        return set()
    return {one.found.effect.path for one in asked if one.found and isinstance(one.found.effect, Reads)}


def _read(path: str) -> list[str]:
    with suppress(OSError, ValueError), open(path, encoding="utf-8") as file:  # noqa: PTH123
        found = json.loads(file.read(_LARGEST))
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
    return []


def _write(path: str, paths: list[str]) -> None:
    with suppress(OSError), open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(json.dumps(paths))
