"""Files migrated in place: all or none are planned, a `.bak` comes first, each is replaced atomically.

The original is left as it was on any failure, and so is a file that somebody else edited meanwhile. A link
that leads out of its folder is not followed.
"""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_regular, sync_folder, write_whole
from donewhen.config.load import role_of
from donewhen.config.migration import migrate
from donewhen.config.places import ConfigError, Place, Remark, refuse
from donewhen.config.yamltext import decode
from donewhen.core.errors import SetupError


class MigratedFile(NamedTuple):
    """What was done to a file; `backup` is None when nothing was written."""

    path: Path
    before: str
    text: str
    changes: tuple[Remark, ...]
    problems: tuple[Remark, ...]  # that remain in the new text
    backup: Path | None


class PlannedFile(NamedTuple):
    """What will be done to a file, and what it held when that was decided."""

    target: Path
    data: bytes
    mode: int
    result: MigratedFile


def migrate_file(path: Path, *, dry_run: bool = False) -> MigratedFile:
    """Migrate a file in place; the original is left as it was on any failure."""
    return migrate_files((path,), dry_run=dry_run)[0]


def migrate_files(paths: Sequence[Path], *, dry_run: bool = False) -> tuple[MigratedFile, ...]:
    """Migrate files in place; nothing is written unless each of them can be migrated."""
    planned = [plan_file(path) for path in paths]
    return tuple(each.result if dry_run else write_planned(each) for each in planned)


def plan_file(path: Path) -> PlannedFile:
    """Read one file and decide what becomes of it."""
    found = read_regular(path, str(path))
    if found is None:
        raise refuse("config.no_file", Place(str(path)))
    target = Path(os.path.realpath(path))
    if path.is_symlink() and not target.is_relative_to(os.path.realpath(path.parent)):
        raise refuse("config.migrate_link", Place(str(path)), target=str(target))
    before = decode(found.data, str(path))
    done = migrate(before, str(path), context_file=role_of(path) == "context", path=path)
    result = MigratedFile(path, before, done.text, done.changes, done.problems, None)
    return PlannedFile(target, found.data, stat.S_IMODE(found.facts.st_mode), result)


def write_planned(planned: PlannedFile) -> MigratedFile:
    """Back a file up and replace it, if it still holds what the plan was made for."""
    target, result = planned.target, planned.result
    if not result.changes:
        return result
    _still_the_same(planned)
    try:
        backup, made = _back_up(planned)
        try:
            _still_the_same(planned)
            write_whole(target, result.text.encode(), planned.mode)
        except BaseException:
            if made:
                backup.unlink(missing_ok=True)
            raise
    except OSError as error:
        cause = os.strerror(error.errno or 0)
        raise SetupError("config.migrate_failed", place=str(Place(str(result.path))), cause=cause) from None
    return result._replace(backup=backup)


def _still_the_same(planned: PlannedFile) -> None:
    now = read_regular(planned.target, str(planned.target))
    if now is None or now.data != planned.data:
        raise refuse("config.migrate_meanwhile", Place(str(planned.result.path)))


def _back_up(planned: PlannedFile) -> tuple[Path, bool]:
    """A whole copy beside the file, and whether it is new; one with other content is never overwritten."""
    target = planned.target
    handle, name = tempfile.mkstemp(prefix=".new-", dir=target.parent)
    whole = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(planned.data)
            stream.flush()
            os.fchmod(stream.fileno(), planned.mode)
            os.fsync(stream.fileno())
        for number in range(10_000):
            backup = target.with_name(f"{target.name}.bak" + (f".{number}" if number else ""))
            if _name_free(whole, backup):
                sync_folder(target.parent)
                return backup, True
            if _holds(backup, planned.data):
                return backup, False
    finally:
        whole.unlink(missing_ok=True)
    raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))


def _name_free(whole: Path, backup: Path) -> bool:
    """Give the copy its name, unless that is taken."""
    try:
        backup.hardlink_to(whole)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # a file system without hard links
        if os.path.lexists(backup):
            return False
        whole.rename(backup)
    return True


def _holds(backup: Path, data: bytes) -> bool:
    with contextlib.suppress(ConfigError):  # a pipe, a link, something larger: not our copy
        found = read_regular(backup, str(backup), largest=len(data), follow=False)
        return found is not None and found.data == data
    return False
