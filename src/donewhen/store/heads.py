"""The second copy of each run's head: small private files outside the database.

Written after the commit of a decision. A history whose tail was cut in the database is shorter than the
head that stands here, and `audit` says so.
"""

import json
from pathlib import Path

from donewhen.config.files import write_whole
from donewhen.core.chain import Head


class HeadFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, run_id: str, head: Head) -> None:
        write_whole(self._path(run_id), json.dumps(head._asdict()).encode())

    def read(self, run_id: str) -> Head | None:
        """The kept head; None when there is none. One that can't be read is no head: `audit` reports it."""
        try:
            data = json.loads(self._path(run_id).read_bytes())
        except FileNotFoundError:
            return None
        if not isinstance(data, dict) or set(data) != set(Head._fields):
            raise ValueError(f"{self._path(run_id)} is not a head")
        head = Head(**data)
        if type(head.seq) is not int or type(head.hash) is not str:
            raise ValueError(f"{self._path(run_id)} is not a head")
        return head

    def remove(self, run_id: str) -> None:
        self._path(run_id).unlink(missing_ok=True)

    def run_ids(self) -> list[str]:
        return sorted(path.stem for path in self._folder.glob("*.json")) if self._folder.is_dir() else []

    def _path(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.json"
