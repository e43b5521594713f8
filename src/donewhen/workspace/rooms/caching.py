"""Caches that nobody needs any more are given back: whole repositories', and prepared environments.

Only folders that the harness made in its cache folder are touched; no link is followed. What a living process
holds stays, and so does the cache of a run workspace, because that may hold work. All else can be made again.
"""

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.paths import cache_folder
from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.places import FOLDERS, ROOT, RUNS, Places, is_our_folder, root_of
from donewhen.workspace.rooms.removal import GONE, remove_tree

KEPT_SECONDS = 30 * 86_400.0
MOST_ENVIRONMENTS = 5  # of one repository
_NAME = re.compile(r"[0-9a-f]{16}")
_ENVIRONMENT = re.compile(r"[0-9a-f]{32}")
_INSIDE = "nested-"  # fingerprints of repositories inside the working tree; all others are those of a run
_HALF_WRITTEN = ".new-"
_LOCKS = (".lease", ".lock")
_LOCK = "lock"


class Cache(NamedTuple):
    folder: Path
    repository: str  # its working tree; where that is not known, the folder itself
    gone: bool  # the working tree is no more
    used: float  # seconds since the epoch


class Freed(NamedTuple):
    repository: str
    bytes: int


class Kept(NamedTuple):
    repository: str
    why: Phrase


class Cleaned(NamedTuple):
    freed: tuple[Freed, ...]
    kept: tuple[Kept, ...]  # would have gone, but for this


@contextlib.contextmanager
def using(places: Places) -> Iterator[None]:
    """Hold the cache of a repository, together with everybody else who uses it: nobody cleans it then."""
    path = places.home.with_name(ROOT)
    with disk_told(path):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)  # whoever cleans holds it no longer than that takes
        if not _is_still(handle, path):
            raise SetupError("rooms.just_removed", folder=path.parent)
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)
        os.close(handle)


def caches(env: Mapping[str, str]) -> list[Cache]:
    """The caches of all repositories, those that were used last first."""
    found = [
        _look(folder)
        for folder in entries_in(Path(os.path.realpath(cache_folder(env))))
        if _NAME.fullmatch(folder.name.partition(GONE)[0]) and is_our_folder(folder) and _is_ours(folder)
    ]
    return sorted(found, key=lambda cache: cache.used, reverse=True)


def clean(
    env: Mapping[str, str], before: float, *, everything: bool = False, dry_run: bool = False
) -> Cleaned:
    """Remove caches whose working tree is gone or that were last used before a moment, or `everything`;
    of those that stay, all prepared environments but the newest."""
    freed: dict[str, int] = {}
    kept: list[Kept] = []
    for cache in caches(env):
        goes = everything or cache.gone or cache.used < before or GONE in cache.folder.name
        try:
            size = _remove(cache, dry_run) if goes else _trim(cache, dry_run)
        except SetupError as error:
            kept.append(Kept(cache.repository, Phrase(error.key, error.values)))
            size = 0
        if size:
            freed[cache.repository] = freed.get(cache.repository, 0) + size
    return Cleaned(tuple(Freed(*each) for each in freed.items()), tuple(kept))


def _remove(cache: Cache, dry_run: bool) -> int:
    if _holds_work(cache.folder):
        raise SetupError("rooms.cache_of_runs", folder=cache.folder)
    with _all_locks(cache.folder):
        size = _size(cache.folder)
        if not dry_run:
            remove_tree(cache.folder)
    return size


def _trim(cache: Cache, dry_run: bool) -> int:
    """Remove the environments that were not used for longest, and halves that killed processes left."""
    found = [path for path in entries_in(cache.folder / "environments") if is_our_folder(path)]
    whole = sorted(filter(_is_environment, found), key=_time, reverse=True)
    halves = [path for path in found if _is_half(path)]
    size = 0
    for path in (*whole[MOST_ENVIRONMENTS:], *halves):
        lock = path.with_name(path.name.partition(".")[0] + _LOCKS[1])
        with contextlib.suppress(SetupError), _locks([lock], cache.folder):
            bytes_of = _size(path)
            if not dry_run:
                remove_tree(path)
            size += bytes_of
    return size


def _is_environment(path: Path) -> bool:
    return _ENVIRONMENT.fullmatch(path.name) is not None


def _is_half(path: Path) -> bool:
    name, dot, rest = path.name.partition(".")
    return bool(_ENVIRONMENT.fullmatch(name)) and (dot + rest == ".new" or (dot + rest).startswith(GONE))


def _look(folder: Path) -> Cache:
    root = root_of(folder)
    note = folder / ROOT
    inside = [note] if root else [folder, *(path for name in FOLDERS for path in entries_in(folder / name))]
    used = max(map(_time, inside))
    return Cache(folder, str(root or folder), root is not None and _is_gone(root), used)


def _is_ours(folder: Path) -> bool:
    """Whether a folder holds nothing but what the harness puts there; one half removed may hold anything."""
    if GONE in folder.name:
        return True
    names = {path.name for path in entries_in(folder) if not path.name.startswith(_HALF_WRITTEN)}
    return bool(names) and names <= {*FOLDERS, RUNS, ROOT}


def _holds_work(folder: Path) -> bool:
    """Whether there is a run workspace; with one that lies elsewhere its fingerprints are still here."""
    if GONE in folder.name:
        return False
    runs = (path for path in entries_in(folder / RUNS) if GONE not in path.name)
    return any(path.suffix == ".json" or _is_folder(path) for path in runs) or any(
        not path.name.startswith(_INSIDE) for path in entries_in(folder / "homes")
    )


@contextlib.contextmanager
def _all_locks(folder: Path) -> Iterator[None]:
    """Hold every lock that there is in a cache; SetupError when somebody has one of them."""
    places = [folder, *(folder / name for name in (*FOLDERS, RUNS)), *entries_in(folder / "homes")]
    paths = [path for place in places if is_our_folder(place) for path in entries_in(place) if _is_lock(path)]
    with _locks(paths, folder):
        yield


def _is_lock(path: Path) -> bool:
    return path.name in (_LOCK, ROOT) or path.name.endswith(_LOCKS)


@contextlib.contextmanager
def _locks(paths: list[Path], folder: Path) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for path in paths:
            try:
                handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
            except OSError:
                continue  # none, or nothing that anybody could hold
            stack.callback(os.close, handle)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SetupError("rooms.cache_held", folder=folder) from None
            stack.callback(fcntl.flock, handle, fcntl.LOCK_UN)
        yield


def _is_still(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _is_gone(root: Path) -> bool:
    """Only what is known to be gone: a folder that can't be looked at may be there."""
    try:
        root.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _size(top: Path) -> int:
    """Bytes of the files below a folder, each once; what can't be read counts nothing."""
    seen: set[tuple[int, int]] = set()
    total, waiting = 0, [str(top)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                facts = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(facts.st_mode):
                    waiting.append(entry.path)
                elif facts.st_nlink == 1 or (facts.st_dev, facts.st_ino) not in seen:
                    seen.add((facts.st_dev, facts.st_ino))
                    total += facts.st_size
    return total


def entries_in(folder: Path) -> list[Path]:
    """What is in a folder that is no link."""
    if not is_our_folder(folder):
        return []
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _time(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
