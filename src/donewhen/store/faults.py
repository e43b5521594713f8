"""The one place where SQLite's and the file system's errors become ours, each with what to do next."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from donewhen.core.errors import DonewhenError, InvariantBroken, SetupError

_BY_CODE = {
    sqlite3.SQLITE_BUSY: "store.locked",
    sqlite3.SQLITE_LOCKED: "store.locked",
    sqlite3.SQLITE_READONLY: "store.read_only",
    sqlite3.SQLITE_PERM: "store.read_only",
    sqlite3.SQLITE_FULL: "store.disk_full",
    sqlite3.SQLITE_CORRUPT: "store.corrupt",
    sqlite3.SQLITE_NOTADB: "store.corrupt",
    sqlite3.SQLITE_CANTOPEN: "store.cannot_open",
}
_BY_ERRNO = {
    errno.ENOSPC: "store.disk_full",
    errno.EDQUOT: "store.disk_full",
    errno.EFBIG: "store.disk_full",
    errno.EROFS: "store.read_only",
    errno.EACCES: "store.read_only",
    errno.EPERM: "store.read_only",
}


def as_known(error: BaseException, path: Path) -> DonewhenError:
    """The same failure in our words; what is neither SQLite's nor the system's is a bug of ours."""
    if isinstance(error, DonewhenError):
        return error
    if not isinstance(error, OSError | sqlite3.Error):
        return InvariantBroken("store.bug", why=repr(error))
    if isinstance(error, OSError):
        key = _BY_ERRNO.get(error.errno or 0, "store.io_error")
        return SetupError(key, path=error.filename or path, why=error.strerror or error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte of an extended code is the plain one
    if any(sign in str(error) for sign in ("no such table", "no such column", "Could not decode")):
        code = sqlite3.SQLITE_CORRUPT
    return SetupError(_BY_CODE.get(code, "store.io_error"), path=path, why=error)


@contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Everything that goes wrong with the file at `path` inside is a SetupError outside."""
    try:
        yield
    except UnicodeDecodeError as error:  # SQLite's own message about a damaged page
        raise SetupError("store.corrupt", path=path, why="its text is not UTF-8") from error
    except (sqlite3.Error, OSError) as error:
        raise as_known(error, path) from error
