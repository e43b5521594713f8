"""What runs left in the cache folder and in the user's repositories, and how it goes.

The fate of a run, which the caller knows, decides: of one that stays all but its scratch folder is left
alone; with one that is removed on purpose everything goes, unaccepted work too; of one that no store knows
any more goes what loses no work. A reference that keeps work goes only with its run. No link is followed, and
branches are never touched.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.core.errors import SetupError
from donewhen.core.ids import is_run_id
from donewhen.core.texts import Phrase
from donewhen.workspace.git.repository import Repository, repository_at
from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.caching import caches, entries_in
from donewhen.workspace.rooms.gitdir import refs
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.loose_ends import homes_inside, loose_ends
from donewhen.workspace.rooms.places import FOLDERS, RUNS, Places, root_of
from donewhen.workspace.rooms.removal import GONE, remove_tree

Fate = Literal["lives", "ended", "going", "unknown"]
What = Literal["workspace", "scratch", "home", "checkpoint", "reference"]
_PINS = "refs/donewhen/"
_CHECKPOINTS = "refs/checkpoints/"


class Left(NamedTuple):
    run_id: str
    what: What
    place: str
    bytes: int = 0


class Stays(NamedTuple):
    run_id: str
    folder: str
    why: Phrase


class Cleared(NamedTuple):
    gone: tuple[Left, ...] = ()
    kept: tuple[Stays, ...] = ()


class _Site(NamedTuple):
    """The cache of one repository, with the references that runs have in it and in the repository."""

    places: Places
    user: Repository | None
    pins: Mapping[str, list[str]]  # by run
    checkpoints: Mapping[str, list[str]]

    @property
    def checkpointing(self) -> Git | None:
        own = self.places.home / "git"
        return Git(self.places.home, self.user.env, own) if self.user and own.is_dir() else None

    def runs(self) -> list[str]:
        """Every run of which anything is here."""
        folders = (self.places.runs, self.places.homes, self.places.scratch)
        names = {
            path.name.split(".")[0]
            for folder in folders
            for path in entries_in(folder)
            if GONE not in path.name
        }
        return sorted(name for name in names | {*self.pins, *self.checkpoints} if is_run_id(name))


def clear(
    env: Mapping[str, str],
    fate: Callable[[str], Fate],
    workspaces: Mapping[str, str],
    *,
    dry_run: bool = False,
) -> Cleared:
    """Remove what the fates of runs allow; what is in use or would lose work stays and is told.

    `workspaces`: where the ledgers say that they are, for those that were opened elsewhere.
    """
    gone: list[Left] = []
    kept: list[Stays] = []
    for site in _sites(env):
        for run_id in site.runs():
            clearing = _Clearing(site, run_id, workspaces.get(run_id, ""), dry_run)
            try:
                _CLEAR[fate(run_id)](clearing)
            except SetupError as error:
                kept.append(Stays(run_id, str(clearing.folder), Phrase(error.key, error.values)))
            gone += clearing.gone
    return Cleared(tuple(gone), tuple(kept))


def unshipped(env: Mapping[str, str]) -> frozenset[str]:
    """Runs that may have work which is on no branch: a workspace, or a commit that is kept by a reference."""
    found: set[str] = set()
    for site in _sites(env):
        found.update(run_id for run_id, pins in site.pins.items() if f"{_PINS}{run_id}/work" in pins)
        found.update(path.name for path in entries_in(site.places.runs) if is_run_id(path.name))
    return frozenset(found)


class _Clearing:
    """The things of one run in one cache; SetupError names what stays, and why."""

    def __init__(self, site: _Site, run_id: str, said: str, dry_run: bool) -> None:
        self._site = site
        self._run_id = run_id
        self._dry_run = dry_run
        ours = (run_id, site.places.repo_id)
        is_ours = said.startswith("/") and (Path(said).name, Path(said).parent.name) == ours
        self.folder = Path(said) if is_ours else site.places.runs / run_id
        self.gone: list[Left] = []

    def nothing(self) -> None:
        """It lives: all of it stays."""

    def scratch(self) -> None:
        """Files of a run that are no work."""
        for name in (self._run_id, f"{self._run_id}.pack"):
            self._remove(self._site.places.scratch / name, "scratch")

    def everything(self) -> None:
        """All of a run that is removed on purpose."""
        self.scratch()
        if os.path.lexists(self.folder):
            with lease(self.folder):  # SetupError when a process works in it
                self._workspace()
        self._home()
        self._forget(self._site.pins.get(self._run_id, []))
        self._checkpoints()

    def without_loss(self) -> None:
        """What a run that is no more left, as far as no work is lost with it."""
        self.scratch()
        if os.path.lexists(self.folder):
            self._require_safe()
            with lease(self.folder):
                self._require_safe()
                self._workspace()
        self._home()
        self._forget(self._needless())
        if not any(name.endswith("/work") for name in self._site.pins.get(self._run_id, [])):
            self._checkpoints()

    def _require_safe(self) -> None:
        user = self._site.user
        if user is None:
            raise SetupError("seeing.gc_no_repository", folder=self.folder)
        reasons = loose_ends(self.folder, user, self._site.places.homes / self._run_id)
        if reasons:
            raise SetupError(reasons[0].key, **reasons[0].values)

    def _workspace(self) -> None:
        worktree = (self.folder / ".git").is_file()  # of a clone it is a folder
        self._remove(self.folder, "workspace")
        if worktree and self._site.user and not self._dry_run:
            self._site.user.git().attempt("worktree", "remove", "--force", "--force", str(self.folder))

    def _home(self) -> None:
        """Fingerprints of a workspace that is no more, and the note that it was whole."""
        home = self._site.places.homes / self._run_id
        for path in (home, homes_inside(home)):
            self._remove(path, "home")
        if not self._dry_run:
            self.folder.with_name(f"{self._run_id}.json").unlink(missing_ok=True)

    def _needless(self) -> list[str]:
        """References of a run that is no more, but for those that keep what no branch has."""
        pins = self._site.pins.get(self._run_id, [])
        if self._site.user is None or any(name.endswith("/work") for name in pins):
            return []
        return [name for name in pins if name.endswith("/base") or _on_a_branch(self._site.user, name)]

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            if not self._dry_run and self._site.user:
                self._site.user.git().run("update-ref", "-d", name)
            self.gone.append(Left(self._run_id, "reference", name))

    def _checkpoints(self) -> None:
        git = self._site.checkpointing
        for name in self._site.checkpoints.get(self._run_id, []) if git else ():
            if not self._dry_run and git:
                git.run("update-ref", "-d", name)
            self.gone.append(Left(self._run_id, "checkpoint", name))

    def _remove(self, path: Path, what: What) -> None:
        if not os.path.lexists(path):
            return
        size = _bytes(path)
        if not self._dry_run:
            remove_tree(path)
        self.gone.append(Left(self._run_id, what, str(path), size))


_CLEAR: Mapping[Fate, Callable[[_Clearing], None]] = {
    "lives": _Clearing.nothing,
    "ended": _Clearing.scratch,
    "going": _Clearing.everything,
    "unknown": _Clearing.without_loss,
}


def _sites(env: Mapping[str, str]) -> Iterator[_Site]:
    for cache in caches(env):
        top = cache.folder
        if GONE in top.name:
            continue
        root = root_of(top)
        user = repository_at(root, env) if root and root.is_dir() else None
        home, rooms, environments, scratch, homes = (top / name for name in FOLDERS)
        places = Places(top.name, home, rooms, top / RUNS, environments, scratch, homes)
        pins = _by_run((ref.name for ref in refs(user, _PINS)), _PINS) if user else {}
        bare = _Site(places, user, pins, {})
        yield bare._replace(checkpoints=_checkpoints(bare))


def _checkpoints(site: _Site) -> dict[str, list[str]]:
    """Those of runs in the user's own working tree; other checkpoints go with their workspace."""
    git = site.checkpointing
    ran = git.attempt("for-each-ref", "--format=%(refname)", _CHECKPOINTS) if git else None
    listed = ran.out.split(b"\n") if ran and ran.exit == 0 else []
    return _by_run((os.fsdecode(line) for line in listed if line), _CHECKPOINTS)


def _by_run(names: Iterable[str], prefix: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.removeprefix(prefix).partition("/")[0], []).append(name)
    return found


def _on_a_branch(user: Repository, name: str) -> bool:
    listed = user.git().attempt("for-each-ref", "--count=1", f"--contains={name}", "refs/heads/")
    return listed.exit == 0 and bool(listed.out.strip())


def _bytes(top: Path) -> int:
    """Of the files below; what can't be read counts nothing."""
    total, waiting = 0, [str(top)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                facts = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(facts.st_mode):
                    waiting.append(entry.path)
                else:
                    total += facts.st_size
    return total
