"""The second copy of each run's head: small private files outside the database.

Written after the commit of a decision. A history whose tail was cut in the database is shorter than the
head that stands here, and `audit` says so. A head never goes back, whoever writes last.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from donewhen.config.files import private_folder, write_whole
from donewhen.core.chain import Head

_REMOVING = ".removing"


class HeadFiles:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, run_id: str, head: Head) -> None:
        with self._alone():
            try:
                held = self._load(self._path(run_id))
            except ValueError:
                held = None
            if held is None or held.seq < head.seq:
                write_whole(self._path(run_id), json.dumps(head._asdict()).encode())

    def read(self, run_id: str) -> Head | None:
        """The kept head; None when there is none; ValueError when it is not one."""
        return self._load(self._path(run_id)) or self._load(self._path(run_id + _REMOVING))

    def set_aside(self, run_id: str) -> None:
        """Before a run is removed: its head is kept until `forget`, and given back by `put_back`."""
        self._move(self._path(run_id), self._path(run_id + _REMOVING))

    def put_back(self, run_id: str) -> None:
        self._move(self._path(run_id + _REMOVING), self._path(run_id))

    def forget(self, run_id: str) -> None:
        self._path(run_id + _REMOVING).unlink(missing_ok=True)

    def run_ids(self) -> list[str]:
        """Runs that have a head; not those that are being removed."""
        if not self.folder.is_dir():
            return []
        return sorted(path.stem for path in self.folder.glob("r-*.json") if _REMOVING not in path.stem)

    @staticmethod
    def _move(source: Path, target: Path) -> None:
        if source.exists():
            source.replace(target)

    @staticmethod
    def _load(path: Path) -> Head | None:
        try:
            data = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except RecursionError:
            raise ValueError(f"{path} is not a head") from None
        if not isinstance(data, dict) or set(data) != set(Head._fields):
            raise ValueError(f"{path} is not a head")
        head = Head(**data)
        if type(head.seq) is not int or type(head.hash) is not str:
            raise ValueError(f"{path} is not a head")
        return head

    @contextmanager
    def _alone(self) -> Iterator[None]:
        handle = os.open(private_folder(self.folder), os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"
