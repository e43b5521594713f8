"""Which store belongs to a place: its id, recorded outside the database.

Heads are kept by the id that stands in the database. Whoever changes that id would leave the heads behind;
so the id is also recorded by the place of the file, and a difference shows. A place that never had a store,
or got a new file from us, is recorded anew.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from donewhen.config.files import write_whole
from donewhen.store.dbfile import DbFile


class Identity:
    def __init__(self, folder: Path, file: DbFile) -> None:
        self._id = file.id
        self._path = folder / f"{hashlib.sha256(os.fsencode(file.name)).hexdigest()[:16]}.id"
        with suppress(OSError):  # on a read-only disk nothing is recorded
            if file.fresh or not self._path.exists():
                write_whole(self._path, self._id.encode())

    def damage(self) -> list[str]:
        """What `audit` and `doctor` are to say when another store stands in this place."""
        try:
            recorded = self._path.read_bytes() if self._path.is_file() else b""
        except OSError:
            recorded = b""
        return (
            [] if recorded in (b"", self._id.encode()) else ["its id is not the one recorded for its place"]
        )
