"""Writing a project's configuration: only where none is, whole or not at all, never through a link.

An existing file is replaced only when that is asked for, and then a copy that is never overwritten comes
first. A configuration of another project is taken over as it is, after it was found valid.
"""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import is_there, read_bytes, read_regular, write_whole
from donewhen.config.load import problems_in
from donewhen.config.places import ConfigError, harmless
from donewhen.config.project import OTHER, OURS, Source, extends_any, find_project
from donewhen.core.errors import SetupError, UserError

_MOST_BACKUPS = 1000


class Written(NamedTuple):
    path: Path
    backup: Path | None = None


def refuse_if_configured(here: Path, root: Path) -> None:
    """UserError when the project has a configuration already, at its root or on the way to it."""
    found = find_project(here)
    if found is not None and found.parent.parent.is_relative_to(root):
        key = "init.exists_other" if found.parent.name == ".gsd" else "init.exists"
        raise UserError(key, path=harmless(str(found), 4096))


def write_config(root: Path, data: bytes, *, force: bool = False) -> Written:
    """The configuration at the root of a project, with a copy of the one that it replaces."""
    path = root / OURS
    try:
        _own_folder(path.parent)
        backup = _back_up(path) if force and is_there(path) else None
        if backup is None and is_there(path):
            raise UserError("init.exists", path=harmless(str(path), 4096))
        write_whole(path, data, 0o644)
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise SetupError("init.unwritable", path=harmless(str(path), 4096), why=why) from None
    return Written(path, backup)


def copied_config(wanted: str, here: Path) -> tuple[Path, bytes]:
    """The configuration of another project, or a file that holds one; it must be valid on its own."""
    place = here / wanted
    path = place
    if place.is_dir():
        path = next((place / name for name in (OURS, OTHER) if is_there(place / name)), place)
    data = read_bytes(path, str(path)) if not path.is_dir() else None
    if data is None:
        raise UserError("init.nothing_to_copy", place=harmless(wanted, 4096))
    source = Source("config", str(path), data)
    problems = problems_in(source, None)
    if problems:
        raise ConfigError(problems)
    if extends_any(source):
        raise UserError("init.copy_extends", path=harmless(str(path), 4096))
    return path, data


def _own_folder(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    if not stat.S_ISDIR(folder.lstat().st_mode):
        raise UserError("init.link", path=harmless(str(folder), 4096))


def _back_up(path: Path) -> Path:
    """A copy beside the file; one with other content is never overwritten."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise UserError("init.link", path=harmless(str(path), 4096))
    found = read_regular(path, str(path), follow=False)
    data = found.data if found else b""
    for number in range(_MOST_BACKUPS):
        backup = path.with_name(f"{path.name}.bak" + (f".{number}" if number else ""))
        if _holds(backup, data):
            return backup
        if not is_there(backup):
            write_whole(backup, data, 0o644)
            return backup
    raise UserError("init.too_many_backups", path=harmless(str(path), 4096))


def _holds(backup: Path, data: bytes) -> bool:
    try:
        found = read_regular(backup, str(backup), follow=False)
    except ConfigError:  # a link, a folder, something large: not our copy
        return False
    return found is not None and found.data == data
