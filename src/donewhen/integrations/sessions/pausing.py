"""The user's way out: sessions in a folder are not gated for an hour, for their life, or until `donewhen on`.

What happens meanwhile is neither guarded nor examined. The ledger of each live session says so, and a change
that came about meanwhile is judged with the next stop after `donewhen on`.
"""

import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import write_whole
from donewhen.config.paths import state_folder
from donewhen.core.errors import DonewhenError, UserError
from donewhen.core.events import Body, facts, run
from donewhen.core.texts import Phrase, say
from donewhen.integrations.hook.ledger import EVERYTHING
from donewhen.integrations.hook.places import OFF, paused_file
from donewhen.integrations.sessions.folder import ENDED, Folder, Session, sessions_folder
from donewhen.integrations.sessions.keeping import loaded_for
from donewhen.integrations.sessions.opening import opened_at

SESSION = "session"
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(\d{1,6})([smhd])")


class Paused(NamedTuple):
    folder: Path
    sessions: int  # live ones that this concerns
    until: float = 0.0  # seconds since 1970; 0: until `donewhen on`


def pause(folder: Path, env: Mapping[str, str], length: str = "") -> Paused:
    """`length`: `90m` and the like, `session` for the live sessions alone, empty for until `donewhen on`."""
    real = Path(os.path.realpath(folder))
    if length == SESSION:
        return Paused(real, _release(real, env))
    seconds = _seconds(length)
    until = time.time() + seconds if seconds else 0.0
    write_whole(Path(paused_file(str(state_folder(env)), str(real))), f"{until:.0f}".encode())
    note = Phrase("sessions.paused_note", {"until": length or "donewhen on"})
    return Paused(real, _tell(real, env, note), until)


def go_on(folder: Path, env: Mapping[str, str]) -> Paused:
    """Gate again, here and in the sessions below; what was paused above stays so."""
    real = Path(os.path.realpath(folder))
    Path(paused_file(str(state_folder(env)), str(real))).unlink(missing_ok=True)
    for each, _ in _live(real, env):
        (each.path / OFF).unlink(missing_ok=True)
    return Paused(real, _tell(real, env, Phrase("sessions.on_note"), facts.FileChanged(EVERYTHING, "write")))


def release(folder: Path, env: Mapping[str, str]) -> int:
    """End the gating of the live sessions in a folder that is disarmed."""
    return _release(Path(os.path.realpath(folder)), env)


def paused_above(folder: Path, env: Mapping[str, str]) -> Path | None:
    """The folder here or above that is paused now."""
    real, state = Path(os.path.realpath(folder)), str(state_folder(env))
    for each in (real, *real.parents):
        try:
            until = float(Path(paused_file(state, str(each))).read_text(encoding="ascii"))
        except (OSError, ValueError):
            continue
        if until == 0 or time.time() < until:
            return each
    return None


def _release(real: Path, env: Mapping[str, str]) -> int:
    for each, _ in _live(real, env):
        write_whole(each.path / OFF, b"")
    return _tell(real, env, Phrase("sessions.paused_note", {"until": SESSION}))


def _seconds(length: str) -> int:
    if not length:
        return 0
    found = _DURATION.fullmatch(length)
    if found is None or int(found[1]) == 0:
        raise UserError("sessions.bad_duration", given=length[:40])
    return int(found[1]) * _UNITS[found[2]]


def _live(real: Path, env: Mapping[str, str]) -> Iterator[tuple[Folder, Session]]:
    """The sessions in the folder or below that their clients did not end."""
    top = sessions_folder(env)
    for path in sorted(top.iterdir()) if top.is_dir() else ():
        session = Folder(path).session()
        if session is None or (path / ENDED).exists():
            continue
        root = Path(os.path.realpath(session.root))
        if root == real or real in root.parents or root in real.parents:
            yield Folder(path), session


def _tell(real: Path, env: Mapping[str, str], what: Phrase, *more: Body) -> int:
    count = 0
    for folder, session in _live(real, env):
        count += 1
        text = say(what.key, session.language, **what.values)
        try:
            with opened_at(session.store, session.root, loaded_for(folder, session.root, env), env) as opened:
                opened.store.append(session.run, run.Noted(text, "warning"), *more)
        except DonewhenError:
            continue  # the word of the user counts, whether or not its ledger can be written
    return count
