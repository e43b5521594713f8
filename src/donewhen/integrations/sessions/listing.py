"""Which sessions of clients there are, and what is left of those whose ledger is gone."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.integrations.sessions.folder import ENDED, EXAM, Folder, sessions_folder


class Listed(NamedTuple):
    run: str
    folder: Path
    ended: bool  # the client said so
    busy: bool  # an exam is running


def listed(env: Mapping[str, str]) -> tuple[Listed, ...]:
    return tuple(_listed(sessions_folder(env)))


def forget(env: Mapping[str, str], runs: Iterable[str]) -> None:
    """The folder of a session goes with its ledger: the client's next event begins another one."""
    gone = frozenset(runs)
    for each in _listed(sessions_folder(env)) if gone else ():
        if each.run in gone and not each.busy:
            shutil.rmtree(each.folder, ignore_errors=True)


def _listed(top: Path) -> Iterator[Listed]:
    for path in sorted(top.iterdir()) if top.is_dir() else ():
        session = Folder(path).session()
        if session is not None:
            yield Listed(session.run, path, (path / ENDED).exists(), Folder(path).is_held(EXAM))
