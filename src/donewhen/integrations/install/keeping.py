"""What we changed in whose file, and its bytes before: a record and a backup in the user's state folder.

Both are on disk before the file is touched. So at any moment either the file is as it was, or the way back is
known; a record whose file was never written does no harm.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from donewhen import __version__
from donewhen.config.files import read_own, write_whole
from donewhen.core.errors import SetupError
from donewhen.integrations.install.files import digest

_LARGEST = 8 * 1024 * 1024


class Record(NamedTuple):
    """`entries`: the members that were made in the file, or the trust that was given in it.

    `exact`: the backup is the file as it was found, not one that we took older entries of ours out of.
    """

    file: str
    existed: bool
    backup: str
    sha_before: str
    sha_after: str
    entries: tuple[tuple[str, ...], ...]
    folders_made: tuple[str, ...]
    donewhen: str = __version__
    exact: bool = True


class Kept:
    """The record about one file of one client."""

    def __init__(self, state: Path, client: str, file: Path) -> None:
        self.folder = state / "installed"
        self.name = f"{client}-{hashlib.sha256(os.fsencode(file)).hexdigest()[:16]}"
        self.file = file
        self.record = self._read()

    def written_by_us(self, data: bytes | None) -> bool:
        """Whether the file is, to the byte, what we made of it, and the way back is known."""
        record = self.record
        if record is None or data is None or digest(data) != record.sha_after:
            return False
        return not record.existed or self.before() is not None

    def before(self) -> bytes | None:
        """The bytes of the file before us; None when there was no file, or they are lost."""
        if self.record is None or not self.record.existed:
            return None
        data = read_own(self.folder / self.record.backup, _LARGEST)
        return data if digest(data) == self.record.sha_before else None

    def keep(
        self,
        before: bytes | None,
        after: bytes,
        entries: Sequence[tuple[str, ...]],
        folders: tuple[str, ...],
        *,
        found: bool = True,
    ) -> None:
        """Remember `before`, on disk, ahead of the change to `after`; `found` so, or made by us just now."""
        old = self.record
        exact = found or (old is not None and old.exact and old.sha_before == digest(before))
        name = f"{self.name}-{digest(before)[:16]}.bak" if before is not None else ""
        made = folders or (old.folders_made if old else ())
        shas = digest(before), digest(after)
        new = Record(
            str(self.file), before is not None, name, *shas, tuple(entries), made, __version__, exact
        )
        try:
            if before is not None:
                write_whole(self.folder / name, before)
            write_whole(self._path, json.dumps({"version": 1, **new._asdict()}, indent=1).encode() + b"\n")
            if old and old.backup and old.backup != name:
                (self.folder / old.backup).unlink(missing_ok=True)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise SetupError("install.unwritable", file=self.folder, why=why) from None
        self.record = new

    def drop(self) -> None:
        if self.record is None:
            return
        self._path.unlink(missing_ok=True)
        if self.record.backup:
            (self.folder / self.record.backup).unlink(missing_ok=True)
        self.record = None

    def others(self) -> bool:
        """Whether another file of the same client has a record."""
        client = self.name.rpartition("-")[0]
        return any(path != self._path for path in self.folder.glob(f"{client}-*.json"))

    @property
    def _path(self) -> Path:
        return self.folder / f"{self.name}.json"

    def _read(self) -> Record | None:
        data = read_own(self._path, _LARGEST)
        try:
            found = json.loads(data) if data else None
            record = _record(found) if isinstance(found, dict) else None
        except (ValueError, RecursionError, KeyError, TypeError):
            return None
        return record if record and record.file == str(self.file) else None


def _record(found: dict[str, Any]) -> Record:
    texts = [found[name] for name in ("file", "backup", "sha_before", "sha_after", "donewhen")]
    entries = tuple(tuple(map(str, path)) for path in found["entries"])
    folders = tuple(map(str, found["folders_made"]))
    if not all(isinstance(text, str) for text in texts) or "/" in found["backup"]:
        raise ValueError("record")
    file, backup, before, after, version = texts
    exact = found.get("exact", True) is True
    return Record(file, bool(found["existed"]), backup, before, after, entries, folders, version, exact)
