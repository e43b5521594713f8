"""Which project files the user trusts, by the digest of their content.

One JSON file in the user's state folder, readable and writable by the user alone. A file that others could
have written is refused, and so is one that can't be read: trust is never assumed.
"""

import contextlib
import fcntl
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from donewhen.config.files import private_folder, read_bytes, write_whole
from donewhen.config.paths import state_folder
from donewhen.core.errors import SetupError, UserError

VERSION = 1


def is_trusted(digest: str, *, env: Mapping[str, str]) -> bool:
    """Whether the user trusts project files of exactly this content."""
    return digest in _read(_file(env))


def trust(digest: str, *, env: Mapping[str, str], files: Sequence[str] = ()) -> bool:
    """Record trust; False when it was there already."""
    with _changing(env) as known:
        new = digest not in known
        known[digest] = {"files": list(files)}
    return new


def untrust(digest: str, *, env: Mapping[str, str]) -> bool:
    """Take trust back; False when there was none."""
    with _changing(env) as known:
        return known.pop(digest, None) is not None


def _file(env: Mapping[str, str]) -> Path:
    return state_folder(env) / "trust.json"


def _read(path: Path) -> dict[str, Any]:
    data = read_bytes(path, str(path))
    if data is None:
        return {}
    facts = path.stat()
    if facts.st_uid != os.geteuid() or stat.S_IMODE(facts.st_mode) & 0o022:
        raise UserError("config.trust_not_yours", place=str(path))
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise UserError("config.trust_broken", place=str(path)) from None
    if (
        not isinstance(found, dict)
        or found.get("version") != VERSION
        or not isinstance(found.get("trusted"), dict)
    ):
        raise UserError("config.trust_broken", place=str(path))
    return dict(found["trusted"])


@contextlib.contextmanager
def _changing(env: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The recorded digests, to be changed by the caller; written back at the end, one process at a time."""
    path = _file(env)
    try:
        private_folder(path.parent)
        lock = os.open(
            path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = _read(path)
            before = dict(known)
            yield known
            if known != before:
                text = json.dumps({"version": VERSION, "trusted": known}, indent=1, sort_keys=True)
                write_whole(path, text.encode() + b"\n")
        finally:
            os.close(lock)
    except OSError as error:
        raise SetupError(
            "config.trust_unwritable", place=str(path), cause=os.strerror(error.errno or 0)
        ) from None
