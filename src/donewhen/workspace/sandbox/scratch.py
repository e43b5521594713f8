"""What one confined command has for itself: a scratch, and a home that is made of links.

What it leaves there (temporary files, layers over caches) is gone before anybody could read it: a set-up that
took a package from a cache that a test had written would install whatever the test wanted.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from donewhen.core.errors import SetupError
from donewhen.workspace.rooms.removal import put_away

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MOST = 200


@contextmanager
def exam_scratch(scratch: Path) -> Iterator[Path]:
    """A scratch for one command of an exam, in that of its repository; removed when the command is over.

    What a killed exam left is removed by the next one: a folder that nobody holds locked is nobody's.
    """
    top = scratch / "exams"
    try:
        top.mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep(top)
        own, held = _held(top)
    except OSError as error:
        raise SetupError("exam.no_scratch", folder=top, why=error.strerror) from None
    try:
        yield own
    finally:
        with suppress(SetupError):
            put_away(own)
        os.close(held)


def _held(top: Path) -> tuple[Path, int]:
    """A new folder, and the lock on it."""
    while True:
        own = Path(tempfile.mkdtemp(dir=top))
        with suppress(FileNotFoundError):  # swept by another exam before it was locked
            held = os.open(own, _FOLDER)
            fcntl.flock(held, fcntl.LOCK_EX)
            if os.path.lexists(own):
                return own, held
            os.close(held)


def _sweep(top: Path) -> None:
    for entry in sorted(top.iterdir())[:_MOST]:
        with suppress(OSError, SetupError):
            handle = os.open(entry, _FOLDER)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                put_away(entry)
            finally:
                os.close(handle)


_SHARED = (".cache", ".config", ".local", ".local/share", ".local/state")
_MOST_LINKS = 2000


def lay_home(folder: Path, home: str) -> Path | None:
    """A home for one command at `folder`: what it reads is the user's, what it writes is gone afterwards.

    Every entry is a link to the real one; the few folders that everybody writes into are real and hold links.
    None where the user has none that could be looked at.
    """
    real = Path(home)
    if not home or not real.is_absolute() or real == Path("/") or not real.is_dir():
        return None
    folder.mkdir()
    for name in ("", *_SHARED):
        (folder / name).mkdir(exist_ok=True)
        _link(real / name, folder / name, name)
    return folder


def _link(real: Path, folder: Path, name: str) -> None:
    try:
        entries = sorted(real.iterdir())[:_MOST_LINKS]
    except OSError:
        return
    for entry in entries:
        if f"{name}/{entry.name}".lstrip("/") not in _SHARED:
            with suppress(OSError):
                (folder / entry.name).symlink_to(entry)
