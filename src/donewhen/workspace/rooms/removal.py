"""Folders of the harness are removed whole: read-only, very deep and hostile contents too.

No link is followed and nothing outside the folder is touched. Folders inside are moved up before they are
emptied, so that neither depth nor length of a path matters.
"""

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

from donewhen.core.errors import SetupError

GONE = ".gone-"  # part of the name of a folder that is being removed
_TRIES = 5
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(folder: Path) -> None:
    """Remove a folder, file or link; nothing is said when there is none."""
    if not os.path.lexists(folder):
        return
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            folder.unlink()
            return
        # under its old name a half-removed folder could be taken for a whole one
        gone = (
            folder if GONE in folder.name else folder.with_name(f"{folder.name}{GONE}{secrets.token_hex(4)}")
        )
        if gone != folder:
            _open_up(folder)
            folder.rename(gone)
        _destroy(gone)
    except OSError as error:
        raise SetupError("rooms.not_removed", folder=folder, cause=error.strerror or str(error)) from None


def put_away(folder: Path) -> None:
    """The same, and what can't be removed yet stays under another name for the next sweep."""
    try:
        remove_tree(folder)
    except SetupError:
        if os.path.lexists(folder):
            raise


def _destroy(gone: Path) -> None:
    """A process that outlived its parent may still be writing into it: several tries."""
    for more in reversed(range(_TRIES)):
        try:
            _empty(gone)
            gone.rmdir()
        except OSError as error:
            if not more or error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):
                raise
        else:
            return


def _open_up(name: str | Path, within: int | None = None) -> None:
    """Our own folder may be closed to ourselves: what can't be written can't be emptied."""
    facts = os.stat(name, dir_fd=within, follow_symlinks=False)
    if stat.S_ISDIR(facts.st_mode) and facts.st_mode & 0o700 != 0o700:
        with contextlib.suppress(PermissionError):  # not ours: the removal itself says so
            os.chmod(name, 0o700, dir_fd=within)


def _empty(top: Path) -> None:
    _open_up(top)
    handle = os.open(top, _FOLDER)
    try:
        waiting = _clear(handle, handle)
        while waiting:
            name = waiting.pop()
            inner = os.open(name, _FOLDER, dir_fd=handle)
            try:
                waiting += _clear(inner, handle)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=handle)
    finally:
        os.close(handle)


def _clear(folder: int, top: int) -> list[str]:
    """Unlink what is in a folder and move its folders to the top; their new names there."""
    moved = []
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        if not is_folder:
            os.unlink(name, dir_fd=folder)
            continue
        _open_up(name, folder)
        fresh = secrets.token_hex(16)
        os.rename(name, fresh, src_dir_fd=folder, dst_dir_fd=top)
        moved.append(fresh)
    return moved
