"""Other people's settings files: read as they are, replaced whole, their mode and their links kept."""

import hashlib
import os
import stat
from pathlib import Path

from donewhen.config.files import read_regular, sync_folder
from donewhen.core.errors import SetupError

_LARGEST = 8 * 1024 * 1024


def target_of(path: Path) -> Path:
    """The file behind a name: a link stays a link, what it leads to is changed."""
    return Path(os.path.realpath(path))


def content(path: Path) -> bytes | None:
    found = read_regular(path, str(path), largest=_LARGEST)
    return found.data if found else None


def digest(data: bytes | None) -> str:
    """Empty for a file that is not there."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def missing_folders(path: Path) -> tuple[str, ...]:
    """The folders that must be made for a file, the outermost first."""
    return tuple(str(folder) for folder in reversed(path.parents) if not folder.exists())


def replace(path: Path, data: bytes, before: bytes | None) -> None:
    """`path` holds `data`; only if it still holds what was there `before`, and never half of it."""
    _require_writable(path, before)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(path.stat().st_mode) if before is not None else 0o644
        new = path.with_name(
            f".{path.name}.donewhen-new"
        )  # always the same, so that a kill leaves one at most
        new.unlink(missing_ok=True)
        try:
            with new.open("xb") as file:
                file.write(data)
                file.flush()
                os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            _require_same(path, before)
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from None


def delete(path: Path, before: bytes, folders: tuple[str, ...]) -> None:
    """Take away a file that we made, and the folders that we made for it where nothing else is in them."""
    _require_writable(path, before)
    _require_same(path, before)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None
    for folder in reversed(folders):
        try:
            Path(folder).rmdir()
        except OSError:
            return


def _require_writable(path: Path, before: bytes | None) -> None:
    """A file without a write bit is meant to stay as it is, also for a user who could replace it."""
    if before is not None and not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK)):
        raise SetupError("install.read_only", file=path)


def _require_same(path: Path, before: bytes | None) -> None:
    if content(path) != before:
        raise SetupError("install.changed_meanwhile", file=path)


def _unwritable(path: Path, error: OSError) -> SetupError:
    return SetupError("install.unwritable", file=path, why=error.strerror or type(error).__name__)
