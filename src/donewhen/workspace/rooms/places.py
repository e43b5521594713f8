"""Where the folders of one repository lie: rooms, run workspaces, environments, fingerprints.

All of it is in the user's cache folder and readable by nobody else. A room below a repository would pick up
that repository's settings (`pytest.ini`, `node_modules`, ignore files), so no such place is ever used: where
the cache folder itself is inside one, a folder of the user's own in the temporary folder is taken instead.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from donewhen.config.files import read_regular, write_whole
from donewhen.config.paths import cache_folder
from donewhen.core.errors import DonewhenError, SetupError
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.rooms.disk import disk_told

_ID_LENGTH = 16  # short: shebangs of scripts in a room hold the whole path
FOLDERS = ("fingerprints", "rooms", "environments", "scratch", "homes")
RUNS = "runs"
ROOT = "root"  # a note beside them: whose they are, and by its time when they were last used


class Places(NamedTuple):
    repo_id: str
    home: Path  # own git directory of the fingerprints of the user's working tree
    rooms: Path  # exam rooms and clean rooms
    runs: Path  # run workspaces
    environments: Path  # prepared environments
    scratch: Path
    homes: Path  # own git directories of the fingerprints of run workspaces, by run


def places(repository: Repository, env: Mapping[str, str], base: Path | None = None) -> Places:
    """The folders of a repository, made if need be; `base` moves the run workspaces alone."""
    repo_id = _repo_id(repository)
    top = _private(_top(repository, env) / repo_id)
    _note(top / ROOT, repository.root)
    runs = top / RUNS if base is None else outside(base, repository) / repo_id
    home, rooms, environments, scratch, homes = (_private(top / name) for name in FOLDERS)
    return Places(repo_id, home, rooms, _private(runs), environments, scratch, homes)


def root_of(top: Path) -> Path | None:
    """The working tree that a folder of places was made for; None when it does not say."""
    try:
        read = read_regular(top / ROOT, ROOT, follow=False)
    except DonewhenError:
        return None
    said = os.fsdecode(read.data) if read else ""
    return Path(said) if said.startswith("/") and "\0" not in said else None


def _note(path: Path, root: Path) -> None:
    said = os.path.realpath(root)
    with disk_told(path):
        if root_of(path.parent) == Path(said):
            os.utime(path, follow_symlinks=False)
        else:
            write_whole(path, os.fsencode(said))


def is_our_folder(folder: Path) -> bool:
    """A folder of the user himself, no link to one."""
    try:
        facts = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()


def inside_repository(folder: Path) -> Path | None:
    """The nearest folder at or above a real path that is or holds a git repository."""
    for each in (folder, *folder.parents):
        if os.path.lexists(each / ".git") or _is_bare(each):
            return each
    return None


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _repo_id(repository: Repository) -> str:
    named = (os.path.realpath(repository.root), os.path.realpath(repository.common))
    return hashlib.sha256(b"\0".join(os.fsencode(name) for name in named)).hexdigest()[:_ID_LENGTH]


def _top(repository: Repository, env: Mapping[str, str]) -> Path:
    cache = Path(os.path.realpath(cache_folder(env)))
    if _is_free(cache, repository):
        return cache
    for folder in _temporary(env):
        own = Path(os.path.realpath(folder)) / f"donewhen-{os.geteuid()}"
        if folder.is_dir() and _is_free(own, repository):
            return _private(own)
    raise SetupError("rooms.no_place", folder=cache)


def _temporary(env: Mapping[str, str]) -> Iterator[Path]:
    """Folders for temporary files; what survives a restart comes before what does not."""
    asked = env.get("TMPDIR", "")
    if asked.startswith("/"):
        yield Path(asked)
    yield Path("/var/tmp")  # noqa: S108 - what is made in it is checked to be ours alone
    yield Path("/tmp")  # noqa: S108


def outside(base: Path, repository: Repository) -> Path:
    """The real folder that run workspaces are moved to; SetupError where it lies in a repository."""
    real = Path(os.path.realpath(base))
    if not _is_free(real, repository):
        raise SetupError(
            "rooms.base_inside", folder=base, repository=inside_repository(real) or repository.root
        )
    return real


def _is_free(folder: Path, repository: Repository) -> bool:
    taken = (
        Path(os.path.realpath(each)) for each in (repository.root, repository.common, repository.git_dir)
    )
    return inside_repository(folder) is None and not any(folder.is_relative_to(each) for each in taken)


def _private(folder: Path) -> Path:
    """The folder, made if need be: ours, no link, closed to everybody else."""
    with disk_told(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not is_our_folder(folder):
            raise SetupError("rooms.not_ours", folder=folder)
        if stat.S_IMODE(folder.lstat().st_mode) != 0o700:
            folder.chmod(0o700)
    return folder
