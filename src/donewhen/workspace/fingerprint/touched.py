"""Which files of a working tree were written since a moment, whatever they hold now.

The time of the last change of a file can't be set back: content that was there only for a while shows. A
file that came and went does not; neither does a folder that was exchanged and in which something was made
since, because tests make and remove files in folders all the time.
"""

import os
import posixpath
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from donewhen.workspace.fingerprint.own import Own
from donewhen.workspace.git.runner import names

_TICK = 10_000_000  # nanoseconds that the times of files may be behind the clock


def touched(own: Own, trees: Iterable[tuple[Path, Path, str]], moment_ns: int) -> Iterator[str]:
    """`trees`: root, index and path of each working tree; paths from the first one's root."""
    since = moment_ns - _TICK
    for root, index, prefix in trees:
        listed = names(own.reading(root, index).attempt("ls-files", "-z", "-c").out)
        for path in (*_folders(listed), *listed):
            if _is_touched(f"{root}/{path}", since):
                yield prefix + path


def _is_touched(path: str, since: int) -> bool:
    try:
        facts = os.lstat(path)
    except OSError:
        return False  # not there: the fingerprint tells
    if stat.S_ISDIR(facts.st_mode):  # renamed; what is made or removed in it changes both times
        return facts.st_mtime_ns < since <= facts.st_ctime_ns
    return facts.st_ctime_ns >= since


def _folders(paths: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        folder = posixpath.dirname(path)
        while folder and folder not in found:
            found[folder] = None
            folder = posixpath.dirname(folder)
    return list(found)
