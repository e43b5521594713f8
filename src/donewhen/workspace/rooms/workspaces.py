"""Run workspaces: where an agent works, apart from the user's own working tree.

A clone that borrows the user's objects is a whole repository: adding, committing, stashing and branching in
it write nothing of the user's. The one thing written to the user's repository is a reference that keeps the
base commit. A workspace is made under another name and given its own at the end: a killed process leaves
none that is half made.
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from donewhen.config.files import read_bytes, write_whole
from donewhen.core.errors import SetupError
from donewhen.core.texts import Phrase
from donewhen.workspace.fingerprint.ignoring import KEPT_RULES, ignored_now
from donewhen.workspace.fingerprint.seeding import vouch
from donewhen.workspace.git.repository import Repository
from donewhen.workspace.git.runner import Git
from donewhen.workspace.rooms.disk import disk_told
from donewhen.workspace.rooms.filling import fill, nothing
from donewhen.workspace.rooms.gitdir import Head, Ref, make_git, refs
from donewhen.workspace.rooms.lease import lease
from donewhen.workspace.rooms.nested import DEEPEST, counterpart, nested_in, nested_of
from donewhen.workspace.rooms.places import Places
from donewhen.workspace.rooms.removal import put_away
from donewhen.workspace.rooms.sweeping import sweep

Kind = Literal["clone", "worktree"]
NO_PUSH = "no-push://results-are-fetched-by-donewhen"
_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_PATIENCE = 600.0  # seconds for another process that makes the same workspace


class Workspace(NamedTuple):
    folder: Path
    kind: Kind
    branch: str
    base: str  # the commit it started from
    run_id: str
    home: Path  # for the fingerprints of this workspace
    notes: tuple[Phrase, ...] = ()

    @property
    def pin(self) -> str:
        """The reference in the user's repository that keeps the base."""
        return pin_of(self.run_id)

    @property
    def record(self) -> Path:
        """Written last, outside the agent's reach: there is one when the workspace is whole."""
        return self.folder.with_name(f"{self.run_id}.json")


def pin_of(run_id: str) -> str:
    return f"refs/donewhen/{run_id}/base"


def open_workspace(
    repository: Repository,
    run_id: str,
    base_commit: str,
    places: Places,
    kind: Kind = "clone",
    *,
    meanwhile: Callable[[], None] = nothing,
) -> Workspace:
    """The workspace of a run: the one that is there, if it is whole, else a new one at the base.

    `meanwhile` is done while git fills it.
    """
    if not _RUN.fullmatch(run_id):
        raise SetupError("rooms.bad_run", run=run_id)
    wanted = base_commit or repository.head
    base = wanted if wanted == repository.head else repository.commit(wanted)
    if not base:
        missing = "rooms.no_commit" if repository.head else "rooms.no_commits"
        raise SetupError(missing, commit=base_commit, folder=repository.root)
    fresh = Workspace(places.runs / run_id, kind, f"donewhen/{run_id}", base, run_id, places.homes / run_id)
    sweep(places.runs)
    with lease(_half_made(fresh), wait=_PATIENCE):
        found = find_workspace(run_id, places)
        if found is None:
            with disk_told(places.runs):
                return _make(fresh, repository, meanwhile)
        if found.base != base:
            raise SetupError("rooms.other_base", run=run_id, folder=found.folder, base=found.base[:12])
        return found


def find_workspace(run_id: str, places: Places) -> Workspace | None:
    """The workspace of a run, once it was whole; None when there is none.

    One that was whole may hold work, whatever became of it: it is refused, never made again.
    """
    folder = places.runs / run_id
    data = read_bytes(folder.with_name(f"{run_id}.json"), f"{run_id}.json")
    if data is None or not os.path.lexists(folder):
        return None
    try:
        if folder.is_symlink() or not os.path.lexists(folder / ".git"):
            raise ValueError
        said = json.loads(data)
        kind: Kind = "worktree" if said["kind"] == "worktree" else "clone"
        notes = tuple(Phrase(key, values) for key, values in said["notes"])
        return Workspace(folder, kind, said["branch"], said["base"], run_id, places.homes / run_id, notes)
    except (ValueError, KeyError, TypeError):
        raise SetupError("rooms.altered", folder=folder) from None


