"""Where ledgers live: stores, artifacts, heads, audit, export and import. Opened by URL.

`user` is one file per user and `repo` one per repository, both in the user's state folder, outside every
workspace; `sqlite:///PATH` names a file. What does not exist yet is created only by who wants to write.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donewhen.core.errors import SetupError, UserError
from donewhen.core.ids import run_id

if TYPE_CHECKING:
    from donewhen.core.protocols import EventStore
    from donewhen.secrets.redact import Redactor
    from donewhen.store.artifacts import Artifacts

FILE = "donewhen.db"
MOST_NAMED = 5  # as many as `matching` gives


class Opened(NamedTuple):
    """A store with what lies beside it."""

    store: "EventStore"
    artifacts: "Artifacts"
    redactor: "Redactor"
    path: Path
    exists: bool

    def __enter__(self) -> "Opened":
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()


def store_path(url: str, state: Path, folder: Path) -> Path:
    """The database file that a store URL means."""
    if url in ("", "user"):
        return state / FILE
    if url == "repo":
        return state / "repos" / _repo_id(folder) / FILE
    if url.startswith("sqlite:///"):
        path = Path("/" + url.removeprefix("sqlite:").lstrip("/"))
        if path.is_dir():
            raise UserError("store.bad_url", url=url)
        return path
    if url.startswith(("postgresql://", "postgres://")):
        raise SetupError("store.no_postgres")
    raise UserError("store.bad_url", url=url)


def open_store(
    url: str, *, state: Path, folder: Path, redactor: "Redactor | None" = None, create: bool = True
) -> Opened:
    """Open the store of `url`; with `create` off, one that is not there yet is empty and stays unmade.

    Unless another redactor is given, the values of this process's credential-like variables never enter.
    """
    from donewhen.secrets.redact import Redactor
    from donewhen.store.artifacts import Artifacts
    from donewhen.store.faults import mapped

    path = store_path(url, state, folder)
    redactor = redactor or Redactor.from_environment(os.environ)
    artifacts = Artifacts(path.with_name(f"{path.name}.artifacts"), redactor)
    with mapped(path):
        _require_folder(path)
        exists = create or path.exists()
    store: EventStore
    if exists:
        from donewhen.store.sqlite import SqliteStore

        store = SqliteStore(path, heads=state / "heads", redactor=redactor)
    else:
        from donewhen.store.memory import MemoryStore

        store = MemoryStore(redactor=redactor)
    return Opened(store, artifacts, redactor, path, exists)


def new_run_id() -> str:
    """An id for a run that begins now."""
    return run_id(time.time(), os.urandom(3))


def resolve(opened: Opened, name: str) -> str:
    """The run that a person means by an id, a unique prefix or `last`: the newest of this repository.

    Another repository's run is never meant by it; only outside of any is it the newest of all.
    """
    if not name:
        raise UserError("store.which_run")
    if name == "last":
        return _last(opened)
    found = opened.store.matching(name)
    if name in found or len(found) == 1:
        return name if name in found else found[0]
    if len(found) > 1:
        some = ", ".join(found) + (", …" if len(found) == MOST_NAMED else "")
        raise UserError("store.ambiguous", run=name, some=some)
    raise UserError("store.no_run", run=name)


def _last(opened: Opened) -> str:
    from donewhen.core.protocols import Query

    place = repository_here()
    rows = opened.store.runs(Query(repo=place, limit=1))
    if rows:
        return rows[0].run_id
    others = opened.store.runs(Query()) if place else []
    inside = next((row.run_id for row in others if row.workspace == place), "")  # a run's own working tree
    if inside:
        return inside
    if others:
        raise UserError("store.no_run_here", folder=place)
    raise UserError("store.no_runs")


def repository_here() -> str:
    """The repository that the process stands in, as rows name it; empty outside of any."""
    from donewhen.core.summary import storable

    try:
        folder = Path.cwd()
    except OSError:
        return ""
    root = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    return storable(os.path.realpath(root)) if root else ""


def _require_folder(path: Path) -> None:
    """Something else in the place of a folder is an error, not an empty store."""
    nearest = next(folder for folder in path.parents if folder.exists())
    if not nearest.is_dir():
        raise SetupError("store.cannot_open", path=path, why=f"{nearest} is not a folder")


def _repo_id(folder: Path) -> str:
    top = next((f for f in (folder, *folder.parents) if (f / ".git").exists()), folder)
    return hashlib.sha256(os.fsencode(os.path.realpath(top))).hexdigest()[:16]
