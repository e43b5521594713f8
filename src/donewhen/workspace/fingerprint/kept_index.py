"""An index that is kept between calls, and replaced only as a whole.

git works on a second name of it, so a call that is killed leaves the kept one as it was, and no lock file of
a dead process is ever in the way. Whoever uses it holds the lock of its folder.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.fingerprint.indexfile import (
    BadIndex,
    Entry,
    Seen,
    bare,
    entry_at,
    is_sound,
    look,
    unread,
)
from donewhen.workspace.fingerprint.own import put

_LATER = 2  # seconds


@contextlib.contextmanager
def work_copy(index: Path) -> Iterator[Path]:
    """Another name for the index, that git may replace."""
    for left in index.parent.glob(f"{index.name}.work-*"):
        left.unlink(missing_ok=True)
    work = index.with_name(f"{index.name}.work-{os.getpid()}")
    if index.exists():
        try:
            os.link(index, work)
        except OSError:
            shutil.copy2(index, work)  # with its time: git trusts an entry only when the index is younger
    try:
        yield work
    finally:
        work.unlink(missing_ok=True)


def settle(work: Path, index: Path, format: str, since: int) -> Seen:
    """Keep what git made of the copy; files that changed at `since` or later are to be read again.

    Nothing is kept while repositories inside are named in it.
    """
    data = work.read_bytes()
    seen = look(data, format, since)
    if not seen.links:
        if seen.recent:
            put(index, unread(data, format, seen.recent))
        else:
            work.replace(index)
    return seen


def plant(work: Path, data: bytes) -> None:
    """Give the copy another content, whose entries were all read in this very look.

    git would not trust an entry of the second in which the index was written, so it is dated later: who
    settles the copy afterwards has every entry of this second read again the next time.
    """
    put(work, data)
    later = int(time.time()) + _LATER
    os.utime(work, (later, later))


def keep(work: Path, index: Path, format: str, since: int) -> tuple[Entry, ...]:
    """The same for an index that may name repositories inside; the entries that are to be read again."""
    data = work.read_bytes()
    try:
        recent = look(data, format, since).recent
    except BadIndex:
        index.unlink(missing_ok=True)
        raise SetupError("git.failed", command="read-tree", why="the index can't be read") from None
    put(index, unread(data, format, recent))
    return tuple(entry_at(data, format, at) for at in recent)


def put_bare(index: Path, other: Path, format: str) -> None:
    """Write a copy that holds the entries and nothing that git concluded from them."""
    data = index.read_bytes()
    put(other, bare(data, format, look(data, format, 0).end))


def links_in(index: Path, format: str) -> tuple[bytes, ...]:
    """The repositories inside that an index names."""
    try:
        return look(index.read_bytes(), format, 0xFFFFFFFF).links
    except FileNotFoundError:
        return ()


def throw_away_bad(index: Path, format: str) -> None:
    """An index that is not as it was written is worth nothing."""
    try:
        data = index.read_bytes()
        if is_sound(data, format):
            look(data, format, 0)
            return
    except (BadIndex, FileNotFoundError):
        pass
    index.unlink(missing_ok=True)


def key_of(index: Path) -> str:
    """Changes whenever the index is replaced; empty when there is none."""
    try:
        facts = index.stat()
    except OSError:
        return ""
    return f"{facts.st_ino} {facts.st_size} {facts.st_mtime_ns}"