def _make(wanted: Workspace, repository: Repository, meanwhile: Callable[[], None]) -> Workspace:
    git = repository.git()
    git.run("update-ref", wanted.pin, wanted.base)
    wanted.record.unlink(missing_ok=True)
    vouch(wanted.home, None)
    ignored_now(repository, repository.env).keep(wanted.home / KEPT_RULES)
    make = _make_clone if wanted.kind == "clone" else _make_worktree
    notes = make(wanted, repository, meanwhile)
    said = {"kind": wanted.kind, "base": wanted.base, "branch": wanted.branch, "notes": notes}
    write_whole(wanted.record, json.dumps(said).encode())
    return wanted._replace(notes=tuple(notes))


def _half_made(wanted: Workspace) -> Path:
    return wanted.folder.with_name(f"{wanted.run_id}.new")


def _discard(wanted: Workspace) -> None:
    """Throw away what a killed process left; nobody has worked in it."""
    put_away(_half_made(wanted))
    if os.path.lexists(wanted.folder):
        wanted.folder.rename(_half_made(wanted))
        put_away(_half_made(wanted))


def _make_clone(wanted: Workspace, repository: Repository, meanwhile: Callable[[], None]) -> list[Phrase]:
    half_made = _half_made(wanted)
    _discard(wanted)
    half_made.mkdir(mode=0o700)
    git = make_git(
        half_made,
        repository,
        Head(wanted.base, wanted.branch),
        _seen_from_a_clone(repository),
        settings=_origin(repository),
    )
    notes = _fill_all(git, repository, wanted.base, meanwhile=meanwhile)
    vouch(wanted.home, half_made / ".git/index")
    half_made.rename(wanted.folder)
    return notes


def _make_worktree(wanted: Workspace, repository: Repository, meanwhile: Callable[[], None]) -> list[Phrase]:
    git = repository.git()
    _discard(wanted)
    git.attempt("worktree", "remove", "--force", "--force", str(wanted.folder))
    there = repository.commit(f"refs/heads/{wanted.branch}")
    if there and there != wanted.base:
        raise SetupError("rooms.branch_taken", branch=wanted.branch, folder=repository.root)
    words = ["worktree", "add", "--quiet", "--no-checkout", str(wanted.folder)]
    git.run(*words, *([wanted.branch] if there else ["-b", wanted.branch, wanted.base]))
    wanted.folder.chmod(0o700)
    git = Git(wanted.folder, repository.env)
    return _fill_all(git, repository, wanted.base, meanwhile=meanwhile)


def _seen_from_a_clone(repository: Repository) -> list[Ref]:
    """The user's branches as those of `origin`, and the tags."""
    found = refs(repository, "refs/heads", "refs/tags")
    return [Ref(id, name.replace("refs/heads/", "refs/remotes/origin/", 1)) for id, name in found]


def _origin(repository: Repository) -> list[tuple[str, str]]:
    """Looking at the user's branches is fine, a push goes nowhere."""
    return [
        ("remote.origin.url", str(repository.root)),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
        ("remote.origin.pushurl", NO_PUSH),
    ]


def _fill_all(
    git: Git,
    source: Repository,
    commit: str,
    prefix: str = "",
    depth: int = DEEPEST,
    meanwhile: Callable[[], None] = nothing,
) -> list[Phrase]:
    """Fill a working tree and the repositories inside, as far as the user has them; what is to be known."""
    ours = git.own is not None  # made by us a moment ago; a linked working tree has the user's settings
    filled = fill(git, commit, ours=ours, meanwhile=meanwhile)
    notes = [] if filled else [Phrase("rooms.without_filters", {"folder": prefix or "."})]
    named = nested_of(git.own / "index", source.format) if git.own is not None else None
    for path, wanted in nested_in(source.git(), commit) if named is None else named:
        inner = counterpart(source, path) if depth else None
        if inner is None or not inner.commit(wanted):
            notes.append(Phrase("rooms.nested_absent", {"path": prefix + path}))
            continue
        folder = git.folder / path
        folder.mkdir(parents=True, exist_ok=True)
        made = make_git(folder, inner, Head(wanted), _seen_from_a_clone(inner), settings=_origin(inner))
        notes += _fill_all(made, inner, wanted, f"{prefix}{path}/", depth - 1)
    return notes
