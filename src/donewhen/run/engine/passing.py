"""Trouble of the machine that may pass: no space, a read-only disk, a store that somebody else holds.

A run waits for a resume then instead of failing. Git says what the disk refused in its own words, so these
are known too. What an agent did wrong is never such a trouble.
"""

import errno
from pathlib import Path

from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.texts import Phrase
from donewhen.store.faults import as_known

PASSING = frozenset(
    {
        "store.disk_full",
        "store.read_only",
        "store.io_error",
        "store.locked",
        "store.cannot_open",
        "rooms.no_folder",
        "toolbox.no_room",
        "gittools.no_room",
    }
)
_BY_GIT = frozenset({"git.failed", "git.refused"})
_SIGNS = (
    "No space left on device",
    "Out of diskspace",
    "Disk quota exceeded",
    "File too large",
    "Read-only file system",
    "Input/output error",
    "unable to write file",  # of a checkout, which keeps the reason to itself
    "unable to create temporary file",
    "write error",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
    "Too many open files",
)
_OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})


def passes(error: DonewhenError) -> bool:
    """Whether the same could go well later, with nothing changed but the machine."""
    return _passes(Phrase(error.key, error.values))


def _passes(phrase: Phrase) -> bool:
    if phrase.key in PASSING:
        return True
    why = phrase.values.get("why")
    if isinstance(why, Phrase):  # an error that tells what another one said
        return _passes(why)
    return phrase.key in _BY_GIT and any(sign in str(why) for sign in _SIGNS)


def of_the_disk(error: OSError, folder: Path) -> SetupError | None:
    """What a disk refused, in our words; None for any other error of the system, which is a bug of ours."""
    if error.errno not in _OF_THE_DISK:
        return None
    known = as_known(error, folder)
    return known if isinstance(known, SetupError) else None
