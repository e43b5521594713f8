"""Which folders are gated: those with a donewhen configuration, and those that the user armed.

A hook in the user's own settings runs everywhere; where nobody asked for a gate it must not be felt.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_own, write_whole
from donewhen.core.errors import SetupError, UserError

_CONFIGS = (".donewhen/config.yml", ".gsd/config.yml")
_LONGEST = 65536


class Reason(NamedTuple):
    """Why a folder is gated: `kind` is config (a file) or armed (a folder)."""

    kind: str
    path: Path


def arm(state: Path, folder: Path) -> tuple[Path, bool]:
    """Gate sessions in `folder` and below; False when they were already."""
    if not folder.is_dir():
        raise UserError("install.no_folder", folder=folder)
    real = Path(os.path.realpath(folder))
    file = _file(state, real)
    new = not file.exists()
    if new:
        _changing(file, lambda: write_whole(file, os.fsencode(real)))
    return real, new


def disarm(state: Path, folder: Path) -> tuple[Path, bool]:
    """No longer by the user's word; False when it was not armed. A folder that is gone may be disarmed."""
    real = Path(os.path.realpath(folder))
    file = _file(state, real)
    was = file.exists()
    if was:
        _changing(file, file.unlink)
    return real, was


def armed(state: Path) -> list[Path]:
    """The armed folders, by name."""
    folder = state / "armed"
    try:
        files = sorted(folder.iterdir())
    except OSError:
        return []
    texts = [read_own(file, _LONGEST) for file in files]
    named = [(file, Path(os.fsdecode(text))) for file, text in zip(files, texts, strict=True) if text]
    return sorted(path for file, path in named if file == _file(state, path))


def why_gated(state: Path, folder: Path) -> Reason | None:
    """The nearest reason upward from `folder`; a configuration counts before an armed folder."""
    real = Path(os.path.realpath(folder))
    for each in (real, *real.parents):
        for name in _CONFIGS:
            if os.path.lexists(each / name):
                return Reason("config", each / name)
    for each in (real, *real.parents):
        if _file(state, each).exists():
            return Reason("armed", each)
    return None


def _file(state: Path, real: Path) -> Path:
    return state / "armed" / hashlib.sha256(os.fsencode(real)).hexdigest()[:24]


def _changing(file: Path, change: Callable[[], None]) -> None:
    try:
        change()
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise SetupError("install.unwritable", file=file, why=why) from None
