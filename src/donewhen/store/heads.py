"""The second copy of each run's head: small private files outside the database.

Written after the commit of a decision. A history whose tail was cut in the database is shorter than the
head that stands here, and `audit` says so. A head never goes back, and one that can't be read is left as it
is: it is evidence.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from donewhen.config.files import locked, read_regular, write_whole
from donewhen.core.chain import Head
from donewhen.core.errors import UserError
from donewhen.core.ids import is_run_id

_REMOVING = ".removing"
_LARGEST = 4096
_STALE_SECONDS = 3600.0


class HeadFiles:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, run_id: str, head: Head) -> None:
        with self._alone():
            self._write(run_id, head)

    def read(self, run_id: str) -> Head | None:
        """The kept head; None when there is none; ValueError when it is not one."""
        return self._load(self._path(run_id)) or self._load(self._path(run_id + _REMOVING))

    def set_aside(self, run_id: str) -> None:
        """Before a run is removed: its head is kept until `forget`, and given back by `put_back`."""
        with self._alone(), suppress(FileNotFoundError):
            self._path(run_id).replace(self._path(run_id + _REMOVING))

    def put_back(self, run_id: str) -> None:
        with self._alone(), suppress(ValueError):
            aside = self._load(self._path(run_id + _REMOVING))
            if aside:
                self._write(run_id, aside)
            self._path(run_id + _REMOVING).unlink(missing_ok=True)

    def forget(self, run_id: str) -> None:
        """The run is gone, or begins anew."""
        with suppress(FileNotFoundError):
            self._path(run_id + _REMOVING).unlink()

    def run_ids(self) -> list[str]:
        """Runs that have a head; not those that are being removed."""
        found = self.folder.glob("r-*.json") if self.folder.is_dir() else ()
        return sorted(path.stem for path in found if is_run_id(path.stem))

    def sweep(self) -> None:
        """Remove half-written files that a killed process left."""
        for path in self.folder.glob(".new-*"):
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _STALE_SECONDS:
                    path.unlink()

    def _write(self, run_id: str, head: Head) -> None:
        try:
            held = self._load(self._path(run_id))
        except ValueError:
            return
        if held is None or held.seq < head.seq:
            write_whole(self._path(run_id), json.dumps(head._asdict()).encode())

    @staticmethod
    def _load(path: Path) -> Head | None:
        try:
            found = read_regular(path, str(path), largest=_LARGEST, follow=False)
            data = json.loads(found.data) if found else None
        except (UserError, ValueError, RecursionError):
            raise ValueError(f"{path} is not a head") from None
        if found is None:
            return None
        if not isinstance(data, dict) or set(data) != set(Head._fields):
            raise ValueError(f"{path} is not a head")
        head = Head(**data)
        if type(head.seq) is not int or type(head.hash) is not str:
            raise ValueError(f"{path} is not a head")
        return head

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with locked(self.folder / ".lock"):
            yield

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"
