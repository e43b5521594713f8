"""The first index of a fresh workspace, made from the one that filled it, without a process.

Who filled the workspace vouches for its index: all that it names belongs to a commit of the user's, so no
object of it need be stored again. An index that somebody wrote since is no seed; what an agent staged lies in
the agent's own objects, which nobody relies on. Nothing else is believed, neither times nor that a file is
what its entry says. Where anything is unusual there is no seed, and git is asked step by step.
"""

import hashlib
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import private_folder, read_regular
from donewhen.core.errors import DonewhenError
from donewhen.workspace.fingerprint.indexfile import BadIndex, Entry, blank, whole
from donewhen.workspace.fingerprint.own import put
from donewhen.workspace.fingerprint.rereading import MOST

_NOTE = "seed"
_LARGEST = 4 * 1024 * 1024  # bytes of an index
_MODES = frozenset((0o100644, 0o100755, 0o120000))
_LINK = 0o120000
_KNOWN = frozenset((b".gitignore", b".gitattributes", b".gitmodules", b".gitkeep", b".github", b".gitlab"))
_KNOWN_BEGINNINGS = (b".gitlab-ci", b".gitpod", b".gitea")


class Seed(NamedTuple):
    data: bytes  # the index
    listed: bytes  # the same entries as `git ls-files -t -s -z` has them


def vouch(home: Path, index: Path | None) -> None:
    """Say that an index is as a commit of the user's has it, and nobody else had it; with none, no longer."""
    note = private_folder(home) / _NOTE
    data = _read(index) if index is not None else None
    if data is None:
        note.unlink(missing_ok=True)
    else:
        put(note, _digest(data))


def seed(home: Path, git_dir: Path | None, format: str) -> Seed | None:
    """An index with every tracked file, all of them unread; None where nobody vouched for it."""
    note = _read(home / _NOTE)
    data = _read(git_dir / "index") if git_dir is not None and note else None
    if data is None or _digest(data) != note:
        return None
    try:
        entries = whole(data, format)
    except BadIndex:
        return None
    if not 0 < len(entries) <= MOST or not _is_plain(entries):
        return None
    lines = (b"H %06o %b 0\t%b\0" % (each.mode, each.id.encode(), each.path) for each in entries)
    return Seed(blank(entries, format), b"".join(lines))


def _read(file: Path) -> bytes | None:
    try:
        found = read_regular(file, file.name, largest=_LARGEST, follow=False)
    except DonewhenError:
        return None
    return found.data if found else None


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _is_plain(entries: Sequence[Entry]) -> bool:
    paths = [entry.path for entry in entries]
    if any(one >= other for one, other in itertools.pairwise(paths)):
        return False
    taken = set(paths)
    for entry in entries:
        parts = entry.path.split(b"/")
        if entry.mode not in _MODES or not all(map(_is_name, parts)):
            return False
        if entry.mode == _LINK and parts[-1].lower().startswith(b".git"):
            return False
        if any(b"/".join(parts[:at]) in taken for at in range(1, len(parts))):
            return False
    return True


def _is_name(part: bytes) -> bool:
    """Whether no git on any system sees more in it than a name; what may be seen in it is not gone into."""
    if part in (b"", b".", b"..") or b"\\" in part:
        return False
    short = bytes(byte for byte in part if 0x20 < byte < 0x7F).lower()
    if not short.startswith((b".git", b"git~", b"gi7")):
        return True
    return part in _KNOWN or part.startswith(_KNOWN_BEGINNINGS)
